//===- ParseExpressions.cpp - Parses expressions --------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

using namespace llvm;
using namespace tile::frontend;

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
    sayTooDeep();
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
                                 kBitOr[] = {"|"}, kBitXor[] = {"^"},
                                 kBitAnd[] = {"&"}, kShift[] = {"<<", ">>"},
                                 kAdd[] = {"+", "-"}, kMul[] = {"*", "/", "%"};
  ArrayRef<StringLiteral> levels[] = {
      kOr, kAnd, kCompare, kBitOr, kBitXor, kBitAnd, kShift, kAdd, kMul};
  return any_of(levels[level], [&](StringRef op) { return token.is(op); });
}

ExprPtr Parser::parseBinary(unsigned level) {
  if (level > 8)
    return parseCast();
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
  if (level == 8 && left->kind != Expr::Error && atMatrixProduct())
    return takeMatrixProduct(std::move(left));
  while (left->kind != Expr::Error && isOperator(token, level)) {
    StringRef op = token.word();
    advance();
    std::vector<ExprPtr> operands;
    operands.push_back(std::move(left));
    operands.push_back(parseBinary(level + 1));
    left = node(Expr::Binary, op, start, std::move(operands));
    // Comparisons do not chain: `a < b < c` is not what it seems.
    bool isChain = level == 2 && isOperator(token, level);
    if (isChain && left->kind != Expr::Error)
      sayChain(*left);
  }
  return left;
}

/// Whether '&' or '|' joins the operand's parts, as `0 & b` of `a > 0 & b < 3`.
static bool isJoined(const Expr &expr) {
  return expr.kind == Expr::Binary && (expr.text == "&" || expr.text == "|") &&
         !textOf(expr.range).starts_with("(");
}

/// The operand with the words that join conditions.
static std::string withWords(const Expr &expr) {
  if (!isJoined(expr))
    return textOf(expr.range).str();
  return withWords(*expr.operands[0]) + (expr.text == "&" ? " and " : " or ") +
         withWords(*expr.operands[1]);
}

/// `a < b < c`, whose first comparison has been read, also where it is meant as
/// `a < b & d < c`, whose '&' binds more tightly than '<'.
void Parser::sayChain(Expr &first) {
  Token sign = token;
  const Expr *middle = first.operands[1].get();
  std::string text = withWords(*first.operands[0]) + " " + first.text.str() +
                     " " + withWords(*middle);
  bool isJoin = isJoined(*middle), isKnown = true;
  SMRange place = isJoin ? SMRange(SMLoc::getFromPointer(middle->text.begin()),
                                   SMLoc::getFromPointer(middle->text.end()))
                         : sign.range();
  std::vector<ExprPtr> rest;
  while (isKnown && isOperator(token, /*level=*/2)) {
    // Of a chain each value in the middle belongs to two comparisons.
    if (!isJoined(*middle))
      text += " and " + textOf(middle->range).str();
    text += " " + token.text.str() + " ";
    advance();
    rest.push_back(parseBinary(3));
    middle = rest.back().get();
    isKnown = middle->kind != Expr::Error;
    text += withWords(*middle);
  }
  if (isKnown)
    errors
        .error(place, "expected 'and' between two comparisons, got '" +
                          (isJoin ? first.operands[1]->text : sign.text) + "'")
        .help("write '" + text + "'");
  first.kind = Expr::Error;
}

/// Whether '@' stands between two factors; in front of a statement it begins a
/// line, or has a name and words behind it.
bool Parser::atMatrixProduct() const {
  if (!token.is("@"))
    return false;
  StringRef next = behind();
  bool isNote = next.consume_front("require") || next.consume_front("allow");
  return isBehindOnLine() && !(isNote && next.ltrim(" \t").starts_with("("));
}

/// A sign belongs to its number: `-128 as i8` is the least i8.
ExprPtr Parser::parseCast() {
  SMLoc start = token.range().Start;
  ExprPtr expr = parseUnary();
  while (expr->kind != Expr::Error && consume("as")) {
    Identifier type;
    bool good = expectType(type, "a type such as f16");
    std::vector<ExprPtr> operands;
    operands.push_back(std::move(expr));
    expr =
        node(good ? Expr::Cast : Expr::Error, "as", start, std::move(operands));
    expr->type = type;
  }
  return expr;
}

