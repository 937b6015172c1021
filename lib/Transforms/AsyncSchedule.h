//===- AsyncSchedule.h - Who uses which ring and barriers -------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What of an asynchronous schedule can be seen without walking it: the roles,
// the barriers that say "full" and those that say "free", the rings that the
// copy engine fills, and which ops of each block matter at all.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_ASYNCSCHEDULE_H
#define TILE_TRANSFORMS_ASYNCSCHEDULE_H

#include "tile/GPU/TileGPUOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tile {

/// What is wrong with a schedule, and the other places that are involved.
struct ScheduleFault {
  struct Note {
    mlir::Operation *op;
    std::string text;
  };
  mlir::Operation *op;
  std::string message;
  llvm::SmallVector<Note, 2> notes = {};
};

/// Whether an op needs transaction barriers: a step between roles, or of one
/// thread for all of a kernel.
bool isTransaction(mlir::Operation *op);

/// A number and what it counts: "1 arrival", "2 arrivals".
std::string counted(int64_t number, llvm::StringRef what);

/// Barriers as the roles use them.
struct BarrierUse {
  gpu::BarriersOp barriers;
  /// Copies fill the slots (tma_load, expect, wait_full); otherwise readers
  /// free them (release, wait_free).
  bool isFull;
  mlir::Operation *firstUse;
  /// Roles, by number, that wait for the barriers.
  llvm::SmallSetVector<unsigned, 4> waiters = {};
  /// Roles, by number, that release slots on them.
  llvm::SmallSetVector<unsigned, 4> releasers = {};
  /// Whether releases go to both CTAs of a cluster.
  bool isPaired = false;

  int64_t slots() { return barriers.getType().getSlots(); }
  int64_t arrivals() { return barriers.getArrivalsAttr().getInt(); }
};

/// A ring that the copy engine fills.
struct RingUse {
  /// The first copy into it in the order of the text.
  gpu::TmaLoadOp load;
  /// Number of the barriers that all its copies signal.
  unsigned full;
};

/// The asynchronous schedule of a kernel.  Where it has no roles, all of it is
/// one: its warps do the same, and one thread fills the rings.
class AsyncSchedule {
public:
  /// Collects; where the schedule breaks a rule that needs no walk, says so.
  /// `roles` may be null.
  std::optional<ScheduleFault> collect(KernelOp kernel, gpu::RolesOp roles);

  /// Number of the barriers behind an operand, in `barriers`.
  unsigned numberOf(mlir::Value value) const {
    return numbers.find(value)->second;
  }
  int64_t warpgroupsOf(unsigned role) const;
  /// The op's ops that matter, in order.
  llvm::ArrayRef<mlir::Operation *> opsOf(mlir::Block *block) const;

  /// Each a `tile_gpu.role`, or the kernel.
  llvm::SmallVector<mlir::Operation *, 2> roles;
  llvm::SmallVector<BarrierUse, 4> barriers;
  llvm::MapVector<mlir::Value, RingUse> rings;
  /// The most slots of any barriers.
  int64_t maxSlots = 1;

private:
  using Fault = std::optional<ScheduleFault>;
  bool isStep(mlir::Operation *op) const;
  Fault collectOp(mlir::Operation *op, unsigned role);
  Fault collectBarriers(mlir::Operation *op, mlir::Value value, bool isFull);
  Fault collectRing(gpu::TmaLoadOp load);
  Fault checkPlace(mlir::Operation *op);
  Fault checkArrivals();
  Fault checkWrites(mlir::Operation *op);
  Fault checkStaging();
  Fault checkStores();

  llvm::DenseMap<mlir::Value, unsigned> numbers;
  /// Buffers that the copy engine fills.
  llvm::DenseSet<mlir::Value> filled;
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<mlir::Operation *>> ops;
  llvm::SmallVector<std::pair<gpu::TmaStoreOp, unsigned>> stores;
};

} // namespace tile

#endif // TILE_TRANSFORMS_ASYNCSCHEDULE_H
