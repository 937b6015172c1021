//===- Options.cpp - The command line of tile-run -------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "CommandValues.h"
#include "MemoryLimit.h"
#include "tile/Frontend/Numbers.h"
#include "tile/Frontend/Vocabulary.h"
#include "tile/IR/PlanKeys.h"
#include "tile/Interpreter/Interpreter.h"

#include "files/Files.h"
#include "options/RepeatedName.h"
#include "options/RepeatedOption.h"
#include "options/WordParser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"

#include <cmath>
#include <functional>
#include <limits>

using namespace tile;
using namespace tile::run;
using llvm::StringRef;
using runtime::Result;
namespace cl = llvm::cl;

static constexpr StringRef kOverview =
    "tile-run: run a kernel and check what it computed\n";

static constexpr StringRef kMoreHelp = R"(
NAME=SPEC gives an argument its value.  SPEC of a pointer:
  f16[65,130]:ones          contents: zeros, ones, nan, iota, randn(SEED),
                            uniform(LOW,HIGH,SEED), int(LOW,HIGH,SEED), @FILE
  f16[65,130]               not initialised: the interpreter reports its reads
  f16[65,130;132,1]:ones    strides, in elements
  f16[65,130]+1:ones        the pointer is 1 element past a 256-byte boundary
  @file.npy                 shape and contents of a file
SPEC of a scalar is its value.

--arch, --set and --variant take several values, with commas between them: the
program runs under each plan, in one process.

A .tile file with run blocks runs and checks itself: NAME=SPEC then replaces
what a block says, sizes and compile-time parameters included, and -k picks the
blocks of one kernel.

EXPRESSION of --expect: arguments (as they were before the run), numbers,
+ - * / %, comparisons, and, or, not, and the functions
)";

static constexpr StringRef kRules =
    R"(A side of 1, and missing sides in front, are repeated; sum, mean and amax leave a
side of 1.  It is evaluated in f64; for an i64 also in 64 bits, if it is made of
integers, + - * %, comparisons, and, or, not, where, min, max and abs.
Without --atol and --rtol, integers, and sums of integers that f32 holds, must
be exact; f16 and bf16 may differ by 2e-2 absolutely and relatively, f32 by
4 K u sum|terms|.  The float of the result's type nearest to what is expected is
right, whatever the tolerance: half an ulp is always allowed.

Exit code:
  0  everything is as expected
  1  a result is out of tolerance, or a pass changed it (--verify-passes), or a
     plan left other bits (--same-bits)
  2  the command line is wrong
  3  a file cannot be read, or does not compile
  4  the run failed, wrote outside its tensors, or an output cannot be written
)";

/// What stands below the options: the functions come from their table.
static std::string moreHelp() {
  std::string text = kMoreHelp.str(), line = " ";
  for (const frontend::ExpectationFunction &function :
       frontend::expectationFunctions()) {
    if (line.size() + function.form.size() >= 80) {
      text += line + "\n";
      line = " ";
    }
    line += " " + function.form.str();
  }
  return text + line + "\n" + kRules.str();
}