ExprPtr Parser::parseUnary() {
  SMLoc start = token.range().Start;
  if (token.is("-") || token.is("~")) {
    StringRef op = token.word();
    if (depth >= kMaxDepth)
      return parseExpr();
    ++depth;
    advance();
    std::vector<ExprPtr> operands;
    operands.push_back(parseUnary());
    --depth;
    return node(Expr::Unary, op, start, std::move(operands));
  }
  return parsePostfix(parsePrimary());
}

/// What follows `base.`: a property, or a method with its arguments.
ExprPtr Parser::parseMember(ExprPtr base) {
  SMLoc start = base->range.Start;
  Identifier name;
  bool isNumber = base->kind == Expr::Integer;
  if (isNumber)
    errors
        .error({start, lastEnd},
               "expected digits after '" + base->text + ".', got none")
        .help("write '" + base->text + ".0'");
  bool good = !isNumber && expectName(name, "a property after '.'");
  bool isMethod = good && token.is("(");
  std::vector<ExprPtr> operands;
  operands.push_back(std::move(base));
  ExprPtr result = node(isMethod ? Expr::Method
                        : good   ? Expr::Member
                                 : Expr::Error,
                        name.text, start, std::move(operands));
  if (result->kind != Expr::Method)
    return result;
  result->names.emplace_back();
  if (!parseCall(*result))
    result->kind = Expr::Error;
  result->range = {start, lastEnd};
  return result;
}

/// `[a, b]`.
ExprPtr Parser::parseList() {
  SMLoc start = token.range().Start;
  advance();
  ExprPtr first = parseExpr();
  if (first->kind == Expr::Error)
    return first;
  return parseRestOfList(std::move(first), start, "]");
}

/// What follows the first value of a list, up to the bracket that ends it.
ExprPtr Parser::parseRestOfList(ExprPtr first, SMLoc start, StringRef end) {
  std::vector<ExprPtr> operands;
  operands.push_back(std::move(first));
  while (operands.back()->kind != Expr::Error && consumeComma(end))
    operands.push_back(parseExpr());
  bool good =
      operands.back()->kind != Expr::Error && expect(end, "after the list");
  return node(good ? Expr::List : Expr::Error, "", start, std::move(operands));
}

/// What follows `base[`.
ExprPtr Parser::parseIndex(ExprPtr base) {
  SMLoc start = base->range.Start;
  std::vector<StringRef> axes;
  std::vector<ExprPtr> operands;
  operands.push_back(std::move(base));
  ExprPtr other;
  bool good = true;
  do {
    StringRef text = token.word();
    if (consume(":") || consume("None")) {
      axes.push_back(text);
      continue;
    }
    ExprPtr index = parseExpr();
    if (index->kind == Expr::Name && index->text == "other" && consume("=")) {
      other = parseExpr();
      good = other->kind != Expr::Error;
      consume(",");
      break;
    }
    good = index->kind != Expr::Error;
    axes.push_back("");
    operands.push_back(std::move(index));
  } while (good && consumeComma("]"));
  good = good && expect("]", "after the indices");
  ExprPtr result =
      node(good ? Expr::Index : Expr::Error, "", start, std::move(operands));
  result->axes = std::move(axes);
  if (other)
    result->depth = std::max(result->depth, other->depth + 1);
  result->other = std::move(other);
  return result;
}

