//===- Parser.cpp - Parses the .tile language -----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace tile::frontend;

static bool isKeyword(StringRef text) {
  for (StringRef word : {"kernel", "let", "var", "for", "if", "else", "in",
                         "step", "grid", "as", "and", "or", "not", "None"})
    if (text == word)
      return true;
  return false;
}

Parser::Parser(StringRef source, DiagnosticList &errors)
    : lexer(source, errors), errors(errors) {
  advance();
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

void Parser::advance() {
  lastEnd = SMLoc::getFromPointer(token.text.end());
  token = lexer.next();
}

bool Parser::consume(StringRef spelling) {
  if (!token.is(spelling))
    return false;
  advance();
  return true;
}

bool Parser::failHere(const Twine &expected) {
  errors.error(token.range(),
               "expected " + expected + ", got " +
                   (token.kind == Token::End ? Twine("the end of the file")
                                             : "'" + token.text + "'"));
  return false;
}

bool Parser::expect(StringRef spelling, const Twine &where) {
  return consume(spelling) || failHere("'" + spelling + "' " + where);
}

bool Parser::expectName(Identifier &name, const Twine &what) {
  if (token.kind != Token::Name || isKeyword(token.text))
    return failHere(what);
  name = {token.text, token.range()};
  advance();
  return true;
}

void Parser::skipToStatement() {
  for (unsigned open = 0; token.kind != Token::End; advance()) {
    if (token.is("kernel"))
      return;
    bool starts =
        token.is("let") || token.is("var") || token.is("for") || token.is("if");
    if (open == 0 && (starts || token.is("}")))
      return;
    if (token.is("{"))
      ++open;
    if (token.is("}"))
      --open;
  }
}

void Parser::skipToKernel() {
  while (token.kind != Token::End && !token.is("kernel"))
    advance();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

std::vector<Kernel> Parser::parseFile() {
  std::vector<Kernel> kernels;
  while (token.kind != Token::End && !errors.isFull()) {
    if (!token.is("kernel")) {
      failHere("'kernel'");
      skipToKernel();
      continue;
    }
    if (std::optional<Kernel> kernel = parseKernel())
      kernels.push_back(std::move(*kernel));
    else
      skipToKernel();
  }
  return kernels;
}

std::optional<Kernel> Parser::parseKernel() {
  Kernel kernel;
  advance();
  if (!expectName(kernel.name, "the kernel's name"))
    return std::nullopt;
  if (consume("<") && !parseParameters(kernel))
    return std::nullopt;
  if (!expect("(", "before the arguments") || !parseArguments(kernel))
    return std::nullopt;
  if (consume("grid"))
    do
      kernel.grid.push_back(parseExpr());
    while (consume(","));
  if (!parseBlock(kernel.body))
    return std::nullopt;
  return kernel;
}

bool Parser::parseParameters(Kernel &kernel) {
  do
    if (!parseParameter(kernel))
      return false;
  while (consume(","));
  return expect(">", "after the compile-time parameters");
}

bool Parser::parseParameter(Kernel &kernel) {
  Parameter parameter;
  if (!expectName(parameter.name, "a compile-time parameter"))
    return false;
  if (consume(":")) {
    parameter.isType = token.is("type");
    if (!consume("type") && !consume("int"))
      return failHere("'type' or 'int'");
  }
  // A sum, not a comparison: '>' ends the list.
  if (consume("="))
    parameter.value = parseBinary(/*level=*/3);
  kernel.parameters.push_back(std::move(parameter));
  return true;
}

bool Parser::parseArguments(Kernel &kernel) {
  while (!token.is(")")) {
    if (!parseArgument(kernel))
      return false;
    if (!consume(","))
      break;
  }
  return expect(")", "after the arguments");
}

bool Parser::parseArgument(Kernel &kernel) {
  Argument argument;
  if (!expectName(argument.name, "an argument's name") ||
      !expect(":", "before the argument's type"))
    return false;
  argument.isPointer = consume("*");
  if (!argument.isPointer && consume("[")) {
    argument.isPointer = true;
    do
      if (!expectName(argument.sides.emplace_back(), "the name of a side"))
        return false;
    while (consume(","));
    if (!expect("]", "after the sides"))
      return false;
  }
  if (!expectName(argument.type, "a type such as f16") || !parseFacts(argument))
    return false;
  kernel.arguments.push_back(std::move(argument));
  return true;
}

bool Parser::parseFacts(Argument &argument) {
  for (;;) {
    if (consume("in")) {
      argument.min = parseBinary(3);
      if (!expect("..=", "between the limits of a range"))
        return false;
      argument.max = parseBinary(3);
    } else if (consume("divisible")) {
      if (!expect("(", "after 'divisible'"))
        return false;
      argument.divisor = parseExpr();
      if (!expect(")", "after the divisor"))
        return false;
    } else if (consume("noalias")) {
      argument.noalias = true;
    } else {
      return true;
    }
  }
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

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
  while (token.kind != Token::End && !token.is("}") && !token.is("kernel")) {
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
  SMLoc start = token.range().Start;
  bool good = true;
  if (token.is("let") || token.is("var")) {
    stmt->kind = token.is("let") ? Stmt::Let : Stmt::Var;
    advance();
    do {
      good = expectName(stmt->names.emplace_back(), "a name");
    } while (good && consume(","));
    good = good && expect("=", "before the value");
    if (good)
      stmt->value = parseExpr();
  } else if (token.is("for")) {
    stmt->kind = Stmt::For;
    good = parseFor(*stmt);
  } else if (token.is("if")) {
    stmt->kind = Stmt::If;
    good = parseIf(*stmt);
  } else if (token.kind == Token::Name && !isKeyword(token.text)) {
    Identifier name{token.text, token.range()};
    ExprPtr value = parseExpr();
    if (value->kind == Expr::Name && consume("=")) {
      stmt->kind = Stmt::Assign;
      stmt->names.push_back(name);
      value = parseExpr();
    } else if (value->kind == Expr::Index && consume("=")) {
      stmt->kind = Stmt::Store;
      stmt->target = std::move(value);
      value = parseExpr();
    }
    good = value->kind != Expr::Error;
    stmt->value = std::move(value);
  } else {
    good = failHere("a statement");
    // A word that starts nothing must not stop the recovery.
    if (token.kind != Token::End && !token.is("}") && !token.is("kernel"))
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

bool Parser::parseFor(Stmt &stmt) {
  advance();
  if (!expectName(stmt.names.emplace_back(), "the loop's index") ||
      !expect("in", "after the loop's index"))
    return false;
  stmt.value = parseExpr();
  if (!expect("..", "between the limits of a loop"))
    return false;
  stmt.end = parseExpr();
  if (consume("step"))
    stmt.step = parseExpr();
  return parseBlock(stmt.body);
}

bool Parser::parseIf(Stmt &stmt) {
  advance();
  stmt.value = parseExpr();
  if (stmt.value->kind == Expr::Error || !parseBlock(stmt.body))
    return false;
  if (!consume("else"))
    return true;
  if (!token.is("if"))
    return parseBlock(stmt.otherwise);
  llvm::SaveAndRestore<unsigned> level(depth, depth + 1);
  if (depth > kMaxDepth)
    return failHere("at most " + Twine(kMaxDepth) + " levels of nesting");
  stmt.otherwise.push_back(parseStatement());
  return stmt.otherwise.back() != nullptr;
}
