//===- Expectation.cpp - What a result should be --------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expectation.h"
#include "Number.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace tile;
using namespace tile::run;
using llvm::StringRef;
using runtime::Error;
using runtime::Result;

/// `text` in parentheses if `node` is a sum, which * and - bind tighter than.
static std::string grouped(const Expectation &node, std::string text) {
  bool isSum = node.kind == Expectation::Kind::Add ||
               node.kind == Expectation::Kind::Subtract;
  return isSum ? "(" + text + ")" : text;
}

std::string Expectation::text() const {
  std::vector<std::string> parts;
  for (const Expectation &operand : operands)
    parts.push_back(operand.text());
  switch (kind) {
  case Kind::Number:
    return numberText(number);
  case Kind::Name:
    return name;
  case Kind::Negate:
    return "-" + grouped(operands[0], parts[0]);
  case Kind::Add:
    return parts[0] + " + " + parts[1];
  case Kind::Subtract:
    return parts[0] + " - " + grouped(operands[1], parts[1]);
  case Kind::Multiply:
    return grouped(operands[0], parts[0]) + " * " +
           grouped(operands[1], parts[1]);
  case Kind::Call:
    return name + "(" + llvm::join(parts, ", ") + ")";
  }
  return {};
}

namespace {
/// Each operator may make the tree deeper by one.
constexpr unsigned kMaxOperators = 1000;
constexpr const char *kTooManyOperators =
    "an expression of at most 1000 operators";

/// Recursive descent; depth is bounded so that no text overflows the stack.
class Parser {
public:
  explicit Parser(StringRef text) : rest(text) {}

  Result<ExpectedResult> parse();

private:
  using Kind = Expectation::Kind;
  using Node = Result<Expectation>;

  Error expected(const llvm::Twine &what) const {
    std::string got = rest.empty() ? "the end" : ("'" + rest + "'").str();
    return Error(("expected " + what + ", got " + got).str());
  }
  bool consume(StringRef word) {
    rest = rest.ltrim();
    return rest.consume_front(word);
  }
  StringRef consumeName();
  Node parseSum();
  Node parseProduct();
  Node parseFactor();
  Node parsePrimary();
  Node parseCall(StringRef name);

  static Expectation binary(Kind kind, Expectation lhs, Expectation rhs) {
    Expectation node;
    node.kind = kind;
    node.operands.push_back(std::move(lhs));
    node.operands.push_back(std::move(rhs));
    return node;
  }

  StringRef rest;
  unsigned depth = 0, numOperators = 0;
};
} // namespace

StringRef Parser::consumeName() {
  rest = rest.ltrim();
  if (rest.empty() || llvm::isDigit(rest.front()))
    return {};
  StringRef name =
      rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  rest = rest.drop_front(name.size());
  return name;
}

Parser::Node Parser::parseSum() {
  Node node = parseProduct();
  while (node && (consume("+") || rest.starts_with("-"))) {
    if (++numOperators > kMaxOperators)
      return expected(kTooManyOperators);
    Kind kind = consume("-") ? Kind::Subtract : Kind::Add;
    Node right = parseProduct();
    if (!right)
      return right;
    node = binary(kind, std::move(*node), std::move(*right));
  }
  return node;
}

Parser::Node Parser::parseProduct() {
  Node node = parseFactor();
  while (node && consume("*")) {
    if (++numOperators > kMaxOperators)
      return expected(kTooManyOperators);
    Node right = parseFactor();
    if (!right)
      return right;
    node = binary(Kind::Multiply, std::move(*node), std::move(*right));
  }
  return node;
}

Parser::Node Parser::parseFactor() {
  constexpr unsigned kMaxDepth = 200;
  if (++depth > kMaxDepth)
    return expected("an expression nested at most 200 deep");
  Node node = Expectation();
  if (consume("-")) {
    Node operand = parseFactor();
    if (!operand)
      return operand;
    node->kind = Kind::Negate;
    node->operands.push_back(std::move(*operand));
  } else {
    node = parsePrimary();
  }
  --depth;
  return node;
}

Parser::Node Parser::parseCall(StringRef name) {
  Expectation node;
  node.kind = Kind::Call;
  node.name = name.str();
  do {
    Node operand = parseSum();
    if (!operand)
      return operand;
    node.operands.push_back(std::move(*operand));
  } while (consume(","));
  if (!consume(")"))
    return expected("',' or ')'");
  return node;
}

Parser::Node Parser::parsePrimary() {
  if (consume("(")) {
    Node node = parseSum();
    if (node && !consume(")"))
      return expected("')'");
    return node;
  }
  Expectation node;
  if (StringRef name = consumeName(); !name.empty()) {
    if (consume("("))
      return parseCall(name);
    node.kind = Kind::Name;
    node.name = name.str();
    return node;
  }
  StringRef number = rest.take_while(
      [](char c) { return llvm::isDigit(c) || c == '.' || c == 'e'; });
  if (number.empty() || number.getAsDouble(node.number))
    return expected("an argument, a number, a function or '('");
  rest = rest.drop_front(number.size());
  return node;
}

Result<ExpectedResult> Parser::parse() {
  ExpectedResult result;
  result.name = consumeName().str();
  if (result.name.empty() || !consume("="))
    return expected("NAME=EXPRESSION");
  Result<Expectation> value = parseSum();
  if (!value)
    return value.takeError();
  rest = rest.ltrim();
  if (!rest.empty())
    return expected("the end");
  result.value = std::move(*value);
  return result;
}

Result<ExpectedResult> run::parseExpectation(std::string_view text) {
  return Parser(StringRef(text.data(), text.size())).parse();
}
