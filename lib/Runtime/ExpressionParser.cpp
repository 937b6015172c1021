//===- ExpressionParser.cpp - Text to expression --------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursive descent over the grammar in Expression.h.  The tree's depth is
// bounded here, so that neither parsing nor evaluation can exhaust the stack.
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/Expression.h"

#include <algorithm>
#include <charconv>

using namespace tile::runtime;
using Kind = Expression::Kind;

/// Deepest tree that is accepted; a manifest needs about ten levels.
static constexpr int kMaxDepth = 200;

static bool isNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isNameBody(char c) {
  return isNameStart(c) || isDigit(c) || c == '.' || c == '$';
}
static bool isKeyword(std::string_view word) {
  return word == "and" || word == "or" || word == "not";
}

namespace {
/// An operator or function and what it makes.
struct Spelling {
  std::string_view text;
  Kind kind;
};

// Longer spellings first, so that "<=" is not read as "<".
constexpr Spelling kComparisons[] = {
    {"==", Kind::Equal},        {"!=", Kind::NotEqual}, {"<=", Kind::LessEqual},
    {">=", Kind::GreaterEqual}, {"<", Kind::Less},      {">", Kind::Greater}};
constexpr Spelling kSums[] = {{"+", Kind::Add}, {"-", Kind::Subtract}};
constexpr Spelling kProducts[] = {
    {"*", Kind::Multiply}, {"/", Kind::Divide}, {"%", Kind::Remainder}};
constexpr Spelling kFunctions[] = {{"cdiv", Kind::CeilDiv},
                                   {"floordiv", Kind::FloorDiv},
                                   {"mod", Kind::Modulo},
                                   {"min", Kind::Min},
                                   {"max", Kind::Max}};
} // namespace

namespace tile::runtime {
/// State of one parse.  Each parse function returns the index of its node, or
/// -1 after the first error.
class ExpressionParser {
public:
  explicit ExpressionParser(std::string_view text) : text(text) {
    result.source = text;
  }

  Result<Expression> run();

private:
  int32_t parseOr();
  int32_t parseAnd();
  int32_t parseNot();
  int32_t parseComparison();
  int32_t parseSum();
  int32_t parseProduct();
  int32_t parseUnary();
  int32_t parsePrimary();
  int32_t parseLiteral();
  int32_t parseCall(std::string_view function, size_t start);

  /// A left-associative chain of `operators` over `parseOperand`.
  template <size_t N>
  int32_t parseChain(const Spelling (&operators)[N],
                     int32_t (ExpressionParser::*parseOperand)());

  void skipSpace();
  bool consume(std::string_view symbol);
  bool consumeWord(std::string_view word);
  std::string_view peekWord();
  /// What stands at the current place, for messages.
  std::string describeNext();

  int32_t add(Kind kind, int32_t left, int32_t right, int64_t value = 0);
  int32_t addName(std::string_view name);
  int32_t fail(std::string expected);
  int32_t failAt(size_t where, std::string message);

  std::string_view text;
  size_t position = 0;
  /// Open parse functions, and the depth below each finished node.
  int nesting = 0;
  std::vector<int> depths;
  std::string error;
  Expression result;
};
} // namespace tile::runtime

void ExpressionParser::skipSpace() {
  while (position < text.size() &&
         (text[position] == ' ' || text[position] == '\t'))
    ++position;
}

bool ExpressionParser::consume(std::string_view symbol) {
  skipSpace();
  if (text.substr(position, symbol.size()) != symbol)
    return false;
  position += symbol.size();
  return true;
}

std::string_view ExpressionParser::peekWord() {
  skipSpace();
  size_t end = position;
  if (end < text.size() && isNameStart(text[end]))
    while (end < text.size() && isNameBody(text[end]))
      ++end;
  return text.substr(position, end - position);
}

bool ExpressionParser::consumeWord(std::string_view word) {
  if (peekWord() != word)
    return false;
  position += word.size();
  return true;
}

std::string ExpressionParser::describeNext() {
  std::string_view word = peekWord();
  if (!word.empty())
    return "'" + std::string(word) + "'";
  if (position >= text.size())
    return "the end";
  return "'" + std::string(1, text[position]) + "'";
}

int32_t ExpressionParser::failAt(size_t where, std::string message) {
  if (error.empty())
    error = "expression '" + std::string(text) + "', column " +
            std::to_string(where + 1) + ": " + message;
  return -1;
}

int32_t ExpressionParser::fail(std::string expected) {
  std::string got = describeNext();
  return failAt(position, "expected " + expected + ", got " + got);
}

int32_t ExpressionParser::add(Kind kind, int32_t left, int32_t right,
                              int64_t value) {
  int depth = 1;
  if (left >= 0)
    depth = std::max(depth, depths[left] + 1);
  if (right >= 0)
    depth = std::max(depth, depths[right] + 1);
  if (depth > kMaxDepth)
    return failAt(position, "expected at most " + std::to_string(kMaxDepth) +
                                " nested operations, got more");
  depths.push_back(depth);
  result.tree.push_back({kind, left, right, value});
  return static_cast<int32_t>(result.tree.size()) - 1;
}

