//===- Options.cpp - The command line of tile-tune ------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "options/RepeatedName.h"
#include "options/RepeatedOption.h"
#include "options/WordParser.h"
#include "tile-run/CommandValues.h"
#include "tile-run/MemoryLimit.h"
#include "tile/Frontend/Numbers.h"

#include "llvm/Support/CommandLine.h"

using namespace tile;
using namespace tile::tune;
using llvm::StringRef;
using run::DeviceChoice;
using run::ExitCode;
using run::Failure;
using run::StepResult;
using run::usage;
namespace cl = llvm::cl;

static constexpr StringRef kOverview =
    "tile-tune: find the fastest way to compile a kernel\n";

static constexpr StringRef kMoreHelp = R"(
FILE.tile has a kernel, a 'tune' declaration that lists candidates for its
compile-time parameters and decisions of the plan, and a 'run' block with an
'expect'.  Each choice that the declaration allows and the compiler takes is
checked once on the GPU against what the run block expects, and measured: all
take turns, with a cold L2 cache.  NAME=SPEC replaces what a run block says, as for tile-run;
a name of the declaration that is given a value has that one candidate.

A result is for the kernel as it is now, a class of shapes, the card, the chip
that is compiled for and the version of the compiler; tile-run --tuned=FILE reads
it.  An older result for the same stays where it was measured for the same run, is
faster, and is no choice that was measured again.

Exit code:
  0  measured, or listed
  1  a choice computes something else than is expected
  2  the command line is wrong, or there is no choice to try
  3  the file does not compile
  4  a run failed, or the table cannot be read or written
)";

/// Turns that a choice may have; more is a slip.
static constexpr unsigned kMaxTurns = 10000;

namespace {
/// The command line as LLVM parses it.
struct CommandLine {
  cl::OptionCategory category{"tile-tune"};
  cl::opt<std::string> file{cl::Positional, cl::Required, cl::desc("FILE.tile"),
                            cl::cat(category)};
  cl::list<std::string> arguments{cl::Positional, cl::desc("NAME=SPEC..."),
                                  cl::cat(category)};
  cl::opt<std::string> kernel{
      "k", cl::cat(category), cl::value_desc("KERNEL"),
      cl::desc("kernel to tune (default: all with a declaration)")};
  cl::opt<std::string> table{
      "o", cl::cat(category), cl::value_desc("FILE"),
      cl::desc("table that the results are added to, a regular file "
               "(default: none)")};
  cl::opt<bool> dryRun{
      "dry-run", cl::cat(category),
      cl::desc("list the choices, and what the compiler refuses and why; run "
               "nothing")};
  cl::opt<DeviceChoice, false, WordParser<DeviceChoice>> device{
      "device", cl::cat(category), cl::init(DeviceChoice::Cuda),
      cl::desc("where choices run"),
      cl::values(clEnumValN(DeviceChoice::Cuda, "cuda", "the GPU (default)"),
                 clEnumValN(DeviceChoice::Interpreter, "interpreter",
                            "the reference interpreter: every choice is "
                            "checked, after each pass of the compiler as well; "
                            "nothing is measured"))};
  cl::opt<std::string> arch{"arch", cl::cat(category),
                            cl::desc("chip to compile for (default: the GPU's; "
                                     "sm_90a where nothing runs on one)")};
  cl::list<std::string> parameters{
      "param", cl::cat(category), cl::value_desc("NAME=VALUE"),
      cl::desc("a compile-time parameter, for all choices")};
  cl::list<std::string> settings{
      "set", cl::cat(category), cl::value_desc("plan.KEY=VALUE"),
      cl::desc("a decision of the plan, for all choices")};
  cl::opt<unsigned> repeats{
      "repeats", cl::cat(category), cl::init(30),
      cl::desc("timed turns of each choice, 1 to 10000 (default 30)")};
  cl::opt<unsigned> warmUps{
      "warm-ups", cl::cat(category), cl::init(5),
      cl::desc("turns before, which are not timed, at most 10000 (default 5)")};
  cl::opt<uint64_t> memoryLimit{
      "memory-limit", cl::cat(category), cl::value_desc("BYTES"),
      cl::desc(
          "what all tensors of a run may take together (default: a quarter "
          "of the machine's memory)")};
  cl::opt<std::string> breakAfter{
      "break-after", cl::cat(category), cl::Hidden, cl::value_desc("PASS"),
      cl::desc("add 1 to a constant after this pass, to test "
               "--device=interpreter")};
  cl::opt<unsigned> threads{
      "j", cl::cat(category), cl::Prefix, cl::init(0),
      cl::desc("threads that compile (default: one on each core)")};
  cl::extrahelp more{kMoreHelp};
};
} // namespace

