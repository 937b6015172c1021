//===- FormatStatements.cpp - Blocks and statements -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formatter.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace tile::frontend;

/// The next word from here that is no comment.
size_t Formatter::nextWord(size_t i, size_t end) const {
  while (i < end && words[i].isComment)
    ++i;
  return i;
}

/// Whether the statement from `begin` on ends behind the word `i`, which the
/// word `next` follows.
bool Formatter::startsNew(size_t begin, size_t i, size_t next,
                          BlockKind kind) const {
  const Word &word = words[next], &first = words[begin];
  if (kind == BlockKind::File)
    return word.is("@") || word.is("kernel") || word.is("fn") ||
           startsSettings(words, next);
  if (words[i].is(";"))
    return true;
  if (words[i].is("}"))
    return !word.is("else");
  if (!words[i].endsOperand())
    return false;
  if (word.is("@"))
    return true;
  bool continues = word.is("and") || word.is("or") || word.is("as") ||
                   word.is("in") || word.is("step") || word.is("else") ||
                   (first.is("for") && word.is("pipeline")) ||
                   (first.is("expect") && word.is("within"));
  return !continues && (word.isName() || word.isKeyword());
}

/// Behind the last word of the statement that the block begins with.
size_t Formatter::statementEnd(Span block, BlockKind kind) const {
  for (size_t i = block.begin;;) {
    size_t end = skip(i);
    size_t next = nextWord(end, block.end);
    if (next >= block.end || startsNew(block.begin, end - 1, next, kind))
      return end;
    i = next;
  }
}

/// What stands in the braces of the declaration or statement that begins with
/// the word `first`.
BlockKind Formatter::blockKind(size_t first, size_t open) const {
  bool isArranging = open > 0 && words[open - 1].is("arrange");
  bool isSettings = words[first].is("run") || words[first].is("tune");
  return isArranging || isSettings ? BlockKind::Settings
                                   : BlockKind::Statements;
}

/// Whether the block was written on one line, and what it holds may stay there.
bool Formatter::isOneLineBlock(size_t open, BlockKind kind) const {
  size_t close = words[open].partner;
  for (size_t i = open + 1; i <= close; ++i)
    if (words[i].linesBefore > 0 || words[i].isComment)
      return false;
  for (size_t i = open + 1; i < close;) {
    size_t end = statementEnd({i, close}, kind);
    // An annotation belongs to what follows.
    if (!words[i].is("@") && end < close)
      return false;
    if (!isOneLine({i, end}, kind))
      return false;
    i = end;
  }
  return true;
}

/// Whether the statement, which fits on a line, may stand there.
bool Formatter::isOneLine(Span span, BlockKind kind) const {
  for (size_t i = span.begin; i < span.end; i = skip(i)) {
    if (words[i].isComment)
      return false;
    if (!words[i].is("{"))
      continue;
    if (words[i - 1].is("arrange") ||
        !isOneLineBlock(i, kind == BlockKind::File ? blockKind(span.begin, i)
                                                   : kind))
      return false;
  }
  return true;
}

/// The head of a declaration that takes several lines: the grid and the hints
/// have lines of their own.
void Formatter::printClauses(Span span, size_t indent) {
  SmallVector<Span> clauses{span};
  bool hasHint = false;
  for (size_t i = span.begin; i < span.end; i = skip(i)) {
    bool isHint = !hasHint && i > span.begin && words[i].isName() &&
                  words[i - 1].endsOperand();
    hasHint |= isHint;
    if (!isHint && !words[i].is("grid"))
      continue;
    clauses.back().end = i;
    clauses.push_back({i, span.end});
  }
  for (const Span &clause : clauses) {
    bool isFirst = &clause == &clauses.front();
    if (!isFirst)
      newLine(indent + kContinuation);
    print(clause, indent + (isFirst ? 1 : 2) * kContinuation, 0);
  }
}

/// What stands before a '{', which is the end of the span.  After a head of
/// several lines the '{' has its own.
void Formatter::printHead(Span span, size_t indent, BlockKind kind) {
  bool isArranging = words[span.end - 1].is("arrange");
  size_t end = span.end - isArranging;
  bool isShort = fits({span.begin, end}, isArranging ? 0 : 2);
  if (kind == BlockKind::File && !isShort)
    printClauses({span.begin, end}, indent);
  else
    print({span.begin, end}, indent + kContinuation, 2);
  if (isArranging || (kind == BlockKind::File && !isShort))
    newLine(indent);
  printFlat({end, span.end});
}

