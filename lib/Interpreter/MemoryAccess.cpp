//===- MemoryAccess.cpp - Pointers, loads and stores -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "GlobalMemory.h"

using namespace mlir;

namespace tile::interpreter {

/// Where an op's optional operands stand, in step.numbers; -1: absent.
enum Number { kMask, kOther, kOtherIsTile, kIsBool };

/// The mask of an op, or null.
static const uint8_t *maskOf(Program &program, const Step &step) {
  return step.numbers[kMask] < 0
             ? nullptr
             : program.data<uint8_t>(step.operands[step.numbers[kMask]]);
}

/// i1 in memory is a byte 0 or 1; anything else is an error.
static LogicalResult checkBool(Program &program, const Step &step,
                               const Access &access, const uint8_t *element,
                               uint64_t value, int64_t lane) {
  if (!step.numbers[kIsBool] || value <= 1)
    return success();
  return program.fail(step, "expected " + access.describe(element) +
                                " of type i1 to be 0 or 1 in memory, got " +
                                Twine(value) + " in " +
                                program.describeLane(step.results[0], lane));
}

template <class Bits>
static LogicalResult runLoad(Program &program, const Step &step) {
  Access access(program, step, step.operands[0], step.operands[1],
                sizeof(Bits));
  const uint8_t *mask = maskOf(program, step);
  const Bits *other =
      step.numbers[kOther] < 0
          ? nullptr
          : program.data<Bits>(step.operands[step.numbers[kOther]]);
  Bits *result = program.data<Bits>(step.results[0]);
  int64_t count = program.slot(step.results[0]).count;
  for (int64_t i = 0; i < count; ++i) {
    if (mask && !mask[i]) {
      result[i] = other ? other[step.numbers[kOtherIsTile] ? i : 0] : Bits(0);
      continue;
    }
    uint8_t *element = access.element(i, "read");
    if (!element || failed(access.checkInitialised(element, i)))
      return failure();
    access.touch(element, Touch::Read);
    // Racing programs may write at the same time; the race is reported later.
    Bits value = __atomic_load_n(reinterpret_cast<Bits *>(element),
                                 __ATOMIC_RELAXED);
    if (failed(checkBool(program, step, access, element, value, i)))
      return failure();
    result[i] = value;
  }
  return success();
}

/// Reports two lanes that wrote different values to the address of `lane`, whose
/// value is no longer there.
template <class Bits>
static LogicalResult reportOverwritten(Program &program, const Step &step,
                                       Access &access, int64_t lane) {
  const uint8_t *mask = maskOf(program, step);
  const Bits *value = program.data<Bits>(step.operands[2]);
  const Slot &slot = program.slot(step.operands[2]);
  for (int64_t i = slot.count - 1; i >= 0; --i) {
    if ((mask && !mask[i]) || access.offset(i) != access.offset(lane) ||
        value[i] == value[lane])
      continue;
    return program.fail(
        step, "lanes " + describeIndex(slot.shape, lane) + " and " +
                  describeIndex(slot.shape, i) + " write the different values " +
                  toString(slot.kind, &value[lane]) + " and " +
                  toString(slot.kind, &value[i]) + " to " +
                  access.describe(access.element(lane, "write")) + " in " +
                  program.describe());
  }
  // Another program wrote there: a race, which is found after the launch.
  return success();
}

template <class Bits>
static LogicalResult runStore(Program &program, const Step &step) {
  Access access(program, step, step.operands[0], step.operands[1],
                sizeof(Bits));
  const uint8_t *mask = maskOf(program, step);
  const Bits *value = program.data<Bits>(step.operands[2]);
  int64_t count = program.slot(step.operands[2]).count;
  for (int64_t i = 0; i < count; ++i) {
    if (mask && !mask[i])
      continue;
    uint8_t *element = access.element(i, "write");
    if (!element)
      return failure();
    access.touch(element, Touch::Write);
    __atomic_store_n(reinterpret_cast<Bits *>(element), value[i],
                     __ATOMIC_RELAXED);
  }
  for (int64_t i = 0; i < count; ++i) {
    if (mask && !mask[i])
      continue;
    auto *element = reinterpret_cast<Bits *>(access.element(i, "write"));
    if (__atomic_load_n(element, __ATOMIC_RELAXED) != value[i] &&
        failed(reportOverwritten<Bits>(program, step, access, i)))
      return failure();
  }
  return success();
}

/// numbers[0]: bytes of an element.
static LogicalResult runOffset(Program &program, const Step &step) {
  PointerValue pointer = *program.data<PointerValue>(step.operands[0]);
  int64_t elements = program.slot(step.operands[1]).kind == Kind::I32
                         ? *program.data<int32_t>(step.operands[1])
                         : *program.data<int64_t>(step.operands[1]);
  pointer.address += uint64_t(elements) * uint64_t(step.numbers[0]);
  *program.data<PointerValue>(step.results[0]) = pointer;
  return success();
}

/// The handler for elements as wide as those of `kind`.
template <template <class> class Run>
static Handler byWidth(Kind kind) {
  switch (bytesOf(kind)) {
  case 1: return Run<uint8_t>::run;
  case 2: return Run<uint16_t>::run;
  case 4: return Run<uint32_t>::run;
  default: return Run<uint64_t>::run;
  }
}
template <class Bits> struct Load {
  static constexpr Handler run = runLoad<Bits>;
};
template <class Bits> struct Store {
  static constexpr Handler run = runStore<Bits>;
};

Decoded decodeMemory(Decoder &decoder, Operation *op, Step &step) {
  if (auto offset = dyn_cast<OffsetOp>(op)) {
    step.numbers.push_back(
        elementBytes(offset.getPointer().getType().getElementType()));
    step.handler = runOffset;
    return Decoded::Step;
  }
  if (auto load = dyn_cast<LoadOp>(op)) {
    Kind kind = decoder.code.slots[step.results[0]].kind;
    bool hasMask = bool(load.getMask());
    step.numbers = {hasMask ? 2 : -1,
                    load.getOther() ? (hasMask ? 3 : 2) : -1,
                    load.getOther() &&
                        isa<RankedTensorType>(load.getOther().getType()),
                    kind == Kind::I1};
    step.handler = byWidth<Load>(kind);
    return Decoded::Step;
  }
  if (auto store = dyn_cast<StoreOp>(op)) {
    Kind kind = decoder.code.slots[step.operands[2]].kind;
    step.numbers = {store.getMask() ? 3 : -1};
    step.handler = byWidth<Store>(kind);
    return Decoded::Step;
  }
  return Decoded::Unknown;
}

} // namespace tile::interpreter
