//===- Words.h - A source as words and comments -----------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the formatter and editors work on: every word and every comment, also
// of a source that does not parse, with the brackets matched and the two
// meanings of '<', '-' and '*' told apart by their neighbours.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_WORDS_H
#define TILE_FRONTEND_WORDS_H

#include "Lexer.h"

#include <vector>

namespace tile::frontend {

/// A word or a comment.
struct Word {
  Token token;
  bool isComment = false;
  /// Of '-', '~' and '*': what follows is its only operand.
  bool isPrefix = false;
  /// Of '<' and '>': a bracket around a type or parameters.
  bool isAngle = false;
  /// `expect` in a run block and `where` in a tune block, which are names
  /// elsewhere.
  bool isClause = false;
  /// Ends of lines between the word before and this one.
  unsigned linesBefore = 0;
  /// Of a bracket: the place of the other one; its own place otherwise.
  size_t partner = 0;

  llvm::StringRef text() const { return token.text; }
  bool is(llvm::StringRef spelling) const {
    return !isComment && token.is(spelling);
  }
  bool isName() const;
  bool isKeyword() const;
  bool isOpen() const;
  bool isClose() const;
  /// Whether an expression can end here, so that a name that follows begins
  /// something new.
  bool endsOperand() const;
};

/// All words of the source, with neither errors nor an end marker.
std::vector<Word> readWords(llvm::StringRef source);

/// Whether `run` or `tune` begins a declaration here: both are names elsewhere.
bool startsSettings(llvm::ArrayRef<Word> words, size_t i);

/// How weakly a binary operator binds, 1 the weakest; 0 of other words.
unsigned bindingLevel(const Word &word);

/// Whether a space stands between two neighbours on one line.
bool needsSpace(const Word &left, const Word &right);

} // namespace tile::frontend

#endif // TILE_FRONTEND_WORDS_H
