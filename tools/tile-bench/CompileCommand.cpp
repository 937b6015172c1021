//===- CompileCommand.cpp - The time from IR in memory to PTX -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "HostCosts.h"

#include "tile/GPU/Target.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
using namespace tile;
using namespace tile::bench;
using tile::runtime::ElementType;
using tile::runtime::Result;

namespace {
/// The command line.
struct Options {
  cl::OptionCategory category{"tile-bench compile"};
  cl::opt<std::string> type{"type", cl::init("f16"), cl::cat(category),
                            cl::desc("f16 (default), bf16 or f32")};
  cl::opt<std::string> sides{
      "sides", cl::init("128x128x64"), cl::value_desc("MxNxK"),
      cl::cat(category), cl::desc("sides of the tiles (default 128x128x64)")};
  cl::list<std::string> targets{
      "arch", cl::CommaSeparated, cl::value_desc("sm_..."), cl::cat(category),
      cl::desc("chips to compile for (default: all)")};
  cl::opt<std::string> source{
      "tile", cl::value_desc("FILE"), cl::cat(category),
      cl::desc("a .tile file instead of the reference program: from the text "
               "to IR, and on to PTX")};
  cl::opt<int> repeats{"repeats", cl::init(20), cl::cat(category),
                       cl::desc("compilations of each variant (default 20)")};
};
} // namespace

static int runSource(const Options &options,
                     const std::vector<std::string> &targets) {
  llvm::outs() << llvm::format("%-8s %-20s %12s %10s %12s %10s %10s\n",
                               "target", "kernel", "to IR: median", "min ms",
                               "to PTX: median", "min ms", "PTX bytes");
  for (const std::string &target : targets) {
    auto times = measureSource(target, options.source, options.repeats);
    if (!times)
      return fail(times.error().text(), ExitCode::Compile);
    for (const SourceTime &time : *times)
      llvm::outs() << llvm::format(
          "%-8s %-20s %13.2f %10.2f %14.1f %10.1f %10zu\n", target.c_str(),
          time.kernel.c_str(), time.medianToIR, time.minToIR, time.medianToPTX,
          time.minToPTX, time.ptxBytes);
    llvm::outs().flush();
  }
  return 0;
}

int tile::bench::runCompile(int argc, char **argv) {
  Options options;
  cl::HideUnrelatedOptions(options.category);
  if (std::optional<int> code = parseOptions(
          argc, argv,
          "times the compiler on the reference program: IR in memory to PTX, "
          "one "
          "variant, one thread; or on the kernels of a .tile file, from its "
          "text\n"))
    return *code;
  std::optional<ElementType> type = runtime::symbolizeElementType(options.type);
  if (type != ElementType::F16 && type != ElementType::BF16 &&
      type != ElementType::F32)
    return fail("option --type: expected f16, bf16 or f32, got '" +
                options.type + "'");
  std::optional<GemmShape> sides = GemmShape::parse(options.sides);
  if (!sides)
    return fail("option --sides: expected MxNxK like 128x128x64, got '" +
                options.sides + "'");
  if (options.repeats < 1)
    return fail("option --repeats: expected at least 1, got " +
                std::to_string(options.repeats));
  GemmCase gemm;
  gemm.input = gemm.output = *type;
  MatmulConfiguration configuration;
  configuration.m = sides->m;
  configuration.n = sides->n;
  configuration.k = sides->k;
  std::vector<std::string> targets(options.targets.begin(),
                                   options.targets.end());
  std::vector<std::string> known;
  for (const TargetInfo &target : tile::targets())
    known.push_back(target.name.str());
  for (const std::string &target : targets)
    if (!findTarget(target))
      return fail("option --arch: expected one of " + llvm::join(known, ", ") +
                  ", got '" + target + "'");
  if (targets.empty())
    targets = known;
  if (!options.source.empty()) {
    if (options.type.getNumOccurrences() + options.sides.getNumOccurrences())
      return fail("option --tile: expected neither --type nor --sides beside "
                  "it, which are the reference program's");
    return runSource(options, targets);
  }
  llvm::outs() << llvm::format("%-8s %-14s %10s %10s %10s\n", "target",
                               "variant", "median ms", "min ms", "PTX bytes");
  for (const std::string &target : targets) {
    auto times = measureCompile(target, gemm, configuration, options.repeats);
    if (!times)
      return fail(times.error().text(), ExitCode::Compile);
    for (const CompileTime &time : *times)
      llvm::outs() << llvm::format("%-8s %-14s %10.1f %10.1f %10zu\n",
                                   target.c_str(), time.variant.c_str(),
                                   time.median, time.min, time.ptxBytes);
    llvm::outs().flush();
  }
  return 0;
}
