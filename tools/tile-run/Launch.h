//===- Launch.h - A kernel and what a launch of it needs --------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_LAUNCH_H
#define TILE_RUN_LAUNCH_H

#include "Failure.h"
#include "HostTensor.h"

#include "mlir/IR/BuiltinOps.h"
#include "tile/IR/TileOps.h"

#include <array>

namespace tile::run {

using Grid = std::array<int64_t, 3>;

/// One argument's value.
struct LaunchArgument {
  std::string name;
  runtime::ArgumentType type;
  /// Of a pointer: what the memory behind it is made of.
  TensorShape shape;
  Fill fill;
  /// Of a pointer: the memory, once it has been made.
  std::optional<HostTensor> tensor;
  /// Of a scalar; an integer is sign-extended.
  uint64_t bits = 0;

  int64_t integer() const { return static_cast<int64_t>(bits); }
};

/// What is to be run.
struct Launch {
  mlir::ModuleOp module;
  /// Symbol of the kernel without its variant.
  std::string kernelName;
  /// Name of the variant that is forced; empty for the first that fits.
  std::string variant;
  std::vector<LaunchArgument> arguments;
  /// The caller's grid.
  std::optional<Grid> grid;
  /// What gives it, for people.
  std::string gridOrigin = "-g";
  /// Whether a run block may give it.
  bool isRunBlock = false;
  /// The chip that code is for, and decisions that are given, each KEY=VALUE;
  /// an empty chip: the device's own.
  std::string target;
  std::vector<std::string> settings;
  /// Whether to time repeated runs.
  bool bench = false;
  /// Turns of a loop after which the interpreter gives up; 0: its default.
  uint64_t maxIterations = 0;
};

/// What --verify-passes did with one variant.
struct VerifiedVariant {
  std::string name;
  /// Passes that ran, and those of them after which the kernel was another.
  unsigned numPasses = 0, numChanged = 0;
};

/// What was run.
struct Outcome {
  std::string device;
  /// Name of the variant; empty where the kernel has none.
  std::string variant;
  Grid grid = {0, 0, 0};
  double milliseconds = 0;
  /// Times of the repeated runs, in microseconds.
  std::vector<double> repeats;
  /// Variants that --verify-passes found the same bits for after each pass.
  std::vector<VerifiedVariant> verified;
};

} // namespace tile::run

#endif // TILE_RUN_LAUNCH_H
