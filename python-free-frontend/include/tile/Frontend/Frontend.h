//===- Frontend.h - The .tile language, text to tile IR ---------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_FRONTEND_H
#define TILE_FRONTEND_FRONTEND_H

#include "tile/Frontend/TuneBlock.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/SourceMgr.h"

#include <string>
#include <vector>

namespace tile::frontend {

class SourceIndex;

/// Something to say about a place in the source.
struct Diagnostic {
  /// A second place that the error is about.
  struct Note {
    llvm::SMRange range;
    std::string message;
  };
  llvm::SMRange range;
  std::string message;
  std::vector<Note> notes;
  /// What to write instead, where that is likely; empty otherwise.
  std::string help;
  /// Of a warning: the name that `@allow(NAME)` silences.  Empty for an error.
  std::string lint;
  /// Of an error: it is in the options, not in the source, whose place, if
  /// there is one, says what they are about.
  bool isOfOptions = false;

  bool isWarning() const { return !lint.empty(); }
};

/// A warning that the language has.
struct LintInfo {
  llvm::StringLiteral name;
  /// One sentence for people.
  llvm::StringLiteral summary;
};

/// All lints, in the order of the documentation.
llvm::ArrayRef<LintInfo> lints();

/// How to compile a source.
struct Options {
  /// Values of compile-time parameters, each `NAME=VALUE`: they replace the
  /// defaults in every kernel that has a parameter of that name.
  std::vector<std::string> parameters;
  /// The kernels to compile; all of them if there is none.
  std::vector<std::string> kernels = {};
  /// Names of lints that are not to be reported.
  std::vector<std::string> allowed = {};
  /// Of an editor: what is filled with what expressions are.  Parameters
  /// without a value then take it from a run block, and a kernel that has none
  /// is left out instead of an error.
  SourceIndex *index = nullptr;
  /// Kernels that are not compiled.
  std::vector<std::string> except = {};
};

/// What the arrangements of the kernels are after each step.
struct ArrangementTrace {
  /// Values of sides, each `NAME=VALUE`; others keep their names.
  std::vector<std::string> sizes;
  /// "a squeezed: (2, 4) -> (3,) -> (64, 64)".
  std::vector<std::string> lines;
};

/// Compiles the main buffer of `sources` to a verified module, or returns null
/// and says why.  A module may come with warnings.  The dialects are loaded
/// into the context as needed.
mlir::OwningOpRef<mlir::ModuleOp>
compileSource(llvm::SourceMgr &sources, const Options &options,
              mlir::MLIRContext &context, std::vector<Diagnostic> &diagnostics,
              ArrangementTrace *trace = nullptr);

/// The run blocks of the main buffer in their order, or nothing and why.
std::optional<std::vector<RunBlock>>
readRuns(llvm::SourceMgr &sources, std::vector<Diagnostic> &diagnostics);

/// A run block for the kernel that says nothing of it, as if all was said
/// elsewhere; nothing where the file has no such kernel or is wrong.
std::optional<RunBlock> readKernel(llvm::SourceMgr &sources,
                                   llvm::StringRef kernel);

/// The tune declarations of the main buffer in their order, or nothing and why.
std::optional<std::vector<TuneBlock>>
readTunes(llvm::SourceMgr &sources, std::vector<Diagnostic> &diagnostics);

/// Whether the first error is one of the options: the command line is wrong
/// then, and not the file.
bool isOfOptions(llvm::ArrayRef<Diagnostic> diagnostics);

/// Line and column in bytes, both from 1; a mark in front of the file counts
/// for nothing.
std::pair<unsigned, unsigned> lineAndColumn(const llvm::SourceMgr &sources,
                                            llvm::SMLoc place);

/// Prints each with its line, the place marked below it.
void printDiagnostics(const llvm::SourceMgr &sources,
                      llvm::ArrayRef<Diagnostic> diagnostics,
                      llvm::raw_ostream &os);

/// Prints each as a JSON object on a line of its own; docs/Language.md lists
/// the fields.
void printDiagnosticsAsJson(const llvm::SourceMgr &sources,
                            llvm::ArrayRef<Diagnostic> diagnostics,
                            llvm::raw_ostream &os);

} // namespace tile::frontend

#endif // TILE_FRONTEND_FRONTEND_H
