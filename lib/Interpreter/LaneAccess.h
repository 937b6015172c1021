//===- LaneAccess.h - Loads and stores lane by lane -------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_INTERPRETER_LANEACCESS_H
#define TILE_LIB_INTERPRETER_LANEACCESS_H

#include "GlobalMemory.h"

namespace tile::interpreter {

/// The offsets that a value holds.
inline LaneOffsets offsetsIn(Program &program, SlotIndex slot) {
  LaneOffsets offsets;
  if (program.slot(slot).kind == Kind::I32)
    offsets.narrow = program.data<int32_t>(slot);
  else
    offsets.wide = program.data<int64_t>(slot);
  offsets.shape = program.slot(slot).shape;
  return offsets;
}

/// What a load of elements of this width fills.
template <class Bits>
struct LoadLanes {
  /// Which lanes read memory; null: all.
  const uint8_t *mask = nullptr;
  /// What the others become; null: zero.
  const Bits *other = nullptr;
  bool otherIsTile = false;
  /// i1 in memory is a byte 0 or 1; anything else is an error.
  bool isBool = false;
  Bits *result = nullptr;
  int64_t count = 0;
};

template <class Bits>
llvm::LogicalResult loadLanes(Program &program, const Step &step,
                              Access &access, const LoadLanes<Bits> &lanes) {
  for (int64_t i = 0; i < lanes.count; ++i) {
    if (lanes.mask && !lanes.mask[i]) {
      lanes.result[i] =
          lanes.other ? lanes.other[lanes.otherIsTile ? i : 0] : Bits(0);
      continue;
    }
    uint8_t *element = access.element(i, "read");
    if (!element || failed(access.checkInitialised(element, i)))
      return llvm::failure();
    access.touch(element, Touch::Read);
    // Racing programs may write at the same time; the race is reported later.
    Bits value =
        __atomic_load_n(reinterpret_cast<Bits *>(element), __ATOMIC_RELAXED);
    if (lanes.isBool && value > 1)
      return program.fail(step, "expected " + access.describe(element) +
                                    " of type i1 to be 0 or 1 in memory, got " +
                                    std::to_string(value) + " in " +
                                    access.describeLane(i));
    lanes.result[i] = value;
  }
  return llvm::success();
}

/// Reports two lanes that wrote different values to the address of `lane`,
/// whose value is no longer there.
template <class Bits>
llvm::LogicalResult reportOverwritten(Program &program, const Step &step,
                                      Access &access, SlotIndex valueSlot,
                                      const uint8_t *mask, int64_t lane) {
  const Bits *value = program.data<Bits>(valueSlot);
  const Slot &slot = program.slot(valueSlot);
  for (int64_t i = slot.count - 1; i >= 0; --i) {
    if ((mask && !mask[i]) || access.offset(i) != access.offset(lane) ||
        value[i] == value[lane])
      continue;
    return program.fail(step,
                        "lanes " + describeIndex(slot.shape, lane) + " and " +
                            describeIndex(slot.shape, i) +
                            " write the different values " +
                            toString(slot.kind, &value[lane]) + " and " +
                            toString(slot.kind, &value[i]) + " to " +
                            access.describe(access.element(lane, "write")) +
                            " in " + program.describe());
  }
  // Another program wrote there: a race, which is found after the launch.
  return llvm::success();
}

/// Stores the elements of `valueSlot` whose mask is true (null: all).
template <class Bits>
llvm::LogicalResult storeLanes(Program &program, const Step &step,
                               Access &access, SlotIndex valueSlot,
                               const uint8_t *mask) {
  const Bits *value = program.data<Bits>(valueSlot);
  int64_t count = program.slot(valueSlot).count;
  for (int64_t i = 0; i < count; ++i) {
    if (mask && !mask[i])
      continue;
    uint8_t *element = access.element(i, "write");
    if (!element)
      return llvm::failure();
    access.touch(element, Touch::Write);
    __atomic_store_n(reinterpret_cast<Bits *>(element), value[i],
                     __ATOMIC_RELAXED);
  }
  // A lane whose value is gone was overwritten by another lane.
  for (int64_t i = 0; i < count; ++i) {
    if (mask && !mask[i])
      continue;
    auto *element = reinterpret_cast<Bits *>(access.element(i, "write"));
    if (__atomic_load_n(element, __ATOMIC_RELAXED) != value[i] &&
        failed(
            reportOverwritten<Bits>(program, step, access, valueSlot, mask, i)))
      return llvm::failure();
  }
  return llvm::success();
}

/// The handler for elements as wide as those of `kind`.
template <template <class> class Run>
Handler byWidth(Kind kind) {
  switch (bytesOf(kind)) {
  case 1:
    return Run<uint8_t>::run;
  case 2:
    return Run<uint16_t>::run;
  case 4:
    return Run<uint32_t>::run;
  default:
    return Run<uint64_t>::run;
  }
}

} // namespace tile::interpreter

#endif // TILE_LIB_INTERPRETER_LANEACCESS_H
