//===- Statements.cpp - Bindings and assignments --------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;
using llvm::SMRange;

KernelEmitter::Symbol *KernelEmitter::find(StringRef name) {
  for (Scope &scope : llvm::reverse(scopes))
    if (auto *found = scope.find(name); found != scope.end())
      return &found->second;
  return nullptr;
}

void KernelEmitter::declare(const Identifier &name, Val value,
                            bool isVariable) {
  if (Symbol *earlier = find(name.text)) {
    errors
        .error(name.range, "expected a new name, got '" + name.text + "'",
               earlier->range, "'" + name.text + "' is already defined here")
        .help(earlier->isVariable
                  ? "'" + name.text + " = ...' changes the variable"
                  : "");
    return;
  }
  // The IR's text shows the name that the value has in the source.
  if (value.kind == Val::Run)
    if (Operation *op = value.value.getDefiningOp();
        op && !isa<NameLoc>(op->getLoc()))
      op->setLoc(NameLoc::get(builder.getStringAttr(name.text), op->getLoc()));
  scopes.back().insert({name.text, {value, name.range, isVariable}});
  if (index && value)
    index->record(name.range, describe(value));
}

void KernelEmitter::emitBlock(const frontend::Block &block) {
  scopes.emplace_back();
  const Stmt *previous = nullptr;
  for (const std::unique_ptr<Stmt> &stmt : block) {
    if (previous && previous->kind == Stmt::Return)
      errors.error(stmt->range, "expected nothing after 'return' in its block, "
                                "got a statement");
    // What follows a 'static if' that has returned is for other types.
    if (errors.isFull() || isTooLarge || (frame && frame->result))
      break;
    emitStatement(*stmt);
    previous = stmt.get();
  }
  scopes.pop_back();
}

/// A block that runs many times or perhaps not at all.
void KernelEmitter::emitRegion(const frontend::Block &block) {
  if (!frame)
    return emitBlock(block);
  ++frame->numRegions;
  emitBlock(block);
  --frame->numRegions;
}

void KernelEmitter::emitStatement(const Stmt &stmt) {
  if (!isWithinLimits(stmt.range))
    return;
  llvm::SaveAndRestore<unsigned> level(numLevels, numLevels + 1);
  if (stmt.annotations.empty())
    emitStatementOfKind(stmt);
  else
    emitAnnotated(stmt);
}

void KernelEmitter::emitStatementOfKind(const Stmt &stmt) {
  switch (stmt.kind) {
  case Stmt::Let:
  case Stmt::Var:
    return emitBinding(stmt);
  case Stmt::Assign:
    return emitAssignment(stmt);
  case Stmt::Store:
    return emitTensorStore(stmt);
  case Stmt::For:
    return stmt.isStatic ? emitStaticFor(stmt) : emitFor(stmt);
  case Stmt::While:
    return emitWhile(stmt);
  case Stmt::If:
    return stmt.isStatic ? emitStaticIf(stmt) : emitIf(stmt);
  case Stmt::Return:
    return emitReturn(stmt);
  case Stmt::Call:
    if (stmt.isStatic)
      return emitStaticAssert(stmt);
    Val value = emitExpr(*stmt.value);
    // What an atomic update finds in memory is often of no interest.
    bool isAtomic = stmt.value->kind == Expr::Call &&
                    stmt.value->text.starts_with("atomic_");
    if (value && value.kind != Val::None && !isAtomic)
      errors
          .error(stmt.value->range,
                 "expected a statement, got a value that nothing uses")
          .help(value.kind == Val::Type
                    ? "the type follows from the value: write 'let x = ...'"
                : frame ? "'return ...' gives it to the caller"
                        : "");
    return;
  }
}

/// The values of a statement that defines or changes these names; of an error,
/// as many errors.
std::vector<Val> KernelEmitter::valuesFor(const Stmt &stmt) {
  size_t count = stmt.names.size();
  Val value = emitExpr(*stmt.value);
  std::vector<Val> values{value};
  if (value.kind == Val::Tuple)
    values = value.parts;
  if (value && values.size() != count)
    errors.error(stmt.value->range, "expected " + Twine(count) +
                                        (count == 1 ? " value" : " values") +
                                        ", got " + Twine(values.size()));
  if (values.size() != count)
    values.assign(count, Val());
  return values;
}

void KernelEmitter::emitBinding(const Stmt &stmt) {
  for (auto [name, value] : llvm::zip_equal(stmt.names, valuesFor(stmt)))
    bindOne(stmt, name, value);
}

void KernelEmitter::bindOne(const Stmt &stmt, const Identifier &name,
                            Val value) {
  if (value.kind == Val::None) {
    errors.error(stmt.value->range, "expected a value for '" + name.text +
                                        "', got a call that has none");
    value = {};
  }
  bool isVariable = stmt.kind == Stmt::Var;
  if (isVariable && (value.kind == Val::Type || value.kind == Val::Tensor ||
                     value.kind == Val::Arranged)) {
    errors.error(stmt.value->range, "expected a value for '" + name.text +
                                        "', got " + describe(value));
    value = {};
  }
  // A variable needs one type for good: f32 and i32, as literals have alone.
  if (isVariable && value.isConstant()) {
    Type type = value.kind == Val::Float  ? Type(builder.getF32Type())
                : value.kind == Val::Bool ? Type(builder.getI1Type())
                                          : Type(builder.getI32Type());
    SMRange range = stmt.value->range;
    value = Val::run(constantOf(location(range), value, type, range));
  }
  declare(name, value, isVariable);
}

void KernelEmitter::emitAssignment(const Stmt &stmt) {
  Symbol *first = find(stmt.names[0].text);
  if (stmt.names.size() == 1 && first && first->value.kind == Val::Arranged) {
    Expr target;
    target.range = stmt.names[0].range;
    return storeArranged(target, first->value, *stmt.value, stmt.range);
  }
  // Of a wrong arrangement enough has been said.
  if (first && !first->value && arranged.count(stmt.names[0].text))
    return;
  for (auto [name, value] : llvm::zip_equal(stmt.names, valuesFor(stmt)))
    assign(name, value, stmt.value->range);
}

void KernelEmitter::assign(const Identifier &name, Val value, SMRange range) {
  Symbol *symbol = find(name.text);
  if (!symbol) {
    errors
        .error(name.range, "expected a variable, got '" + name.text +
                               "', which is not defined")
        .help("write 'let " + name.text + " = ...', or 'var " + name.text +
              " = ...' if it changes");
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
  if (index)
    index->record(name.range, describe(old));
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
    bool isType =
        old.kind == Val::Run && value.kind == Val::Run &&
        shapeOf(old.value.getType()) == shapeOf(value.value.getType());
    errors
        .error(range, "expected " + describe(old) + ", got " + describe(value),
               symbol->range,
               "'" + name.text + "' is " + describe(old) + " since here")
        .help(isType ? "write 'as " + describe(elementOf(old.value.getType())) +
                           "' to convert"
                     : "");
    return;
  }
  old = value;
}