/// The 'else' behind a block, with the comments around it, which stand where
/// the statement that begins at `first` does; returns the place behind them.
size_t Formatter::printElse(Span span, size_t first, size_t indent) {
  size_t i = span.begin;
  if (i == first)
    return i;
  SaveAndRestore<size_t> wrap(wrapIndent, indent);
  while (i < span.end && (words[i].isComment || words[i].is("else")))
    printWord(i++);
  return i;
}

/// A statement with its blocks; the line has been started.
void Formatter::printStatement(Span span, size_t indent, BlockKind kind) {
  SaveAndRestore<size_t> wrap(wrapIndent, indent + kContinuation);
  if (fits(span, 0) && isOneLine(span, kind))
    return printFlat(span);
  size_t from = span.begin;
  for (size_t i = span.begin; i < span.end; i = skip(i)) {
    if (!words[i].is("{"))
      continue;
    BlockKind inside =
        kind == BlockKind::File ? blockKind(span.begin, i) : kind;
    size_t head = printElse({from, i}, span.begin, indent);
    // The body behind an arrangement has no head.
    if (head < i)
      printHead({head, i}, indent, kind);
    else if (head == from)
      newLine(indent);
    wrapIndent = indent;
    printWord(i);
    size_t close = words[i].partner;
    if (close > i + 1 && !printSettingsLine(i, inside)) {
      printBlock({i + 1, close}, indent + kIndent, inside);
      newLine(indent);
    }
    wrapIndent = indent;
    printWord(close);
    from = close + 1;
  }
  if (from < span.end)
    print({from, span.end}, indent + kContinuation, 0);
}

/// The settings of a block that was written on one line and fits there; false
/// for any other block.
bool Formatter::printSettingsLine(size_t open, BlockKind kind) {
  size_t close = words[open].partner;
  bool wasOneLine = true;
  for (size_t i = open + 1; i <= close; ++i)
    wasOneLine &= words[i].linesBefore == 0 && !words[i].isComment;
  SmallVector<Span> settings;
  size_t columns = column() + 2;
  for (size_t i = open + 1; i < close; i = settings.back().end) {
    settings.push_back({i, statementEnd({i, close}, kind)});
    columns += width(settings.back()) + (settings.size() > 1 ? 2 : 1);
  }
  if (kind != BlockKind::Settings || !wasOneLine || columns > kColumns)
    return false;
  for (const Span &setting : settings) {
    text += &setting == &settings.front() ? " " : "  ";
    atLineStart = true;
    printFlat(setting);
  }
  return true;
}

/// Goes to where the statement at `i` begins.
void Formatter::startStatement(size_t i, Span block, size_t indent,
                               BlockKind kind, const Word *previous) {
  bool isFirst = !previous;
  unsigned lines = words[i].linesBefore;
  bool isAnnotated =
      previous && lines == 0 && words[i - 1].is(")") && previous->is("@");
  bool isTogether = !isFirst && lines == 0 && kind == BlockKind::Settings &&
                    !previous->isComment;
  if (isAnnotated || isTogether) {
    size_t end = statementEnd({i, block.end}, kind);
    // Two spaces tell statements apart, one follows an annotation.
    if (fits({i, end}, isTogether ? 2 : 1)) {
      text += isTogether && !isAnnotated ? "  " : " ";
      atLineStart = true;
      return;
    }
  }
  if (!isFirst && lines > 1)
    text += "\n";
  newLine(indent);
}

/// The statements and comments of a block, each with its line.
void Formatter::printBlock(Span block, size_t indent, BlockKind kind) {
  const Word *previous = nullptr;
  for (size_t i = block.begin; i < block.end;) {
    const Word &word = words[i];
    wrapIndent = indent;
    if (word.isComment && word.linesBefore == 0 && last) {
      printWord(i++);
      previous = &word;
      continue;
    }
    startStatement(i, block, indent, kind, previous);
    previous = &word;
    if (word.isComment) {
      printWord(i++);
      continue;
    }
    size_t end = statementEnd({i, block.end}, kind);
    printStatement({i, end}, indent, kind);
    i = end;
  }
}
