//===- WarpGrid.h - How warps share an accumulator --------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_WARPGRID_H
#define TILE_TRANSFORMS_WARPGRID_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace tile {

/// How warps share an m x n accumulator.
struct WarpGrid {
  int64_t rows, columns;
  /// Warps that repeat the work of others, since there are too few blocks.
  int64_t idle;
};

/// The grid of `warps` warps, a power of two, in which the fewest repeat the
/// work of others; of those the squarest, since its warps read the least.  A
/// side has as many blocks for warps of their own as the power of two in it
/// holds; what is odd in it goes to all.
WarpGrid chooseWarpGrid(llvm::ArrayRef<int64_t> shape, int64_t warps,
                        llvm::ArrayRef<int64_t> block);

} // namespace tile

#endif // TILE_TRANSFORMS_WARPGRID_H
