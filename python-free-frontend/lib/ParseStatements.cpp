//===- ParseStatements.cpp - Parses blocks and statements -----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace tile::frontend;

bool Parser::parseBlock(Block &block) {
  SMRange open = token.range();
  if (!expect("{", "before the statements"))
    return false;
  llvm::SaveAndRestore<unsigned> level(depth, depth + 1);
  if (depth > kMaxDepth) {
    errors.error(open, "expected at most " + Twine(kMaxDepth) +
                           " levels of nesting, got more");
    return false;
  }
  while (token.kind != Token::End && !token.is("}") && !atDeclaration()) {
    if (std::unique_ptr<Stmt> stmt = parseStatement())
      block.push_back(std::move(stmt));
    else
      skipToStatement();
    if (errors.isFull())
      return false;
  }
  if (consume("}"))
    return true;
  if (errors.empty())
    errors.error(token.range(), "expected '}' to end the statements", open,
                 "the statements begin here");
  return false;
}

std::unique_ptr<Stmt> Parser::parseStatement() {
  auto stmt = std::make_unique<Stmt>();
  if (!parseAnnotations(stmt->annotations))
    return nullptr;
  SMLoc start = token.range().Start;
  bool good = true;
  if (token.kind == Token::Name && !isKeyword(token.text)) {
    good = parseSimple(*stmt);
  } else if (token.kind == Token::Name) {
    good = parseKeyword(*stmt);
  } else {
    good = failHere("a statement");
    // A word that starts nothing must not stop the recovery.
    if (token.kind != Token::End && !token.is("}") && !atDeclaration())
      advance();
  }
  if (!good)
    return nullptr;
  consume(";");
  stmt->range = {start, lastEnd};
  // A value that did not parse stays, so that its name is still declared.
  if (stmt->value && stmt->value->kind == Expr::Error)
    skipToStatement();
  return stmt;
}

/// `@name(word, ...)`, any number of them.
bool Parser::parseAnnotations(std::vector<Annotation> &annotations) {
  while (consume("@")) {
    Annotation annotation;
    if (!expectName(annotation.name, "'require' or 'allow' after '@'") ||
        !expect("(", "after the annotation's name"))
      return false;
    do
      if (!expectName(annotation.words.emplace_back(), "a word"))
        return false;
    while (consume(","));
    if (!expect(")", "after the annotation's words"))
      return false;
    annotations.push_back(std::move(annotation));
  }
  return true;
}

/// A statement that begins with a word of the language.
bool Parser::parseKeyword(Stmt &stmt) {
  if (consume("static")) {
    stmt.isStatic = true;
    bool isAssert = token.kind == Token::Name && token.text == "assert";
    if (isAssert)
      return parseSimple(stmt);
    if (!token.is("if") && !token.is("for"))
      return failHere("'if', 'for' or 'assert' after 'static'");
  }
  if (token.is("let") || token.is("var"))
    return parseBinding(stmt);
  if (token.is("for"))
    return parseFor(stmt);
  if (token.is("if"))
    return parseIf(stmt);
  if (consume("return"))
    return parseReturn(stmt);
  if (consume("while")) {
    if (isTooDeep())
      return false;
    stmt.kind = Stmt::While;
    stmt.value = parseExpr();
    return stmt.value->kind != Expr::Error && parseBlock(stmt.body);
  }
  failHere("a statement");
  if (!atDeclaration())
    advance();
  return false;
}

bool Parser::parseBinding(Stmt &stmt) {
  stmt.kind = token.is("let") ? Stmt::Let : Stmt::Var;
  advance();
  do
    if (!expectName(stmt.names.emplace_back(), "a name"))
      return false;
  while (consume(","));
  if (!expect("=", "before the value"))
    return false;
  stmt.value = parseExpr();
  return true;
}

