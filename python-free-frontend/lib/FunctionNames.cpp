//===- FunctionNames.cpp - Names in functions that nobody calls ----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function takes anything, so that only its calls say which of its operators
// and calls are right.  Which names are defined depends on no call.  Sides of
// `static if` are for some calls only, and are left out.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;

/// Names that the parser makes of `break`, `continue` and `return`.
static bool isLeave(StringRef name) {
  return name == kBreakFlag || name == kContinueFlag || name == kReturnFlag;
}

void KernelEmitter::checkFunction(const Function &function) {
  if (errors.isFull() || function.isBroken)
    return;
  scopes.emplace_back();
  allowedBy(function.annotations);
  for (const Formal &formal : function.formals) {
    if (formal.fallback)
      checkNames(*formal.fallback);
    StringRef type = formal.type.text;
    if (!type.empty() && type != "type" && type != "int" && type != "bool")
      elementType(formal.type);
    declare(formal.name, {});
  }
  for (const Identifier &type : function.resultTypes)
    elementType(type);
  checkNames(function.body);
  scopes.pop_back();
}

void KernelEmitter::checkNames(const frontend::Block &block) {
  scopes.emplace_back();
  for (const std::unique_ptr<Stmt> &stmt : block)
    checkNames(*stmt);
  scopes.pop_back();
}

void KernelEmitter::checkNames(const Stmt &stmt) {
  allowedBy(stmt.annotations, /*isStatement=*/true);
  for (const Annotation &annotation : stmt.annotations)
    if (annotation.name.text == "require")
      featuresOf(annotation);
  if (stmt.kind == Stmt::Assign && !stmt.isLeave && isUpdate(stmt) &&
      !find(stmt.names[0].text)) {
    sayUndefined(stmt.names[0]);
    return declareWrong(stmt);
  }
  for (const ExprPtr *expr : {&stmt.value, &stmt.target, &stmt.end, &stmt.step})
    if (*expr)
      checkNames(**expr);
  for (const ExprPtr &result : stmt.results)
    checkNames(*result);
  for (const Hint &hint : stmt.hints)
    checkNames(*hint.value);
  bool isBinding = stmt.kind == Stmt::Let || stmt.kind == Stmt::Var;
  for (const Identifier &name : stmt.names) {
    if (isBinding)
      declare(name, {}, &stmt);
    else if (stmt.kind == Stmt::Assign && !stmt.isLeave && !find(name.text))
      sayUndefined(name);
  }
  if (stmt.kind == Stmt::Assign && !stmt.isLeave)
    declareWrong(stmt);
  if (stmt.kind == Stmt::If && stmt.isStatic)
    return;
  scopes.emplace_back();
  if (stmt.kind == Stmt::For)
    declare(stmt.names[0], {});
  checkNames(stmt.body);
  scopes.pop_back();
  checkNames(stmt.otherwise);
}

void KernelEmitter::checkNames(const Expr &expr) {
  if (expr.kind == Expr::Method)
    return emitMethod(expr);
  if (expr.kind == Expr::Member && sayForeignMember(expr))
    return;
  bool isFunction = functions.contains(expr.text) || isBuiltin(expr.text);
  if (expr.kind == Expr::Name && !isFunction && !isLeave(expr.text) &&
      !findName(expr.text))
    emitName(expr);
  if (expr.kind == Expr::Call && !isFunction)
    sayUnknownFunction(expr);
  for (auto [i, operand] : llvm::enumerate(expr.operands)) {
    // A word, such as `precision = tf32`.
    bool isWord = i < expr.names.size() && expr.names[i].text == "precision";
    if (!isWord)
      checkNames(*operand);
  }
  for (const ExprPtr &side : expr.sides)
    checkNames(*side);
  if (expr.other)
    checkNames(*expr.other);
  if (!expr.type.text.empty())
    elementType(expr.type);
}
