//===- Statements.cpp - Bindings and assignments --------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "Parser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;
using llvm::SMRange;

Symbol *KernelEmitter::find(StringRef name) {
  for (Scope &scope : llvm::reverse(scopes))
    if (auto *found = scope.find(name); found != scope.end())
      return &found->second;
  return nullptr;
}

void KernelEmitter::declare(const Identifier &name, Val value,
                            const Stmt *binding) {
  if (isConstantName(name.text)) {
    errors
        .error(name.range, "expected a new name, got '" + name.text +
                               "', which the language has")
        .help("choose another name");
    // Its uses mean what could not be defined.
    scopes.back().insert({name.text,
                          {Val(), name.range, /*isVariable=*/true,
                           /*isLet=*/false, /*isWrong=*/true}});
    return;
  }
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
  // Enough has been said of a word of the language as a name.
  bool isWrong = isKeyword(name.text);
  bool isVariable = binding && (isWrong || binding->kind != Stmt::Let);
  scopes.back().insert(
      {name.text,
       {value, name.range, isVariable, binding && !isVariable, isWrong}});
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
    // Enough has been said of a value that is none.
    bool isUnused = unused == stmt.get() || (stmt->kind == Stmt::Call &&
                                             stmt->value->kind == Expr::Error);
    if (previous && isUnused)
      markCut(*previous, *stmt);
    previous = stmt.get();
  }
  scopes.pop_back();
}

