//===- Format.cpp - The one form of a .tile source ------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Frontend/Format.h"

#include "ForeignWords.h"
#include "Formatter.h"
#include "Parser.h"

using namespace llvm;
using namespace tile::frontend;

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

void Formatter::newLine(size_t indent) {
  if (text.empty())
    return;
  text += "\n";
  lineStart = text.size();
  text.append(indent, ' ');
  atLineStart = true;
}

/// One word, behind the last one or, where a comment stands between, below it.
void Formatter::printWord(size_t i) {
  const Word &word = words[i];
  bool isOwnLine = word.isComment && word.linesBefore > 0;
  bool mustBreak = last && (last->isComment || isOwnLine);
  if (mustBreak && !atLineStart)
    newLine(wrapIndent);
  if (!atLineStart && word.isComment)
    text += "  ";
  else if (!atLineStart && last && needsSpace(*last, word))
    text += " ";
  text += word.text();
  last = &word;
  atLineStart = false;
}

void Formatter::printFlat(Span span) {
  for (size_t i = span.begin; i < span.end; ++i)
    printWord(i);
}

/// Columns on one line, or more than a line has where that cannot be.
size_t Formatter::width(Span span) const {
  size_t columns = 0;
  for (size_t i = span.begin; i < span.end && columns <= kColumns; ++i) {
    if (words[i].isComment)
      return kColumns + 1;
    columns += words[i].text().size();
    columns += i > span.begin && needsSpace(words[i - 1], words[i]);
  }
  return columns;
}

/// The span without the comments that stand behind it on its last line.
Span Formatter::withoutComments(Span span) const {
  while (span.end > span.begin && words[span.end - 1].isComment &&
         words[span.end - 1].linesBefore == 0)
    --span.end;
  return span;
}

/// Whether the span, but for comments behind it, goes on this line with
/// `reserved` columns to follow.
bool Formatter::fits(Span span, size_t reserved) const {
  if (last && last->isComment && !atLineStart)
    return false;
  span = withoutComments(span);
  size_t space = span.begin < span.end && !atLineStart && last &&
                 needsSpace(*last, words[span.begin]);
  return column() + space + width(span) + reserved <= kColumns;
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// Whether the word changes nothing: a ';' behind a statement, but for a bare
/// 'return', which what follows would else belong to, and a ',' before the end
/// of a list.  In front of a comment it may keep `n, // m` from reading like a
/// division.
static bool isIdle(ArrayRef<Word> words, size_t i, bool isInBlock) {
  if (i + 1 < words.size() && words[i + 1].isComment &&
      words[i + 1].linesBefore == 0)
    return false;
  if (words[i].is(";"))
    return isInBlock && i > 0 && !words[i - 1].is("return");
  size_t next = i + 1;
  while (next < words.size() && words[next].isComment)
    ++next;
  if (!words[i].is(",") || next >= words.size())
    return false;
  if (!words[next].is(")"))
    return words[next].is("]") || (words[next].is(">") && words[next].isAngle);
  // `(x,)` alone is a list of one.
  size_t open = words[next].partner;
  return open > 0 && open < next &&
         (words[open - 1].isName() || words[open - 1].isClose());
}

/// The words without those that change nothing.
static std::vector<Word> dropIdle(ArrayRef<Word> words) {
  std::vector<Word> kept;
  // Brackets that are open, at their places in `kept`.
  SmallVector<size_t> open;
  unsigned lines = 0;
  for (auto [i, word] : llvm::enumerate(words)) {
    if (isIdle(words, i, !open.empty() && kept[open.back()].is("{"))) {
      lines += word.linesBefore;
      continue;
    }
    bool isOpen = word.partner > i, isClose = word.partner < i;
    size_t place = kept.size();
    kept.push_back(word);
    kept.back().linesBefore += lines;
    kept.back().partner = place;
    lines = 0;
    if (isOpen)
      open.push_back(place);
    if (!isClose)
      continue;
    size_t other = open.pop_back_val();
    kept[other].partner = place;
    kept.back().partner = other;
  }
  return kept;
}

/// Whether both have the same words and comments.
static bool isSameProgram(ArrayRef<Word> before, ArrayRef<Word> after) {
  return std::equal(before.begin(), before.end(), after.begin(), after.end(),
                    [](const Word &a, const Word &b) {
                      return a.text() == b.text() && a.isComment == b.isComment;
                    });
}

FormatResult tile::frontend::format(StringRef source) {
  FormatResult result;
  DiagnosticList errors(result.diagnostics);
  if (!sayIR(source, errors))
    Parser(source, errors).parseFile();
  if (!errors.empty())
    return result;
  std::vector<Word> words = dropIdle(readWords(source));
  std::string text = Formatter(words).run();
  if (isSameProgram(words, dropIdle(readWords(text))))
    result.text = std::move(text);
  else
    errors.error({}, "expected the same words after formatting, got others");
  return result;
}
