//===- SharedMemory.h - Rings of one program --------------------*- C++ -*-===//
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
// An asynchronous copy lands when it has been waited for.  Until then its slot
// can be neither read nor written.  Two accesses of one slot, one of them a
// write, must be ordered:
// - within a role (or where there are none), where barriers are checked, by a
//   barrier between them, since different threads may carry them out; a copy
//   counts as written when it lands;
// - between roles by transaction barriers (RoleOrder.h);
// - between threads that write and the tensor cores by a fence, and where
//   barriers are checked a barrier behind it;
// - a slot that the tensor cores or the copy engine may still read by a wait.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_INTERPRETER_SHAREDMEMORY_H
#define TILE_LIB_INTERPRETER_SHAREDMEMORY_H

#include "RoleOrder.h"
#include "TransactionBarriers.h"
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

/// Who writes a slot: the threads, the threads by cp.async, which lands with
/// its group, or the copy engine, which signals a barrier.
enum class Writer { Threads, AsyncThreads, CopyEngine };
/// Who reads it: the threads at once, or the tensor cores until waited for.
enum class Reader { Threads, TensorCores };

class SharedMemory {
public:
  /// Forgets everything; the start of a program.
  void reset(size_t numRings, size_t numBarrierSets, bool checkBarriers);

  /// The start of a ring's life: its slots are empty.  At the start of another
  /// one, what has been started on them goes on.
  void allocate(size_t ring, RingPlace place);

  int64_t numSlots(size_t ring) const { return rings[ring].place.slots; }
  /// The slot that a cursor names after so many steps.
  int64_t slotAt(size_t ring, int64_t position) const {
    return position % rings[ring].place.slots;
  }

  /// Why `op` may not read this slot; if it may, it has.
  std::optional<SlotProblem> read(mlir::Operation *op, size_t ring,
                                  int64_t slot, Reader reader);

  /// Why `op` may not write this slot; if it may, it has, or has started to.
  std::optional<SlotProblem> write(mlir::Operation *op, size_t ring,
                                   int64_t slot, Writer writer);

  /// The elements of a slot.
  char *data(size_t ring, int64_t slot) {
    return rings[ring].bytes.data() + slot * rings[ring].place.slotBytes;
  }

  /// Groups of cp.async.
  void commit() { ++groups; }
  void wait(int64_t groupsAhead);
  /// All threads meet.
  void barrier() {
    ++epoch;
    order.meet();
  }
  /// What threads have written is visible to the tensor cores.
  void fence();

  /// The tensor cores start a group that reads what `read` has named since the
  /// last one; all but so many groups of this role have ended.
  void closeTensorGroup();
  void waitForTensorCores(int64_t groupsAhead);

  /// The copy engine reads all slots of a ring, until waited for.
  void startStore(mlir::Operation *op, size_t ring);
  void waitForStores();
  /// A store of this role that has not been waited for, or null.
  mlir::Operation *pendingStore() const;

  /// Ends the phase of a barrier if nothing is missing; its copies land.
  void endPhase(size_t set, int64_t slot);

  /// All that was done is visible to all roles; they part, or have met again.
  void enterRoles(size_t numRoles);
  void leaveRoles();

  RoleOrder order;
  TransactionBarriers barriers;

private:
  enum class Status { Empty, Filled, OnItsWay, Overwritten };

  struct SlotState {
    Status status = Status::Empty;
    /// The op that wrote last, or that overwrote it, and when it was done.
    mlir::Operation *writer = nullptr;
    Event written;
    /// The last read of each role.
    mlir::Operation *reader = nullptr;
    std::vector<Event> reads;
    /// The number of barriers passed at the last write and read.
    int64_t writtenAt = -1, readAt = -1;
    /// The group of a cp.async on its way; -1: the copy engine's.
    int64_t group = -1;
    /// Written by threads without a fence since; the number of barriers passed
    /// at the fence.
    bool needsFence = false;
    int64_t fencedAt = -1;
    /// The store that the copy engine reads the slot for.
    mlir::Operation *store = nullptr;
    size_t storeRole = 0;
  };

  struct Ring {
    RingPlace place;
    std::vector<char> bytes;
    std::vector<SlotState> slots;
  };

  struct SlotName {
    size_t ring;
    int64_t slot;
  };

  /// The groups that a role has started on the tensor cores, oldest first; the
  /// last one is not closed yet.
  using TensorGroups = std::vector<std::vector<SlotName>>;

  bool overlap(const Ring &a, int64_t slotOfA, const Ring &b,
               int64_t slotOfB) const;
  /// A read, a write by threads, or a write by the copy engine.
  enum class Access { Read, Write, Fill };
  std::optional<SlotProblem> meet(const SlotState &earlier, int64_t slot,
                                  Access access) const;
  std::optional<SlotProblem> meetOnTheWay(const SlotState &earlier,
                                          int64_t slot, bool isWrite) const;

  std::vector<Ring> rings;
  std::vector<TensorGroups> tensorGroups;
  bool checkBarriers = false;
  /// Barriers passed, and groups committed, so far.
  int64_t epoch = 0, groups = 0;
};

} // namespace tile::interpreter

#endif // TILE_LIB_INTERPRETER_SHAREDMEMORY_H
