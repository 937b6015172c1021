//===- FragmentOrder.h - Fragment by fragment -------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_FRAGMENTORDER_H
#define TILE_CONVERSION_FRAGMENTORDER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseMap.h"

namespace tile {

/// What one load takes, in registers of a thread.
struct LoadRegisters {
  /// Those that it fills.
  int64_t filled;
  /// Those that it and the loads around it may take at the same time.
  int64_t room;
};

/// Loads of global memory.
using LoadsInFlight = llvm::DenseMap<mlir::Operation *, LoadRegisters>;

/// Reorders each block that has some of `loads` so that what is computed from a
/// load follows it, and parts those that take more registers than there are.
/// Everything else keeps its order; no load passes an op that may write or
/// order global memory.
void orderByFragment(mlir::LLVM::LLVMFuncOp func, const LoadsInFlight &loads);

} // namespace tile

#endif // TILE_CONVERSION_FRAGMENTORDER_H
