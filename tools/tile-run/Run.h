//===- Run.h - One run from the command line to the exit code ---*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_RUN_H
#define TILE_RUN_RUN_H

#include "Options.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tile::run {

class FirstBits;

/// Runs the kernel and prints the report; the dialects are registered in
/// `context`.  `firstBits` is shared by the plans of a run.
StepResult runKernel(const Options &options, mlir::MLIRContext &context,
                     FirstBits &firstBits);

} // namespace tile::run

#endif // TILE_RUN_RUN_H
