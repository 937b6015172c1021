//===- Command.h - What all commands of tile-bench share --------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exit codes: 0 measured; 1 a wrong result, input or option; 2 no GPU or no
// driver.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_COMMAND_H
#define TILE_TOOLS_BENCH_COMMAND_H

#include "tile/Runtime/Result.h"

#include <string>

namespace tile::bench {

/// The machine lacks what the command needs; nothing was wrong.
inline constexpr int kNoDevice = 2;

/// Each command gets the arguments from its own name on.
int runGemm(int argc, char **argv);
int runSuite(int argc, char **argv);
int runCompile(int argc, char **argv);
int runReport(int argc, char **argv);

/// Prints the error and gives back `code`.
int fail(const std::string &message, int code = 1);
/// "tile-bench suite --quick"; of a file named by an absolute path only the
/// name, since the folder means nothing on another machine.
std::string commandLine(int argc, char **argv);

runtime::Result<std::string> readFile(const std::string &path);
runtime::Status writeFile(const std::string &path, const std::string &text);

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_COMMAND_H
