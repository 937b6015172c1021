//===- Options.h - tilec's command line -------------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TILEC_OPTIONS_H
#define TILE_TOOLS_TILEC_OPTIONS_H

#include "options/ExitCode.h"
#include "tile/Target/Compile.h"

#include <optional>
#include <string>

namespace tile::tilec {

/// What is written.
enum class Emit {
  Arrangement,
  Tile,
  Planned,
  GPU,
  LLVM,
  PTX,
  Cubin,
  Manifest,
  Header
};

/// The command line.
struct Options {
  std::string input;
  std::string output;
  Emit emit;
  /// The assembler for --emit=cubin.
  std::string ptxas;
  /// Count the instructions of the PTX: instead of it, or on standard error
  /// beside the code that --emit asks for.
  bool census;
  /// Whether --emit was given.
  bool emitIsGiven;
  CompileOptions compile;
  /// NAME=VALUE of compile-time parameters, for a .tile source.
  std::vector<std::string> parameters;
  /// NAME=VALUE of sides, for --emit=arrangement.
  std::vector<std::string> sizes;
  /// Lints of a .tile source that are not to be reported.
  std::vector<std::string> allowedLints;
  /// Errors and warnings of a .tile source as JSON, one a line.
  bool jsonDiagnostics;
};

/// Reads the command line.  A code ends the process: help was asked for, or
/// something is wrong and has been said.
std::optional<ExitCode> parseOptions(int argc, char **argv, Options &options);

} // namespace tile::tilec

#endif // TILE_TOOLS_TILEC_OPTIONS_H
