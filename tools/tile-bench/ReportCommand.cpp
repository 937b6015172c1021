//===- ReportCommand.cpp - Tables and plots of several runs ---------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   tile-bench report run1.json run2.json run3.json triton.json -o FOLDER
//
// writes README.md, ratios.svg and roofline.svg.
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "Pages.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"

namespace cl = llvm::cl;
using namespace tile::bench;
using namespace tile::runtime;

namespace {
/// The command line.
struct Options {
  cl::OptionCategory category{"tile-bench report"};
  cl::list<std::string> files{cl::Positional, cl::OneOrMore,
                              cl::desc("FILE.json..."), cl::cat(category)};
  cl::opt<std::string> folder{"o", cl::Required, cl::value_desc("folder"),
                              cl::desc("where the page and the plots go"),
                              cl::cat(category)};
};
} // namespace

int tile::bench::runReport(int argc, char **argv) {
  Options options;
  cl::HideUnrelatedOptions(options.category);
  if (std::optional<int> code = parseOptions(
          argc, argv, "merges the results of several runs into a page\n"))
    return *code;
  std::vector<RunResult> runs;
  for (const std::string &path : options.files) {
    Result<std::string> text = readFile(path);
    if (!text)
      return fail(text.error().text(), ExitCode::Compile);
    Result<RunResult> run = parseResults(*text);
    if (!run)
      return fail(path + ": " + run.error().text(), ExitCode::Compile);
    runs.push_back(std::move(*run));
  }
  if (std::error_code code = llvm::sys::fs::create_directories(options.folder))
    return fail("cannot make folder '" + options.folder +
                    "': " + code.message(),
                ExitCode::Runtime);
  MergedRun merged = mergeRuns(runs);
  const std::pair<const char *, std::string> pages[] = {
      {"README.md", writePage(merged)},
      {"ratios.svg", plotRatios(merged)},
      {"roofline.svg", plotRoofline(merged)}};
  for (const auto &[name, text] : pages)
    if (Status status = writeFile(options.folder + "/" + name, text); !status)
      return fail(status.error().text(), ExitCode::Runtime);
  return 0;
}