namespace {
/// The command line as LLVM parses it.
struct CommandLine {
  cl::OptionCategory category{"tile-run"};
  cl::opt<std::string> file{cl::Positional, cl::Required, cl::desc("FILE"),
                            cl::cat(category)};
  cl::list<std::string> arguments{cl::Positional, cl::desc("NAME=SPEC..."),
                                  cl::cat(category)};
  cl::opt<std::string> kernel{"k", cl::cat(category), cl::value_desc("KERNEL"),
                              cl::desc("symbol of the kernel; not needed "
                                       "for a .tile file with run blocks")};
  cl::opt<std::string> grid{
      "g", cl::cat(category), cl::value_desc("X,Y,Z"),
      cl::desc("programs of the grid (default: the kernel's formula, and "
               "at most that)")};
  cl::opt<DeviceChoice, false, WordParser<DeviceChoice>> device{
      "device", cl::cat(category), cl::init(DeviceChoice::Auto),
      cl::desc("where to run"),
      cl::values(clEnumValN(DeviceChoice::Auto, "auto",
                            "the GPU where there is a CUDA driver (default)"),
                 clEnumValN(DeviceChoice::Cuda, "cuda", "the GPU, or an error"),
                 clEnumValN(DeviceChoice::Interpreter, "interpreter",
                            "the reference interpreter"))};
  cl::opt<std::string> variant{
      "variant", cl::cat(category), cl::value_desc("NAME"),
      cl::desc("variant to run (default, auto: the first whose assumptions "
               "hold)")};
  cl::opt<std::string> tuned{
      "tuned", cl::cat(category), cl::value_desc("FILE"),
      cl::desc(
          "table of tile-tune: take what was fastest for this kernel, these "
          "shapes and this GPU; --param, NAME=VALUE and --set come first")};
  cl::list<std::string> parameters{
      "param", cl::cat(category), cl::value_desc("NAME=VALUE"),
      cl::desc("a compile-time parameter of a .tile file")};
  cl::list<std::string> allowedLints{
      "allow", cl::cat(category), cl::value_desc("LINT"),
      cl::desc("a lint of a .tile file that is not to be reported")};
  cl::list<std::string> expect{
      "expect", cl::cat(category), cl::value_desc("NAME=EXPRESSION"),
      cl::desc("what an argument should hold after the run, or the nearest "
               "number of its type")};
  cl::opt<double> rtol{
      "rtol", cl::cat(category), cl::value_desc("R"),
      cl::desc("relative tolerance of --expect; half an ulp of "
               "the result's type is always allowed")};
  cl::opt<double> atol{
      "atol", cl::cat(category), cl::value_desc("A"),
      cl::desc("absolute tolerance of --expect; half an ulp of "
               "the result's type is always allowed")};
  cl::list<std::string> dump{
      "dump", cl::cat(category), cl::value_desc("NAME=FILE.npy"),
      cl::desc("write an argument to a file after the run; of several run "
               "blocks to FILE-1.npy, FILE-2.npy and so on")};
  cl::opt<bool> bench{
      "bench", cl::cat(category),
      cl::desc("time repeated runs: median, min, max, TFLOP/s, GB/s")};
  cl::opt<bool> numerics{
      "numerics", cl::cat(category),
      cl::desc("report errors in ulp, condition numbers and the bound of the "
               "rounding errors for each --expect")};
  cl::opt<bool> verifyPasses{
      "verify-passes", cl::cat(category),
      cl::desc("run on the interpreter after each pass of the compiler; name "
               "the first that changed a bit of the result, but for which "
               "NaN it is")};
  cl::opt<std::string> arch{
      "arch", cl::cat(category),
      cl::desc("chip to compile for (default: the GPU's; sm_90a for "
               "--verify-passes)")};
  cl::list<std::string> settings{
      "set", cl::cat(category), cl::value_desc("plan.KEY=VALUE"),
      cl::desc("a decision of the plan, for the GPU or --verify-passes")};
  cl::opt<bool> sameBits{
      "same-bits", cl::cat(category),
      cl::desc("of several plans, each must leave the bits of the first")};
  cl::opt<std::string> breakAfter{
      "break-after", cl::cat(category), cl::Hidden, cl::value_desc("PASS"),
      cl::desc("add 1 to a constant after this pass, to test "
               "--verify-passes")};
  cl::opt<uint64_t> maxIterations{
      "max-iterations", cl::cat(category), cl::value_desc("N"),
      cl::init(InterpreterOptions().maxIterations),
      cl::desc("turns of a loop after which the interpreter takes it to be "
               "endless (default 100000000)")};
  cl::opt<uint64_t> memoryLimit{
      "memory-limit", cl::cat(category), cl::value_desc("BYTES"),
      cl::desc("what all tensors may take together (default: a quarter of the "
               "machine's memory, since a run holds copies)")};
  cl::opt<bool> jsonDiagnostics{
      "json-diagnostics", cl::cat(category),
      cl::desc("errors and warnings of a .tile file as JSON, one a line")};
  cl::opt<bool> json{"json", cl::cat(category),
                     cl::desc("print one JSON object")};
  std::string help = moreHelp();
  cl::extrahelp more{help};
};
} // namespace

/// Reads "4", "4,2" or "4,2,1".
static StepResult readGrid(StringRef text, Options &options) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',');
  std::array<int64_t, 3> grid = {1, 1, 1};
  bool wrong = parts.size() > 3;
  for (size_t i = 0; i < parts.size() && !wrong; ++i) {
    grid[i] = frontend::readInteger(parts[i].trim()).value_or(-1);
    wrong = grid[i] < 0;
  }
  if (wrong)
    return usage("-g: expected one to three counts X,Y,Z, got '" + text + "'");
  options.grid = grid;
  return {};
}

static StepResult readTolerance(const cl::opt<double> &option, StringRef name,
                                std::optional<double> &tolerance) {
  if (option.getNumOccurrences() == 0)
    return {};
  if (!(option.getValue() >= 0) || std::isinf(option.getValue()))
    return usage("--" + name +
                 ": expected a finite number of at least 0, got " +
                 std::to_string(option.getValue()));
  tolerance = option.getValue();
  return {};
}

