//===- Reshape.h - Layouts of reshaped tensors ------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reshaping in row-major order regroups the bits of a coordinate where sides
// are powers of two: the layout of the result is linear again, and nothing
// moves.
//
//   example  16x8 with register c1 c2, lane c4 r1 r2 r4 r8 becomes 128 with
//            register 1 2, lane 4 8 16 32 64: element (3, 5), which is number
//            29, stays in register 1 of lane 7
//   limits   dimensions are matched from the left into groups of equal numbers
//            of elements.  In each group only the first dimension may have an
//            odd factor, and only it may repeat: 48x64 becomes 48x2x32, and
//            64x48 becomes 64x3x16, but 16x48 does not become 768
//

#ifndef TILE_LAYOUT_RESHAPE_H
#define TILE_LAYOUT_RESHAPE_H

#include "tile/Layout/TileLayout.h"

namespace tile {

/// The layout of a tensor of shape `to` in which every element is in the same
/// register, lane and warp as in `layout`, where the tensor has shape `from`;
/// nothing if no layout is.
std::optional<TileLayout> reshapeLayout(const TileLayout &layout,
                                        llvm::ArrayRef<int64_t> from,
                                        llvm::ArrayRef<int64_t> to);

/// The coordinate in a shape of the element with a row-major number.
Coord unflatten(int64_t number, llvm::ArrayRef<int64_t> shape);
/// The row-major number of an element.
int64_t flatten(llvm::ArrayRef<int64_t> coord, llvm::ArrayRef<int64_t> shape);

} // namespace tile

#endif // TILE_LAYOUT_RESHAPE_H
