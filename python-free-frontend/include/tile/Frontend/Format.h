//===- Format.h - The one form of a .tile source ----------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_FORMAT_H
#define TILE_FRONTEND_FORMAT_H

#include "tile/Frontend/Frontend.h"

namespace tile::frontend {

/// A formatted source, or why there is none.
struct FormatResult {
  /// The text; absent where the source does not parse.
  std::optional<std::string> text;
  /// Errors of the parser; their ranges point into the source.
  std::vector<Diagnostic> diagnostics;
};

/// Brings a source into its one form.  Only white space changes, and ';' goes
/// where it ends a statement, so the program is the same; comments stay where
/// they are.  Formatting the result changes nothing.  docs/Editors.md has the
/// rules.
FormatResult format(llvm::StringRef source);

} // namespace tile::frontend

#endif // TILE_FRONTEND_FORMAT_H
