//===- Candidates.h - Choices that the compiler takes -----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TUNE_CANDIDATES_H
#define TILE_TOOLS_TUNE_CANDIDATES_H

#include "Choices.h"

#include "tile/Target/Compile.h"

namespace tile::tune {

/// A choice and what is known of it.
struct Candidate {
  Choice choice;
  /// The run with this choice.
  run::Options run;
  /// Why it is out; empty while it is in.
  std::string refusal;
  /// Code for all variants, where that was asked for.
  std::optional<CompiledKernel> code;

  bool isIn() const { return refusal.empty(); }
};

/// How candidates are compiled.
struct CompileSetup {
  /// Text of the program.
  llvm::StringRef source;
  /// The chip.
  std::string target;
  /// Threads; 0 for one on each core.
  unsigned numThreads = 0;
  /// Whether PTX is made, or only plans.
  bool withCode = false;
  /// Whether plans are lowered as code would be, for what that refuses.
  bool withLowering = false;
};

/// Compiles the candidates that are in.  Those that the front end or the
/// planner refuse (for shared memory, say), and those whose loops carry more
/// than the registers hold, are out, for the compiler's reason in the words of
/// the language.
void compileAll(std::vector<Candidate> &candidates, const CompileSetup &setup);

} // namespace tile::tune

#endif // TILE_TOOLS_TUNE_CANDIDATES_H
