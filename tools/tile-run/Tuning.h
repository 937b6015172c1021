//===- Tuning.h - Runs that take what was fastest ---------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_TUNING_H
#define TILE_RUN_TUNING_H

#include "Launch.h"
#include "Options.h"

#include "tile/Frontend/TuneBlock.h"
#include "tile/Runtime/TuningTable.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tile::run {

/// Whether the command line gives the compile-time parameter, or the decision
/// of the plan, its value.
bool isGiven(const Options &options, llvm::StringRef name);

/// `options` with these compile-time parameters and decisions of the plan, each
/// NAME=VALUE, but for those that are given already.
Options withChoice(const Options &options,
                   const std::vector<std::string> &parameters,
                   const std::vector<std::string> &settings);

/// `options` without values for the names that the declarations have candidates
/// for: the program as it stands.
Options withoutTuned(const Options &options,
                     llvm::ArrayRef<frontend::TuneBlock> tunes);

/// Reads the tune declarations of `sources`, the file of `options`; what is
/// wrong with them is printed with its place.
StepResult readTunes(const Options &options, llvm::SourceMgr &sources,
                     std::vector<frontend::TuneBlock> &tunes);

/// What a run is called in tables: its heading without "run ".
llvm::StringRef runName(const Options &run);

/// Makes what the run is called in a tuning table.  `run` is the program as it
/// stands, without values for what is tuned, `tunes` the declarations for its
/// kernel, `target` the chip that is compiled for.
StepResult findTuningKey(const Options &run, mlir::MLIRContext &context,
                         llvm::ArrayRef<frontend::TuneBlock> tunes,
                         const runtime::DeviceFacts &device,
                         llvm::StringRef target, runtime::TuningKey &key);

/// Reads a table; an empty file is one without entries.  An error names the
/// file, and is also what a setting gives that the planner does not know.
runtime::Result<runtime::TuningTable> readTable(llvm::StringRef path);

/// Replaces each run, made from `options`, by the one that the table of
/// `options` says is fastest on the GPU, and says on stderr which that is, or
/// why there is none.
StepResult applyTuning(const Options &options, mlir::MLIRContext &context,
                       std::vector<Options> &runs);

} // namespace tile::run

#endif // TILE_RUN_TUNING_H