/// `let a = b  c` on one line is one value that lacks an operator: what it
/// defines has another type than what is meant.
void KernelEmitter::markCut(const Stmt &binding, const Stmt &unused) {
  const char *end = binding.range.End.getPointer();
  const char *begin = unused.range.Start.getPointer();
  StringRef between(end, begin > end ? begin - end : 0);
  if (between.contains('\n') || between.contains(';'))
    return;
  for (const Identifier &name : binding.names)
    if (Symbol *symbol = find(name.text))
      symbol->isWrong = true;
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

/// For a value that nothing uses.
static std::string helpForUnused(const Expr &expr, const Val &value,
                                 bool isInFunction) {
  // The source ends with a zero.
  const char *behind = expr.range.End.getPointer();
  while (*behind == ' ')
    ++behind;
  if (behind[0] == '/' && behind[1] == '/' && behind[2] == '=')
    return ("'//' begins a comment: write '" + textOf(expr.range) +
            " = floordiv(" + textOf(expr.range) + ", ...)'")
        .str();
  if (value.kind == Val::Type)
    return "the type follows from the value: write 'let x = ...'";
  if (isInFunction)
    return "'return ...' gives it to the caller";
  // A kernel begins with a word, so that there is something in front.
  const char *before = expr.range.Start.getPointer() - 1;
  while (*before == ' ')
    --before;
  bool isBehindValue = llvm::isAlnum(*before) || *before == '_' ||
                       *before == ')' || *before == ']';
  return isBehindValue ? "an operator is missing in front of it, or it is not "
                         "needed"
                       : "";
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
    if (!value || value.kind == Val::None || isAtomic)
      return;
    unused = &stmt;
    if (frame)
      frame->hasUnused = true;
    errors
        .error(stmt.value->range,
               "expected a statement, got a value that nothing uses")
        .help(helpForUnused(*stmt.value, value, frame != nullptr));
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
  // A variable needs one type for good, and a pointer a place to move from.
  SMRange range = stmt.value->range;
  if (isVariable && value.isConstant())
    value = Val::run(constantAlone(*stmt.value, value));
  if (isVariable && value.kind == Val::Pointer && !value.offsets)
    value.offsets = constantOf(location(range), Val::constant(0),
                               builder.getI64Type(), range);
  declare(name, value, &stmt);
}

void KernelEmitter::emitAssignment(const Stmt &stmt) {
  Symbol *first = find(stmt.names[0].text);
  if (stmt.names.size() == 1 && first && first->value.kind == Val::Arranged) {
    Expr target;
    target.range = stmt.names[0].range;
    return storeArranged(target, first->value, *stmt.value, stmt.range);
  }
  if (!first && isUpdate(stmt)) {
    sayUndefined(stmt.names[0]);
    return declareWrong(stmt);
  }
  // Of a wrong arrangement enough has been said.
  if (first && !first->value && arranged.count(stmt.names[0].text))
    return;
  bool isSaid = false;
  for (auto [name, value] : llvm::zip_equal(stmt.names, valuesFor(stmt))) {
    bool isNew = !find(name.text);
    if (!isNew || !isSaid)
      assign(name, value, stmt.value->range);
    isSaid |= isNew;
  }
  declareWrong(stmt);
}

/// Where the first of the names is new, which has been said, all are from here
/// on, so that their uses are no errors.
void KernelEmitter::declareWrong(const Stmt &stmt) {
  for (const Identifier &name : stmt.names)
    if (!find(name.text))
      scopes.front().insert(
          {name.text, {Val(), name.range, /*isVariable=*/true, false}});
}

void KernelEmitter::sayUndefined(const Identifier &name) {
  // The lexer has said what is wrong of such a word.
  if (!llvm::isASCII(name.text))
    return;
  if (isConstantName(name.text)) {
    errors.error(name.range, "expected a variable, got '" + name.text +
                                 "', which the language has");
    return;
  }
  auto [nearest, place] = nearestName(name.text, /*isChanged=*/true);
  if (!nearest.empty()) {
    errors.error(name.range,
                 "expected a variable, got '" + name.text +
                     "', which is not defined",
                 place, "did you mean '" + nearest + "'?");
    return;
  }
  errors
      .error(name.range, "expected a variable, got '" + name.text +
                             "', which is not defined")
      .help("write 'let " + name.text + " = ...', or 'var " + name.text +
            " = ...' if it changes");
}

/// Says what to do about something that does not change.
void KernelEmitter::sayFixed(const Identifier &name, const Symbol &symbol) {
  Val::Kind kind = symbol.value.kind;
  bool isTensor = kind == Val::Tensor;
  bool canChange = !isTensor && kind != Val::Type && kind != Val::Arranged;
  StringRef text = name.text;
  std::string help;
  if (isTensor)
    help = ("'" + text + "[" +
            llvm::join(SmallVector<StringRef>(symbol.value.sides.size(), "i"),
                       ", ") +
            "] = ...' writes part of the tensor")
               .str();
  else if (!canChange)
    help = ("write 'let " + text + "1 = ...'").str();
  else if (!symbol.isLet)
    help = ("write 'let " + text + "1 = ...', or 'var " + text + "1 = " + text +
            "' and change that")
               .str();
  errors
      .error(name.range,
             "expected a variable, got '" + text + "', which does not change",
             symbol.range,
             symbol.isLet && canChange
                 ? Twine("declare it with 'var' to assign to it")
                 : "'" + text + "' is defined here")
      .help(help);
}

/// Gives a pointer the type of offsets that the variable has; an error where
/// that cannot be.
bool KernelEmitter::fitPointer(const Identifier &name, const Val &old,
                               Val &value, SMRange range,
                               const Symbol &symbol) {
  Type wanted = old.offsets.getType();
  Location loc = location(range);
  if (!value.offsets)
    value.offsets = constantOf(loc, Val::constant(0), elementOf(wanted), range);
  Type own = value.offsets.getType();
  if (old.value != value.value) {
    errors.error(range,
                 "expected a pointer into the same argument as before, got "
                 "another one",
                 symbol.range, "'" + name.text + "' is defined here");
    return false;
  }
  if (shapeOf(own) != shapeOf(wanted)) {
    errors
        .error(range, "expected " + describe(old) + ", got " + describe(value),
               symbol.range,
               "'" + name.text + "' is " + describe(old) + " since here")
        .help(shapeOf(wanted).empty()
                  ? "a 'var' keeps its shape: begin with 'p + zeros<i32>" +
                        sidesText(shapeOf(own)) + "'"
                  : Twine());
    return false;
  }
  bool isNarrow = elementOf(wanted).getIntOrFloatBitWidth() <
                  elementOf(own).getIntOrFloatBitWidth();
  if (!isNarrow) {
    value.offsets = castElements(loc, value.offsets, elementOf(wanted));
    return true;
  }
  errors
      .error(range,
             "expected a pointer that moves by " + describe(elementOf(wanted)) +
                 ", got one that moves by " + describe(elementOf(own)),
             symbol.range, "'" + name.text + "' is defined here")
      .help("write 'as " + describe(elementOf(own)) +
            "' at the offset that it begins with");
  return false;
}

void KernelEmitter::assign(const Identifier &name, Val value, SMRange range) {
  Symbol *symbol = find(name.text);
  if (!symbol)
    return sayUndefined(name);
  if (!symbol->isVariable)
    return sayFixed(name, *symbol);
  Val &old = symbol->value;
  if (!value || !old || symbol->isWrong)
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
  if (isPointer && !fitPointer(name, old, value, range, *symbol))
    return;
  auto typeOf = [](Value v) { return v ? v.getType() : Type(); };
  bool same = old.kind == value.kind &&
              typeOf(old.value) == typeOf(value.value) &&
              typeOf(old.offsets) == typeOf(value.offsets);
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
