//===- Formatter.h - Lays a .tile source out --------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// White space means nothing in the language, so the formatter works on words,
// not on the tree: it finds where statements end by what can stand side by
// side, and a form that it does not know is laid out less well, but stays as it
// is.
//
// A statement goes on one line if it fits.  If not, it breaks at its weakest
// point: behind commas, then behind the weakest operators, then in the widest
// bracket.  What a list of several lines keeps of its author is the ends of
// lines behind commas.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_FORMATTER_H
#define TILE_FRONTEND_FORMATTER_H

#include "Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace tile::frontend {

inline constexpr size_t kColumns = 80;
inline constexpr size_t kIndent = 2;
/// Further in than its statement stands what continues it.
inline constexpr size_t kContinuation = 4;
/// Beyond this column a bracket's lines do not align with it; also bounds the
/// indentation of what nests deeper than anybody reads.
inline constexpr size_t kMaxAlignment = 48;

/// A part of the words, up to but not including `end`.
struct Span {
  size_t begin, end;
};

/// What stands in a pair of braces.
enum class BlockKind {
  File,
  Statements, ///< one on each line
  Settings    ///< of `run` and the like: those of one line stay together
};

/// Lays out one source.
class Formatter {
public:
  explicit Formatter(llvm::ArrayRef<Word> words) : words(words) {}

  std::string run() {
    printBlock({0, words.size()}, 0, BlockKind::File);
    if (!text.empty())
      text += "\n";
    return std::move(text);
  }

private:
  // Where things end.
  size_t skip(size_t i) const;
  size_t nextWord(size_t i, size_t end) const;
  bool startsNew(size_t begin, size_t i, size_t next, BlockKind kind) const;
  size_t statementEnd(Span block, BlockKind kind) const;
  bool isOneLine(Span span, BlockKind kind) const;
  bool isOneLineBlock(size_t open, BlockKind kind) const;
  BlockKind blockKind(size_t first, size_t open) const;
  bool isHead(size_t open) const;
  Span withoutComments(Span span) const;

  // Blocks and statements.
  void printBlock(Span block, size_t indent, BlockKind kind);
  size_t printElse(Span span, size_t first, size_t indent);
  void printStatement(Span span, size_t indent, BlockKind kind);
  void printHead(Span span, size_t indent, BlockKind kind);
  bool printSettingsLine(size_t open, BlockKind kind);
  void printClauses(Span span, size_t indent);
  void startStatement(size_t i, Span block, size_t indent, BlockKind kind,
                      const Word *previous);

  // Parts of statements.
  void print(Span span, size_t indent, size_t reserved);
  bool printList(Span span, size_t indent, size_t reserved);
  bool printChain(Span span, size_t indent, size_t reserved);
  void printElements(llvm::ArrayRef<Span> elements, size_t indent, size_t inner,
                     size_t reserved, bool keepsLines);
  void printBracket(size_t open, size_t indent, size_t reserved);
  llvm::SmallVector<Span>
  split(Span span, llvm::function_ref<bool(const Word &)> ends) const;
  size_t width(Span span) const;
  bool fits(Span span, size_t reserved) const;

  // Output.
  void printFlat(Span span);
  void printWord(size_t i);
  void newLine(size_t indent);
  size_t column() const { return text.size() - lineStart; }

  llvm::ArrayRef<Word> words;
  std::string text;
  size_t lineStart = 0;
  /// The word that was printed last, and whether it is on this line.
  const Word *last = nullptr;
  bool atLineStart = true;
  /// Where a line that a comment forces begins.
  size_t wrapIndent = 0;
};

} // namespace tile::frontend

#endif // TILE_FRONTEND_FORMATTER_H
