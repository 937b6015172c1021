//===- tile-bench.cpp - Measures kernels and the compiler -----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   tile-bench suite [--filter=REGEX] [--quick] [--json=FILE]
//   tile-bench gemm --manifest=FILE --ptx=VARIANT=FILE --shape=MxNxK
//   tile-bench compile
//   tile-bench report FILE.json... -o FOLDER
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "files/Files.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile::bench;
using tile::ExitCode;
using namespace tile::runtime;

int tile::bench::fail(const std::string &message, ExitCode code) {
  llvm::errs() << "tile-bench: error: " << message << '\n';
  return static_cast<int>(code);
}

std::optional<int> tile::bench::parseOptions(int argc, char **argv,
                                             const char *overview) {
  if (llvm::cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return std::nullopt;
  return static_cast<int>(ExitCode::Usage);
}

std::string tile::bench::commandLine(int argc, char **argv) {
  std::string text = "tile-bench";
  for (int index = 0; index < argc; ++index) {
    auto [option, value] = llvm::StringRef(argv[index]).split("=/");
    text += " " + option.str();
    if (!value.empty())
      text += "=" + value.substr(value.rfind('/') + 1).str();
  }
  return text;
}

Result<std::string> tile::bench::readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return Error("cannot read '" + path + "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

Status tile::bench::writeFile(const std::string &path,
                              const std::string &text) {
  return tile::files::writeFile(path, text);
}

static constexpr const char *kUsage =
    "usage: tile-bench COMMAND [OPTION]...   (tile-bench COMMAND --help)\n"
    "  suite    the whole suite, against cuBLAS\n"
    "  gemm     one compiled kernel, against cuBLAS\n"
    "  compile  the time from IR in memory to PTX; needs no GPU\n"
    "  report   tables and plots from the JSON of several runs\n";

static int runCommand(int argc, char **argv) {
  llvm::StringRef name = argc > 1 ? argv[1] : "";
  if (name == "--help" || name == "-h") {
    llvm::outs() << kUsage;
    return 0;
  }
  if (name == "suite")
    return runSuite(argc - 1, argv + 1);
  if (name == "gemm")
    return runGemm(argc - 1, argv + 1);
  if (name == "compile")
    return runCompile(argc - 1, argv + 1);
  if (name == "report")
    return runReport(argc - 1, argv + 1);
  fail("expected a command out of suite, gemm, compile and report, got '" +
       name.str() + "'");
  llvm::errs() << kUsage;
  return static_cast<int>(ExitCode::Usage);
}

int main(int argc, char **argv) {
  int code = runCommand(argc, argv);
  Status written = tile::files::finishOutput();
  return written ? code : fail(written.error().text(), ExitCode::Runtime);
}
