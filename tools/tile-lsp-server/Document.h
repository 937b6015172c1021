//===- Document.h - A .tile source that is open in an editor ----*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_LSPSERVER_DOCUMENT_H
#define TILE_TOOLS_LSPSERVER_DOCUMENT_H

#include "Layouts.h"
#include "LineTable.h"

#include "tile/Frontend/Frontend.h"
#include "tile/Frontend/SourceIndex.h"
#include "tile/Frontend/SourceNames.h"

namespace tile::editor {

/// One version of a source, compiled when it is made.
class Document {
public:
  Document(const llvm::lsp::URIForFile &uri, llvm::StringRef text,
           mlir::MLIRContext &context);

  std::vector<llvm::lsp::Diagnostic> diagnostics() const;
  /// What stands at the place: a definition, a function of the language, or an
  /// expression with its type.
  std::optional<llvm::lsp::Hover> hover(llvm::lsp::Position position) const;
  std::vector<llvm::lsp::Location>
  definition(llvm::lsp::Position position) const;
  llvm::lsp::CompletionList completion(llvm::lsp::Position position) const;
  /// The edits that bring the source into its one form; none if it does not
  /// parse.
  std::vector<llvm::lsp::TextEdit> formatting() const;

private:
  llvm::StringRef source() const;
  /// The source up to the place.
  llvm::StringRef before(llvm::SMLoc place) const;
  void compile(mlir::MLIRContext &context);
  llvm::lsp::Diagnostic convert(const frontend::Diagnostic &diagnostic) const;
  std::string describe(const frontend::Definition &definition,
                       llvm::StringRef word) const;
  Layouts::Place placeOf(const char *at) const;
  const Layouts *layouts() const;
  std::string describeLayout(llvm::SMRange range,
                             const frontend::Definition *definition) const;

  llvm::lsp::URIForFile uri;
  llvm::SourceMgr sources;
  LineTable lines;
  frontend::SourceNames names;
  frontend::SourceIndex index;
  std::vector<frontend::Diagnostic> found;
  /// Null if the source is wrong.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Made by the first hover over a tile.
  mutable std::unique_ptr<Layouts> lowered;
};

} // namespace tile::editor

#endif // TILE_TOOLS_LSPSERVER_DOCUMENT_H