int32_t ExpressionParser::addName(std::string_view name) {
  auto &names = result.nameTable;
  auto found = std::find(names.begin(), names.end(), name);
  int64_t index = found - names.begin();
  if (found == names.end())
    names.emplace_back(name);
  return add(Kind::Name, -1, -1, index);
}

int32_t ExpressionParser::parseOr() {
  if (++nesting > kMaxDepth)
    return failAt(position, "expected at most " + std::to_string(kMaxDepth) +
                                " nested operations, got more");
  int32_t left = parseAnd();
  while (left >= 0 && consumeWord("or")) {
    int32_t right = parseAnd();
    left = right < 0 ? -1 : add(Kind::Or, left, right);
  }
  --nesting;
  return left;
}

int32_t ExpressionParser::parseAnd() {
  int32_t left = parseNot();
  while (left >= 0 && consumeWord("and")) {
    int32_t right = parseNot();
    left = right < 0 ? -1 : add(Kind::And, left, right);
  }
  return left;
}

int32_t ExpressionParser::parseNot() {
  // Counted instead of recursed, for the same bound as everything else.
  int numNots = 0;
  while (consumeWord("not"))
    ++numNots;
  int32_t operand = parseComparison();
  for (; numNots > 0 && operand >= 0; --numNots)
    operand = add(Kind::Not, operand, -1);
  return operand;
}

int32_t ExpressionParser::parseComparison() {
  int32_t left = parseSum();
  if (left < 0)
    return -1;
  for (const Spelling &comparison : kComparisons) {
    if (!consume(comparison.text))
      continue;
    int32_t right = parseSum();
    if (right < 0)
      return -1;
    for (const Spelling &next : kComparisons) {
      skipSpace();
      if (text.substr(position, next.text.size()) == next.text)
        return fail("'and' between comparisons");
    }
    return add(comparison.kind, left, right);
  }
  return left;
}

template <size_t N>
int32_t
ExpressionParser::parseChain(const Spelling (&operators)[N],
                             int32_t (ExpressionParser::*parseOperand)()) {
  int32_t left = (this->*parseOperand)();
  while (left >= 0) {
    const Spelling *found = std::find_if(
        std::begin(operators), std::end(operators),
        [&](const Spelling &candidate) { return consume(candidate.text); });
    if (found == std::end(operators))
      return left;
    int32_t right = (this->*parseOperand)();
    left = right < 0 ? -1 : add(found->kind, left, right);
  }
  return -1;
}

int32_t ExpressionParser::parseSum() {
  return parseChain(kSums, &ExpressionParser::parseProduct);
}

int32_t ExpressionParser::parseProduct() {
  return parseChain(kProducts, &ExpressionParser::parseUnary);
}

int32_t ExpressionParser::parseUnary() {
  int numMinuses = 0;
  while (consume("-"))
    ++numMinuses;
  int32_t operand = parsePrimary();
  for (; numMinuses > 0 && operand >= 0; --numMinuses)
    operand = add(Kind::Negate, operand, -1);
  return operand;
}

int32_t ExpressionParser::parseLiteral() {
  int64_t value = 0;
  const char *begin = text.data() + position, *end = text.data() + text.size();
  auto [rest, code] = std::from_chars(begin, end, value);
  if (code != std::errc())
    return failAt(position, "expected an integer of at most 63 bits, got '" +
                                std::string(begin, rest) + "'");
  position += rest - begin;
  if (position < text.size() && isNameBody(text[position]))
    return fail("an operator after the number");
  return add(Kind::Literal, -1, -1, value);
}

int32_t ExpressionParser::parseCall(std::string_view function, size_t start) {
  const Spelling *found =
      std::find_if(std::begin(kFunctions), std::end(kFunctions),
                   [&](const Spelling &f) { return f.text == function; });
  if (found == std::end(kFunctions))
    return failAt(start,
                  "expected one of cdiv, floordiv, mod, min, max, got '" +
                      std::string(function) + "'");
  int32_t left = parseOr();
  if (left < 0)
    return -1;
  if (!consume(","))
    return fail("',' before the second of two operands");
  int32_t right = parseOr();
  if (right < 0)
    return -1;
  if (!consume(")"))
    return fail("')' after two operands");
  return add(found->kind, left, right);
}

int32_t ExpressionParser::parsePrimary() {
  if (consume("(")) {
    int32_t inner = parseOr();
    if (inner >= 0 && !consume(")"))
      return fail("')'");
    return inner;
  }
  skipSpace();
  if (position < text.size() && isDigit(text[position]))
    return parseLiteral();
  std::string_view word = peekWord();
  if (word.empty() || isKeyword(word))
    return fail("a number, a name or '('");
  size_t start = position;
  position += word.size();
  if (consume("("))
    return parseCall(word, start);
  return addName(word);
}

Result<Expression> ExpressionParser::run() {
  int32_t root = parseOr();
  skipSpace();
  if (root >= 0 && position < text.size())
    root = fail("an operator");
  if (root < 0)
    return Error(std::move(error));
  return std::move(result);
}

Result<Expression> Expression::parse(std::string_view text) {
  return ExpressionParser(text).run();
}

bool Expression::isName(std::string_view name) {
  return !name.empty() && isNameStart(name.front()) &&
         std::all_of(name.begin(), name.end(), isNameBody) && !isKeyword(name);
}
