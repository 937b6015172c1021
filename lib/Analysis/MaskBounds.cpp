//===- MaskBounds.cpp - Masks as bounds of dimensions ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MaskBounds.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;

/// Conditions that a mask may be made of, counted with repetition.
static constexpr unsigned kMaxDepth = 64;

using Bounds = SmallVector<Bound>;

static Explained<Bounds> fail(const llvm::Twine &reason) {
  return Explained<Bounds>::fail(reason);
}

//===----------------------------------------------------------------------===//
// Conjunctions and shapes
//===----------------------------------------------------------------------===//

Explained<Bounds> MaskBounds::of(Value mask) {
  if (matchPattern(mask, m_One()))
    return Bounds();
  if (++depth > kMaxDepth)
    return fail(describe(mask) + " has too many conditions");
  if (!isa<RankedTensorType>(mask.getType()))
    return scalar(mask);
  if (matchPattern(mask, m_Zero())) {
    note({ScalarExpr(), ScalarExpr(), /*orEqual=*/false,
          IntegerType::get(mask.getContext(), 32)});
    return Bounds();
  }
  Operation *op = mask.getDefiningOp();
  if (!op)
    return fail(describe(mask) + " is not a condition on the coordinates");
  if (auto conjunction = dyn_cast<arith::AndIOp>(op))
    return both(conjunction.getLhs(), conjunction.getRhs());
  if (auto select = dyn_cast<arith::SelectOp>(op))
    if (matchPattern(select.getFalseValue(), m_Zero()))
      return both(select.getCondition(), select.getTrueValue());
  if (auto comparison = dyn_cast<arith::CmpIOp>(op))
    return compare(comparison);
  if (auto splat = dyn_cast<SplatOp>(op))
    return of(splat.getValue());
  if (isa<ExpandDimsOp, BroadcastOp, TransposeOp, ReshapeOp>(op))
    return shape(op);
  return fail(describe(mask) + " is not a condition on the coordinates");
}

/// A condition that is a scalar: a conjunction, a comparison, or any other i1.
Explained<Bounds> MaskBounds::scalar(Value condition) {
  if (auto conjunction = condition.getDefiningOp<arith::AndIOp>())
    return both(conjunction.getLhs(), conjunction.getRhs());
  if (auto comparison = condition.getDefiningOp<arith::CmpIOp>())
    if (Explained<Bounds> result = compare(comparison))
      return result;
  note({ScalarExpr::value(condition), ScalarExpr(), /*orEqual=*/false,
        IntegerType::get(condition.getContext(), 32)});
  return Bounds();
}

void MaskBounds::note(const AccessCondition &condition) {
  if (!llvm::is_contained(conditions, condition))
    conditions.push_back(condition);
}

Explained<Bounds> MaskBounds::both(Value left, Value right) {
  Explained<Bounds> first = of(left);
  if (!first)
    return first;
  Explained<Bounds> second = of(right);
  if (!second)
    return second;
  Bounds result = *first;
  for (const Bound &bound : *second) {
    auto *known = llvm::find_if(
        result, [&](const Bound &other) { return other.dim == bound.dim; });
    if (known == result.end()) {
      result.push_back(bound);
      continue;
    }
    std::optional<Bound> tight = tighter(*known, bound);
    if (!tight)
      return fail("dimension " + llvm::Twine(bound.dim) +
                  " has two bounds and neither is known to imply the other");
    *known = *tight;
  }
  return result;
}

std::optional<Bound> MaskBounds::tighter(const Bound &a, const Bound &b) const {
  if (a.origin == b.origin && a.bound == b.bound)
    return a.bits <= b.bits ? a : b;
  // Coordinates below bound - origin, which must not wrap in 64 bits.
  ScalarExpr endA = a.bound - a.origin, endB = b.bound - b.origin;
  if (!index.rangeOf(endA).fitsIn(64) || !index.rangeOf(endB).fitsIn(64))
    return std::nullopt;
  IntRange difference = index.rangeOf(endA - endB);
  if (!difference.fitsIn(64))
    return std::nullopt;
  if (difference.max <= 0)
    return a;
  if (difference.min >= 0)
    return b;
  return std::nullopt;
}

