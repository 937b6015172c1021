//===- ShapeLayouts.h - Layouts that follow from others ---------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_TRANSFORMS_SHAPELAYOUTS_H
#define TILE_LIB_TRANSFORMS_SHAPELAYOUTS_H

#include "tile/GPU/TileGPUOps.h"

namespace tile {

/// The tensor type with a layout.
mlir::RankedTensorType withLayout(mlir::RankedTensorType type,
                                  const TileLayout &layout);

/// The layout that a tensor type has.
const TileLayout &tileLayoutOf(mlir::Type type);

/// Whether an op only repeats or relabels a tile's elements, so that threads
/// can keep them.
bool isShapeOp(mlir::Operation *op);

/// The layout of a shape op's source in which each thread holds what it needs
/// for its part of the result; nothing if elements have to move.
std::optional<TileLayout> sourceLayout(mlir::Operation *op,
                                       const TileLayout &result);

/// The layout of an op's result that moves nothing, from that of its first
/// operand, where there is one: for reductions and reshapes.
std::optional<TileLayout> resultLayout(mlir::Operation *op,
                                       const TileLayout &source);

/// A layout with vectors of `vector` elements along dimension `contiguous`:
/// lanes run along it first, then over the other dimensions, last to first;
/// warps take what is slowest.
llvm::Expected<TileLayout> vectorLayout(mlir::ArrayRef<int64_t> shape,
                                        int64_t vector, unsigned contiguous,
                                        int64_t numWarps);

/// Fails, with an error, where a thread holds more of a tile than can be
/// compiled.  Passes after the layouts only convert between those that are
/// there.
mlir::LogicalResult checkThreadElements(KernelOp kernel, int64_t warps);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_SHAPELAYOUTS_H
