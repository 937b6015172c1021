//===- MemoryAccess.cpp - Pointers, loads and stores ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "LaneAccess.h"

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

template <class Bits>
static LogicalResult runLoad(Program &program, const Step &step) {
  Access access(program, step, step.operands[0],
                offsetsIn(program, step.operands[1]), sizeof(Bits));
  LoadLanes<Bits> lanes;
  lanes.mask = maskOf(program, step);
  if (step.numbers[kOther] >= 0)
    lanes.other = program.data<Bits>(step.operands[step.numbers[kOther]]);
  lanes.otherIsTile = step.numbers[kOtherIsTile];
  lanes.isBool = step.numbers[kIsBool];
  lanes.result = program.data<Bits>(step.results[0]);
  lanes.count = program.slot(step.results[0]).count;
  return loadLanes(program, step, access, lanes);
}

template <class Bits>
static LogicalResult runStore(Program &program, const Step &step) {
  Access access(program, step, step.operands[0],
                offsetsIn(program, step.operands[1]), sizeof(Bits));
  return storeLanes<Bits>(program, step, access, step.operands[2],
                          maskOf(program, step));
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

template <class Bits>
struct Load {
  static constexpr Handler run = runLoad<Bits>;
};
template <class Bits>
struct Store {
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
    step.numbers = {hasMask ? 2 : -1, load.getOther() ? (hasMask ? 3 : 2) : -1,
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
