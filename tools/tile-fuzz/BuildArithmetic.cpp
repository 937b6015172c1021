//===- BuildArithmetic.cpp - Arithmetic and dots of a recipe --------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

Value KernelBuilder::buildUnary(const Statement &statement) {
  Value a = values[statement.a];
  switch (static_cast<UnaryCode>(statement.code)) {
  case UnaryCode::Negate:
    return arith::NegFOp::create(builder, loc, a);
  case UnaryCode::Absolute:
    return math::AbsFOp::create(builder, loc, a);
  default:
    return math::ExpOp::create(builder, loc, a);
  }
}

Value KernelBuilder::buildBinary(int code, Kind kind, Value a, Value b) {
  bool isInteger = kind == Kind::I32;
  switch (static_cast<BinaryCode>(code)) {
  case BinaryCode::Add:
    return isInteger ? make<arith::AddIOp>(a, b) : make<arith::AddFOp>(a, b);
  case BinaryCode::Subtract:
    return isInteger ? make<arith::SubIOp>(a, b) : make<arith::SubFOp>(a, b);
  case BinaryCode::Multiply:
    return isInteger ? make<arith::MulIOp>(a, b) : make<arith::MulFOp>(a, b);
  case BinaryCode::Max:
    return isInteger ? make<arith::MaxSIOp>(a, b)
                     : make<arith::MaximumFOp>(a, b);
  case BinaryCode::Min:
    return isInteger ? make<arith::MinSIOp>(a, b)
                     : make<arith::MinimumFOp>(a, b);
  default:
    return make<arith::XOrIOp>(a, b);
  }
}

Value KernelBuilder::buildSelect(const Statement &statement) {
  Value a = values[statement.a], b = values[statement.b];
  Value less = statement.kind == Kind::I32
                   ? Value(arith::CmpIOp::create(
                         builder, loc, arith::CmpIPredicate::slt, a, b))
                   : Value(arith::CmpFOp::create(
                         builder, loc, arith::CmpFPredicate::OLT, a, b));
  return arith::SelectOp::create(builder, loc, less, a, values[statement.c]);
}

Value KernelBuilder::buildCast(const Statement &statement) {
  Value a = values[statement.a];
  auto to = tileOf(statement.kind);
  auto from = cast<RankedTensorType>(a.getType()).getElementType();
  if (from.isInteger())
    return arith::SIToFPOp::create(builder, loc, to, a);
  if (statement.kind == Kind::F32)
    return arith::ExtFOp::create(builder, loc, to, a);
  return arith::TruncFOp::create(builder, loc, to, a);
}

Value KernelBuilder::buildReduce(const Statement &statement) {
  int64_t side = statement.axis == 0 ? recipe.n : recipe.m;
  Type element = elementOf(statement.kind);
  auto op = ReduceOp::create(builder, loc, TypeRange{tileOf({side}, element)},
                             ValueRange{values[statement.a]},
                             static_cast<uint32_t>(statement.axis),
                             /*reassoc=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *body = builder.createBlock(&op.getCombine(), {}, {element, element},
                                      {loc, loc});
    Value combined = buildBinary(statement.code, statement.kind,
                                 body->getArgument(0), body->getArgument(1));
    tile::YieldOp::create(builder, loc, ValueRange{combined});
  }
  int64_t whole[] = {recipe.m, recipe.n};
  return spread(op->getResult(0), 1 - statement.axis, whole);
}

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

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
  if (statement.negatesA)
    a = arith::NegFOp::create(builder, loc, a);
  for (auto [i, array] :
       llvm::enumerate(std::array<int, 2>{statement.second, statement.third})) {
    if (array < 0)
      continue;
    Value b = operand(array, right, carried.empty() ? Value() : carried[i + 1],
                      statement.transposesB);
    sum = DotOp::create(builder, loc, sum.getType(), a, b, sum, Precision::Ieee,
                        nullptr, nullptr, nullptr);
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
