//===- Command.h - What all commands of tile-bench share --------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exit codes: 0 measured; 1 a wrong result; 2 a wrong option; 3 an input that
// cannot be read or does not compile; 4 no GPU or no driver, a run that failed,
// or an output that cannot be written.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_COMMAND_H
#define TILE_TOOLS_BENCH_COMMAND_H

#include "options/ExitCode.h"
#include "tile/Runtime/Result.h"

#include <optional>
#include <string>

namespace tile::bench {

/// Each command gets the arguments from its own name on.
int runGemm(int argc, char **argv);
int runSuite(int argc, char **argv);
int runCompile(int argc, char **argv);
int runReport(int argc, char **argv);

/// Prints the error and gives back `code`.
int fail(const std::string &message, ExitCode code = ExitCode::Usage);
/// Reads a command's options; the exit code where they are wrong.
std::optional<int> parseOptions(int argc, char **argv, const char *overview);
/// "tile-bench suite --quick"; of a file named by an absolute path only the
/// name, since the folder means nothing on another machine.
std::string commandLine(int argc, char **argv);

runtime::Result<std::string> readFile(const std::string &path);
runtime::Status writeFile(const std::string &path, const std::string &text);

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_COMMAND_H
