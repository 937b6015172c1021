//===- SourceNames.cpp - The names of a source ----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Frontend/SourceNames.h"

#include "Words.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace tile::frontend;

namespace {
/// Collects the definitions of a source.
class NameReader {
public:
  NameReader(StringRef source, ArrayRef<Word> words,
             std::vector<Definition> &definitions)
      : source(source), words(words), definitions(definitions) {}

  void read();

private:
  void readDeclaration(size_t begin, size_t end);
  void readList(size_t open, Definition::Kind kind);
  void readSides(size_t begin, size_t end);
  void readBlock(size_t begin, size_t end);
  size_t readBinding(size_t i, size_t end);
  void readRun(size_t begin, size_t end, size_t count);

  size_t skip(size_t i) const { return std::max(words[i].partner, i) + 1; }
  size_t closeOf(size_t open, size_t end) const;
  Definition &add(Definition::Kind kind, size_t word, size_t end);
  std::string textOf(size_t begin, size_t end) const;
  std::string commentAbove(size_t i) const;
  const char *placeOf(size_t i) const;

  StringRef source;
  ArrayRef<Word> words;
  std::vector<Definition> &definitions;
  /// Where names of the declaration or block at hand end.
  const char *scopeEnd = nullptr;
};
} // namespace

static constexpr size_t kMaxText = 80;

/// The words with one space where there was any.
std::string NameReader::textOf(size_t begin, size_t end) const {
  std::string text;
  for (size_t i = begin; i < end && text.size() < kMaxText; ++i) {
    if (words[i].isComment)
      continue;
    if (!text.empty() && needsSpace(words[i - 1], words[i]))
      text += " ";
    text += words[i].text();
  }
  return text;
}

/// The comments on the lines right above, and above annotations.
std::string NameReader::commentAbove(size_t i) const {
  while (i > 1 && words[i - 1].is(")") && words[i].linesBefore < 2 &&
         words[i - 1].partner >= 2 && words[words[i - 1].partner - 2].is("@"))
    i = words[i - 1].partner - 2;
  size_t first = i;
  while (first > 0 && words[first - 1].isComment &&
         words[first].linesBefore == 1 &&
         (words[first - 1].linesBefore > 0 || first == 1))
    --first;
  std::string text;
  for (; first < i; ++first)
    text += (text.empty() ? "" : "\n") +
            words[first].text().ltrim('/').trim().str();
  return text;
}

const char *NameReader::placeOf(size_t i) const {
  // What is written at the very end is still inside.
  return i < words.size() ? words[i].text().begin() : source.end() + 1;
}

/// The other bracket, or the end where there is none yet.
size_t NameReader::closeOf(size_t open, size_t end) const {
  size_t close = words[open].partner;
  return close > open && close < end ? close : end;
}

Definition &NameReader::add(Definition::Kind kind, size_t word, size_t end) {
  Definition definition;
  definition.kind = kind;
  definition.name = words[word].text();
  definition.text = textOf(word, end);
  definition.scopeBegin = definition.name.begin();
  definition.scopeEnd = scopeEnd;
  definitions.push_back(std::move(definition));
  return definitions.back();
}

/// Names of sides in `a: [M, N] T`.
void NameReader::readSides(size_t begin, size_t end) {
  for (size_t i = begin; i + 1 < end; ++i) {
    if (!words[i].is(":") || !words[i + 1].is("["))
      continue;
    size_t close = closeOf(i + 1, end);
    for (size_t side = i + 2; side < close; ++side)
      if (words[side].isName())
        add(Definition::Side, side, side + 1);
  }
}

/// Parameters or arguments: each is what stands between commas.
void NameReader::readList(size_t open, Definition::Kind kind) {
  size_t close = words[open].partner;
  if (close < open + 2)
    return;
  for (size_t begin = open + 1, i = begin; i <= close; ++i) {
    if (i < close && !words[i].is(",")) {
      i = skip(i) - 1;
      continue;
    }
    while (begin < i && words[begin].isComment)
      ++begin;
    if (begin < i && words[begin].isName()) {
      add(kind, begin, i);
      readSides(begin, i);
    }
    begin = i + 1;
  }
}

/// `let a, b = value` and `var`; returns the place behind the names.
size_t NameReader::readBinding(size_t i, size_t end) {
  Definition::Kind kind =
      words[i].is("let") ? Definition::Value : Definition::Variable;
  size_t name = i + 1;
  for (; name < end && words[name].isName(); name += 2) {
    add(kind, name, name + 1).text =
        (words[i].text() + " " + words[name].text()).str();
    if (name + 1 >= end || !words[name + 1].is(","))
      break;
  }
  return std::max(name, i + 1);
}

/// Statements, of which blocks are parts.
void NameReader::readBlock(size_t begin, size_t end) {
  const char *outer = scopeEnd;
  for (size_t i = begin; i < end; ++i) {
    if (words[i].is("let") || words[i].is("var")) {
      i = readBinding(i, end) - 1;
    } else if (words[i].is("for") && i + 1 < end && words[i + 1].isName()) {
      size_t open = i + 1;
      while (open < end && !words[open].is("{"))
        open = skip(open);
      scopeEnd = open < end ? placeOf(closeOf(open, end)) : outer;
      add(Definition::Index, i + 1, i + 2).text =
          textOf(i, std::min(open, end));
      scopeEnd = outer;
      ++i;
    } else if (words[i].is("{")) {
      size_t close = closeOf(i, end);
      scopeEnd = placeOf(close);
      readBlock(i + 1, close);
      scopeEnd = outer;
      i = close;
    }
  }
}

