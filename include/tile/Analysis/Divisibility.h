//===- Divisibility.h - What values are multiples of ------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_DIVISIBILITY_H
#define TILE_ANALYSIS_DIVISIBILITY_H

#include "tile/Analysis/ScalarExpr.h"
#include "llvm/ADT/DenseMap.h"

namespace tile {

/// The largest known divisor of every integer, integer tile (of each element)
/// and pointer (of the address in bytes) of a kernel.
///
/// A forward data-flow analysis from constants, `tile.fact` on arguments and
/// `tile.assume`, through arith, scf and the shape ops.  It keeps only powers
/// of two where arithmetic may wrap.  An assume counts if it stands in the
/// entry block of the kernel or in the block of its value: whenever the value
/// exists, the assume is reached.
///
/// Computed once, on construction; values made later are unknown (divisor 1).
class Divisibility {
public:
  explicit Divisibility(mlir::Operation *kernel);

  /// A positive divisor of `value`, 1 if nothing is known; 0 for a value that
  /// is always zero, which everything divides.
  int64_t of(mlir::Value value) const;
  /// The same for the value of a polynomial.
  int64_t of(const ScalarExpr &expr) const;

private:
  llvm::DenseMap<mlir::Value, int64_t> divisors;
};

} // namespace tile

#endif // TILE_ANALYSIS_DIVISIBILITY_H