static StepResult readLists(const CommandLine &line, Options &options) {
  llvm::StringSet<> names;
  if (StepResult failure = readArguments(line.arguments, names, options))
    return failure;
  for (const std::string &text : line.expect) {
    Result<ExpectedResult> expected = parseExpectation(text);
    if (!expected)
      return usage("--expect '" + text + "': " + expected.error().text());
    options.expectations.push_back(std::move(*expected));
  }
  for (const std::string &text : line.dump) {
    auto [name, file] = StringRef(text).split('=');
    if (name.empty() || file.empty())
      return usage("--dump: expected NAME=FILE.npy, got '" + text + "'");
    for (const auto &[other, otherFile] : options.dumps)
      if (file == otherFile)
        return usage("--dump: expected a file for each argument, got '" + file +
                     "' for '" + other + "' and '" + name + "'");
    if (llvm::sys::fs::equivalent(file, line.file))
      return usage("--dump: expected another file than the program, got '" +
                   file + "'");
    options.dumps.emplace_back(name.str(), file.str());
  }
  return {};
}

/// How the kernel is compiled, where it is.
static StepResult readCompilation(const CommandLine &line, Options &options) {
  options.target = line.arch;
  if (line.arch.getNumOccurrences())
    for (StringRef chip : llvm::split(options.target, ','))
      if (StepResult failure = checkChip(chip))
        return failure;
  if (std::optional<std::string> wrong = describeRepeatedName(line.parameters))
    return usage("--param: " + *wrong);
  if (StepResult failure = readSettings(line.settings, options))
    return failure;
  if (!line.verifyPasses)
    return line.breakAfter.empty()
               ? StepResult()
               : usage("--break-after: expected --verify-passes, got none");
  if (options.device == DeviceChoice::Cuda)
    return usage("--verify-passes: expected --device=interpreter, got cuda");
  options.verification = PassVerification{line.breakAfter};
  return {};
}

/// What is of .tile files only.
static StepResult checkLanguage(const CommandLine &line) {
  if (StringRef(line.file).ends_with(".tile"))
    return {};
  for (const cl::Option &option : {std::cref<cl::Option>(line.tuned),
                                   std::cref<cl::Option>(line.parameters),
                                   std::cref<cl::Option>(line.allowedLints),
                                   std::cref<cl::Option>(line.jsonDiagnostics)})
    if (option.getNumOccurrences())
      return usage("--" + option.ArgStr + ": expected a .tile file, got '" +
                   line.file + "'");
  if (!line.kernel.empty())
    return {};
  // What cannot be read lacks no kernel.
  namespace fs = llvm::sys::fs;
  bool isAbsent = line.file != "-" && !fs::exists(line.file);
  if (isAbsent || fs::is_directory(line.file))
    if (auto buffer = files::readFile(line.file); !buffer)
      return Failure(ExitCode::Compile, buffer.error());
  return usage("expected -k KERNEL, got none");
}

StepResult run::readOptions(int argc, char **argv, Options &options) {
  CommandLine line;
  cl::HideUnrelatedOptions(line.category);
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &stream))
    return wrongOptions(message, argv[0]);
  if (std::optional<std::string> wrong = describeRepeatedOption(line.category))
    return usage(*wrong);
  if (StepResult failure = checkLanguage(line))
    return failure;
  options.file = line.file;
  options.kernel = line.kernel;
  options.variant = line.variant;
  options.table = line.tuned;
  for (StringRef text : line.parameters)
    options.parameters.push_back(frontend::withPlainIntegers(text));
  options.allowedLints = line.allowedLints;
  options.device = line.device;
  if (line.maxIterations == 0)
    return usage("--max-iterations: expected a number of at least 1, got 0");
  options.maxIterations = line.maxIterations;
  options.memoryLimit = line.memoryLimit.getNumOccurrences()
                            ? line.memoryLimit
                            : defaultMemoryLimit();
  options.bench = line.bench;
  options.json = line.json;
  options.jsonDiagnostics = line.jsonDiagnostics;
  options.numerics = line.numerics;
  options.sameBits = line.sameBits;
  if (StepResult failure = readCompilation(line, options))
    return failure;
  if (!line.grid.empty())
    if (StepResult failure = readGrid(line.grid, options))
      return failure;
  if (StepResult failure =
          readTolerance(line.rtol, "rtol", options.tolerance.relative))
    return failure;
  if (StepResult failure =
          readTolerance(line.atol, "atol", options.tolerance.absolute))
    return failure;
  return readLists(line, options);
}
