//===- SourceNames.h - The names of a source --------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which names a source defines and where they mean something, from its words
// alone: an editor needs that while the source does not parse.  A name has one
// meaning in the language, so that brackets are enough to tell its scope.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_SOURCENAMES_H
#define TILE_FRONTEND_SOURCENAMES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"

#include <optional>
#include <string>
#include <vector>

namespace tile::frontend {

/// A name that a source defines.
struct Definition {
  enum Kind {
    Kernel,
    Function,
    Parameter, ///< of compile time
    Argument,  ///< of a kernel or a function
    Side,      ///< of a tensor
    Value,     ///< `let`
    Variable,  ///< `var`
    Index      ///< of a loop
  };
  Kind kind = Value;
  llvm::StringRef name;
  /// What was written, as far as it fits one line: `x: *T`, `fn f(a, b)`.
  std::string text;
  /// Comments on the lines above a kernel or a function, without slashes.
  std::string comment;
  /// Where the name means this.
  const char *scopeBegin = nullptr;
  const char *scopeEnd = nullptr;
};

/// All names of a source, which stays with the caller.
class SourceNames {
public:
  explicit SourceNames(llvm::StringRef source);

  /// The word at the place, or that ends there; empty in comments and texts.
  llvm::StringRef wordAt(llvm::SMLoc place) const;
  /// Whether the place is in a comment or a text.
  bool isProse(llvm::SMLoc place) const;
  /// The definition of a word of this source; null if it has none.
  const Definition *find(llvm::StringRef word) const;
  /// What a name that is written at the place can mean.
  std::vector<const Definition *> visibleAt(llvm::SMLoc place) const;

private:
  std::vector<Definition> definitions;
  /// Words that are letters, in order.
  std::vector<llvm::StringRef> words;
  /// Those of them that stand for no definition: properties, and names of
  /// arguments in calls; by their places.
  std::vector<const char *> foreign;
  /// Comments and texts, in order.
  std::vector<llvm::StringRef> prose;
};

} // namespace tile::frontend

#endif // TILE_FRONTEND_SOURCENAMES_H
