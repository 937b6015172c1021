//===- BuildDots.cpp - Dots of a recipe ---------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

static Precision precisionOf(Rounding rounding) {
  switch (rounding) {
  case Rounding::Ieee:
    return Precision::Ieee;
  case Rounding::Tf32:
    return Precision::Tf32;
  case Rounding::Tf32x3:
    return Precision::Tf32x3;
  }
  return Precision::Ieee;
}

/// A dot's operand; where asked for, loaded the other way round and transposed.
/// `where` are its offsets, if they are there already.
Value KernelBuilder::operand(int array, const Lanes &lanes, Value where,
                             bool isTransposed, Value condition) {
  Value in = mask(lanes);
  if (!where)
    where = offsets(array, lanes);
  in = restricted(in, condition,
                  cast<RankedTensorType>(where.getType()).getShape());
  if (isTransposed) {
    where = transposed(where);
    in = transposed(in);
  }
  auto shape = cast<RankedTensorType>(where.getType()).getShape();
  auto type = tileOf(shape, elementOf(recipe.arrays[array].kind));
  Value loaded =
      LoadOp::create(builder, loc, type, argument(nameOf(array)), where, in,
                     /*other=*/Value(), nullptr, nullptr);
  return isTransposed ? transposed(loaded) : loaded;
}

/// Rows and columns of an operand in the step that starts at k = `first`.
Lanes KernelBuilder::operandLanes(const Statement &statement, bool isLeft,
                                  Value first) {
  Lanes lanes = place(/*isMasked=*/true);
  Value ks = iota(first, recipe.k);
  (isLeft ? lanes.columns : lanes.rows) = ks;
  (isLeft ? lanes.columnsInside : lanes.rowsInside) =
      below(ks, argument("K"), statement.maskForm);
  return lanes;
}

Value KernelBuilder::buildDotStep(const Statement &statement, Value sum,
                                  Value first, ValueRange carried) {
  Lanes left = operandLanes(statement, /*isLeft=*/true, first);
  Lanes right = operandLanes(statement, /*isLeft=*/false, first);
  Value a = operand(
      statement.array, left, carried.empty() ? Value() : carried[0],
      statement.transposesA, holds(statement.condition, first, recipe.k));
  IntegerAttr promoteEvery;
  if (statement.promoteEvery > 0)
    promoteEvery = builder.getI64IntegerAttr(statement.promoteEvery);
  if (statement.negatesA)
    a = arith::NegFOp::create(builder, loc, a);
  for (auto [i, array] :
       llvm::enumerate(std::array<int, 2>{statement.second, statement.third})) {
    if (array < 0)
      continue;
    Value b = operand(array, right, carried.empty() ? Value() : carried[i + 1],
                      statement.transposesB);
    sum = DotOp::create(builder, loc, sum.getType(), a, b, sum,
                        precisionOf(statement.rounding), promoteEvery, nullptr,
                        nullptr);
  }
  return sum;
}

/// The offsets of all operands in the step at `first`, for a loop to carry.
SmallVector<Value> KernelBuilder::carriedOffsets(const Statement &statement,
                                                 Value first) {
  if (!statement.carriesOffsets)
    return {};
  SmallVector<Value> result;
  for (int array : {statement.array, statement.second, statement.third})
    if (array >= 0)
      result.push_back(offsets(
          array, operandLanes(statement, array == statement.array, first)));
  return result;
}

/// The same, one step on.
SmallVector<Value> KernelBuilder::advanced(const Statement &statement,
                                           ValueRange carried) {
  SmallVector<Value> result;
  for (int array : {statement.array, statement.second, statement.third}) {
    if (array < 0 || carried.empty())
      continue;
    Value from = carried[result.size()];
    Value side = arith::ConstantOp::create(builder, loc,
                                           builder.getI64IntegerAttr(recipe.k));
    Value stride =
        argument(nameOf(array) + (array == statement.array ? "c" : "r"));
    Value step = splat(make<arith::MulIOp>(side, stride),
                       cast<RankedTensorType>(from.getType()).getShape());
    result.push_back(make<arith::AddIOp>(from, step));
  }
  return result;
}

Value KernelBuilder::buildDot(const Statement &statement) {
  Value lower = statement.hasArgumentBounds
                    ? argument("lower" + std::to_string(statement.id))
                    : integer(statement.lower);
  Value start = values[statement.a];
  if (statement.isUnrolled)
    return buildDotStep(statement, start, lower, {});
  SmallVector<Value> initial = {start};
  initial.append(carriedOffsets(statement, lower));
  auto loop = scf::ForOp::create(builder, loc, lower, argument("K"),
                                 integer(recipe.k), initial);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ValueRange carried = loop.getRegionIterArgs();
  SmallVector<Value> next = {buildDotStep(statement, carried.front(),
                                          loop.getInductionVar(),
                                          carried.drop_front())};
  next.append(advanced(statement, carried.drop_front()));
  scf::YieldOp::create(builder, loc, next);
  return loop.getResult(0);
}
