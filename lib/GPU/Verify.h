//===- Verify.h - Checks that ops of tile_gpu share -------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_GPU_VERIFY_H
#define TILE_GPU_VERIFY_H

#include "tile/GPU/TileGPUOps.h"

namespace tile::gpu {

/// An operand of a product: a slot, or a tensor without a cursor.
struct ProductOperand {
  mlir::Value value, cursor;

  /// The tile that it is.
  mlir::RankedTensorType tile() const;
};

/// Checks that a cursor walks `slots` slots.
mlir::LogicalResult verifyCursor(mlir::Operation *op, int64_t slots,
                                 CursorType cursor);

/// Checks (C1) to (C5) of mma and wgmma.
mlir::LogicalResult verifyMatrixProduct(mlir::Operation *op, ProductOperand a,
                                        ProductOperand b,
                                        mlir::RankedTensorType acc,
                                        MmaAttr plan,
                                        Precision precision = Precision::Ieee);

} // namespace tile::gpu

#endif // TILE_GPU_VERIFY_H
