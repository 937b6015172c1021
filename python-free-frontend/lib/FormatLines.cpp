//===- FormatLines.cpp - Lines within a statement -------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formatter.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace tile::frontend;

/// The place behind this word, or behind its bracket.
size_t Formatter::skip(size_t i) const {
  return std::max(words[i].partner, i) + 1;
}

/// Splits behind the words outside of brackets that say so.  A comment on the
/// line of such a word stays with it, others are parts of their own.
SmallVector<Span>
Formatter::split(Span span, function_ref<bool(const Word &)> ends) const {
  SmallVector<Span> parts;
  size_t begin = span.begin;
  for (size_t i = span.begin; i < span.end;) {
    bool isEnd = ends(words[i]) || (i == begin && words[i].isComment);
    i = skip(i);
    if (!isEnd)
      continue;
    if (i < span.end && words[i].isComment && words[i].linesBefore == 0)
      ++i;
    parts.push_back({begin, i});
    begin = i;
  }
  if (begin < span.end)
    parts.push_back({begin, span.end});
  return parts;
}

/// One behind the other, as many on a line as fit; lines after the first begin
/// at `indent`, and what an element continues on at `inner`.
void Formatter::printElements(ArrayRef<Span> elements, size_t indent,
                              size_t inner, size_t reserved, bool keepsLines) {
  bool isBelow = false;
  for (const Span &element : elements) {
    bool isLast = &element == &elements.back();
    size_t behind = isLast ? reserved : 0;
    // Behind an element of several lines the next one would go unnoticed.
    bool isKept =
        keepsLines && (isBelow || words[element.begin].linesBefore > 0);
    bool isFirst = &element == &elements.front();
    if (!isFirst && !atLineStart && (isKept || !fits(element, behind)))
      newLine(indent);
    SaveAndRestore<size_t> wrap(wrapIndent, inner);
    size_t line = lineStart;
    print(element, inner, behind);
    isBelow = lineStart != line;
  }
}

/// A list with commas; false if there are none.
bool Formatter::printList(Span span, size_t indent, size_t reserved) {
  SmallVector<Span> elements = split(
      span, [](const Word &word) { return word.is(",") || word.is(";"); });
  if (elements.size() < 2)
    return false;
  size_t inner = std::min(indent + kContinuation, kMaxAlignment);
  printElements(elements, indent, inner, reserved, /*keepsLines=*/true);
  return true;
}

/// A chain of the weakest operators, or of `.name(...)`; false if there is
/// none.
bool Formatter::printChain(Span span, size_t indent, size_t reserved) {
  unsigned level = 0;
  // An operator at the end belongs to what is around.
  for (size_t i = span.begin; i + 1 < span.end; i = skip(i))
    if (unsigned own = bindingLevel(words[i]); own && (!level || own < level))
      level = own;
  SmallVector<Span> elements;
  if (level > 0) {
    elements = split(
        span, [&](const Word &word) { return bindingLevel(word) == level; });
  } else {
    // A property is behind its dot: `a.tile(2)`, `.expand(3)`.
    size_t begin = span.begin;
    for (size_t i = span.begin; i + 2 < span.end; i = skip(i))
      if (words[i].is(".") && words[i + 2].is("(") && begin + 1 < i &&
          words[i - 1].is(")")) {
        elements.push_back({begin, i});
        begin = i;
      }
    elements.push_back({begin, span.end});
  }
  if (elements.size() < 2)
    return false;
  size_t inner = std::min(indent + kContinuation, kMaxAlignment);
  printElements(elements, indent, inner, reserved, /*keepsLines=*/false);
  return true;
}

/// Whether the bracket holds the arguments of a declaration.
bool Formatter::isHead(size_t open) const {
  if (!words[open].is("(") || open < 2)
    return false;
  const Word &before = words[open - 2];
  return words[open - 1].isAngle || before.is("kernel") || before.is("fn") ||
         before.is("run");
}

/// A bracket that does not fit on the line.
void Formatter::printBracket(size_t open, size_t indent, size_t reserved) {
  size_t close = words[open].partner;
  printWord(open);
  Span inside{open + 1, close};
  SmallVector<Span> elements = split(
      inside, [](const Word &word) { return word.is(",") || word.is(";"); });
  bool isWide = any_of(elements, [&](Span element) {
    return !words[element.begin].isComment &&
           column() + width(withoutComments(element)) + 1 > kColumns;
  });
  const Word &first = words[open + 1];
  bool isOwnLine = isHead(open) || (first.isComment && first.linesBefore > 0);
  size_t start = column();
  if (isOwnLine || (isWide && start > indent) || start > kMaxAlignment) {
    // A comment behind the bracket stays there.
    if (first.isComment && first.linesBefore == 0) {
      printWord(open + 1);
      elements.erase(elements.begin());
    }
    start = std::min(indent, kMaxAlignment);
    newLine(start);
  }
  SaveAndRestore<size_t> wrap(wrapIndent, start);
  size_t inner = elements.size() > 1 ? start + kContinuation : start;
  printElements(elements, start, std::min(inner, kMaxAlignment), reserved + 1,
                /*keepsLines=*/true);
  printWord(close);
}

/// A part of a statement whose lines after the first begin at `indent`.
void Formatter::print(Span span, size_t indent, size_t reserved) {
  if (fits(span, reserved))
    return printFlat(span);
  Span body = withoutComments(span);
  if (body.begin < body.end && body.end < span.end) {
    print(body, indent, reserved);
    return printFlat({body.end, span.end});
  }
  // Behind the '=' of a value, and the '==' of an expectation, there is no end
  // of line.
  bool isExpecting = words[span.begin].is("expect");
  for (size_t i = span.begin; i < span.end; i = skip(i)) {
    if (words[i].is(",") || words[i].isComment)
      break;
    StringRef word = words[i].text();
    bool isValue =
        word.size() <= 2 && word.ends_with("=") && bindingLevel(words[i]) == 0;
    if (!isValue && !(isExpecting && words[i].is("==")))
      continue;
    printFlat({span.begin, i + 1});
    return print({i + 1, span.end}, indent, reserved);
  }
  if (printList(span, indent, reserved) || printChain(span, indent, reserved))
    return;
  size_t widest = span.end, columns = 0;
  for (size_t i = span.begin; i < span.end; i = skip(i)) {
    size_t own = isHead(i) ? kColumns + 2 : width({i, skip(i)});
    // Nothing breaks inside of `()`.
    if (words[i].partner > i + 1 && own > columns) {
      widest = i;
      columns = own;
    }
  }
  if (widest == span.end)
    return printFlat(span);
  Span behind{skip(widest), span.end};
  print({span.begin, widest}, indent, 1);
  printBracket(widest, indent, width(behind) + reserved);
  print(behind, indent, reserved);
}
