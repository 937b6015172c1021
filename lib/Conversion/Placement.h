//===- Placement.h - Bytes that overlap -------------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_PLACEMENT_H
#define TILE_CONVERSION_PLACEMENT_H

#include "tile/IR/TileOps.h"

namespace tile {

/// Checks the offsets in shared memory that have been given: no barriers on
/// other barriers or on a ring, no two rings on the same bytes that are in use
/// at the same time, nothing beyond what the launch gives.
mlir::LogicalResult checkPlacement(KernelOp kernel);

} // namespace tile

#endif // TILE_CONVERSION_PLACEMENT_H
