//===- ExitCode.h - What a tool says by its exit code -----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_OPTIONS_EXITCODE_H
#define TILE_TOOLS_OPTIONS_EXITCODE_H

namespace tile {

/// One list for all tools; the table in docs/Testing.md says what each means
/// where.
enum class ExitCode : int {
  Ok = 0,
  /// The tool did its work and found something wrong.
  Mismatch = 1,
  /// The command line.
  Usage = 2,
  /// An input that cannot be read, or does not compile.
  Compile = 3,
  /// A run that failed, a machine that lacks what it needs, an output that
  /// cannot be written.
  Runtime = 4,
};

} // namespace tile

#endif // TILE_TOOLS_OPTIONS_EXITCODE_H
