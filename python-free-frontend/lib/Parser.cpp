//===- Parser.cpp - Parses the .tile language
//------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace tile::frontend;

/// Deeper sources end in an error, before the stack does.
static constexpr unsigned kMaxDepth = 200;

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

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

ExprPtr Parser::node(Expr::Kind kind, StringRef text, SMLoc start,
                     std::vector<ExprPtr> operands) {
  auto expr = std::make_unique<Expr>();
  expr->kind = kind;
  expr->text = text;
  expr->range = {start, lastEnd};
  for (ExprPtr &operand : operands) {
    expr->depth = std::max(expr->depth, operand->depth + 1);
    if (operand->kind == Expr::Error)
      expr->kind = Expr::Error;
  }
  expr->operands = std::move(operands);
  if (expr->depth > kMaxDepth) {
    errors.error(expr->range, "expected at most " + Twine(kMaxDepth) +
                                  " levels of expressions, got more");
    expr->operands.clear();
    expr->kind = Expr::Error;
    expr->depth = 1;
  }
  return expr;
}

ExprPtr Parser::parseExpr() {
  if (depth >= kMaxDepth) {
    failHere("at most " + Twine(kMaxDepth) + " levels of expressions");
    return node(Expr::Error, "", token.range().Start, {});
  }
  ++depth;
  ExprPtr expr = parseBinary(0);
  --depth;
  return expr;
}

/// The operators of each level, weakest first; `not` stands above level 2.
static bool isOperator(const Token &token, unsigned level) {
  static constexpr StringLiteral kOr[] = {"or"}, kAnd[] = {"and"},
                                 kCompare[] = {"<",  "<=", ">",
                                               ">=", "==", "!="},
                                 kAdd[] = {"+", "-"}, kMul[] = {"*", "/", "%"};
  ArrayRef<StringLiteral> levels[] = {kOr, kAnd, kCompare, kAdd, kMul};
  return any_of(levels[level], [&](StringRef op) { return token.is(op); });
}

ExprPtr Parser::parseBinary(unsigned level) {
  if (level > 4)
    return parseUnary();
  SMLoc start = token.range().Start;
  if (level == 2 && token.is("not")) {
    if (depth >= kMaxDepth)
      return parseExpr();
    ++depth;
    advance();
    std::vector<ExprPtr> operands;
    operands.push_back(parseBinary(2));
    --depth;
    return node(Expr::Unary, "not", start, std::move(operands));
  }
  ExprPtr left = parseBinary(level + 1);
  while (left->kind != Expr::Error && isOperator(token, level)) {
    StringRef op = token.text;
    advance();
    std::vector<ExprPtr> operands;
    operands.push_back(std::move(left));
    operands.push_back(parseBinary(level + 1));
    left = node(Expr::Binary, op, start, std::move(operands));
    // Comparisons do not chain: `a < b < c` is not what it seems.
    if (level == 2 && isOperator(token, level)) {
      failHere("'and' between two comparisons");
      left->kind = Expr::Error;
    }
  }
  return left;
}

ExprPtr Parser::parseUnary() {
  SMLoc start = token.range().Start;
  if (token.is("-")) {
    if (depth >= kMaxDepth)
      return parseExpr();
    ++depth;
    advance();
    std::vector<ExprPtr> operands;
    operands.push_back(parseUnary());
    --depth;
    return node(Expr::Unary, "-", start, std::move(operands));
  }
  ExprPtr expr = parsePostfix(parsePrimary());
  while (expr->kind != Expr::Error && consume("as")) {
    Identifier type;
    bool good = expectName(type, "a type such as f16");
    std::vector<ExprPtr> operands;
    operands.push_back(std::move(expr));
    expr =
        node(good ? Expr::Cast : Expr::Error, "as", start, std::move(operands));
    expr->type = type;
  }
  return expr;
}

ExprPtr Parser::parsePostfix(ExprPtr base) {
  SMLoc start = base->range.Start;
  while (base->kind != Expr::Error && consume("[")) {
    std::vector<StringRef> axes;
    std::vector<ExprPtr> operands;
    operands.push_back(std::move(base));
    ExprPtr other;
    bool good = true;
    do {
      StringRef text = token.text;
      if (consume(":") || consume("None")) {
        axes.push_back(text);
        continue;
      }
      ExprPtr index = parseExpr();
      if (index->kind == Expr::Name && index->text == "other" && consume("=")) {
        other = parseExpr();
        good = other->kind != Expr::Error;
        break;
      }
      good = index->kind != Expr::Error;
      axes.push_back("");
      operands.push_back(std::move(index));
    } while (good && consume(","));
    good = good && expect("]", "after the indices");
    base =
        node(good ? Expr::Index : Expr::Error, "", start, std::move(operands));
    base->axes = std::move(axes);
    if (other)
      base->depth = std::max(base->depth, other->depth + 1);
    base->other = std::move(other);
  }
  return base;
}

ExprPtr Parser::parsePrimary() {
  SMLoc start = token.range().Start;
  Token first = token;
  if (token.kind == Token::Integer || token.kind == Token::Float) {
    advance();
    return node(first.kind == Token::Integer ? Expr::Integer : Expr::Float,
                first.text, start, {});
  }
  if (consume("(")) {
    ExprPtr inner = parseExpr();
    if (inner->kind != Expr::Error && !expect(")", "after the expression"))
      inner->kind = Expr::Error;
    inner->range = {start, lastEnd};
    return inner;
  }
  Identifier name;
  if (!expectName(name, "an expression"))
    return node(Expr::Error, "", start, {});
  if ((name.text == "zeros" || name.text == "full") && token.is("<"))
    return parseTyped(name);
  if (!token.is("("))
    return node(Expr::Name, name.text, start, {});
  ExprPtr call = node(Expr::Call, name.text, start, {});
  if (!parseCall(*call))
    call->kind = Expr::Error;
  call->range = {start, lastEnd};
  return call;
}

/// `zeros<type>[sides]` and `full<type>[sides](value)`.
ExprPtr Parser::parseTyped(Identifier function) {
  SMLoc start = function.range.Start;
  ExprPtr call = node(Expr::Call, function.text, start, {});
  advance();
  bool good = expectName(call->type, "a type such as f32") &&
              expect(">", "after the type") && expect("[", "before the sides");
  if (good)
    do {
      call->sides.push_back(parseExpr());
      good = call->sides.back()->kind != Expr::Error;
      call->depth = std::max(call->depth, call->sides.back()->depth + 1);
    } while (good && consume(","));
  good = good && expect("]", "after the sides");
  if (good && function.text == "full")
    good = token.is("(") ? parseCall(*call)
                         : failHere("'(' before the value of 'full'");
  if (!good)
    call->kind = Expr::Error;
  call->range = {start, lastEnd};
  return call;
}

bool Parser::parseCall(Expr &call) {
  advance();
  while (!token.is(")")) {
    ExprPtr argument = parseExpr();
    Identifier name;
    if (argument->kind == Expr::Name && consume("=")) {
      name = {argument->text, argument->range};
      argument = parseExpr();
    }
    if (argument->kind == Expr::Error)
      return false;
    call.depth = std::max(call.depth, argument->depth + 1);
    call.operands.push_back(std::move(argument));
    call.names.push_back(name);
    if (!consume(","))
      break;
  }
  if (call.depth > kMaxDepth) {
    errors.error(call.range, "expected at most " + Twine(kMaxDepth) +
                                 " levels of expressions, got more");
    call.operands.clear();
    return false;
  }
  return expect(")", "after the arguments of '" + call.text + "'");
}
