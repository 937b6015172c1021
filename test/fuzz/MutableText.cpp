//===- MutableText.cpp - A text and what can be changed in it -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutableText.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace tile::frontend;
using tile::fuzz::Text;

static constexpr StringLiteral kStatements[] = {
    "let t = #",
    "var t, u = #",
    "# = #",
    "# += 1",
    "#[#] = #",
    "#[#, :] *= 2",
    "for q in 0..# step 2 { # = q }",
    "static for q in 0..4 { # += q }",
    "for q in 0..# pipeline(stages = 3) { # += q }",
    "while # < 4 { break }",
    "if # > 0 { # = 1 } else { # = 2 }",
    "static if # { } else if # { }",
    "store(# + #, #, mask = # < #)",
    "static assert(# > 0)",
    "print(\"x\", #)",
    "atomic_add(# + #, #)",
    "@allow(unmasked_tail) let t = 1",
    "@require(wgmma) # = dot(#, #, #)"};
static constexpr StringLiteral kRunLines[] = {
    "# = randn<f32>[#, #]", "# = int<f16>[#; 1](-3, 3)", "# = 3",
    "expect # == # within 1e-3", "expect # == kernel # within 0, 1e-3"};
static constexpr StringLiteral kTuneLines[] = {"# in [1, 2, 4]", "# in 1..#",
                                               "# = 4", "where # >= 2 * #"};
static constexpr StringLiteral kArrangeLines[] = {
    "# = #.tile(16, 16)", "# = #.tile(1, :).permute(1, 0)", "# = #[0]"};
Text::Text(StringRef source) : source(source), words(readWords(source)) {
  llvm::erase_if(words, [](const Word &word) { return word.text().empty(); });
  for (size_t i = 0; i < words.size(); ++i)
    addBlock(i);
}

/// Adds the statements of the block that begins here, if one does.
void Text::addBlock(size_t brace) {
  for (StringRef word : {"kernel", "fn", "run", "tune", "arrange"})
    if (words[brace].is(word))
      declaration = word;
  if (!words[brace].is("{") || !opens(brace))
    return;
  ArrayRef<StringLiteral> alike = kStatements;
  if (declaration == "run")
    alike = kRunLines;
  else if (declaration == "tune")
    alike = kTuneLines;
  else if (declaration == "arrange")
    alike = kArrangeLines;
  if (declaration == "arrange")
    declaration = "kernel";
  size_t close = words[brace].partner;
  for (size_t i = brace + 1; i < close; ++i) {
    size_t last = i;
    for (;; ++last) {
      if (opens(last) && words[last].partner < close)
        last = words[last].partner;
      const Word &next = words[last + 1];
      bool isNext = next.linesBefore > 0 && bindingLevel(next) == 0 &&
                    bindingLevel(words[last]) == 0 && !next.is("else");
      if (last + 1 >= close || isNext || next.is(";"))
        break;
    }
    if (!words[i].isComment && !words[i].is(";"))
      statements.push_back({i, last, alike});
    i = last;
  }
}

/// Whether the word is all of an operand.
bool Text::isOperand(size_t i) const {
  const Word &word = words[i];
  bool isValue = (word.isName() && !word.isKeyword()) ||
                 word.token.kind == Token::Integer ||
                 word.token.kind == Token::Float;
  if (!isValue || i == 0 || i + 1 == words.size())
    return false;
  auto isOneOf = [](const Word &word, ArrayRef<StringRef> list) {
    return llvm::any_of(list, [&](StringRef text) { return word.is(text); });
  };
  const Word &before = words[i - 1], &after = words[i + 1];
  return (bindingLevel(before) > 0 ||
          isOneOf(before, {"(", "[", "=", "return", "if", "while", ".."})) &&
         !isOneOf(after, {"(", "[", "=", ":", "<", "."});
}
