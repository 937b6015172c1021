//===- Hazards.h - Conflicts between threads --------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds accesses of shared and global memory that conflict between the threads
// of one program without a barrier in between, by walking a kernel as it would
// run: a loop is walked as many times as its rings have slots and two more,
// since cursors repeat after that; zero iterations and both sides of a branch
// are joined.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_HAZARDS_H
#define TILE_TRANSFORMS_HAZARDS_H

#include "tile/GPU/TileGPUOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tile {

/// What is missing between two accesses: a barrier; or what a barrier does not
/// help without, a wait for the asynchronous copy or the product by wgmma that
/// the first is, or a fence of the threads that write what wgmma reads.
enum class Missing { Barrier, Wait, Fence };

/// Two accesses of which the second must not run before all threads have
/// finished the first.
struct Hazard {
  mlir::Operation *first;
  mlir::Operation *second;
  Missing missing;
  /// The first access reads.
  bool isRead;
};

/// The most slots of a ring that the loop walks; 0 if it walks none.
int64_t maxSlots(mlir::scf::ForOp loop);

/// The first hazard in the order of the walk, if there is one.
std::optional<Hazard> findHazard(KernelOp kernel);

/// Puts barriers into a kernel while it is walked.
class HazardMender {
public:
  virtual ~HazardMender() = default;
  /// Whether a barrier now stands directly before the second access, to which
  /// the walk has come for the first time and from which it goes on.
  virtual bool mendHere(const Hazard &hazard) = 0;
  /// Puts a barrier in, or moves one, where the walk has been already.  Returns
  /// the first op whose walk that may change; null if nothing can be done.
  virtual mlir::Operation *mend(const Hazard &hazard) = 0;
};

/// Walks the kernel to its end while hazards are mended, with the barriers that
/// findHazard() and a new walk for each would lead to, but in about the time of
/// one walk.  What it returns could not be mended.
std::optional<Hazard> mendHazards(KernelOp kernel, HazardMender &mender);

using BarrierSet = llvm::SmallPtrSet<mlir::Operation *, 16>;

/// Those of the barriers without which, if all others stay, there would be a
/// hazard.  The kernel has none.
BarrierSet neededBarriers(KernelOp kernel, const BarrierSet &candidates);

/// Says at the second access what is missing.
mlir::InFlightDiagnostic refuse(const Hazard &hazard);

} // namespace tile

#endif // TILE_TRANSFORMS_HAZARDS_H
