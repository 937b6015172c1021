//===- Lints.h - Warnings about programs that are valid ---------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_LINTS_H
#define TILE_FRONTEND_LINTS_H

#include "Diagnostics.h"

#include "tile/Frontend/RunBlock.h"
#include "tile/IR/TileOps.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace tile::frontend {

/// In the order of `lints()`.
enum class Lint {
  UnmaskedTail,
  F16Accumulator,
  IndexOverflow,
  Tf32,
  Uncoalesced,
  UninitialisedOutput,
  UnorderedRead,
  Comment
};

/// A set of lints, one bit each.
using LintSet = unsigned;
inline LintSet bitOf(Lint lint) { return 1u << unsigned(lint); }

/// The lint of this name.
std::optional<Lint> findLint(llvm::StringRef name);

/// Where an op stands, and which lints are silent there.
struct LintPlace {
  llvm::SMRange range;
  LintSet allowed = 0;
};
using LintPlaces = llvm::DenseMap<mlir::Operation *, LintPlace>;

/// Looks at a finished kernel; only ops that have a place are reported.
void lintKernel(KernelOp kernel, const LintPlaces &places,
                DiagnosticList &warnings);

/// Looks at the loads and stores of a finished kernel for lanes that are apart
/// in memory.
void lintAccesses(KernelOp kernel, const LintPlaces &places,
                  DiagnosticList &warnings);

/// Looks for sums in memory that a run block leaves uninitialised.
void lintOutputs(KernelOp kernel, const LintPlaces &places,
                 llvm::ArrayRef<RunBlock> runs, DiagnosticList &warnings);

/// Looks for branches on what an update returns that read what the kernel has
/// written before: whether other programs have is not known there.
void lintOrder(KernelOp kernel, const LintPlaces &places,
               DiagnosticList &warnings);

/// Adds a warning of this lint.
void warn(DiagnosticList &warnings, Lint lint, llvm::SMRange range,
          const llvm::Twine &message, const llvm::Twine &help,
          std::vector<Diagnostic::Note> notes = {});

/// Adds a warning about the op, unless its place is not known or allows it.
void warnAt(DiagnosticList &warnings, Lint lint, mlir::Operation *op,
            const LintPlaces &places, const llvm::Twine &message,
            const llvm::Twine &help, std::vector<Diagnostic::Note> notes = {});

/// The argument's name, or that of a variable in the source; empty if none.
std::string sourceName(KernelOp kernel, mlir::Value value);

} // namespace tile::frontend

#endif // TILE_FRONTEND_LINTS_H
