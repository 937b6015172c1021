//===- MemoryAccess.h - Single accesses to memory ---------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_MEMORYACCESS_H
#define TILE_CONVERSION_MEMORYACCESS_H

#include "AddressMap.h"

namespace tile {

/// A register value as memory holds it: i1 becomes a byte.
mlir::Value toMemory(KernelLowering &kernel, mlir::Value value,
                     mlir::Type element);
/// What memory holds as a register value.
mlir::Value fromMemory(KernelLowering &kernel, mlir::Value value,
                       mlir::Type element);

/// Loads `count` elements from an aligned global address where `valid`; yields
/// `other`, or zero where that is null, without touching memory elsewhere.
mlir::Value loadGlobal(KernelLowering &kernel, mlir::Value address,
                       const Condition &valid, mlir::Type element,
                       int64_t count, mlir::Value other);
/// Stores a scalar or vector to an aligned global address where `valid`.
void storeGlobal(KernelLowering &kernel, mlir::Value value, mlir::Value address,
                 const Condition &valid);

mlir::Value loadShared(KernelLowering &kernel, mlir::Value address,
                       mlir::Type element, int64_t count);
void storeShared(KernelLowering &kernel, mlir::Value value,
                 mlir::Value address);

/// Whether this thread is the one that acts where several hold one element.
mlir::Value isOwner(CodeBuilder &code, const TileLayout &layout);

/// Scalars or vectors of one type as one vector.
mlir::Value concatenate(KernelLowering &kernel,
                        mlir::ArrayRef<mlir::Value> pieces);

} // namespace tile

#endif // TILE_CONVERSION_MEMORYACCESS_H
