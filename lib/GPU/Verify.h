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

/// A slot as an operand.
struct SlotOperand {
  mlir::TypedValue<BufferType> buffer;
  mlir::TypedValue<CursorType> cursor;
};

/// Checks that a cursor walks `slots` slots.
mlir::LogicalResult verifyCursor(mlir::Operation *op, int64_t slots,
                                 CursorType cursor);

/// Checks (C1) to (C4) of mma and wgmma.
mlir::LogicalResult verifyMatrixProduct(mlir::Operation *op, SlotOperand a,
                                        SlotOperand b,
                                        mlir::RankedTensorType acc,
                                        MmaAttr plan);

} // namespace tile::gpu

#endif // TILE_GPU_VERIFY_H
