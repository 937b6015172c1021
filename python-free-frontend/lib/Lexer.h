//===- Lexer.h - Words of the .tile language --------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_LEXER_H
#define TILE_FRONTEND_LEXER_H

#include "Diagnostics.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <optional>

namespace tile::frontend {

/// One word of the source.
struct Token {
  enum Kind { End, Name, Integer, Float, Text, Symbol };
  Kind kind = End;
  /// The text as it stands in the source.
  llvm::StringRef text;
  /// What is meant by a text that is no word of the language.
  llvm::StringRef meant;

  /// The word as the language spells it.
  llvm::StringRef word() const { return meant.empty() ? text : meant; }
  bool is(llvm::StringRef spelling) const {
    return (kind == Name || kind == Symbol) && word() == spelling;
  }
  llvm::SMRange range() const {
    return {llvm::SMLoc::getFromPointer(text.begin()),
            llvm::SMLoc::getFromPointer(text.end())};
  }
};

/// Splits a source into words; comments run from // to the end of the line.
class Lexer {
public:
  Lexer(llvm::StringRef source, DiagnosticList &errors);

  Token next();
  /// Comments that stand behind an expression on its line and read as if they
  /// were one, such as `n // rows` where `rows` is a name; but for those behind
  /// `undivided`, where what ends is no value.
  std::vector<llvm::StringRef>
  divisions(const llvm::DenseSet<const char *> &undivided) const;

  /// Whether the comment reads as what goes on with a statement, such as
  /// `// 4) * 4`.
  bool hidesCode(llvm::StringRef comment) const;

  /// Where the last word stands that an error was said of; null if there is
  /// none.
  const char *skippedSign() const { return sign; }

private:
  void skipBlanks();
  void skipForeignComment();
  Token take(Token::Kind kind, size_t length);
  Token number();
  Token wholeNumber(Token::Kind kind, size_t length);
  Token quoted();
  std::optional<Token> foreignSign(size_t length);
  std::optional<Token> foreignText();
  Token foreignQuotes(llvm::StringRef sign);
  std::optional<Token> foreignWord(size_t start);

  llvm::StringRef rest;
  llvm::StringSet<> names;
  /// Ends of expressions, each with the comment that follows on its line.
  std::vector<std::pair<const char *, llvm::StringRef>> trailing;
  Token last;
  const char *sign = nullptr;
  DiagnosticList &errors;
};

} // namespace tile::frontend

#endif // TILE_FRONTEND_LEXER_H
