//===- RunBlocks.h - Runs that a .tile file asks for ------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_RUNBLOCKS_H
#define TILE_RUN_RUNBLOCKS_H

#include "Options.h"
#include "PlacedError.h"

#include "tile/Frontend/Frontend.h"
#include "tile/Frontend/RunBlock.h"
#include "llvm/Support/SourceMgr.h"

namespace tile::run {

/// Reads the file into `sources`, and its run blocks: those of the kernel that
/// is asked for, or all.
StepResult readRunBlocks(const Options &options, llvm::SourceMgr &sources,
                         std::vector<frontend::RunBlock> &blocks);

/// Prints what a source has to say, in the form that is asked for.
void printDiagnostics(const Options &options, const llvm::SourceMgr &sources,
                      llvm::ArrayRef<frontend::Diagnostic> diagnostics);

/// Prints the errors of the kernels of a .tile file that no run has compiled,
/// as far as their parameters have values.
void printOtherErrors(const Options &options, llvm::ArrayRef<Options> runs,
                      mlir::MLIRContext &context);

/// Prints what is wrong at a place in the file.
void printError(const Options &options, const llvm::SourceMgr &sources,
                const PlacedError &error);

/// Every NAME=... of the command line must say something to some block.
StepResult checkNames(const Options &options,
                      llvm::ArrayRef<frontend::RunBlock> blocks);

/// Makes the options of one block: what the block says, where the command line
/// says nothing else.
StepResult expandRun(const Options &options, const llvm::SourceMgr &sources,
                     const frontend::RunBlock &block, Options &run);

/// One set of options for each run block of a .tile file (of the kernel, if one
/// is given): what the block says, where the command line says nothing else.
/// Without a block, `options` as they are; they must name a kernel then.
/// Blocks that cannot be run are out, and the reasons are returned.
std::vector<Failure> expandRuns(const Options &options,
                                std::vector<Options> &runs);

} // namespace tile::run

#endif // TILE_RUN_RUNBLOCKS_H
