//===- Recurrences.cpp - Values that grow evenly in a loop ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value carried by `scf.for %iv = lb to ub step s` that starts at `init` and
// grows by `inc` in each iteration is init + t * inc in iteration t, where
// iv = lb + t * s.  If inc = q * s for a polynomial q, that is
//
//     init + q * (iv - lb)
//
// and needs no division.  Otherwise there is no such polynomial in iv.
//
//===----------------------------------------------------------------------===//

#include "AffineIndex.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace tile;

/// What is added to a carried value in one iteration.
struct AffineIndex::Growth {
  llvm::SmallVector<Value> added, subtracted;
  /// Whether every op that adds or subtracts says that it does not wrap.
  bool isNoWrap = true;
  /// Of the walk.
  unsigned numOps = 0;
};

/// Ops that one iteration may take to advance a value.
static constexpr unsigned kMaxGrowthOps = 16;

static Explained<TileExpr> fail(const llvm::Twine &reason) {
  return Explained<TileExpr>::fail(reason);
}

/// Writes `value` as `carried` plus and minus other values.
bool AffineIndex::peel(Value value, Value carried, Growth &growth) const {
  if (value == carried)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || ++growth.numOps > kMaxGrowthOps ||
      !isa<arith::AddIOp, arith::SubIOp, OffsetOp>(op))
    return false;
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  Value left = op->getOperand(0), right = op->getOperand(1);
  bool isSub = isa<arith::SubIOp>(op);
  bool isLeft = peel(left, carried, growth);
  if (!isLeft && (!isa<arith::AddIOp>(op) || !peel(right, carried, growth)))
    return false;
  growth.isNoWrap &= flags && flags.hasNoSignedWrap();
  (isSub ? growth.subtracted : growth.added).push_back(isLeft ? right : left);
  return true;
}

/// How a value carried by an scf.for grows.
Explained<AffineIndex::Growth>
AffineIndex::growthOf(BlockArgument carried) const {
  auto loop = dyn_cast<scf::ForOp>(carried.getOwner()->getParentOp());
  if (!loop)
    return Explained<Growth>::fail(describe(carried) +
                                   " is not known to grow evenly");
  Growth growth;
  if (!peel(loop.getTiedLoopYieldedValue(carried)->get(), carried, growth))
    return Explained<Growth>::fail(describe(carried) +
                                   " does not grow by a sum in each iteration");
  return growth;
}

/// What `growth` adds up to until the iteration that has the loop's counter:
/// q * (iv - lb).
Explained<TileExpr> AffineIndex::perIteration(scf::ForOp loop,
                                              const Growth &growth,
                                              Value carried) {
  // As an unsigned number, a narrow counter may pass what fits when signed.
  if (loop.getUnsignedCmp() &&
      integerBits(loop.getInductionVar().getType()) < 64)
    return fail(describe(carried) + " is carried by a loop with an unsigned, "
                                    "narrow counter");
  TileExpr increment{ScalarExpr(), {}, {}};
  increment.coefficients.resize(sidesOf(carried).size());
  for (Value value : growth.added) {
    Explained<TileExpr> expr = tile(value);
    if (!expr)
      return expr;
    increment = increment + *expr;
  }
  for (Value value : growth.subtracted) {
    Explained<TileExpr> expr = tile(value);
    if (!expr)
      return expr;
    increment = increment - *expr;
  }
  ScalarExpr step = scalar(loop.getStep());
  ScalarExpr walked =
      ScalarExpr::value(loop.getInductionVar()) - scalar(loop.getLowerBound());
  auto total = [&](const ScalarExpr &part) -> std::optional<ScalarExpr> {
    for (Value atom : part.values())
      if (!loop.isDefinedOutsideOfLoop(atom))
        return std::nullopt;
    std::optional<ScalarExpr> quotient = part.divideExactly(step);
    return quotient ? std::optional(*quotient * walked) : std::nullopt;
  };
  TileExpr result{ScalarExpr(), {}, {}};
  std::optional<ScalarExpr> base = total(increment.base);
  if (base)
    result.base = *base;
  for (const ScalarExpr &coefficient : increment.coefficients) {
    std::optional<ScalarExpr> slope = total(coefficient);
    if (!slope)
      base = std::nullopt;
    result.coefficients.push_back(slope.value_or(ScalarExpr()));
  }
  if (!base)
    return fail(describe(carried) +
                " grows by what is not a fixed multiple of the loop's step");
  return result;
}

std::optional<ScalarExpr> AffineIndex::scalarRecurrence(BlockArgument carried) {
  auto loop =
      dyn_cast_if_present<scf::ForOp>(carried.getOwner()->getParentOp());
  if (!loop || carried == loop.getInductionVar() ||
      !inProgress.insert(carried).second)
    return std::nullopt;
  llvm::scope_exit done([&] { inProgress.erase(carried); });
  Explained<Growth> growth = growthOf(carried);
  if (!growth)
    return std::nullopt;
  Explained<TileExpr> walked = perIteration(loop, *growth, carried);
  if (!walked)
    return std::nullopt;
  ScalarExpr expr = scalar(loop.getTiedLoopInit(carried)->get()) + walked->base;
  unsigned bits = integerBits(carried.getType());
  if (bits < 64 && !growth->isNoWrap && !ranges.of(expr).fitsIn(bits))
    return std::nullopt;
  return expr;
}

Explained<TileExpr> AffineIndex::tileRecurrence(BlockArgument carried) {
  if (!inProgress.insert(carried).second)
    return fail(describe(carried) + " grows by what depends on itself");
  llvm::scope_exit done([&] { inProgress.erase(carried); });
  Explained<Growth> growth = growthOf(carried);
  if (!growth)
    return fail(growth.reason);
  auto loop = cast<scf::ForOp>(carried.getOwner()->getParentOp());
  Explained<TileExpr> walked = perIteration(loop, *growth, carried);
  if (!walked)
    return walked;
  Explained<TileExpr> start = tile(loop.getTiedLoopInit(carried)->get());
  if (!start)
    return start;
  TileExpr expr = bounded(*start + *walked, sidesOf(carried));
  unsigned bits = integerBits(carried.getType());
  if (bits == 64)
    return expr;
  if (!growth->isNoWrap && !expr.range.fitsIn(bits))
    return fail(describe(carried) + " may wrap in " + llvm::Twine(bits) +
                " bits");
  expr.range = expr.range & IntRange::ofBits(bits);
  return expr;
}

Explained<PointerExpr> AffineIndex::pointerRecurrence(BlockArgument carried) {
  Explained<Growth> growth = growthOf(carried);
  if (!growth)
    return Explained<PointerExpr>::fail(growth.reason);
  auto loop = cast<scf::ForOp>(carried.getOwner()->getParentOp());
  Explained<TileExpr> walked = perIteration(loop, *growth, carried);
  if (!walked)
    return Explained<PointerExpr>::fail(walked.reason);
  Explained<PointerExpr> start = pointer(loop.getTiedLoopInit(carried)->get());
  if (!start)
    return start;
  return PointerExpr{start->base, start->offset + walked->base};
}
