//===- TokenMutator.cpp - Changes texts by words of the language ----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formatter's words know their brackets, so that a balanced range, a
// statement or an operand is found without a parser.  An edit replaces one
// range of the text by another text; the next one reads the words again.
//
//===----------------------------------------------------------------------===//

#include "TokenMutator.h"
#include "MutableText.h"

#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <random>

using namespace llvm;
using namespace tile;
using namespace tile::frontend;
using namespace tile::fuzz;

/// Words that may stand for each other.
static constexpr StringLiteral kAlike[] = {
    "let var",
    "+ - * / % & | ^ << >>",
    "< <= > >= == !=",
    "and or",
    "+= -= *= /= %= &= |= ^= <<= >>=",
    "break continue return",
    "true false",
    ".. ..=",
    "0 1 2 3 7 16 128 0x7fffffff 2147483648 9223372036854775808 "
    "18446744073709551616",
    "0.0 0.5 1e38 1e-45 1e400 16777217.0",
};

/// '$' is the operand that was there, '#' a name of the text.
static constexpr StringLiteral kExpressions[] = {
    "($ + #)",
    "(-$)",
    "(not $)",
    "($ as f16)",
    "($ << 3 & ~#)",
    "(# < $ and $ > 0)",
    "where(# < $, $, #)",
    "max($, #)",
    "sum($, axis = 0)",
    "#[$]",
    "#[$, :]",
    "#[:, None]",
    "#[$, #, other = 0.0]",
    "load(# + $, mask = # < $, other = 0)",
    "dot($, #, precision = tf32)",
    "zeros<f32>[16, $]",
    "full<f16>[16](0.5)",
    "trans($)",
    "reshape($, [4, 4])",
    "arange($)",
    "program_id(0)",
    "cdiv($, 16)"};
static constexpr StringLiteral kFile =
    "kernel k<B = 16>(x: *f32, y: [M, N] f16, n: i32) grid cdiv(n, B) {\n"
    "  let i = arange(B)\n  store(x + i, load(x + i))\n}\n";

namespace {
/// Makes the edits of one seed.
class Mutator {
public:
  Mutator(StringRef other, unsigned seed) : other(other), random(seed) {}
  std::string run(StringRef source);

private:
  /// What replaces a range of the text.
  struct Edit {
    size_t begin, end;
    std::string text;
  };
  using Maker = std::optional<Edit> (Mutator::*)(const Text &text);

  size_t below(size_t count) { return random() % count; }
  template <class T>
  auto &oneOf(T &&list) {
    return list[below(std::size(list))];
  }
  std::string someName(const Text &text);
  std::string filled(const Text &text, StringRef form, StringRef operand);
  std::string alikeTo(const Text &text, size_t word);

  std::optional<Edit> replaceWord(const Text &text);
  std::optional<Edit> swapWords(const Text &text);
  std::optional<Edit> deleteOrRepeatWord(const Text &text);
  std::optional<Edit> deleteOrRepeatStatement(const Text &text);
  std::optional<Edit> spliceStatement(const Text &text);
  std::optional<Edit> spliceBrackets(const Text &text);
  std::optional<Edit> insertStatement(const Text &text);
  std::optional<Edit> growOperand(const Text &text);

  Text other;
  std::mt19937 random;
};
} // namespace

std::string Mutator::someName(const Text &text) {
  for (int tries = 0; tries < 20; ++tries) {
    const Word &word = oneOf(text.words);
    if (word.isName() && !word.isKeyword())
      return word.text().str();
  }
  return "x";
}

std::string Mutator::filled(const Text &text, StringRef form,
                            StringRef operand) {
  std::string result;
  for (char sign : form)
    result += sign == '$'   ? operand.str()
              : sign == '#' ? someName(text)
                            : std::string(1, sign);
  return result;
}

/// Another word of the same kind, or this one.
std::string Mutator::alikeTo(const Text &text, size_t index) {
  const Word &word = text.words[index];
  for (StringRef list : kAlike) {
    SmallVector<StringRef> alike;
    list.split(alike, ' ');
    if (llvm::is_contained(alike, word.text()) && !word.isPrefix &&
        !word.isAngle)
      return oneOf(alike).str();
  }
  if (word.token.kind == Token::Integer)
    return std::to_string(below(300));
  if (!word.isName() || word.isKeyword())
    return word.text().str();
  if (llvm::is_contained(elementTypeNames(), word.text()))
    return oneOf(elementTypeNames()).str();
  bool isCall = index + 1 < text.words.size() && text.words[index + 1].is("(");
  return isCall ? oneOf(functionInfos()).name.str() : someName(text);
}

std::optional<Mutator::Edit> Mutator::replaceWord(const Text &text) {
  size_t i = below(text.words.size());
  return Edit{text.begin(i), text.end(i), alikeTo(text, i)};
}

