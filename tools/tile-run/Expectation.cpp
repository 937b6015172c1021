//===- Expectation.cpp - What a result should be --------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expectation.h"
#include "Number.h"

#include "tile/Frontend/Numbers.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace tile;
using namespace tile::run;
using llvm::StringRef;
using runtime::Error;
using runtime::Result;

namespace {
/// An operator of two operands; those of a higher level bind tighter.
struct Operator {
  Expectation::Kind kind;
  StringRef spelling;
  unsigned level;
};
using Kind = Expectation::Kind;
constexpr unsigned kNotLevel = 2, kCompareLevel = 3, kNegateLevel = 6,
                   kPrimaryLevel = 7;
} // namespace

// Longer spellings first.
static constexpr Operator kOperators[] = {
    {Kind::Or, "or", 0},
    {Kind::And, "and", 1},
    {Kind::LessEqual, "<=", kCompareLevel},
    {Kind::GreaterEqual, ">=", kCompareLevel},
    {Kind::Equal, "==", kCompareLevel},
    {Kind::NotEqual, "!=", kCompareLevel},
    {Kind::Less, "<", kCompareLevel},
    {Kind::Greater, ">", kCompareLevel},
    {Kind::Add, "+", 4},
    {Kind::Subtract, "-", 4},
    {Kind::Multiply, "*", 5},
    {Kind::Divide, "/", 5},
    {Kind::Remainder, "%", 5},
};

std::optional<Expectation::Kind>
run::symbolizeOperator(std::string_view spelling) {
  for (const Operator &entry : kOperators)
    if (entry.spelling == StringRef(spelling.data(), spelling.size()))
      return entry.kind;
  return std::nullopt;
}

static const Operator *findOperator(Kind kind) {
  const auto *found = llvm::find_if(
      kOperators, [&](const Operator &entry) { return entry.kind == kind; });
  return found == std::end(kOperators) ? nullptr : found;
}

static unsigned levelOf(const Expectation &node) {
  Kind kind = node.kind;
  if (const Operator *found = findOperator(kind))
    return found->level;
  // The number -1 is typed as the negation of 1.
  bool isNegative = kind == Kind::Number && node.text().front() == '-';
  return isNegative             ? kNegateLevel
         : kind == Kind::Not    ? kNotLevel
         : kind == Kind::Negate ? kNegateLevel
                                : kPrimaryLevel;
}

/// The operand's text, in parentheses if it binds weaker than `level`.
static std::string grouped(const Expectation &operand, unsigned level) {
  std::string text = operand.text();
  return levelOf(operand) < level ? "(" + text + ")" : text;
}

std::string Expectation::text() const {
  if (const Operator *op = findOperator(kind)) {
    // a + (b + c), which rounds otherwise than a + b + c; (a < b) < c and
    // a < (b < c); but a or b or c.
    bool isComparison = op->level == kCompareLevel;
    bool isAssociative = op->level < kNotLevel;
    return grouped(operands[0], op->level + (isComparison ? 1 : 0)) + " " +
           op->spelling.str() + " " +
           grouped(operands[1], op->level + (isAssociative ? 0 : 1));
  }
  std::vector<std::string> parts;
  switch (kind) {
  case Kind::Number:
    return integer ? std::to_string(*integer) : numberText(number);
  case Kind::Name:
    return name;
  case Kind::Negate:
    return "-" + grouped(operands[0], kPrimaryLevel);
  case Kind::Not:
    return "not " + grouped(operands[0], kNotLevel);
  case Kind::Kernel:
    return "kernel " + name;
  default:
    for (const Expectation &operand : operands)
      parts.push_back(operand.text());
    return name + "(" + llvm::join(parts, ", ") + ")";
  }
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
  const Operator *consumeOperator(unsigned level);
  Node parseLevel(unsigned level);
  Node parseNot();
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

const Operator *Parser::consumeOperator(unsigned level) {
  rest = rest.ltrim();
  for (const Operator &entry : kOperators) {
    if (!rest.starts_with(entry.spelling))
      continue;
    // `or` is no beginning of `order`.
    StringRef after = rest.drop_front(entry.spelling.size());
    bool isWord = llvm::isAlpha(entry.spelling.front());
    if (isWord && !after.empty() &&
        (llvm::isAlnum(after.front()) || after.front() == '_'))
      continue;
    if (entry.level != level)
      return nullptr;
    rest = after;
    return &entry;
  }
  return nullptr;
}

Parser::Node Parser::parseLevel(unsigned level) {
  if (level == kNegateLevel)
    return parseFactor();
  if (level == kNotLevel)
    return parseNot();
  Node node = parseLevel(level + 1);
  while (node) {
    const Operator *op = consumeOperator(level);
    if (!op)
      break;
    if (++numOperators > kMaxOperators)
      return expected(kTooManyOperators);
    Node right = parseLevel(level + 1);
    if (!right)
      return right;
    node = binary(op->kind, std::move(*node), std::move(*right));
    if (level == kCompareLevel)
      break;
  }
  return node;
}

Parser::Node Parser::parseNot() {
  StringRef before = rest;
  if (consumeName() != "not") {
    rest = before;
    return parseLevel(kNotLevel + 1);
  }
  if (++numOperators > kMaxOperators)
    return expected(kTooManyOperators);
  Node operand = parseNot();
  if (!operand)
    return operand;
  Expectation node;
  node.kind = Kind::Not;
  node.operands.push_back(std::move(*operand));
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
    Node operand = parseLevel(0);
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
    Node node = parseLevel(0);
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
  bool isNumber =
      !rest.empty() && (llvm::isDigit(rest.front()) || rest.starts_with("."));
  StringRef after = rest;
  StringRef number = isNumber ? frontend::takeNumber(after) : StringRef();
  std::optional<double> value = readNumber(number);
  if (!value && !number.empty() && !number.getAsDouble(node.number))
    return expected("a number that f64 holds");
  if (!value)
    return expected("an argument, a number, a function or '('");
  node.number = *value;
  node.integer = frontend::readInteger(number);
  rest = after;
  return node;
}

Result<ExpectedResult> Parser::parse() {
  ExpectedResult result;
  result.name = consumeName().str();
  if (result.name.empty() || !consume("="))
    return expected("NAME=EXPRESSION");
  Result<Expectation> value = parseLevel(0);
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
