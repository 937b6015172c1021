//===- Program.h - A .tile file and what to tune in it ----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TUNE_PROGRAM_H
#define TILE_TOOLS_TUNE_PROGRAM_H

#include "Candidates.h"

#include "llvm/Support/SourceMgr.h"

namespace tile::tune {

/// One run block with the choices for its kernel.
struct Task {
  /// Declarations for the kernel.
  std::vector<frontend::TuneBlock> tunes;
  /// The run of the program as it stands.
  run::Options standing;
  /// That run comes first.
  std::vector<Candidate> candidates;
  /// Choices that constraints exclude.
  size_t numExcluded = 0;
};

/// A .tile file.
class Program {
public:
  /// `options` are what every choice shares, and stay with the caller.
  explicit Program(run::Options &options) : options(options) {}

  /// Reads the file.  What is asked for must have a declaration and a run
  /// block.  Arguments that are decisions of the plan become settings.
  run::StepResult read();

  llvm::StringRef text() const;
  /// Those of kernels that have a declaration, in order.
  llvm::ArrayRef<frontend::RunBlock> blocks() const { return runBlocks; }

  /// Lists what there is to try with one of the blocks.
  run::StepResult list(const frontend::RunBlock &block, Task &task) const;

  /// Prints the error with its place, where there is one.
  run::StepResult complain(const run::PlacedError &error) const;

private:
  run::StepResult readTunes();
  run::StepResult takeDecisions();
  Surroundings surroundings(const frontend::RunBlock &block,
                            const Task &task) const;
  void addCandidate(const frontend::RunBlock &block, Choice choice,
                    Task &task) const;

  run::Options &options;
  llvm::SourceMgr sources;
  std::vector<frontend::RunBlock> runBlocks;
  std::vector<frontend::TuneBlock> tunes;
};

} // namespace tile::tune

#endif // TILE_TOOLS_TUNE_PROGRAM_H