std::optional<Mutator::Edit> Mutator::swapWords(const Text &text) {
  size_t i = below(text.words.size()), j = below(text.words.size());
  auto [first, last] = std::minmax(i, j);
  if (text.words[first].token.kind != text.words[last].token.kind ||
      text.words[first].isKeyword() || text.words[last].isKeyword() ||
      text.words[first].token.kind == Token::Symbol || first == last)
    return std::nullopt;
  StringRef between = text.source.slice(text.end(first), text.begin(last));
  return Edit{
      text.begin(first), text.end(last),
      (text.words[last].text() + between + text.words[first].text()).str()};
}

std::optional<Mutator::Edit> Mutator::deleteOrRepeatWord(const Text &text) {
  size_t i = below(text.words.size());
  StringRef word = text.words[i].text();
  return Edit{text.begin(i), text.end(i),
              below(2) ? (word + " " + word).str() : std::string()};
}

std::optional<Mutator::Edit>
Mutator::deleteOrRepeatStatement(const Text &text) {
  if (text.statements.empty())
    return std::nullopt;
  const Statement &chosen = oneOf(text.statements);
  StringRef lines = text.slice(chosen.first, chosen.last);
  return Edit{text.begin(chosen.first), text.end(chosen.last),
              below(2) ? (lines + "\n" + lines).str() : std::string()};
}

/// Puts a statement of this or the other text in front of one of its kind.
std::optional<Mutator::Edit> Mutator::spliceStatement(const Text &text) {
  const Text &donor = below(2) ? other : text;
  if (text.statements.empty() || donor.statements.empty())
    return std::nullopt;
  const Statement &place = oneOf(text.statements),
                  &put = oneOf(donor.statements);
  if (place.alike.data() != put.alike.data())
    return std::nullopt;
  return Edit{text.begin(place.first), text.begin(place.first),
              donor.slice(put.first, put.last).str() + "\n"};
}

/// Replaces what is between brackets by what is between others of their form.
std::optional<Mutator::Edit> Mutator::spliceBrackets(const Text &text) {
  const Text &donor = below(2) ? other : text;
  if (donor.words.empty())
    return std::nullopt;
  size_t i = below(text.words.size()), j = below(donor.words.size());
  if (!text.opens(i) || !donor.opens(j) ||
      text.words[i].text() != donor.words[j].text())
    return std::nullopt;
  // Arguments of kernels and of calls are told apart by what precedes them.
  auto isCall = [](const Text &text, size_t open) {
    return open > 1 && !text.words[open - 2].isKeyword() &&
           !text.words[open - 1].is(">");
  };
  if (isCall(text, i) != isCall(donor, j))
    return std::nullopt;
  return Edit{text.begin(i), text.end(text.words[i].partner),
              donor.slice(j, donor.words[j].partner).str()};
}

std::optional<Mutator::Edit> Mutator::insertStatement(const Text &text) {
  if (text.statements.empty())
    return Edit{0, below(4) ? 0 : text.source.size(), kFile.str()};
  const Statement &place = oneOf(text.statements);
  return Edit{text.begin(place.first), text.begin(place.first),
              filled(text, oneOf(place.alike), "") + "\n"};
}

std::optional<Mutator::Edit> Mutator::growOperand(const Text &text) {
  size_t i = below(text.words.size());
  if (!text.isOperand(i))
    return std::nullopt;
  return Edit{text.begin(i), text.end(i),
              filled(text, oneOf(kExpressions), text.words[i].text())};
}

std::string Mutator::run(StringRef source) {
  // What leaves no text that parses is rare.
  static constexpr std::pair<unsigned, Maker> kMakers[] = {
      {24, &Mutator::replaceWord},
      {8, &Mutator::swapWords},
      {2, &Mutator::deleteOrRepeatWord},
      {12, &Mutator::deleteOrRepeatStatement},
      {14, &Mutator::spliceStatement},
      {14, &Mutator::spliceBrackets},
      {12, &Mutator::insertStatement},
      {14, &Mutator::growOperand}};
  std::string result = source.str();
  unsigned left = 1 + below(3);
  for (int tries = 0; left > 0 && tries < 60; ++tries) {
    Text text(result);
    if (text.words.empty())
      return kFile.str();
    unsigned choice = below(100);
    const auto *maker = std::begin(kMakers);
    while (choice >= maker->first)
      choice -= (maker++)->first;
    std::optional<Edit> edit = (this->*maker->second)(text);
    if (!edit || StringRef(result).slice(edit->begin, edit->end) == edit->text)
      continue;
    result.replace(edit->begin, edit->end - edit->begin, edit->text);
    --left;
  }
  return result;
}

std::string tile::fuzz::mutateWords(StringRef source, StringRef other,
                                    unsigned seed) {
  return Mutator(other, seed).run(source);
}
