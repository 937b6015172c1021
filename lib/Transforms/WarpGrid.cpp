//===- WarpGrid.cpp - How warps share an accumulator ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpGrid.h"

#include "llvm/Support/MathExtras.h"

std::optional<std::pair<int64_t, int64_t>>
tile::chooseWarpGrid(llvm::ArrayRef<int64_t> shape, int64_t warps,
                     llvm::ArrayRef<int64_t> block) {
  std::optional<std::pair<int64_t, int64_t>> best;
  int64_t bestReads = 0;
  for (int64_t rows = 1; rows <= warps; rows *= 2) {
    if (warps % rows != 0)
      continue;
    int64_t cols = warps / rows;
    if (shape[0] % (rows * block[0]) != 0 || shape[1] % (cols * block[1]) != 0)
      continue;
    if (!llvm::isPowerOf2_64(shape[0]) || !llvm::isPowerOf2_64(shape[1]))
      continue;
    // What one warp reads of both operands for each k.
    int64_t reads = shape[0] / rows + shape[1] / cols;
    if (best && reads >= bestReads)
      continue;
    best = {rows, cols};
    bestReads = reads;
  }
  return best;
}
