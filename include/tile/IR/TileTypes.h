//===- TileTypes.h - Types of the tile dialect ------------------*- C++ -*-===//
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
/// The largest tile.  Far above what a program's registers and shared memory
/// hold; it keeps element counts and sizes in bytes clear of overflow.
inline constexpr int64_t kMaxTileElements = int64_t(1) << 24;

/// Whether a tile may have this shape: at least one side, each static and at
/// least 1, and at most `kMaxTileElements` elements.
bool isTileShape(llvm::ArrayRef<int64_t> shape);

/// The type of the mask of an access that moves `moved`: i1 in its shape.
mlir::Type getMaskType(mlir::Type moved);

/// Whether memory can hold elements of this type.
bool isElementType(mlir::Type type);

/// Whether a type, or its elements, are 8-bit floats.
bool isFloat8(mlir::Type type);

/// Bytes that one element takes in memory (i1 takes one).
int64_t elementBytes(mlir::Type type);
} // namespace tile

#define GET_TYPEDEF_CLASSES
#include "tile/IR/TileTypes.h.inc"

#endif // TILE_IR_TILETYPES_H
