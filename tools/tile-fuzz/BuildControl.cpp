//===- BuildControl.cpp - Loops and branches of a recipe ----------------===//
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

std::pair<Value, Value> KernelBuilder::boundsOf(const Statement &statement) {
  std::string id = std::to_string(statement.id);
  if (statement.hasArgumentBounds)
    return {argument("lower" + id), argument("upper" + id)};
  return {integer(statement.lower), integer(statement.upper)};
}

Value KernelBuilder::buildFor(const Statement &statement) {
  auto [lower, upper] = boundsOf(statement);
  auto loop =
      scf::ForOp::create(builder, loc, lower, upper, integer(statement.step),
                         ValueRange{values[statement.a]});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value outer = variable;
  variable = loop.getInductionVar();
  values[-2 - statement.id] = loop.getRegionIterArg(0);
  buildBody(statement.body);
  scf::YieldOp::create(builder, loc, ValueRange{values[statement.b]});
  variable = outer;
  return loop.getResult(0);
}

/// Whether a loop that would be in `turn` next has it.
Value KernelBuilder::goesOn(const Statement &statement, Value turn) {
  auto [lower, upper] = boundsOf(statement);
  Value isBelow = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                        turn, upper);
  if (statement.array < 0)
    return isBelow;
  Value isInside = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, turn, argument("N"));
  Value loaded = scalarLoad(statement.array, integer(0), turn, isInside);
  Value isSmall = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                        loaded, integer(kMostLoaded));
  return make<arith::AndIOp>(isBelow, isSmall);
}

/// The body of a while on the carried value and the turn; what follow them.
SmallVector<Value> KernelBuilder::buildTurn(const Statement &statement,
                                            ValueRange carried) {
  Value outer = variable;
  variable = carried[1];
  values[-2 - statement.id] = carried[0];
  buildBody(statement.body);
  variable = outer;
  Value next = index<arith::AddIOp>(carried[1], integer(statement.step));
  return {values[statement.b], next};
}

Value KernelBuilder::buildWhile(const Statement &statement) {
  Value lower = boundsOf(statement).first;
  Type types[] = {tileOf(statement.kind), lower.getType()};
  Location locations[] = {loc, loc};
  auto loop = scf::WhileOp::create(builder, loc, TypeRange(types),
                                   ValueRange{values[statement.a], lower});
  OpBuilder::InsertionGuard guard(builder);
  Block *before = builder.createBlock(&loop.getBefore(), {}, types, locations);
  SmallVector<Value> carried(before->getArguments());
  if (statement.isPostTested)
    carried = buildTurn(statement, carried);
  Value condition = goesOn(statement, carried[1]);
  scf::ConditionOp::create(builder, loc, condition, carried);
  Block *after = builder.createBlock(&loop.getAfter(), {}, types, locations);
  carried.assign(after->args_begin(), after->args_end());
  if (!statement.isPostTested)
    carried = buildTurn(statement, carried);
  scf::YieldOp::create(builder, loc, carried);
  return loop.getResult(0);
}

Value KernelBuilder::buildDecision(const Statement &statement) {
  auto isAbove = [&](Value a, int64_t limit) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, a,
                                 integer(limit));
  };
  switch (static_cast<Decision>(statement.code)) {
  case Decision::EvenRow:
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                 make<arith::RemSIOp>(pidM, integer(2)),
                                 integer(0));
  case Decision::NotLeft:
    return isAbove(pidN, 0);
  case Decision::LargeM:
    return isAbove(argument("M"), 20);
  case Decision::LoadedFirst:
    return isAbove(
        scalarLoad(statement.array, firstRow, firstColumn, /*in=*/{}), 0);
  }
  return {};
}

Value KernelBuilder::buildIf(const Statement &statement) {
  auto branch =
      scf::IfOp::create(builder, loc, TypeRange{tileOf(statement.kind)},
                        buildDecision(statement), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  buildBody(statement.body);
  scf::YieldOp::create(builder, loc, ValueRange{values[statement.b]});
  builder.setInsertionPointToStart(branch.elseBlock());
  buildBody(statement.otherBody);
  scf::YieldOp::create(builder, loc, ValueRange{values[statement.c]});
  return branch.getResult(0);
}
