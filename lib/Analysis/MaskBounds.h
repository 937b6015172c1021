//===- MaskBounds.h - Masks as bounds of dimensions -------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ANALYSIS_MASKBOUNDS_H
#define TILE_LIB_ANALYSIS_MASKBOUNDS_H

#include "AffineIndex.h"
#include "tile/Analysis/AccessAnalysis.h"

namespace tile {

/// Lanes are valid where origin + coord_dim < bound.
struct Bound {
  unsigned dim;
  ScalarExpr origin, bound;
  /// Bits in which origin, bound and all origin + coord_dim fit.
  unsigned bits;
};

/// Reads one mask as a conjunction of bounds, at most one for each dimension,
/// and of conditions that are the same for all lanes.
class MaskBounds {
public:
  explicit MaskBounds(AffineIndex &index) : index(index) {}

  /// The bounds that `mask` is the conjunction of; conditions that always hold
  /// leave none.
  Explained<llvm::SmallVector<Bound>> of(mlir::Value mask);
  /// The conditions beside them, each once.
  llvm::ArrayRef<AccessCondition> uniformConditions() const {
    return conditions;
  }

private:
  using Bounds = llvm::SmallVector<Bound>;
  /// A condition left < right, or left <= right.
  struct Comparison {
    TileExpr left, right;
    bool orEqual;
    unsigned bits;
  };

  Explained<Bounds> both(mlir::Value left, mlir::Value right);
  Explained<Bounds> scalar(mlir::Value condition);
  void note(const AccessCondition &condition);
  Explained<Bounds> compare(mlir::arith::CmpIOp op);
  Explained<Comparison> normalise(mlir::arith::CmpIOp op);
  Explained<Bounds> boundFrom(mlir::arith::CmpIOp op, Comparison comparison,
                              unsigned dim);
  /// A lower bound as a condition, where it parts no tile.
  Explained<Bounds> lowerBound(mlir::arith::CmpIOp op,
                               const Comparison &comparison, unsigned dim);
  Explained<Bounds> shape(mlir::Operation *op);
  /// Which of two bounds of one dimension implies the other.
  std::optional<Bound> tighter(const Bound &a, const Bound &b) const;

  AffineIndex &index;
  llvm::SmallVector<AccessCondition, 0> conditions;
  /// Of the recursion.
  unsigned depth = 0;
};

} // namespace tile

#endif // TILE_LIB_ANALYSIS_MASKBOUNDS_H