/// A kernel or a function.
void NameReader::readDeclaration(size_t begin, size_t end) {
  if (begin + 1 >= end || !words[begin + 1].isName())
    return;
  bool isKernel = words[begin].is("kernel");
  size_t body = begin;
  while (body < end && !words[body].is("{"))
    body = skip(body);
  scopeEnd = placeOf(words.size());
  Definition &own =
      add(isKernel ? Definition::Kernel : Definition::Function, begin + 1, end);
  // Kernels and functions may stand behind what uses them.
  own.scopeBegin = words.front().text().begin();
  size_t head = std::min(body, end);
  own.text = textOf(begin, words[head - 1].is("arrange") ? head - 1 : head);
  own.comment = commentAbove(begin);
  size_t last = end - 1;
  while (words[last].isComment)
    --last;
  scopeEnd = placeOf(words[last].partner < last ? last : end);
  for (size_t i = begin + 2; i < body; i = skip(i)) {
    if (words[i].is("<") && words[i].isAngle)
      readList(i, Definition::Parameter);
    else if (words[i].is("(") && (i == begin + 2 || words[i - 1].isAngle))
      readList(i, Definition::Argument);
  }
  readBlock(body, end);
}

/// Of the first `count` definitions: what a run or tune block names are the
/// parameters and arguments of its kernel.
void NameReader::readRun(size_t begin, size_t end, size_t count) {
  if (begin + 1 >= end)
    return;
  StringRef kernel = words[begin + 1].text();
  auto found = find_if(definitions, [&](const Definition &definition) {
    return definition.kind == Definition::Kernel && definition.name == kernel;
  });
  if (found == definitions.end())
    return;
  for (size_t i = found - definitions.begin() + 1; i < count; ++i) {
    Definition copy = definitions[i];
    bool isOfKernel = copy.kind == Definition::Parameter ||
                      copy.kind == Definition::Argument ||
                      copy.kind == Definition::Side;
    if (!isOfKernel)
      return;
    copy.scopeBegin = placeOf(begin);
    copy.scopeEnd = placeOf(end);
    definitions.push_back(std::move(copy));
  }
}

void NameReader::read() {
  std::vector<std::pair<size_t, size_t>> runs;
  auto starts = [&](size_t i) {
    return words[i].is("kernel") || words[i].is("fn") || words[i].is("run") ||
           words[i].is("tune");
  };
  for (size_t i = 0; i < words.size();) {
    if (!starts(i)) {
      i = skip(i);
      continue;
    }
    size_t end = i + 1;
    while (end < words.size() && !starts(end) && !words[end].is("@"))
      end = skip(end);
    if (words[i].is("run") || words[i].is("tune"))
      runs.push_back({i, end});
    else
      readDeclaration(i, end);
    i = end;
  }
  size_t count = definitions.size();
  for (auto [begin, end] : runs)
    readRun(begin, end, count);
}

SourceNames::SourceNames(StringRef source) {
  std::vector<Word> all = readWords(source);
  if (all.empty())
    return;
  NameReader(source, all, definitions).read();
  // Brackets around each word, to tell `f(a = 1)` from `a = 1`.
  SmallVector<size_t> open;
  for (size_t i = 0; i < all.size(); ++i) {
    const Word &word = all[i];
    if (word.partner > i)
      open.push_back(i);
    if (word.partner < i)
      open.pop_back();
    if (word.isComment || word.token.kind == Token::Text)
      prose.push_back(word.text());
    if (word.isComment || word.token.kind != Token::Name)
      continue;
    words.push_back(word.text());
    bool isCall = !open.empty() && all[open.back()].is("(") &&
                  open.back() > 1 && !all[open.back() - 2].is("run");
    bool isGiven = isCall && i + 1 < all.size() && all[i + 1].is("=") &&
                   (i == open.back() + 1 || all[i - 1].is(",")) &&
                   !all[open.back() - 1].isAngle &&
                   !all[open.back() - 2].is("fn");
    if ((i > 0 && all[i - 1].is(".")) || isGiven)
      foreign.push_back(word.text().begin());
  }
}

StringRef SourceNames::wordAt(SMLoc place) const {
  const char *at = place.getPointer();
  auto word =
      partition_point(words, [&](StringRef word) { return word.end() < at; });
  return word != words.end() && word->begin() <= at ? *word : StringRef();
}

bool SourceNames::isProse(SMLoc place) const {
  const char *at = place.getPointer();
  return any_of(prose, [&](StringRef text) {
    // Behind the last letter of a comment the comment goes on.
    const char *end = text.end() + text.starts_with("//");
    return text.begin() < at && at < end;
  });
}

std::vector<const Definition *> SourceNames::visibleAt(SMLoc place) const {
  const char *at = place.getPointer();
  std::vector<const Definition *> visible;
  for (const Definition &definition : definitions)
    if (definition.scopeBegin <= at && at < definition.scopeEnd)
      visible.push_back(&definition);
  return visible;
}

const Definition *SourceNames::find(StringRef word) const {
  if (is_contained(foreign, word.begin()))
    return nullptr;
  const Definition *best = nullptr;
  for (const Definition *definition :
       visibleAt(SMLoc::getFromPointer(word.begin())))
    if (definition->name == word &&
        (!best || definition->scopeBegin >= best->scopeBegin))
      best = definition;
  return best;
}
