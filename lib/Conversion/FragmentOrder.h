//===- FragmentOrder.h - Fragment by fragment -------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_FRAGMENTORDER_H
#define TILE_CONVERSION_FRAGMENTORDER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseSet.h"

namespace tile {

/// Reorders each block that has some of `loads`, which read global memory, so
/// that what is computed from a load follows it.  Everything else keeps its
/// order; no load passes an op that may write or order global memory.
void orderByFragment(mlir::LLVM::LLVMFuncOp func,
                     const llvm::DenseSet<mlir::Operation *> &loads);

} // namespace tile

#endif // TILE_CONVERSION_FRAGMENTORDER_H
