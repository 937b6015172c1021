//===- Statements.cpp - Bindings, assignments and loops -------------------===//
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

KernelEmitter::Symbol *KernelEmitter::find(StringRef name) {
  for (Scope &scope : llvm::reverse(scopes))
    if (auto *found = scope.find(name); found != scope.end())
      return &found->second;
  return nullptr;
}

void KernelEmitter::declare(const Identifier &name, Val value,
                            bool isVariable) {
  if (Symbol *earlier = find(name.text)) {
    errors.error(name.range, "expected a new name, got '" + name.text + "'",
                 earlier->range, "'" + name.text + "' is already defined here");
    return;
  }
  // The IR's text shows the name that the value has in the source.
  if (value.kind == Val::Run)
    if (Operation *op = value.value.getDefiningOp();
        op && !isa<NameLoc>(op->getLoc()))
      op->setLoc(NameLoc::get(builder.getStringAttr(name.text), op->getLoc()));
  scopes.back().insert({name.text, {value, name.range, isVariable}});
}

void KernelEmitter::emitBlock(const frontend::Block &block) {
  scopes.emplace_back();
  for (const std::unique_ptr<Stmt> &stmt : block)
    if (!errors.isFull())
      emitStatement(*stmt);
  scopes.pop_back();
}

void KernelEmitter::emitStatement(const Stmt &stmt) {
  switch (stmt.kind) {
  case Stmt::Let:
  case Stmt::Var:
    return emitBinding(stmt);
  case Stmt::Assign:
    return emitAssignment(stmt);
  case Stmt::Store:
    return emitTensorStore(stmt);
  case Stmt::For:
    return emitFor(stmt);
  case Stmt::If:
    return emitIf(stmt);
  case Stmt::Call:
    Val value = emitExpr(*stmt.value);
    if (value && value.kind != Val::None)
      errors.error(stmt.value->range,
                   "expected a statement, got a value that nothing uses");
    return;
  }
}

void KernelEmitter::emitBinding(const Stmt &stmt) {
  const Expr &value = *stmt.value;
  bool isGrouped = value.kind == Expr::Call && value.text == "grouped";
  size_t count = isGrouped ? 2 : 1;
  Val values[2];
  if (stmt.names.size() != count) {
    if (value.kind != Expr::Error)
      errors.error(value.range, "expected " + Twine(stmt.names.size()) +
                                    " values, got " + Twine(count));
    for (const Identifier &name : stmt.names)
      declare(name, {});
    return;
  }
  if (isGrouped) {
    if (!emitGrouped(value, values[0], values[1]))
      values[0] = values[1] = {};
  } else {
    values[0] = emitExpr(value);
  }
  for (auto [name, one] : llvm::zip_first(stmt.names, values))
    bindOne(stmt, name, one);
}

void KernelEmitter::bindOne(const Stmt &stmt, const Identifier &name,
                            Val value) {
  if (value.kind == Val::None) {
    errors.error(stmt.value->range, "expected a value for '" + name.text +
                                        "', got a call that has none");
    value = {};
  }
  bool isVariable = stmt.kind == Stmt::Var;
  if (isVariable && (value.kind == Val::Type || value.kind == Val::Tensor)) {
    errors.error(stmt.value->range, "expected a value for '" + name.text +
                                        "', got " + describe(value));
    value = {};
  }
  // A variable needs one type for good: f32 and i32, as literals have alone.
  if (isVariable && value.isConstant()) {
    Type type = value.kind == Val::Float ? Type(builder.getF32Type())
                                         : Type(builder.getI32Type());
    SMRange range = stmt.value->range;
    value = Val::run(constantOf(location(range), value, type, range));
  }
  declare(name, value, isVariable);
}

void KernelEmitter::emitAssignment(const Stmt &stmt) {
  const Identifier &name = stmt.names[0];
  Val value = emitExpr(*stmt.value);
  Symbol *symbol = find(name.text);
  if (!symbol) {
    errors.error(name.range, "expected a variable, got '" + name.text +
                                 "', which is not defined");
    return;
  }
  if (!symbol->isVariable) {
    errors.error(name.range,
                 "expected a variable, got '" + name.text +
                     "', which does not change",
                 symbol->range, "declare it with 'var' to assign to it");
    return;
  }
  Val &old = symbol->value;
  if (!value || !old)
    return;
  SMRange range = stmt.value->range;
  if (value.isConstant() && old.kind == Val::Run) {
    value = Val::run(constantOf(location(range), value,
                                elementOf(old.value.getType()), range));
    if (!value)
      return;
  }
  bool isPointer = old.kind == Val::Pointer && value.kind == Val::Pointer;
  auto typeOf = [](Value v) { return v ? v.getType() : Type(); };
  bool same = old.kind == value.kind &&
              typeOf(old.value) == typeOf(value.value) &&
              typeOf(old.offsets) == typeOf(value.offsets);
  if (isPointer && same && old.value != value.value) {
    errors.error(range,
                 "expected a pointer into the same argument as before, got "
                 "another one",
                 symbol->range, "'" + name.text + "' is defined here");
    return;
  }
  if (!same) {
    errors.error(range,
                 "expected " + describe(old) + ", got " + describe(value),
                 symbol->range,
                 "'" + name.text + "' is " + describe(old) + " since here");
    return;
  }
  old = value;
}

