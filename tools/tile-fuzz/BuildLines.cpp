//===- BuildLines.cpp - Reductions and scans of a recipe ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

/// A region that combines two elements.
void KernelBuilder::fillCombiner(Region &region, const Statement &statement) {
  OpBuilder::InsertionGuard guard(builder);
  Type element = elementOf(statement.kind);
  Block *body =
      builder.createBlock(&region, {}, {element, element}, {loc, loc});
  Value combined = buildBinary(statement.code, statement.kind,
                               body->getArgument(0), body->getArgument(1));
  tile::YieldOp::create(builder, loc, ValueRange{combined});
}

/// What is left of a tile without `axis`, repeated along it.
Value KernelBuilder::repeated(Value line, int axis) {
  int64_t whole[] = {recipe.m, recipe.n};
  return spread(line, 1 - axis, whole);
}

Value KernelBuilder::buildReduce(const Statement &statement) {
  int64_t side = statement.axis == 0 ? recipe.n : recipe.m;
  Type element = elementOf(statement.kind);
  auto op = ReduceOp::create(builder, loc, TypeRange{tileOf({side}, element)},
                             ValueRange{values[statement.a]},
                             static_cast<uint32_t>(statement.axis),
                             statement.isReassociated);
  fillCombiner(op.getCombine(), statement);
  return repeated(op->getResult(0), statement.axis);
}

Value KernelBuilder::buildScan(const Statement &statement) {
  Value a = values[statement.a];
  auto op = ScanOp::create(builder, loc, TypeRange{a.getType()}, ValueRange{a},
                           static_cast<uint32_t>(statement.axis),
                           statement.isReversed);
  fillCombiner(op.getCombine(), statement);
  return op->getResult(0);
}

/// A reduction of values and their places; of equal values the first counts.
Value KernelBuilder::buildExtreme(const Statement &statement) {
  Value a = values[statement.a];
  auto type = cast<RankedTensorType>(a.getType());
  int64_t side = type.getDimSize(statement.axis);
  Value places =
      spread(IotaOp::create(builder, loc, tileOf({side}, builder.getI32Type())),
             statement.axis, type.getShape());
  Type element = type.getElementType(), place = builder.getI32Type();
  int64_t rest = type.getDimSize(1 - statement.axis);
  auto op = ReduceOp::create(
      builder, loc, TypeRange{tileOf({rest}, element), tileOf({rest}, place)},
      ValueRange{a, places}, static_cast<uint32_t>(statement.axis),
      /*reassoc=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *body = builder.createBlock(&op.getCombine(), {},
                                      {element, place, element, place},
                                      SmallVector<Location>(4, loc));
    Value left = body->getArgument(0), right = body->getArgument(2);
    if (statement.code == static_cast<int>(BinaryCode::Min))
      std::swap(left, right);
    Value isRight =
        element.isInteger()
            ? Value(arith::CmpIOp::create(
                  builder, loc, arith::CmpIPredicate::slt, left, right))
            : Value(arith::CmpFOp::create(
                  builder, loc, arith::CmpFPredicate::OLT, left, right));
    Value value = arith::SelectOp::create(
        builder, loc, isRight, body->getArgument(2), body->getArgument(0));
    Value where = arith::SelectOp::create(
        builder, loc, isRight, body->getArgument(3), body->getArgument(1));
    tile::YieldOp::create(builder, loc, ValueRange{value, where});
  }
  return repeated(op->getResult(1), statement.axis);
}
