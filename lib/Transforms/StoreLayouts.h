//===- StoreLayouts.h - How results leave their fragments -------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_TRANSFORMS_STORELAYOUTS_H
#define TILE_LIB_TRANSFORMS_STORELAYOUTS_H

#include "tile/IR/TileOps.h"

namespace tile {

/// The dimension along which a block's vectors run: the last one whose stride
/// is 1, or else the last.
unsigned contiguousDim(mlir::RankedTensorType tile, mlir::OperandRange strides);

/// Has results that lie in short runs rearranged through shared memory, where
/// it has room and the plan lets it, so that they leave as whole lines.
mlir::LogicalResult convertStores(KernelOp kernel, int64_t warps);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_STORELAYOUTS_H
