//===- Overlap.h - Whether a loop's copies may run ahead --------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Read by the planner, which then plans one stage, and by the pipeliner, which
// refuses a schedule that was written by hand.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_OVERLAP_H
#define TILE_TRANSFORMS_OVERLAP_H

#include "tile/Analysis/AccessAnalysis.h"

namespace tile {

/// A load that a loop stages in shared memory, and what it reads.
struct LoadAccess {
  LoadOp load;
  Access access;
};

/// The scalars of an access that the loop computes and that any iteration can
/// compute for another.
llvm::SmallVector<mlir::Value> scalarsComputedIn(mlir::scf::ForOp loop,
                                                 const Access &access);

/// Why the copies of `loads` must not be started iterations ahead; empty if
/// they may be.
std::string reasonAgainstOverlap(mlir::scf::ForOp loop,
                                 llvm::ArrayRef<LoadAccess> loads);

} // namespace tile

#endif // TILE_TRANSFORMS_OVERLAP_H
