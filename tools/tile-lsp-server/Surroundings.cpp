//===- Surroundings.cpp - What a place of a source stands in --------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Surroundings.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace tile::editor;
using llvm::StringRef;

static bool isWordChar(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Behind the comment or text that begins at `i`; `i` where none does.
static size_t skipProse(StringRef text, size_t i) {
  if (text.substr(i).starts_with("//"))
    return std::min(text.find('\n', i), text.size());
  if (text[i] != '"')
    return i;
  for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
    i += text[i] == '\\';
  return std::min(i + 1, text.size());
}

/// The word that the text ends with; empty where it ends with none.
static StringRef lastWord(StringRef text) {
  text = text.rtrim();
  size_t size = text.size();
  while (size > 0 && isWordChar(text[size - 1]))
    --size;
  return text.substr(size);
}

/// What the '{' behind this head, which begins a declaration, opens.
static Surroundings::Block blockOf(StringRef head) {
  StringRef first = head.ltrim().take_while(isWordChar);
  if (lastWord(head) == "arrange")
    return Surroundings::Arrange;
  return first == "run"    ? Surroundings::Run
         : first == "tune" ? Surroundings::Tune
                           : Surroundings::Statements;
}

Surroundings tile::editor::surroundingsOf(StringRef before) {
  Surroundings result;
  // Places of the brackets that are open, and of the declaration.
  llvm::SmallVector<size_t> open;
  size_t declaration = 0;
  for (size_t i = 0; i < before.size();) {
    size_t end = skipProse(before, i);
    if (end != i) {
      declaration = open.empty() && before.slice(declaration, i).trim().empty()
                        ? end
                        : declaration;
      i = end;
      continue;
    }
    char c = before[i];
    if (c == '{' && open.empty())
      result.block = blockOf(before.slice(declaration, i));
    if (StringRef("({[").contains(c))
      open.push_back(i);
    if (StringRef(")}]").contains(c) && !open.empty())
      open.pop_back();
    if (c == '}' && open.empty()) {
      result.block = Surroundings::File;
      declaration = i + 1;
    }
    ++i;
  }
  if (!open.empty() && before[open.back()] == '(')
    result.call = lastWord(before.take_front(open.back()));
  return result;
}
