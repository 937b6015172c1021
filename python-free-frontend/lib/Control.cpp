//===- Control.cpp - Loops and branches -----------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;
using llvm::SMRange;

/// Names that the statements assign to, in order.
static void collectAssigned(const frontend::Block &block,
                            llvm::SetVector<StringRef> &names) {
  for (const std::unique_ptr<Stmt> &stmt : block) {
    if (stmt->kind == Stmt::Assign)
      for (const Identifier &name : stmt->names)
        names.insert(name.text);
    collectAssigned(stmt->body, names);
    collectAssigned(stmt->otherwise, names);
  }
}

/// The limits in one integer type: i32 unless one of them is wider.
bool KernelEmitter::emitLimits(const Stmt &stmt, Value &low, Value &high,
                               Value &step) {
  const Expr *exprs[] = {stmt.value.get(), stmt.end.get(), stmt.step.get()};
  Val values[3] = {{}, {}, Val::constant(1)};
  Type type = builder.getI32Type();
  for (auto [expr, value] : llvm::zip_equal(exprs, values)) {
    if (expr)
      value = emitExpr(*expr);
    if (!value)
      return false;
    if (value.kind == Val::Int)
      continue;
    bool isScalar = value.kind == Val::Run &&
                    value.value.getType().isSignlessInteger() &&
                    !value.value.getType().isInteger(1);
    if (!isScalar) {
      errors.error(expr->range, "expected an integer as a loop's limit, got " +
                                    describe(value));
      return false;
    }
    Type own = value.value.getType();
    if (own.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
      type = own;
  }
  if (values[2].kind == Val::Run || values[2].integer < 1) {
    errors
        .error(stmt.step->range,
               "expected a positive compile-time integer as a loop's step, "
               "got " +
                   describe(values[2]))
        .help(values[2].kind == Val::Run
                  ? "'while' goes on by what a launch gives"
              : values[2].integer < 0
                  ? "count up, and use 'n - 1 - i' for what goes down"
                  : "");
    return false;
  }
  Value *results[] = {&low, &high, &step};
  for (auto [expr, value, result] : llvm::zip_equal(exprs, values, results)) {
    SMRange range = expr ? expr->range : stmt.range;
    bool isTooWide = value.kind == Val::Int && result != &step &&
                     type.isInteger(32) && !llvm::isInt<32>(value.integer);
    if (isTooWide) {
      errors
          .error(range,
                 "expected a limit that i32 holds, got " + Twine(value.integer))
          .help("write '" + Twine(value.integer) +
                " as i64' for a loop that counts in i64");
      return false;
    }
    *result = value.kind == Val::Int
                  ? constantOf(location(range), value, type, range)
                  : castElements(location(range), value.value, type);
    if (!*result)
      return false;
  }
  return true;
}

/// What a loop carries of a variable; null where it cannot be carried.
static Value &carriedValue(Val &value) {
  return value.kind == Val::Pointer ? value.offsets : value.value;
}

KernelEmitter::Carried
KernelEmitter::carriedBy(ArrayRef<const frontend::Block *> blocks) {
  llvm::SetVector<StringRef> assigned;
  for (const frontend::Block *block : blocks)
    collectAssigned(*block, assigned);
  Carried carried;
  for (StringRef name : assigned) {
    Symbol *symbol = find(name);
    if (!symbol || !symbol->isVariable || !carriedValue(symbol->value))
      continue;
    carried.names.push_back(name);
    carried.values.push_back(carriedValue(symbol->value));
  }
  return carried;
}

void KernelEmitter::setCarried(const Carried &carried, ValueRange values) {
  for (auto [name, value] : llvm::zip_equal(carried.names, values))
    carriedValue(find(name)->value) = value;
}

SmallVector<Value> KernelEmitter::carriedNow(const Carried &carried) {
  SmallVector<Value> values;
  for (StringRef name : carried.names)
    values.push_back(carriedValue(find(name)->value));
  return values;
}

/// Gives the block's arguments, which hold what is carried, its names.
static void nameArguments(OpBuilder &builder, ArrayRef<StringRef> names,
                          ValueRange arguments, Location loc) {
  for (auto [name, argument] : llvm::zip_equal(names, arguments))
    argument.setLoc(
        NameLoc::get(builder.getStringAttr(withoutFlagMark(name)), loc));
}

Value KernelEmitter::emitCondition(const Expr &expr) {
  Value condition;
  if (emitRunTime(expr, builder.getI1Type(), condition)) {
    if (condition.getType().isInteger(1))
      return condition;
    Type type = condition.getType();
    bool isTile = isa<RankedTensorType>(type);
    bool isBool = elementOf(type).isInteger(1);
    errors
        .error(expr.range, "expected a condition of i1, got " + describe(type))
        .help(!isTile  ? "write '... != 0'"
              : isBool ? "'any(...)' and 'all(...)' make one of a tile"
                       : "");
  }
  // Any condition will do to find what else is wrong.
  return arith::ConstantOp::create(builder, location(expr.range),
                                   builder.getBoolAttr(true));
}

/// One side of an `if`, which yields what the variables are at its end.
void KernelEmitter::emitBranch(const frontend::Block &block, mlir::Block *into,
                               Location loc, const Carried &carried) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(into);
  emitRegion(block);
  // A branch that was made with its end needs no other.
  if (into->empty() || !into->back().hasTrait<OpTrait::IsTerminator>())
    scf::YieldOp::create(builder, loc, carriedNow(carried));
}

