//===- CarriedValues.h - What loops carry for nothing -----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that advances its offsets carries tiles of them.  Once the accesses
// name blocks, such tiles only make each other, which no canonicalisation sees.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_CARRIEDVALUES_H
#define TILE_TRANSFORMS_CARRIEDVALUES_H

#include "tile/IR/TileOps.h"

namespace tile {

/// Lets each loop yield as they are the values that it carries only to compute
/// them; canonicalisation then removes them.
void dropUnusedCarriedValues(KernelOp kernel);

} // namespace tile

#endif // TILE_TRANSFORMS_CARRIEDVALUES_H
