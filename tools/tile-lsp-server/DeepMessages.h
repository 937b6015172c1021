//===- DeepMessages.h - Keeps deep nesting from the servers -----*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parsers of JSON and of IR call themselves for what is nested; a message or a
// document that nests some thousands deep would end the server.  MLIR's server
// reads standard input itself, so what it reads there is made here: a thread
// reads what the editor sends and hands it on through a pipe,
//   - without messages that nest too deep, which it reports to stderr;
//   - where IR in a document nests too deep, with a text instead that parses to
//     one error at that place.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_LSP_DEEPMESSAGES_H
#define TILE_TOOLS_LSP_DEEPMESSAGES_H

#include "tile/Runtime/Result.h"

#include "llvm/Support/LSP/Transport.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tile::editor {

/// Methods that requests get which the protocol forbids; the server answers
/// them with an error.
inline constexpr llvm::StringLiteral kInvalidRequest = "tile/invalidRequest";
inline constexpr llvm::StringLiteral kNotInitialized = "tile/notInitialized";

/// Puts the thread between the editor and standard input, for the rest of the
/// process.  Documents are looked at where they are IR (`isIR`).
runtime::Status filterStandardInput(llvm::lsp::JSONStreamStyle style,
                                    bool isIR);

/// Makes the replacement of a document that nests too deep known to a parser.
void registerDeepDocuments(mlir::DialectRegistry &registry);

} // namespace tile::editor

#endif // TILE_TOOLS_LSP_DEEPMESSAGES_H