static StepResult readValues(const CommandLine &line, run::Options &options) {
  if (std::optional<std::string> wrong = describeRepeatedName(line.parameters))
    return usage("--param: " + *wrong);
  llvm::StringSet<> names;
  for (StringRef text : line.parameters) {
    if (!text.contains('='))
      return usage("--param: expected NAME=VALUE, got '" + text + "'");
    names.insert(text.split('=').first);
    options.parameters.push_back(frontend::withPlainIntegers(text));
  }
  if (StepResult failure = run::readArguments(line.arguments, names, options))
    return failure;
  for (StringRef text : line.settings)
    if (text.contains(','))
      return usage("--set: expected one value, got '" + text +
                   "'; candidates stand in the tune declaration");
  return run::readSettings(line.settings, options);
}

/// What is measured, and how.
static StepResult readMeasuring(const CommandLine &line, Options &options) {
  if (line.repeats == 0 || line.repeats > kMaxTurns)
    return usage("--repeats: expected 1 to " + llvm::Twine(kMaxTurns) +
                 ", got " + llvm::Twine(line.repeats));
  if (line.warmUps > kMaxTurns)
    return usage("--warm-ups: expected at most " + llvm::Twine(kMaxTurns) +
                 ", got " + llvm::Twine(line.warmUps));
  bool isChecked = line.device == DeviceChoice::Interpreter;
  if (!line.table.empty() && (line.dryRun || isChecked))
    return usage(
        "-o: expected a run on the GPU, got " +
        llvm::Twine(line.dryRun ? "--dry-run" : "--device=interpreter"));
  if (line.dryRun && isChecked)
    return usage("--dry-run: expected that nothing runs, got "
                 "--device=interpreter");
  if (line.table == "-")
    return usage("-o: expected a file, which the results are added to, got "
                 "'-'");
  if (!line.breakAfter.empty() && !isChecked)
    return usage("--break-after: expected --device=interpreter, got cuda");
  if (isChecked)
    options.run.verification = run::PassVerification{line.breakAfter};
  options.table = line.table;
  options.isDry = line.dryRun;
  options.turns.repeats = int(line.repeats);
  options.turns.warmUps = int(line.warmUps);
  return {};
}

StepResult tune::readOptions(int argc, char **argv, Options &options) {
  CommandLine line;
  cl::HideUnrelatedOptions(line.category);
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &stream))
    return run::wrongOptions(message, argv[0]);
  if (std::optional<std::string> wrong = describeRepeatedOption(line.category))
    return usage(*wrong);
  if (!StringRef(line.file).ends_with(".tile"))
    return usage("expected a FILE.tile, got '" + line.file + "'");
  if (StepResult failure = readMeasuring(line, options))
    return failure;
  if (line.arch.getNumOccurrences())
    if (StepResult failure = run::checkChip(line.arch))
      return failure;
  options.run.file = line.file;
  options.run.kernel = line.kernel;
  options.run.device = line.device;
  options.run.target = line.arch;
  options.numThreads = line.threads;
  options.run.memoryLimit = line.memoryLimit.getNumOccurrences()
                                ? line.memoryLimit
                                : run::defaultMemoryLimit();
  return readValues(line, options.run);
}
