//===- TileTypes.h - Types of the tile dialect -*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_IR_TILETYPES_H
#define TILE_IR_TILETYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Types.h"

namespace tile {
/// Whether memory can hold elements of this type.
bool isElementType(mlir::Type type);

/// Bytes that one element takes in memory (i1 takes one).
int64_t elementBytes(mlir::Type type);
} // namespace tile

#define GET_TYPEDEF_CLASSES
#include "tile/IR/TileTypes.h.inc"

#endif // TILE_IR_TILETYPES_H
