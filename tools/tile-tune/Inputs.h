//===- Inputs.h - What choices compute from, and expect ---------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TUNE_INPUTS_H
#define TILE_TOOLS_TUNE_INPUTS_H

#include "Candidates.h"

#include "tile-run/Case.h"

#include <memory>

namespace tile::tune {

/// A case that choices share.
struct Input {
  Input(const run::Options &options, mlir::MLIRContext &context)
      : options(options), theCase(this->options, context) {}

  run::Options options;
  run::Case theCase;
  /// The arguments as they are before a run.
  std::vector<run::LaunchArgument> fresh;
  /// The arguments as a right run left them; empty before the first.
  std::vector<run::LaunchArgument> right;
};

/// Cases by what they compute from and what is expected of them.  Nearly always
/// all choices share one; they differ where a tensor's side is a compile-time
/// parameter that is tuned.
class Inputs {
public:
  explicit Inputs(mlir::MLIRContext &context) : context(context) {}

  /// The case of this run, from those that there are or made now.
  run::StepResult find(const run::Options &options, Input *&input);

  /// The case of a candidate.  One that has none is out, and `input` null; that
  /// the program as it stands has none is a failure.
  run::StepResult findFor(Candidate &candidate, Input *&input);

  /// Compares what the arguments of `input`'s launch hold now with what is
  /// expected, and makes them fresh again.  `wrong` is what is wrong in words;
  /// empty if nothing is.
  static run::StepResult check(Input &input, std::string &wrong);

private:
  mlir::MLIRContext &context;
  std::vector<std::unique_ptr<Input>> list;
};

} // namespace tile::tune

#endif // TILE_TOOLS_TUNE_INPUTS_H
