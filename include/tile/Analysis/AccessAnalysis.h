//===- AccessAnalysis.h - Loads and stores as strided blocks ----*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recovers from pointer arithmetic and masks what a front end had in mind: a
// block of a strided array, with bounds.  Vector width, coalescing and TMA
// follow from it.  Reads only.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_ACCESSANALYSIS_H
#define TILE_ANALYSIS_ACCESSANALYSIS_H

#include "tile/Analysis/Divisibility.h"
#include "tile/IR/TileOps.h"

#include <memory>

namespace tile {

/// One dimension of an access.
struct AccessDim {
  /// Index, in the array, of the tile's first element along this dimension;
  /// zero where there is no bound.
  ScalarExpr origin;
  /// Elements from one index to the next; may be zero or negative.
  ScalarExpr stride;
  /// Lanes are valid where origin + coordinate < bound, signed.  None: all are.
  std::optional<ScalarExpr> bound;
  /// i32 or i64: origin, bound and every origin + coordinate fit in it (i64
  /// may wrap, but as the program does).  i64 without a bound.
  mlir::Type indexType;
  /// The tile's side: coordinates are 0 to side - 1.
  int64_t side = 1;
};

/// A condition that is the same for all lanes: left < right, signed.  One that
/// is no comparison, but a scalar i1, is `value < 0`: true is -1.
struct AccessCondition {
  ScalarExpr left, right;
  /// left <= right.
  bool orEqual = false;
  /// i32 or i64: both sides fit in it (i64 may wrap, but as the program does).
  mlir::Type type;

  bool operator==(const AccessCondition &other) const;
};

/// A load or store as a strided block:
///
///   address(coord) = base + offset + sum over d of
///                    (origin_d + coord_d) * stride_d          in elements
///   mask(coord)    = and over bounded d of origin_d + coord_d < bound_d,
///                    and of all conditions
struct Access {
  /// An argument, or a pointer whose making is not a mere offset.
  mlir::Value base;
  ScalarExpr offset;
  /// One for each dimension of the tile; empty for a scalar.
  llvm::SmallVector<AccessDim, 2> dims;
  /// Where one of these does not hold, no lane is valid.
  llvm::SmallVector<AccessCondition, 0> conditions;
  mlir::Type elementType;
  bool isStore = false;

  /// The last dimension of side over 1 whose stride is the constant 1.
  std::optional<unsigned> contiguousDim() const;
};

/// Recognises accesses of one kernel.
///
/// Offsets must be affine in the coordinates, with coefficients that are
/// polynomials over scalars.  32-bit arithmetic counts only where it cannot
/// wrap: it says so (`overflow<nsw>`), or ranges and divisibility prove it; a
/// scalar that may wrap becomes an atom.  Values carried by an scf.for that
/// grow by the same amount in each iteration are written with its counter.
///
/// All of the kernel is analysed on construction; it must not change while
/// this lives, except that ops may be added.
class AccessAnalysis {
public:
  explicit AccessAnalysis(KernelOp kernel);
  ~AccessAnalysis();

  /// The access, or failure; then `reason`, if not null, says what is not of
  /// the form.
  mlir::FailureOr<Access> analyze(LoadOp op, std::string *reason) const;
  mlir::FailureOr<Access> analyze(StoreOp op, std::string *reason) const;

  /// The polynomial of a scalar integer: an atom if nothing better is known.
  ScalarExpr scalar(mlir::Value value) const;

  /// The greatest power of two of elements that one aligned access of at most
  /// `maxBytes` can move along the contiguous dimension, wherever in the tile
  /// it starts (at a multiple of itself); 1 if there is none.  With
  /// `maskWhole`, such a group is never partly masked: plain vector loads and
  /// stores need that.
  int64_t vectorElements(const Access &access, int64_t maxBytes,
                         bool maskWhole) const;

  const Divisibility &divisibility() const;

private:
  class Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tile

#endif // TILE_ANALYSIS_ACCESSANALYSIS_H
