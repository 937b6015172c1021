//===- AffineIndex.h - Indices as functions of coordinates ------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ANALYSIS_AFFINEINDEX_H
#define TILE_LIB_ANALYSIS_AFFINEINDEX_H

#include "ValueRanges.h"
#include "tile/IR/TileOps.h"

namespace tile {

/// A tile of integers as base + sum over d of coefficients[d] * coord_d.  What
/// an i32 tile holds is this number itself, never what it wraps to.  (In 64
/// bits both are taken modulo 2^64.)
struct TileExpr {
  ScalarExpr base;
  llvm::SmallVector<ScalarExpr, 2> coefficients;
  /// Bounds, over all lanes, of the number before it is taken modulo 2^64.
  IntRange range;

  bool isUniform() const;
  TileExpr operator+(const TileExpr &other) const;
  TileExpr operator-(const TileExpr &other) const;
};

/// A pointer as an offset, in elements, from another.
struct PointerExpr {
  mlir::Value base;
  ScalarExpr offset;
};

/// An expression, or why there is none.
template <typename T>
struct Explained {
  std::optional<T> value;
  std::string reason;

  Explained(T value) : value(std::move(value)) {}
  static Explained fail(const llvm::Twine &reason) {
    Explained result;
    result.reason = reason.str();
    return result;
  }
  explicit operator bool() const { return value.has_value(); }
  const T &operator*() const { return *value; }
  const T *operator->() const { return &*value; }

private:
  Explained() = default;
};

/// The op or block argument that makes `value`, for a reason: `arith.divsi at
/// 12:8`.
std::string describe(mlir::Value value);

/// Bits of an integer, of a tile's elements, or of an index.
unsigned integerBits(mlir::Type type);

/// The sides of a tile; none for a scalar.
llvm::ArrayRef<int64_t> sidesOf(mlir::Value value);

/// The dimension that `dim`, of side over 1, becomes in a reshape that only
/// adds or drops sides of 1; none in any other reshape.
std::optional<unsigned> reshapedDim(llvm::ArrayRef<int64_t> from,
                                    llvm::ArrayRef<int64_t> to, unsigned dim);

/// Turns SSA values into expressions, with memory.
class AffineIndex {
public:
  AffineIndex(const Divisibility &divisibility, const ValueRanges &ranges)
      : divisibility(divisibility), ranges(ranges) {}

  /// Of a scalar integer; an atom if nothing better is known.
  ScalarExpr scalar(mlir::Value value);
  /// Of a tile of integers, or of a scalar, which has no coefficients.
  Explained<TileExpr> tile(mlir::Value value);
  Explained<PointerExpr> pointer(mlir::Value value);

  /// What the atoms' ranges say of a polynomial, and of one over all lanes of
  /// a tile with these sides.
  IntRange rangeOf(const ScalarExpr &expr) const { return ranges.of(expr); }
  IntRange rangeOf(const TileExpr &expr, llvm::ArrayRef<int64_t> sides) const {
    return bounded(expr, sides).range;
  }
  /// A divisor of a polynomial's value; 0 where it is always zero.
  int64_t divisorOf(const ScalarExpr &expr) const {
    return divisibility.of(expr);
  }

private:
  /// A scalar as the expression of a tile with so many dimensions.
  TileExpr splat(mlir::Value value, size_t rank = 0);
  /// `expr`, with the range that its polynomials give over these sides.
  TileExpr bounded(TileExpr expr, llvm::ArrayRef<int64_t> sides) const;
  ScalarExpr computeScalar(mlir::Value value);
  std::optional<ScalarExpr> scalarArithmetic(mlir::Operation *op);
  std::optional<ScalarExpr> scalarCast(mlir::Operation *op);

  Explained<TileExpr> computeTile(mlir::Value value);
  Explained<TileExpr> tileArithmetic(mlir::Operation *op);
  Explained<TileExpr> tileCast(mlir::Operation *op);
  Explained<TileExpr> tileShape(mlir::Operation *op);

  // Recurrences.cpp
  struct Growth;
  bool peel(mlir::Value value, mlir::Value carried, Growth &growth) const;
  Explained<Growth> growthOf(mlir::BlockArgument carried) const;
  Explained<TileExpr> perIteration(mlir::scf::ForOp loop, const Growth &growth,
                                   mlir::Value carried);
  std::optional<ScalarExpr> scalarRecurrence(mlir::BlockArgument carried);
  Explained<TileExpr> tileRecurrence(mlir::BlockArgument carried);
  Explained<PointerExpr> pointerRecurrence(mlir::BlockArgument carried);

  const Divisibility &divisibility;
  const ValueRanges &ranges;
  llvm::DenseMap<mlir::Value, ScalarExpr> scalars;
  llvm::DenseMap<mlir::Value, Explained<TileExpr>> tiles;
  /// Carried values whose growth is being looked for.
  llvm::SmallPtrSet<mlir::Value, 4> inProgress;
  /// Of the recursion, which follows chains of ops of any length.
  unsigned depth = 0;
};

} // namespace tile

#endif // TILE_LIB_ANALYSIS_AFFINEINDEX_H
