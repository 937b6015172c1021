//===- Blocks.h - Accesses as operands of tile_gpu --------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_BLOCKS_H
#define TILE_TRANSFORMS_BLOCKS_H

#include "tile/Analysis/AccessAnalysis.h"
#include "tile/GPU/TileGPUOps.h"

namespace tile {

/// The operands that name a strided block of global memory in tile_gpu.
struct MemoryBlock {
  mlir::Value base;
  llvm::SmallVector<mlir::Value> origin, bounds, strides;
};

/// An induction variable and what it is to stand for, as well as scalars that
/// are computed from it.
struct Substitution {
  mlir::Value from;
  ScalarExpr to;
  /// Scalars and what stands for them; replaced before `from`, on which the
  /// results may depend.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>, 0> computed = {};

  /// The expression with everything replaced.
  ScalarExpr apply(ScalarExpr expr) const;
};

/// Makes the operands for `access`, with the induction variable replaced if
/// `at` is given.  Its conditions become part of a bound: without them no index
/// is below it.
MemoryBlock materializeBlock(mlir::OpBuilder &builder, mlir::Location loc,
                             const Access &access,
                             std::optional<Substitution> at = std::nullopt);

/// The ring for tiles that `load` reads under its plan: contiguous where the
/// access is, swizzled.  An error where the tile has no such layout.
llvm::Expected<gpu::BufferType> ringType(LoadOp load, const Access &access,
                                         int64_t slots);

} // namespace tile

#endif // TILE_TRANSFORMS_BLOCKS_H
