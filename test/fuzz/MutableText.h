//===- MutableText.h - A text and what can be changed in it -----*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FUZZ_MUTABLETEXT_H
#define TILE_FUZZ_MUTABLETEXT_H

#include "Words.h"

#include "llvm/ADT/ArrayRef.h"

namespace tile::fuzz {

/// Lines of a block that are of one kind.
struct Statement {
  size_t first, last;
  /// Forms of such statements; '#' stands for a name.
  llvm::ArrayRef<llvm::StringLiteral> alike;
};

/// A text with its words and statements.
class Text {
public:
  explicit Text(llvm::StringRef source);

  size_t begin(size_t word) const {
    return words[word].text().data() - source.data();
  }
  size_t end(size_t word) const {
    return begin(word) + words[word].text().size();
  }
  llvm::StringRef slice(size_t first, size_t last) const {
    return source.slice(begin(first), end(last));
  }
  bool opens(size_t i) const {
    return words[i].isOpen() && words[i].partner > i &&
           words[i].partner < words.size();
  }
  bool isOperand(size_t i) const;

  llvm::StringRef source;
  std::vector<frontend::Word> words;
  std::vector<Statement> statements;

private:
  void addBlock(size_t brace);

  llvm::StringRef declaration = "";
};

} // namespace tile::fuzz

#endif // TILE_FUZZ_MUTABLETEXT_H
