//===- ValueRanges.h - Between what bounds values lie -----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ANALYSIS_VALUERANGES_H
#define TILE_LIB_ANALYSIS_VALUERANGES_H

#include "tile/Analysis/Divisibility.h"
#include "llvm/ADT/DynamicAPInt.h"

namespace tile {

/// Bounds of a number, both included.
struct IntRange {
  llvm::DynamicAPInt min, max;

  IntRange operator+(const IntRange &other) const;
  IntRange operator-(const IntRange &other) const;
  IntRange operator*(const IntRange &other) const;
  /// What is in both.
  IntRange operator&(const IntRange &other) const;

  /// Whether all of it fits in a signed integer of this many bits.
  bool fitsIn(unsigned bits) const;
  /// All signed integers of this many bits.
  static IntRange ofBits(unsigned bits);
};

/// The signed ranges of a kernel's integers: MLIR's integer range analysis with
/// the facts stated of arguments and in assumes, then rounded inwards to
/// multiples of the known divisor (an i32 that is a multiple of 128 is at most
/// 2^31 - 128, so adding a tile's coordinates to it does not wrap).
class ValueRanges {
public:
  ValueRanges(mlir::Operation *kernel, const Divisibility &divisibility);

  IntRange of(mlir::Value value) const;
  /// The range of the polynomial over the integers, before it is taken modulo
  /// 2^64.
  IntRange of(const ScalarExpr &expr) const;

private:
  const Divisibility &divisibility;
  llvm::DenseMap<mlir::Value, std::pair<int64_t, int64_t>> ranges;
};

} // namespace tile

#endif // TILE_LIB_ANALYSIS_VALUERANGES_H
