//===- Options.h - The command line of tile-tune ----------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TUNE_OPTIONS_H
#define TILE_TOOLS_TUNE_OPTIONS_H

#include "tile-run/Options.h"
#include "timing/Turns.h"

namespace tile::tune {

/// The command line, read and checked as far as it can be without the program.
struct Options {
  /// What every choice shares: file, kernel, arguments, parameters, settings,
  /// device and chip.
  run::Options run;
  /// The table that results are added to; empty for none.
  std::string table;
  /// Only list what there is to try.
  bool isDry = false;
  unsigned numThreads = 0;
  timing::TurnOptions turns;
};

/// Reads the command line; --help and --version end the process.
run::StepResult readOptions(int argc, char **argv, Options &options);

} // namespace tile::tune

#endif // TILE_TOOLS_TUNE_OPTIONS_H
