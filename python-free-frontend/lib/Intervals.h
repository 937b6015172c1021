//===- Intervals.h - Bounds of integers for lints ---------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_INTERVALS_H
#define TILE_FRONTEND_INTERVALS_H

#include "tile/IR/TileOps.h"

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/DenseMap.h"

namespace tile::frontend {

/// The integers from `low` to `high`, within 64 bits; operations saturate.
struct Interval {
  int64_t low = std::numeric_limits<int64_t>::min();
  int64_t high = std::numeric_limits<int64_t>::max();

  /// Whether a signed integer of so many bits holds each.
  bool fits(unsigned bits) const;
};

Interval operator+(Interval a, Interval b);
Interval operator-(Interval a, Interval b);
Interval operator*(Interval a, Interval b);

/// What the facts of a kernel's arguments, its grid and its loops say of the
/// integers in it.
class Intervals {
public:
  explicit Intervals(KernelOp kernel) : kernel(kernel) {}

  /// Bounds of an integer, or of each element of a tile of them.
  Interval of(mlir::Value value);
  /// Whether `divisor` is known to divide it.
  bool isDivisible(mlir::Value value, int64_t divisor);

private:
  Interval compute(mlir::Value value);
  Interval ofArgument(mlir::BlockArgument argument);
  Interval ofGrid(mlir::AffineExpr expr);
  FactAttr factOf(mlir::Value value);

  KernelOp kernel;
  unsigned numLevels = 0;
  llvm::DenseMap<mlir::Value, Interval> known;
};

} // namespace tile::frontend

#endif // TILE_FRONTEND_INTERVALS_H
