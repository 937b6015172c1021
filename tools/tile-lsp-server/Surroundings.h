//===- Surroundings.h - What a place of a source stands in ------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_LSPSERVER_SURROUNDINGS_H
#define TILE_TOOLS_LSPSERVER_SURROUNDINGS_H

#include "llvm/ADT/StringRef.h"

namespace tile::editor {

/// The brackets around a place, from the text in front of it alone: an editor
/// asks while the source does not parse.
struct Surroundings {
  enum Block { File, Statements, Arrange, Run, Tune };
  /// What the braces around the place are of.
  Block block = File;
  /// The function whose parentheses are the innermost bracket; empty in others.
  llvm::StringRef call;
};

/// What the end of `before`, which begins a source, stands in.
Surroundings surroundingsOf(llvm::StringRef before);

} // namespace tile::editor

#endif // TILE_TOOLS_LSPSERVER_SURROUNDINGS_H
