//===- TensorMaps.h - Accesses for the copy engine --------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_TENSORMAPS_H
#define TILE_TRANSFORMS_TENSORMAPS_H

#include "tile/Analysis/AccessAnalysis.h"
#include "tile/GPU/TileGPUOps.h"

namespace tile {

/// Why the copy engine cannot make this access of a tile; empty if it can. What
/// only a launch knows must have been assumed.
std::string reasonAgainstTma(const Access &access,
                             const AccessAnalysis &analysis, KernelOp kernel);

/// The tensor map of an access for which there is no reason against, its box
/// `rows` rows of `rowBytes`; f32 may be rounded to tf32 on the way.
gpu::TensorMapOp materializeTensorMap(mlir::OpBuilder &builder,
                                      mlir::Location loc, const Access &access,
                                      int64_t rows, int64_t rowBytes,
                                      int64_t swizzle, bool toTf32 = false);

/// The dimension that is contiguous last: how a map orders an access's.
llvm::SmallVector<unsigned> mapOrder(const Access &access);

} // namespace tile

#endif // TILE_TRANSFORMS_TENSORMAPS_H