Explained<Bounds> MaskBounds::shape(Operation *op) {
  Value from = op->getOperand(0), to = op->getResult(0);
  Explained<Bounds> source = of(from);
  if (!source)
    return source;
  ArrayRef<int64_t> sides = sidesOf(to), fromSides = sidesOf(from);
  Bounds result = *source;
  for (Bound &bound : result) {
    if (auto expand = dyn_cast<ExpandDimsOp>(op)) {
      bound.dim += bound.dim >= expand.getAxis();
    } else if (isa<BroadcastOp>(op)) {
      // It holds of the one source coordinate, not of each of the result's.
      if (sides[bound.dim] != fromSides[bound.dim])
        return fail(describe(to) + " repeats a condition along dimension " +
                    llvm::Twine(bound.dim));
    } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
      bound.dim = static_cast<unsigned>(
          llvm::find(transpose.getOrder(), int64_t(bound.dim)) -
          transpose.getOrder().begin());
    } else {
      std::optional<unsigned> dim = reshapedDim(fromSides, sides, bound.dim);
      if (!dim)
        return fail(describe(to) + " mixes dimensions of its source");
      bound.dim = *dim;
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// Writes a comparison as left < right or left <= right, signed, where both
/// sides are the numbers that they seem to be.
Explained<MaskBounds::Comparison> MaskBounds::normalise(arith::CmpIOp op) {
  using Predicate = arith::CmpIPredicate;
  auto fail = [&](const llvm::Twine &reason) {
    return Explained<Comparison>::fail(describe(op.getResult()) + reason);
  };
  if (integerBits(op.getLhs().getType()) > 64)
    return fail(" compares numbers of more than 64 bits");
  Explained<TileExpr> left = index.tile(op.getLhs());
  if (!left)
    return Explained<Comparison>::fail(left.reason);
  Explained<TileExpr> right = index.tile(op.getRhs());
  if (!right)
    return Explained<Comparison>::fail(right.reason);
  Predicate predicate = op.getPredicate();
  if (predicate == Predicate::eq || predicate == Predicate::ne)
    return fail(" compares for equality, not for order");
  bool isUnsigned = predicate >= Predicate::ult;
  unsigned bits = integerBits(op.getLhs().getType());
  auto isNatural = [&](const TileExpr &expr) {
    return expr.range.min >= 0 && expr.range.fitsIn(bits);
  };
  if (isUnsigned && !(isNatural(*left) && isNatural(*right)))
    return fail(" compares as unsigned what may be negative");
  bool isGreater = predicate == Predicate::sgt || predicate == Predicate::sge ||
                   predicate == Predicate::ugt || predicate == Predicate::uge;
  bool orEqual = predicate == Predicate::sle || predicate == Predicate::sge ||
                 predicate == Predicate::ule || predicate == Predicate::uge;
  if (isGreater)
    std::swap(left, right);
  return Comparison{*left, *right, orEqual, bits};
}

Explained<Bounds> MaskBounds::compare(arith::CmpIOp op) {
  Explained<Comparison> comparison = normalise(op);
  if (!comparison)
    return fail(comparison.reason);
  ArrayRef<int64_t> sides = sidesOf(op.getLhs());
  TileExpr difference = comparison->left - comparison->right;
  // Always true?  Only if the sides, as the program holds them, do not wrap.
  const IntRange &left = comparison->left.range;
  const IntRange &right = comparison->right.range;
  IntRange range = difference.range & index.rangeOf(difference, sides);
  if (left.fitsIn(64) && right.fitsIn(64) &&
      (range.max < 0 || (comparison->orEqual && range.max <= 0)))
    return Bounds();
  // A side of 1 has only the coordinate 0: it counts if there is no other.
  std::optional<unsigned> dim;
  for (auto [d, slope] : llvm::enumerate(difference.coefficients)) {
    if (sides[d] == 1 || slope.isZero())
      continue;
    if (dim)
      return fail(describe(op.getResult()) + " depends on two dimensions");
    dim = d;
  }
  for (auto [d, slope] : llvm::enumerate(difference.coefficients))
    if (!dim && sides[d] == 1 && !slope.isZero())
      dim = d;
  if (!dim) {
    note({comparison->left.base, comparison->right.base, comparison->orEqual,
          IntegerType::get(op.getContext(), comparison->bits <= 32 ? 32 : 64)});
    return Bounds();
  }
  return boundFrom(op, *comparison, *dim);
}

Explained<Bounds> MaskBounds::lowerBound(arith::CmpIOp op,
                                         const Comparison &comparison,
                                         unsigned dim) {
  const TileExpr &left = comparison.left, &right = comparison.right;
  int64_t side = sidesOf(op.getLhs())[dim];
  // 0 <= start + coordinate: the same for all coordinates from 0 to side - 1
  // where side divides start.  Numbers modulo 2^64 do for a power of two.
  ScalarExpr start = right.base - left.base;
  if (!comparison.orEqual)
    start = start - ScalarExpr::constant(1);
  bool isExact = left.range.fitsIn(64) && right.range.fitsIn(64) &&
                 (llvm::isPowerOf2_64(side) || index.rangeOf(start).fitsIn(64));
  if (!isExact || !left.coefficients[dim].isZero() ||
      index.divisorOf(start) % side != 0)
    return fail(describe(op.getResult()) +
                " is a lower bound of the coordinate, not known to be a "
                "multiple of the tile's side, " +
                llvm::Twine(side) + ", from its origin");
  note({left.base, right.base, comparison.orEqual,
        IntegerType::get(op.getContext(), comparison.bits <= 32 ? 32 : 64)});
  return Bounds();
}

Explained<Bounds> MaskBounds::boundFrom(arith::CmpIOp op, Comparison comparison,
                                        unsigned dim) {
  auto fail = [&](const llvm::Twine &reason) {
    return Explained<Bounds>::fail(describe(op.getResult()) + reason);
  };
  ScalarExpr one = ScalarExpr::constant(1);
  TileExpr &left = comparison.left, &right = comparison.right;
  Bound bound{dim, left.base, right.base, comparison.bits};
  bool isMoved = false;
  if (sidesOf(op.getLhs())[dim] > 1) {
    ScalarExpr slope = left.coefficients[dim] - right.coefficients[dim];
    if (slope == ScalarExpr::constant(-1))
      return lowerBound(op, comparison, dim);
    if (slope != one)
      return fail(" does not grow by 1 with the coordinate");
    isMoved = !right.coefficients[dim].isZero();
  }
  if (isMoved) {
    bound.origin = ScalarExpr();
    bound.bound = right.base - left.base;
  }
  if (comparison.orEqual)
    bound.bound = bound.bound + one;
  if (!isMoved && !comparison.orEqual)
    return Bounds{bound};
  // The program does not compute this bound: it must not wrap.
  IntRange range = index.rangeOf(bound.bound);
  if (!range.fitsIn(bound.bits) && bound.bits < 64)
    bound.bits = 64;
  if (!range.fitsIn(bound.bits))
    return fail(" has a bound that may wrap in 64 bits");
  return Bounds{bound};
}
