//===- Formulas.cpp - Comments that read like divisors --------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formulas.h"

#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace tile::frontend;

namespace {
/// Reads a comment as one expression.  A comment is short, and brackets inside
/// one another are at most `kMaxLevels`.
class FormulaReader {
public:
  FormulaReader(StringRef text, const StringSet<> &names)
      : rest(text.trim()), names(names) {}

  bool isDivisor();

private:
  bool readSum();
  bool readOperand();
  bool readBehindName(StringRef name);
  bool readList(StringRef end);
  bool consume(StringRef sign);
  StringRef takeWord();

  static constexpr unsigned kMaxLevels = 16;
  StringRef rest;
  const StringSet<> &names;
  unsigned numLevels = 0;
  /// Whether there is more than names and brackets.
  bool hasOperator = false;
};
} // namespace

bool FormulaReader::consume(StringRef sign) {
  rest = rest.ltrim();
  return rest.consume_front(sign);
}

StringRef FormulaReader::takeWord() {
  rest = rest.ltrim();
  StringRef word =
      rest.take_while([](char c) { return isAlnum(c) || c == '_'; });
  rest = rest.drop_front(word.size());
  return word;
}

/// Functions of the language whose value is an integer, or of the type of their
/// arguments; others divide nothing that `//` would be written for.
static bool isIntegerFunction(StringRef name) {
  return is_contained({"program_id", "num_programs", "cdiv", "floordiv",
                       "floormod", "udiv", "urem", "min", "max", "abs", "side"},
                      name);
}

/// `a, b` up to the bracket.
bool FormulaReader::readList(StringRef end) {
  do {
    StringRef before = rest;
    StringRef name = takeWord();
    // `axis = 0`.
    bool isNamed = !name.empty() && consume("=");
    if (!isNamed)
      rest = before;
    if (!readSum())
      return false;
  } while (consume(","));
  return consume(end);
}

/// What stands without a blank behind the name; prose has one in front of its
/// parentheses.
bool FormulaReader::readBehindName(StringRef name) {
  bool isCall = rest.starts_with("(");
  bool isFunction = isIntegerFunction(name);
  bool isOwn = names.contains(name) && functionForm(name).empty();
  if (isCall ? !isFunction && !isOwn : !names.contains(name))
    return false;
  if (isCall) {
    hasOperator = true;
    rest = rest.drop_front();
    if (!readList(")"))
      return false;
  }
  while (rest.consume_front("["))
    if (!readList("]"))
      return false;
  return true;
}

bool FormulaReader::readOperand() {
  while (consume("-") || consume("~"))
    hasOperator = true;
  if (consume("("))
    return readSum() && consume(")");
  StringRef word = takeWord();
  if (word.empty())
    return false;
  if (isDigit(word.front()) ? !all_of(word, isAlnum) : !readBehindName(word))
    return false;
  StringRef before = rest;
  if (takeWord() != "as") {
    rest = before;
    return true;
  }
  return is_contained(elementTypeNames(), takeWord());
}

bool FormulaReader::readSum() {
  if (++numLevels > kMaxLevels || !readOperand())
    return false;
  while (consume("+") || consume("-") || consume("*") || consume("%")) {
    hasOperator = true;
    if (!readOperand())
      return false;
  }
  --numLevels;
  return true;
}

bool FormulaReader::isDivisor() {
  bool isInBrackets = rest.starts_with("(");
  return readSum() && rest.trim().empty() && (hasOperator || !isInBrackets);
}

bool tile::frontend::readsLikeDivisor(StringRef comment,
                                      const StringSet<> &names) {
  return FormulaReader(comment.drop_front(2), names).isDivisor();
}
