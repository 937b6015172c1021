//===- AheadScalars.h - A loop's scalars, iterations ahead ------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies that run ahead need the indices and conditions of the iteration that
// they are for: what follows from the induction variable is computed again.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_AHEADSCALARS_H
#define TILE_TRANSFORMS_AHEADSCALARS_H

#include "Blocks.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tile {

/// Where a scalar of a loop's iteration comes from.
enum class Origin {
  /// Known before the loop, or the induction variable itself.
  Known,
  /// Integer arithmetic on such, which any iteration can do for any other.
  Computed,
  /// Loaded, or carried from iteration to iteration.
  Unknown
};

/// Whether `op` makes a scalar integer and has a result for any operands, so
/// that it may be done where the program does not.
bool isSafeArithmetic(mlir::Operation *op);

/// Where a scalar of a loop's body comes from.  What takes more than a few dozen
/// ops to compute is not followed.
Origin originOf(mlir::scf::ForOp loop, mlir::Value scalar);

/// Computes `scalars`, whose origin is `Computed`, for the iteration that `at`
/// stands for, and notes them there.  `loop` still holds its body.
void computeAhead(mlir::OpBuilder &builder, mlir::scf::ForOp loop,
                  llvm::ArrayRef<mlir::Value> scalars, Substitution &at);

} // namespace tile

#endif // TILE_TRANSFORMS_AHEADSCALARS_H