void KernelEmitter::emitIf(const Stmt &stmt) {
  Value condition = emitCondition(*stmt.value);
  Location loc = location(stmt.range);
  Carried carried = carriedBy({&stmt.body, &stmt.otherwise});
  bool hasElse = !carried.names.empty() || !stmt.otherwise.empty();
  auto branch =
      scf::IfOp::create(builder, loc, TypeRange(ValueRange(carried.values)),
                        condition, /*addThenBlock=*/true,
                        /*addElseBlock=*/hasElse);
  emitBranch(stmt.body, branch.thenBlock(), loc, carried);
  setCarried(carried, carried.values);
  if (hasElse)
    emitBranch(stmt.otherwise, branch.elseBlock(), loc, carried);
  setCarried(carried, branch.getResults());
}

void KernelEmitter::pushLeave(StringRef name, bool isUsed, SMRange range) {
  scopes.emplace_back();
  if (!isUsed)
    return;
  Value yes = arith::ConstantOp::create(builder, location(range),
                                        builder.getBoolAttr(true));
  scopes.back().insert({name, {Val::run(yes), range, /*isVariable=*/true}});
}

Value KernelEmitter::emitWhileCondition(const Stmt &stmt) {
  Location loc = location(stmt.range);
  Value goes;
  for (auto [name, isUsed] :
       {std::pair(StringRef(kBreakFlag), stmt.hasBreak),
        std::pair(StringRef(kReturnFlag), stmt.hasReturn)})
    if (isUsed) {
      Value own = find(name)->value.value;
      goes = goes ? arith::AndIOp::create(builder, loc, goes, own) : own;
    }
  if (!goes)
    return emitCondition(*stmt.value);
  auto branch = scf::IfOp::create(builder, loc, builder.getI1Type(), goes,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value condition = emitCondition(*stmt.value);
  scf::YieldOp::create(builder, loc, condition);
  builder.setInsertionPointToStart(branch.elseBlock());
  Value no =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false));
  scf::YieldOp::create(builder, loc, no);
  return branch.getResult(0);
}

void KernelEmitter::emitWhile(const Stmt &stmt) {
  Location loc = location(stmt.range);
  pushLeave(kBreakFlag, stmt.hasBreak, stmt.range);
  Carried carried = carriedBy({&stmt.body});
  TypeRange types = TypeRange(ValueRange(carried.values));
  auto loop = scf::WhileOp::create(
      builder, loc, types, carried.values,
      [&](OpBuilder &, Location, ValueRange arguments) {
        nameArguments(builder, carried.names, arguments, loc);
        setCarried(carried, arguments);
        Value condition = emitWhileCondition(stmt);
        scf::ConditionOp::create(builder, loc, condition, carriedNow(carried));
      },
      [&](OpBuilder &, Location, ValueRange arguments) {
        nameArguments(builder, carried.names, arguments, loc);
        setCarried(carried, arguments);
        pushLeave(kContinueFlag, stmt.hasContinue, stmt.range);
        emitRegion(stmt.body);
        scopes.pop_back();
        scf::YieldOp::create(builder, loc, carriedNow(carried));
      });
  setCarried(carried, loop.getResults());
  scopes.pop_back();
}

void KernelEmitter::emitFor(const Stmt &stmt) {
  Value low, high, step;
  bool good = emitLimits(stmt, low, high, step);
  pushLeave(kBreakFlag, stmt.hasBreak, stmt.range);
  Carried carried = carriedBy({&stmt.body});
  Location loc = location(stmt.range);
  if (!good) {
    // Any limits will do to find what else is wrong.
    low = high = step =
        arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(1));
  }
  auto loop = scf::ForOp::create(builder, loc, low, high, step, carried.values);
  if (PipelineAttr pipeline = pipelineOf(stmt))
    loop->setAttr(kPipelineName, pipeline);
  Identifier index = stmt.names[0];
  loop.getInductionVar().setLoc(
      NameLoc::get(builder.getStringAttr(index.text), location(index.range)));
  nameArguments(builder, carried.names, loop.getRegionIterArgs(), loc);
  setCarried(carried, loop.getRegionIterArgs());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    pushLeave(kContinueFlag, stmt.hasContinue, stmt.range);
    declare(index, Val::run(loop.getInductionVar()));
    emitRegion(stmt.body);
    scopes.pop_back();
    if (!carried.names.empty())
      scf::YieldOp::create(builder, loc, carriedNow(carried));
  }
  setCarried(carried, loop.getResults());
  scopes.pop_back();
}
