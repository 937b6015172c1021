//===- Options.h - The command line of tile-run -----------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_OPTIONS_H
#define TILE_RUN_OPTIONS_H

#include "ArgumentSpec.h"
#include "Compare.h"
#include "Expectation.h"
#include "Failure.h"

#include "llvm/ADT/StringSet.h"

#include <array>
#include <memory>

namespace tile::run {

/// Which device to run on.
enum class DeviceChoice : uint8_t { Auto, Cuda, Interpreter };

/// What --verify-passes is asked for.
struct PassVerification {
  /// The pass after which the kernel is broken, for tests; empty for none.
  std::string breakAfter;
};

/// The command line, read and checked as far as it can be without the kernel.
struct Options {
  std::string file;
  std::string kernel;
  std::string variant;
  /// The tuning table to ask; empty for none.
  std::string table;
  /// NAME=VALUE of compile-time parameters, for a .tile source.
  std::vector<std::string> parameters;
  /// Lints of a .tile source that are not to be reported.
  std::vector<std::string> allowedLints;
  DeviceChoice device = DeviceChoice::Auto;
  /// The chip that code is for, of `tile/GPU/Target.h`; empty where none is
  /// given.  This, the values of `settings` and `variant` may be lists with
  /// commas until expandPlans().
  std::string target;
  /// Decisions that are given, each KEY=VALUE.
  std::vector<std::string> settings;
  std::optional<std::array<int64_t, 3>> grid;
  /// What gives the grid, for people.
  std::string gridOrigin = "-g";
  std::vector<ArgumentSpec> arguments;
  std::vector<ExpectedResult> expectations;
  Tolerance tolerance;
  /// Argument and file.
  std::vector<std::pair<std::string, std::string>> dumps;
  /// What the run is called, where there may be several of one file.
  std::string heading;
  /// Where its run block stands, as FILE:LINE:COLUMN; empty for none.
  std::string place;
  /// Whether that block cannot be run, which has been said.
  bool isOut = false;
  /// Whether the command line says nothing of that block, so that what is wrong
  /// with the run is wrong in the file.
  bool isAsWritten = false;
  /// What sets it apart from other plans of the same run; empty for one plan.
  std::string plan;
  /// Errors and warnings of a .tile file that have been printed, each as
  /// FILE:LINE:COLUMN and its message: of several runs one says so.
  std::shared_ptr<llvm::StringSet<>> said =
      std::make_shared<llvm::StringSet<>>();
  /// The kernels of a .tile file that are compiled; all if there is none.
  std::vector<std::string> compiledKernels;
  /// What compile-time parameters of a run block's kernel are, each NAME=VALUE,
  /// defaults included.
  std::vector<std::string> parameterValues;
  bool bench = false;
  /// Turns of a loop after which the interpreter takes it to be endless.
  uint64_t maxIterations = 0;
  /// Bytes that all tensors may take together.
  uint64_t memoryLimit = std::numeric_limits<uint64_t>::max();
  bool json = false;
  /// Errors and warnings of the source as JSON.
  bool jsonDiagnostics = false;
  /// Whether every plan must leave the bits of the first.
  bool sameBits = false;
  /// Report how the results were rounded.
  bool numerics = false;
  /// Set with --verify-passes.
  std::optional<PassVerification> verification;
};

/// Reads the command line; --help and --version end the process.
StepResult readOptions(int argc, char **argv, Options &options);

} // namespace tile::run

#endif // TILE_RUN_OPTIONS_H
