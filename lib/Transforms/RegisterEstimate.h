//===- RegisterEstimate.h - What products hold in registers -----*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For dots by mma.sync and fma, from the program alone, before anything of it
// is planned but the number of warps.  A thread holds the sums; beside them, in
// the loop, operands, and behind it what an epilogue loads.  Addresses, masks
// and the like are not counted but allowed for (tile/GPU/ThreadRegisters.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_REGISTERESTIMATE_H
#define TILE_TRANSFORMS_REGISTERESTIMATE_H

#include "tile/Analysis/AccessAnalysis.h"
#include "tile/IR/TileOps.h"

#include "llvm/ADT/SmallVector.h"

namespace tile {

/// What the threads of one kernel hold at the same time at most.
class RegisterEstimate {
public:
  /// `byFma` where no dot may be mma.sync.
  RegisterEstimate(KernelOp kernel, const AccessAnalysis &analysis, bool byFma);

  /// Registers of a thread that hold sums, those of all dots and loops whose
  /// results live at the same time, and what loops carry beside them.
  int64_t sums(int64_t warps) const { return allSums / (32 * warps); }
  /// Registers of a thread that hold operands of the dot that takes most.
  int64_t operands(int64_t warps) const;
  /// Registers of a thread for the largest tile that an epilogue loads element
  /// by element.
  int64_t loaded(int64_t warps) const { return allLoaded / (32 * warps); }
  /// Registers of a thread for what is loaded element by element in the block
  /// of a dot, with offsets: all of it is there before the first is stored for
  /// the dot.
  int64_t gathered(int64_t warps) const { return allGathered / (32 * warps); }
  /// The dot of the largest tile; null without dots.
  DotOp largestDot() const { return largest; }
  /// Sides of that dot's tile with which sums and operands take at most `room`
  /// registers: its own, with the longer one halved as often as it takes.
  llvm::SmallVector<int64_t> sidesThatFit(int64_t warps, int64_t room) const;

private:
  int64_t operandsOf(DotOp dot, llvm::ArrayRef<int64_t> sides,
                     int64_t warps) const;

  llvm::SmallVector<DotOp> dots;
  DotOp largest;
  int64_t allSums = 0, allLoaded = 0, allGathered = 0;
  bool byFma;
};

} // namespace tile

#endif // TILE_TRANSFORMS_REGISTERESTIMATE_H
