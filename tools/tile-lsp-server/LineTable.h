//===- LineTable.h - Places of a text as editors count them -----*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_LSPSERVER_LINETABLE_H
#define TILE_TOOLS_LSPSERVER_LINETABLE_H

#include "llvm/Support/LSP/Protocol.h"

#include <vector>

namespace tile::editor {

/// Converts places of a text, which stays with the caller, to lines and UTF-16
/// units in them, and back.
class LineTable {
public:
  explicit LineTable(llvm::StringRef text);

  llvm::lsp::Position position(const char *place) const;
  llvm::lsp::Range range(llvm::SMRange range) const;
  /// Of a place behind the end of its line or of the text: that end.
  llvm::SMLoc place(llvm::lsp::Position position) const;

private:
  llvm::StringRef text;
  /// Where each line begins.
  std::vector<const char *> starts;
};

} // namespace tile::editor

#endif // TILE_TOOLS_LSPSERVER_LINETABLE_H
