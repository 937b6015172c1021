//===- PlanShared.h - Bytes that plans take ---------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PLANSHARED_H
#define TILE_TRANSFORMS_PLANSHARED_H

#include "Overlap.h"

namespace tile {

/// The bytes of a tile; 0 for what is none.
int64_t tileBytes(mlir::Type type);

/// The bytes of one tile of a load that has been planned.
int64_t slotBytes(const LoadAccess &staged);

/// The bytes of one turn of a loop's rings.
int64_t turnBytes(llvm::ArrayRef<LoadAccess> loads);

/// Whether the copy engine brings a load's tiles.
bool isTma(const LoadAccess &staged);

} // namespace tile

#endif // TILE_TRANSFORMS_PLANSHARED_H
