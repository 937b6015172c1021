//===- WarpGrid.cpp - How warps share an accumulator ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpGrid.h"

#include <algorithm>
#include <utility>

tile::WarpGrid tile::chooseWarpGrid(llvm::ArrayRef<int64_t> shape,
                                    int64_t warps,
                                    llvm::ArrayRef<int64_t> block) {
  auto blocks = [&](unsigned dim) {
    return std::max<int64_t>(1, (shape[dim] & -shape[dim]) / block[dim]);
  };
  WarpGrid best = {warps, 1, warps};
  int64_t bestReads = 0;
  for (int64_t rows = 1; rows <= warps; rows *= 2) {
    int64_t columns = warps / rows;
    int64_t ownRows = std::min(rows, blocks(0));
    int64_t ownColumns = std::min(columns, blocks(1));
    int64_t idle = warps - ownRows * ownColumns;
    // What one warp reads of both operands for each k.
    int64_t reads = shape[0] / ownRows + shape[1] / ownColumns;
    if (bestReads != 0 &&
        std::pair(idle, reads) >= std::pair(best.idle, bestReads))
      continue;
    best = {rows, columns, idle};
    bestReads = reads;
  }
  return best;
}
