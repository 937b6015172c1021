//===- Nesting.cpp - How deep a text nests --------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over the text, token by token, without a parser.  The depth at a
// token is
//   - the brackets that are open there,
//   - plus, for each open parenthesis, the tokens in it since the last comma:
//     the parser of affine expressions calls itself for each operand,
//   - plus, where the token is an alias, how deep its definition was.
//
//===----------------------------------------------------------------------===//

#include "tile/IR/Nesting.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace tile;
using llvm::StringRef;

namespace {
/// Walks a text until it nests too deep.
class NestingScanner {
public:
  explicit NestingScanner(StringRef text) : text(text) {}

  std::optional<size_t> run();

private:
  /// A bracket that is open.
  struct Frame {
    char opener;
    /// In a parenthesis: tokens since the last comma.
    unsigned numTokens = 0;
  };

  void skipString();
  void skipComment();
  void skipWord();
  void scanPunctuation();
  void close(char opener);
  void countToken();
  void startAlias(StringRef name);
  void endAlias();

  StringRef text;
  size_t at = 0;
  llvm::SmallVector<Frame> frames;
  /// Tokens of all frames, and the depth at the last token.
  unsigned numTokens = 0, depth = 0;
  /// Depths of the aliases defined so far.
  llvm::StringMap<unsigned> aliases;
  /// The alias that is being defined, whether its value has begun, and how
  /// deep that was so far.
  StringRef alias;
  bool hasValue = false;
  unsigned aliasDepth = 0;
};
} // namespace

void NestingScanner::skipString() {
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    if (text[at] == '\\')
      ++at;
  ++at;
}

void NestingScanner::skipComment() {
  size_t end = std::min(text.find('\n', at), text.size());
  if (text.slice(at, end).starts_with("// -----")) {
    endAlias();
    aliases.clear();
    frames.clear();
    numTokens = 0;
  }
  at = end;
}

/// One more token in the innermost parenthesis.
void NestingScanner::countToken() {
  hasValue |= !alias.empty();
  if (!frames.empty() && frames.back().opener == '(') {
    ++frames.back().numTokens;
    ++numTokens;
  }
  depth = frames.size() + numTokens;
}

void NestingScanner::startAlias(StringRef name) {
  endAlias();
  alias = name;
  hasValue = false;
  aliasDepth = 0;
}

void NestingScanner::endAlias() {
  if (!alias.empty())
    aliases[alias] = aliasDepth + 1;
  alias = {};
}

/// A word, number, or a name with its sigil.
void NestingScanner::skipWord() {
  size_t start = at++;
  while (at < text.size() && (llvm::isAlnum(text[at]) || text[at] == '_' ||
                              text[at] == '$' || text[at] == '.'))
    ++at;
  StringRef word = text.slice(start, at);
  bool isAlias = word.size() > 1 && (word[0] == '#' || word[0] == '!');
  StringRef rest = text.drop_front(at).ltrim();
  if (isAlias && frames.empty() && rest.starts_with("=")) {
    startAlias(word);
    at = text.size() - rest.size() + 1;
    return;
  }
  countToken();
  if (isAlias)
    depth += aliases.lookup(word);
}

void NestingScanner::close(char opener) {
  // What is not closed inside cannot be open outside.
  size_t end = frames.size();
  while (end > 0 && frames[end - 1].opener != opener)
    --end;
  if (end == 0)
    return;
  while (frames.size() >= end)
    numTokens -= frames.pop_back_val().numTokens;
  depth = frames.size() + numTokens;
}

void NestingScanner::scanPunctuation() {
  StringRef pair = text.substr(at, 2);
  char c = text[at];
  // Comparisons and arrows are no brackets.
  if (pair == "->" || pair == ">=" || pair == "<=") {
    at += 2;
    return countToken();
  }
  ++at;
  if (c == '(' || c == '[' || c == '{' || c == '<') {
    countToken();
    frames.push_back({c});
    depth = frames.size() + numTokens;
  } else if (c == ')' || c == ']' || c == '}' || c == '>') {
    close(c == ')' ? '(' : c == ']' ? '[' : c == '}' ? '{' : '<');
  } else if (c == ',' && !frames.empty()) {
    numTokens -= frames.back().numTokens;
    frames.back().numTokens = 0;
  } else if (c == '\n' && frames.empty() && hasValue) {
    endAlias();
  } else if (!llvm::isSpace(c)) {
    countToken();
  }
}

std::optional<size_t> NestingScanner::run() {
  while (at < text.size()) {
    size_t start = at;
    char c = text[at];
    if (c == '"') {
      skipString();
      countToken();
    } else if (text.substr(at, 2) == "//") {
      skipComment();
    } else if (llvm::isAlnum(c) || c == '_' || c == '#' || c == '!') {
      skipWord();
    } else {
      scanPunctuation();
    }
    if (depth > kMaxNesting)
      return start;
    aliasDepth = std::max(aliasDepth, depth);
  }
  return std::nullopt;
}

std::optional<size_t> tile::findDeepNesting(StringRef text) {
  return NestingScanner(text).run();
}
