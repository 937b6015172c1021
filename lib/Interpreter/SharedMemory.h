//===- SharedMemory.h - Rings of one program -*- C++ -*- -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slot holds its tile row by row, whatever its layout; what the layout
// decides is in which bytes the slot lies as a whole, and these overlap those
// of other rings where the allocator has said so.
//
// An asynchronous copy lands when its group has been waited for.  Until then
// its slot can be neither read nor written.  Where barriers are checked, two
// accesses of one slot, one of them a write, need a barrier between them, since
// different threads may carry them out; a copy counts as written when it lands.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_INTERPRETER_SHAREDMEMORY_H
#define TILE_LIB_INTERPRETER_SHAREDMEMORY_H

#include "mlir/IR/Operation.h"
#include <optional>
#include <string>
#include <vector>

namespace tile::interpreter {

/// Why an access of a slot is not allowed, with the earlier op that it meets.
struct SlotProblem {
  std::string message;
  mlir::Operation *earlier = nullptr;
  std::string note;
};

/// Where a ring lies and how large its slots are.
struct RingPlace {
  int64_t slots = 0;
  size_t slotBytes = 0;
  /// Bytes from the start of shared memory, once the allocator has placed it.
  std::optional<int64_t> offset;
};

class SharedMemory {
public:
  /// Forgets everything; the start of a program.
  void reset(size_t numRings, bool checkBarriers);

  /// The start of a ring's life: its slots are empty.
  void allocate(size_t ring, RingPlace place);

  /// The slot that a cursor names after so many steps.
  int64_t slotAt(size_t ring, int64_t position) const {
    return position % rings[ring].place.slots;
  }

  /// Why `op` may not read this slot; if it may, it has.
  std::optional<SlotProblem> read(mlir::Operation *op, size_t ring,
                                  int64_t slot);

  /// Why `op` may not write this slot; if it may, it has, or has started to
  /// where `isAsync`.
  std::optional<SlotProblem> write(mlir::Operation *op, size_t ring,
                                   int64_t slot, bool isAsync);

  /// The elements of a slot.
  char *data(size_t ring, int64_t slot) {
    return rings[ring].bytes.data() + slot * rings[ring].place.slotBytes;
  }

  void commit() { ++groups; }
  void wait(int64_t groupsAhead);
  void barrier() { ++epoch; }

private:
  enum class Status { Empty, Filled, OnItsWay, Overwritten };

  struct SlotState {
    Status status = Status::Empty;
    /// The op that wrote last, or that overwrote it.
    mlir::Operation *writer = nullptr;
    mlir::Operation *reader = nullptr;
    /// The number of barriers passed at the last write and read.
    int64_t writtenAt = -1, readAt = -1;
    /// The group of a copy on its way.
    int64_t group = 0;
  };

  struct Ring {
    RingPlace place;
    std::vector<char> bytes;
    std::vector<SlotState> slots;
  };

  bool overlap(const Ring &a, int64_t slotOfA, const Ring &b,
               int64_t slotOfB) const;
  std::optional<SlotProblem> meet(const SlotState &earlier, int64_t slot,
                                  bool isWrite) const;

  std::vector<Ring> rings;
  bool checkBarriers = false;
  /// Barriers passed, and groups committed, so far.
  int64_t epoch = 0, groups = 0;
};

} // namespace tile::interpreter

#endif // TILE_LIB_INTERPRETER_SHAREDMEMORY_H
