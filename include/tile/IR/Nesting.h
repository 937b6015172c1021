//===- Nesting.h - How deep a text nests ------------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's parser calls itself for what is nested, and so do passes and printers:
// a text that nests some thousands deep ends the process.  Whoever reads text
// that others wrote looks here first.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_IR_NESTING_H
#define TILE_IR_NESTING_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tile {

/// Levels that IR may nest: regions, attributes, types, parentheses, words of
/// an affine expression, and what an alias stands for count alike.
inline constexpr unsigned kMaxNesting = 256;

/// The position in `text`, IR in MLIR's syntax, from where it nests more than
/// kMaxNesting deep; nothing if it nowhere does.  The text need not be valid;
/// every piece between `// -----` lines starts anew.
std::optional<size_t> findDeepNesting(llvm::StringRef text);

} // namespace tile

#endif // TILE_IR_NESTING_H
