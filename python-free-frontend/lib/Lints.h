//===- Lints.h - Warnings about programs that are valid ---------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_LINTS_H
#define TILE_FRONTEND_LINTS_H

#include "Diagnostics.h"

#include "tile/IR/TileOps.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace tile::frontend {

/// In the order of `lints()`.
enum class Lint { UnmaskedTail, F16Accumulator, IndexOverflow, Tf32, Comment };

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

/// Adds a warning of this lint.
void warn(DiagnosticList &warnings, Lint lint, llvm::SMRange range,
          const llvm::Twine &message, const llvm::Twine &help);

} // namespace tile::frontend

#endif // TILE_FRONTEND_LINTS_H