/// `+=` and its kin.
static bool isCompound(const Token &token) {
  static constexpr StringLiteral kWords[] = {
      "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  return token.kind == Token::Symbol && is_contained(kWords, token.text);
}

/// A call, `name = value`, `a, b = value`, `name += value`, `a[i] = value`.
bool Parser::parseSimple(Stmt &stmt) {
  if (token.text == "elif")
    return failHere("a statement");
  ExprPtr value = parseExpr();
  bool isName = value->kind == Expr::Name;
  if (isName && token.is(":")) {
    errors
        .error(token.range(),
               "expected '=' after '" + value->text + "', got ':'")
        .help("the type follows from the value: write 'let " + value->text +
              " = ...'");
    return false;
  }
  if (isName && (token.is("=") || token.is(","))) {
    stmt.kind = Stmt::Assign;
    stmt.names.push_back({value->text, value->range});
    while (consume(","))
      if (!expectName(stmt.names.emplace_back(), "a variable"))
        return false;
    if (!expect("=", "before the value"))
      return false;
    value = parseExpr();
  } else if (isName || value->kind == Expr::Index) {
    if (isCompound(token))
      return parseCompound(stmt, std::move(value));
    if (!isName && consume("=")) {
      stmt.kind = Stmt::Store;
      stmt.target = std::move(value);
      value = parseExpr();
    }
  }
  stmt.value = std::move(value);
  return stmt.value->kind != Expr::Error;
}

/// `name += value` means `name = name + value`; of part of a tensor, the value
/// has the target as its left side.
bool Parser::parseCompound(Stmt &stmt, ExprPtr target) {
  StringRef op = token.text.drop_back();
  SMLoc start = target->range.Start;
  stmt.kind = target->kind == Expr::Index ? Stmt::Store : Stmt::Assign;
  if (stmt.kind == Stmt::Assign)
    stmt.names.push_back({target->text, target->range});
  advance();
  std::vector<ExprPtr> operands;
  operands.push_back(std::move(target));
  operands.push_back(parseExpr());
  stmt.value = node(Expr::Binary, op, start, std::move(operands));
  return stmt.value->kind != Expr::Error;
}

bool Parser::parseReturn(Stmt &stmt) {
  stmt.kind = Stmt::Return;
  if (token.is("}") || token.is(";"))
    return true;
  do {
    stmt.results.push_back(parseExpr());
    if (stmt.results.back()->kind == Expr::Error)
      return false;
  } while (consume(","));
  return true;
}

/// Says so where the blocks around the statement are too many.
bool Parser::isTooDeep() {
  if (depth < kMaxDepth)
    return false;
  errors.error(token.range(), "expected at most " + Twine(kMaxDepth) +
                                  " levels of nesting, got more");
  return true;
}

/// Whether it is `range(...)` of Python, also with a module in front.
bool Parser::isForeignRange(const Expr &expr) const {
  bool isCall = expr.kind == Expr::Call || expr.kind == Expr::Method;
  size_t first = expr.kind == Expr::Method;
  size_t count = expr.operands.size() - std::min(first, expr.operands.size());
  return isCall && (expr.text == "range" || expr.text == "static_range") &&
         count >= 1 && count <= 3;
}

/// Says how the limits are written, and goes on with them.
void Parser::takeForeignRange(Stmt &stmt) {
  ExprPtr call = std::move(stmt.value);
  std::vector<ExprPtr> limits = std::move(call->operands);
  if (call->kind == Expr::Method)
    limits.erase(limits.begin());
  auto text = [&](size_t i) {
    SMRange range = limits[i]->range;
    return StringRef(range.Start.getPointer(),
                     range.End.getPointer() - range.Start.getPointer());
  };
  std::string low = limits.size() > 1 ? text(0).str() : "0";
  std::string high = text(limits.size() > 1 ? 1 : 0).str();
  std::string step = limits.size() > 2 ? " step " + text(2).str() : "";
  errors
      .error(call->range, "expected two limits of a loop, got a call of '" +
                              call->text + "'")
      .help("write 'for " + stmt.names[0].text + " in " + low + ".." + high +
            step + "'");
  if (limits.size() == 1)
    limits.insert(limits.begin(),
                  node(Expr::Integer, "0", call->range.Start, {}));
  stmt.value = std::move(limits[0]);
  stmt.end = std::move(limits[1]);
  if (limits.size() > 2)
    stmt.step = std::move(limits[2]);
}

/// `low..high step n`.
bool Parser::parseLimits(Stmt &stmt) {
  stmt.value = parseExpr();
  if (!token.is("..") && isForeignRange(*stmt.value)) {
    takeForeignRange(stmt);
    return true;
  }
  if (!expect("..", "between the limits of a loop"))
    return false;
  stmt.end = parseExpr();
  if (consume("step"))
    stmt.step = parseExpr();
  return true;
}

bool Parser::parseFor(Stmt &stmt) {
  stmt.kind = Stmt::For;
  advance();
  if (isTooDeep() ||
      !expectName(stmt.names.emplace_back(), "the loop's index") ||
      !expect("in", "after the loop's index") || !parseLimits(stmt))
    return false;
  if (consume("pipeline")) {
    if (!expect("(", "after 'pipeline'") || !parseHint(stmt.hints) ||
        !expect(")", "after the stages"))
      return false;
  }
  return parseBlock(stmt.body);
}

bool Parser::parseIf(Stmt &stmt) {
  stmt.kind = Stmt::If;
  advance();
  if (isTooDeep())
    return false;
  stmt.value = parseExpr();
  if (stmt.value->kind == Expr::Error || !parseBlock(stmt.body))
    return false;
  if (!consume("else"))
    return true;
  if (!token.is("if") && !token.is("static"))
    return parseBlock(stmt.otherwise);
  llvm::SaveAndRestore<unsigned> level(depth, depth + 1);
  if (depth > kMaxDepth)
    return failHere("at most " + Twine(kMaxDepth) + " levels of nesting");
  std::unique_ptr<Stmt> next = parseStatement();
  if (!next)
    return false;
  // `else if` goes on as the chain began.
  next->isStatic |= stmt.isStatic;
  stmt.otherwise.push_back(std::move(next));
  return true;
}
