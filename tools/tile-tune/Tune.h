//===- Tune.h - From a program to the fastest choice ------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TUNE_TUNE_H
#define TILE_TOOLS_TUNE_TUNE_H

#include "Options.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tile::tune {

/// Tunes what the options ask for and prints what was found; the dialects are
/// registered in `context`.
run::StepResult tuneProgram(const Options &options, mlir::MLIRContext &context);

} // namespace tile::tune

#endif // TILE_TOOLS_TUNE_TUNE_H
