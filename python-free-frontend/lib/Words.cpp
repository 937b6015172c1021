//===- Words.cpp - A source as words and comments -------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Words.h"

#include "Parser.h"

using namespace llvm;
using namespace tile::frontend;

bool Word::isName() const {
  return !isComment && !isClause && token.kind == Token::Name &&
         !tile::frontend::isKeyword(token.text);
}

bool Word::isKeyword() const {
  return !isComment && token.kind == Token::Name &&
         (isClause || tile::frontend::isKeyword(token.text));
}

bool Word::isOpen() const {
  return is("(") || is("[") || is("{") || (is("<") && isAngle);
}

bool Word::isClose() const {
  return is(")") || is("]") || is("}") || (is(">") && isAngle);
}

bool Word::endsOperand() const {
  if (isComment)
    return false;
  return isName() || is("None") || is("break") || is("continue") || is(")") ||
         is("]") || token.kind == Token::Integer ||
         token.kind == Token::Float || token.kind == Token::Text;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Appends the comments of what stands between two words; returns the ends of
/// lines behind the last of them.
static unsigned readComments(StringRef between, std::vector<Word> &words) {
  unsigned lines = 0;
  while (!between.empty()) {
    if (!between.starts_with("//")) {
      lines += between.front() == '\n';
      between = between.drop_front();
      continue;
    }
    StringRef comment = between.take_until([](char c) { return c == '\n'; });
    Word word;
    word.isComment = true;
    word.token.text = comment.rtrim();
    word.linesBefore = lines;
    words.push_back(word);
    lines = 0;
    between = between.drop_front(comment.size());
  }
  return lines;
}

/// Whether the '<' at this place opens a bracket: behind a declared name, or in
/// `zeros<f32>[`.
static bool opensAngle(ArrayRef<Word> words, size_t i) {
  if (i < 1 || !words[i - 1].isName())
    return false;
  if (i >= 2 && (words[i - 2].is("kernel") || words[i - 2].is("fn")))
    return true;
  return i + 3 < words.size() && words[i + 1].isName() &&
         words[i + 2].is(">") && words[i + 3].is("[");
}

static bool fits(const Word &open, const Word &close) {
  StringRef pairs[] = {"()", "[]", "{}", "<>"};
  return any_of(pairs, [&](StringRef pair) {
    return open.is(pair.take_front()) && close.is(pair.drop_front());
  });
}

/// Matches brackets; what has no partner stays alone.
static void matchBrackets(std::vector<Word> &words) {
  SmallVector<size_t> open;
  for (size_t i = 0; i < words.size(); ++i) {
    Word &word = words[i];
    word.isAngle = word.is("<")   ? opensAngle(words, i)
                   : word.is(">") ? !open.empty() && words[open.back()].is("<")
                                  : false;
    if (word.isOpen())
      open.push_back(i);
    if (!word.isClose())
      continue;
    // A bracket that is never closed ends with the one around it.
    size_t level = open.size();
    while (level > 0 && !fits(words[open[level - 1]], word))
      --level;
    if (level == 0)
      continue;
    open.truncate(level);
    size_t other = open.pop_back_val();
    words[other].partner = i;
    word.partner = other;
  }
}

bool tile::frontend::startsSettings(ArrayRef<Word> words, size_t i) {
  if (!words[i].is("run") && !words[i].is("tune"))
    return false;
  while (i > 0 && words[i - 1].isComment)
    --i;
  // A declaration ends with a block, and what is in front of one with a list.
  return i == 0 || words[i - 1].is("}") || words[i - 1].is(")");
}

/// Finds the words that mean something in the blocks of `run` and `tune`.
static void markClauses(std::vector<Word> &words) {
  StringRef clause;
  for (size_t i = 0; i < words.size();) {
    Word &word = words[i];
    if (startsSettings(words, i))
      clause = word.is("run") ? "expect" : "where";
    if (word.is("kernel") || word.is("fn"))
      clause = "";
    size_t end = std::max(word.partner, i);
    if (word.is("{") && !clause.empty())
      for (size_t inner = i + 1; inner < end;
           inner = std::max(words[inner].partner, inner) + 1)
        words[inner].isClause = words[inner].is(clause);
    i = end + 1;
  }
}

std::vector<Word> tile::frontend::readWords(StringRef source) {
  std::vector<frontend::Diagnostic> ignored;
  DiagnosticList errors(ignored);
  Lexer lexer(source, errors);
  std::vector<Word> words;
  const char *end = source.begin();
  // The last one that is no comment.
  Word last;
  for (;;) {
    Word word;
    word.token = lexer.next();
    StringRef text = word.token.text;
    word.linesBefore = readComments({end, size_t(text.begin() - end)}, words);
    if (word.token.kind == Token::End)
      break;
    bool isSign = word.is("-") || word.is("*") || word.is("~");
    word.isPrefix = isSign && !last.endsOperand();
    words.push_back(word);
    last = word;
    end = text.end();
  }
  for (auto [i, word] : llvm::enumerate(words))
    word.partner = i;
  matchBrackets(words);
  markClauses(words);
  return words;
}

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

unsigned tile::frontend::bindingLevel(const Word &word) {
  if (word.isComment || word.isPrefix || word.isAngle)
    return 0;
  return StringSwitch<unsigned>(word.token.kind == Token::Text ? StringRef()
                                                               : word.text())
      .Case("or", 1)
      .Case("and", 2)
      .Cases({"<", "<=", ">", ">=", "==", "!="}, 3)
      .Case("|", 4)
      .Case("^", 5)
      .Case("&", 6)
      .Cases({"<<", ">>"}, 7)
      .Cases({"+", "-"}, 8)
      .Cases({"*", "/", "%"}, 9)
      .Default(0);
}

/// Words that nothing separates from their neighbours.
static bool joins(const Word &word) {
  return word.is(".") || word.is("..") || word.is("..=");
}

bool tile::frontend::needsSpace(const Word &left, const Word &right) {
  if (right.isComment)
    return true;
  if (right.is(",") || right.is(";") || joins(left) || joins(right))
    return false;
  if (left.isPrefix || left.is("@"))
    return false;
  if (right.isAngle)
    return false;
  if (left.is("{") || right.is("{") || right.is("}"))
    return !(left.is("{") && right.is("}"));
  if (left.isOpen() || right.isClose())
    return false;
  // `a: *T`, but `[:, None]`.
  if (right.is(":"))
    return left.is(",");
  bool endsCallee = left.isName() || left.is("]") || left.isAngle;
  if (right.is("("))
    return !endsCallee;
  if (right.is("["))
    return !endsCallee && !left.is(")");
  return true;
}