ExprPtr Parser::parsePostfix(ExprPtr base) {
  while (base->kind != Expr::Error) {
    if (consume("["))
      base = parseIndex(std::move(base));
    else if (consume("."))
      base = parseMember(std::move(base));
    else if (base->kind == Expr::Index && token.is("(") && isBehindOnLine())
      base = takeForeignCall(std::move(base));
    else
      break;
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
  if (token.kind == Token::Text) {
    advance();
    // The lexer has said where the closing quote is missing.
    return node(first.text.size() > 1 && first.text.back() == '"' ? Expr::Text
                                                                  : Expr::Error,
                first.text.drop_front().drop_back(first.text.size() > 1), start,
                {});
  }
  if (token.is("["))
    return parseList();
  if (consume("(")) {
    ExprPtr inner = parseExpr();
    // `(a, b)` is none of the language, but what is meant is clear.
    if (inner->kind != Expr::Error && token.is(","))
      return parseRestOfList(std::move(inner), start, ")");
    if (inner->kind != Expr::Error && !expect(")", "after the expression"))
      inner->kind = Expr::Error;
    inner->range = {start, lastEnd};
    ExprPtr cast = takeForeignValue(inner.get());
    return cast ? std::move(cast) : std::move(inner);
  }
  if (ExprPtr foreign = takeForeignValue(nullptr))
    return foreign;
  Identifier name;
  if (!expectName(name, "an expression")) {
    // On a line of its own it is the next statement.
    if (token.is("if") && isBehindOnLine())
      skipChoice();
    return node(Expr::Error, "", start, {});
  }
  bool isTile = name.text == "zeros" || name.text == "full";
  if (token.is("<") && (isTile || looksLikeFill(first)))
    return parseTyped(name);
  if (token.is("<") && isTypedCall())
    return takeTypedCall(name);
  if (!token.is("("))
    return node(Expr::Name, name.text, start, {});
  ExprPtr call = node(Expr::Call, name.text, start, {});
  if (!parseCall(*call))
    call->kind = Expr::Error;
  call->range = {start, lastEnd};
  return call;
}

/// `full<f32>[4]` alone.
bool Parser::sayNoValue(Expr &call) {
  SMRange range{call.range.Start, lastEnd};
  StringRef text(range.Start.getPointer(),
                 range.End.getPointer() - range.Start.getPointer());
  errors.error(range, "expected the value of 'full' in parentheses, got none")
      .help("write '" + text + "(1)'");
  return false;
}

/// `zeros<type>[sides]` and `full<type>[sides](value)`.
ExprPtr Parser::parseTyped(Identifier function) {
  SMLoc start = function.range.Start;
  ExprPtr call = node(Expr::Call, function.text, start, {});
  advance();
  bool good = expectType(call->type, "a type such as f32") &&
              expect(">", "after the type") && parseSides(*call);
  if (good && function.text == "full")
    good = token.is("(") ? parseCall(*call) : sayNoValue(*call);
  else if (good && token.is("(") && isBehindOnLine()) {
    if (function.text == "zeros")
      failHere("no value behind 'zeros'", "'full<f32>[n](x)' fills with x");
    good = parseCall(*call) && function.text != "zeros";
  }
  if (!good)
    call->kind = Expr::Error;
  call->range = {start, lastEnd};
  return call;
}

/// `[m, n]` of `zeros<f32>[m, n]`.
bool Parser::parseSides(Expr &call) {
  SMRange open = token.range();
  bool isForeign = token.is("(");
  if (!isForeign && !expect("[", "before the sides"))
    return false;
  if (isForeign)
    advance();
  bool good = true;
  do {
    call.sides.push_back(parseExpr());
    good = call.sides.back()->kind != Expr::Error;
    call.depth = std::max(call.depth, call.sides.back()->depth + 1);
  } while (good && consumeComma(isForeign ? ")" : "]"));
  if (!isForeign || !good)
    return good && expect("]", "after the sides");
  StringRef sides(open.End.getPointer(),
                  lastEnd.getPointer() - open.End.getPointer());
  errors.error(open, "expected '[' before the sides, got '('")
      .help("write '" + call.text + "<" + call.type.text + ">[" + sides + "]" +
            (call.text == "full" ? "(x)'" : "'"));
  return false;
}

bool Parser::parseCall(Expr &call) {
  advance();
  while (!token.is(")")) {
    ExprPtr argument = parseExpr();
    Identifier name;
    if (argument->kind == Expr::Name && consume("=")) {
      name = {argument->text, argument->range};
      argument = token.is("[") ? parseList() : parseExpr();
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