/// Names that the statements assign to, in order.
static void collectAssigned(const frontend::Block &block,
                            llvm::SetVector<StringRef> &names) {
  for (const std::unique_ptr<Stmt> &stmt : block) {
    if (stmt->kind == Stmt::Assign)
      names.insert(stmt->names[0].text);
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
    errors.error(stmt.step->range,
                 "expected a positive compile-time integer as a loop's step, "
                 "got " +
                     describe(values[2]));
    return false;
  }
  Value *results[] = {&low, &high, &step};
  for (auto [expr, value, result] : llvm::zip_equal(exprs, values, results)) {
    SMRange range = expr ? expr->range : stmt.range;
    *result = value.kind == Val::Int
                  ? constantOf(location(range), value, type, range)
                  : castElements(location(range), value.value, type);
    if (!*result)
      return false;
  }
  return true;
}

/// What a loop carries of a variable; null where it cannot be carried.
static Value &carried(Val &value) {
  return value.kind == Val::Pointer ? value.offsets : value.value;
}

/// The variables from outside that the blocks assign to, in order.
SmallVector<StringRef>
KernelEmitter::carriedNames(ArrayRef<const frontend::Block *> blocks) {
  llvm::SetVector<StringRef> assigned;
  for (const frontend::Block *block : blocks)
    collectAssigned(*block, assigned);
  SmallVector<StringRef> names;
  for (StringRef name : assigned)
    if (Symbol *symbol = find(name);
        symbol && symbol->isVariable && carried(symbol->value))
      names.push_back(name);
  return names;
}

/// One side of an `if`, which yields what the variables are at its end.
void KernelEmitter::emitBranch(const frontend::Block &block, mlir::Block *into,
                               Location loc, ArrayRef<StringRef> variables) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(into);
  emitBlock(block);
  SmallVector<Value> results;
  for (StringRef name : variables)
    results.push_back(carried(find(name)->value));
  // A branch that was made with its end needs no other.
  if (into->empty() || !into->back().hasTrait<OpTrait::IsTerminator>())
    scf::YieldOp::create(builder, loc, results);
}

void KernelEmitter::emitIf(const Stmt &stmt) {
  Value condition;
  SMRange range = stmt.value->range;
  if (emitRunTime(*stmt.value, builder.getI1Type(), condition) &&
      !condition.getType().isInteger(1)) {
    errors.error(range, "expected a condition of i1, got " +
                            describe(condition.getType()));
    condition = {};
  }
  Location loc = location(stmt.range);
  // Any condition will do to find what else is wrong.
  if (!condition)
    condition =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  SmallVector<StringRef> variables =
      carriedNames({&stmt.body, &stmt.otherwise});
  SmallVector<Value> before;
  SmallVector<Type> types;
  for (StringRef name : variables) {
    before.push_back(carried(find(name)->value));
    types.push_back(before.back().getType());
  }
  bool hasElse = !variables.empty() || !stmt.otherwise.empty();
  auto branch = scf::IfOp::create(builder, loc, types, condition,
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/hasElse);
  emitBranch(stmt.body, branch.thenBlock(), loc, variables);
  for (auto [name, value] : llvm::zip_equal(variables, before))
    carried(find(name)->value) = value;
  if (hasElse)
    emitBranch(stmt.otherwise, branch.elseBlock(), loc, variables);
  for (auto [name, result] : llvm::zip_equal(variables, branch.getResults()))
    carried(find(name)->value) = result;
}

void KernelEmitter::emitFor(const Stmt &stmt) {
  Value low, high, step;
  bool good = emitLimits(stmt, low, high, step);
  SmallVector<StringRef> variables = carriedNames({&stmt.body});
  SmallVector<Value> initial;
  for (StringRef name : variables)
    initial.push_back(carried(find(name)->value));
  Location loc = location(stmt.range);
  if (!good) {
    // Any limits will do to find what else is wrong.
    low = high = step =
        arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(1));
  }
  auto loop = scf::ForOp::create(builder, loc, low, high, step, initial);
  Identifier index = stmt.names[0];
  loop.getInductionVar().setLoc(
      NameLoc::get(builder.getStringAttr(index.text), location(index.range)));
  for (auto [name, argument] :
       llvm::zip_equal(variables, loop.getRegionIterArgs())) {
    argument.setLoc(NameLoc::get(builder.getStringAttr(name), loc));
    carried(find(name)->value) = argument;
  }
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    scopes.emplace_back();
    declare(index, Val::run(loop.getInductionVar()));
    emitBlock(stmt.body);
    scopes.pop_back();
    SmallVector<Value> results;
    for (StringRef name : variables)
      results.push_back(carried(find(name)->value));
    if (!results.empty())
      scf::YieldOp::create(builder, loc, results);
  }
  for (auto [name, result] : llvm::zip_equal(variables, loop.getResults()))
    carried(find(name)->value) = result;
}
