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
#include <optional>
#include <utility>

namespace tile {

/// Rows and columns of the grid in which `warps` warps share an m x n
/// accumulator, each owning a whole number of blocks; the squarest, since its
/// warps read the least.  Nothing where there are too few blocks.
std::optional<std::pair<int64_t, int64_t>>
chooseWarpGrid(llvm::ArrayRef<int64_t> shape, int64_t warps,
               llvm::ArrayRef<int64_t> block);

} // namespace tile

#endif // TILE_TRANSFORMS_WARPGRID_H
