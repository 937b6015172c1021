//===- tile-fuzz.cpp - Random programs through the pipeline ---------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "files/Files.h"
#include "options/ExitCode.h"
#include "options/PlanSetting.h"
#include "options/RepeatedName.h"
#include "options/RepeatedOption.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tile/GPU/TileGPUOps.h"
#include "tile/IR/PlanKeys.h"
#include "tile/IR/TileOps.h"
#include "tile/Target/Compile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Signals.h"

#include <chrono>
#include <map>

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;
namespace cl = llvm::cl;

namespace {
/// The command line.
struct Options {
  cl::OptionCategory category{"tile-fuzz"};
  cl::opt<uint64_t> seed{"seed", cl::init(1), cl::cat(category),
                         cl::value_desc("number"),
                         cl::desc("the first program's seed (default 1)")};
  cl::opt<uint64_t> step{
      "step", cl::init(1), cl::cat(category), cl::value_desc("number"),
      cl::desc("from one program's seed to the next (default 1)")};
  cl::opt<uint64_t> count{"count", cl::init(100), cl::cat(category),
                          cl::value_desc("programs"),
                          cl::desc("how many programs (default 100)")};
  cl::opt<unsigned> time{"time", cl::init(0), cl::cat(category),
                         cl::value_desc("seconds"),
                         cl::desc("stop after so long (default: never)")};
  cl::opt<unsigned> maxRefused{
      "max-refused", cl::init(1), cl::cat(category), cl::value_desc("percent"),
      cl::desc("programs of which no more may be refused (default 1)")};
  cl::list<std::string> settings{
      "set", cl::cat(category), cl::value_desc("plan.KEY=VALUE"),
      cl::desc("a decision of every program's plan, instead of its own")};
  cl::opt<unsigned> maxFailures{
      "max-failures", cl::init(1), cl::cat(category), cl::value_desc("number"),
      cl::desc("stop after so many failures (default 1)")};
  cl::opt<std::string> directory{
      "o", cl::init("."), cl::cat(category), cl::value_desc("folder"),
      cl::desc("where failing programs are written (default: here)")};
  cl::opt<bool> gpu{"gpu", cl::cat(category),
                    cl::desc("run what compiles on the first CUDA device too, "
                             "in every variant that fits")};
  cl::opt<bool> ptx{"ptx", cl::cat(category),
                    cl::desc("compile to PTX what reaches tile_gpu")};
  cl::opt<bool> print{"print", cl::cat(category),
                      cl::desc("print the programs and run nothing")};
  cl::opt<bool> noShrink{"no-shrink", cl::cat(category),
                         cl::desc("report failing programs as they are")};
  cl::opt<std::string> spoil{
      "spoil", cl::Hidden, cl::cat(category), cl::value_desc("pass"),
      cl::desc("take this pass to have changed a result (tests the reports)")};
  cl::opt<std::string> refuse{
      "refuse", cl::Hidden, cl::cat(category), cl::value_desc("pass"),
      cl::desc("take this pass to have refused (tests the reports)")};
  cl::opt<bool> showRefused{"show-refused", cl::cat(category),
                            cl::desc("print why programs are refused")};
};

/// Checks one program after the other.
class Fuzzer {
public:
  explicit Fuzzer(const Options &options) : options(options), checker(context) {
    context.disableMultithreading();
    DialectRegistry registry;
    registerCompileDialects(registry);
    context.appendDialectRegistry(registry);
    context.printOpOnDiagnostic(false);
    context
        .loadDialect<TileDialect, tile::gpu::TileGPUDialect,
                     arith::ArithDialect, math::MathDialect, scf::SCFDialect>();
  }

  int run();

  /// Of the program that is being checked; said if everything breaks down.
  uint64_t seed = 0;

private:
  bool openDevice();
  Recipe makeRecipe() const;
  void checkOne();
  void reportFailure(const Recipe &recipe, const Verdict &verdict);
  int summarise();

  const Options &options;
  MLIRContext context;
  Checker checker;
  std::unique_ptr<DeviceRunner> device;
  uint64_t numPrograms = 0, numRefused = 0, numFailures = 0;
  std::map<std::string, uint64_t> refusedBy;
};
} // namespace

/// What is wrong with the command line; nothing if nothing is.
static std::optional<std::string> describeWrong(const Options &options) {
  if (std::optional<std::string> wrong =
          describeRepeatedOption(options.category))
    return wrong;
  for (const std::string &setting : options.settings)
    if (std::optional<std::string> wrong = describeWrongSetting(setting))
      return "--set: " + *wrong;
  if (std::optional<std::string> wrong = describeRepeatedName(options.settings))
    return "--set: " + *wrong;
  for (const cl::opt<uint64_t> &option :
       {std::cref(options.count), std::cref(options.step)})
    if (option == 0)
      return "--" + option.ArgStr.str() +
             ": expected a number of at least 1, got 0";
  if (options.maxFailures == 0)
    return "--max-failures: expected a number of at least 1, got 0";
  if (options.maxRefused > 100)
    return "--max-refused: expected at most 100 percent, got " +
           std::to_string(options.maxRefused);
  if (options.print && (options.gpu || options.ptx))
    return "--print: expected that nothing runs, got " +
           std::string(options.gpu ? "--gpu" : "--ptx");
  return std::nullopt;
}

static void sayWhere(void *fuzzer) {
  llvm::errs() << "tile-fuzz: broke down; again with: tile-fuzz --count=1 "
                  "--seed="
               << static_cast<Fuzzer *>(fuzzer)->seed << '\n';
}

/// The program as a file that tile-opt and tile-run take.
static void print(MLIRContext &context, const Recipe &recipe,
                  const std::string &heading, raw_ostream &stream) {
  Program program = build(context, recipe);
  std::string settings;
  for (const std::string &setting : recipe.settings)
    settings += (settings.empty() ? "" : ",") + setting;
  stream << heading << "// Settings: " << (settings.empty() ? "none" : settings)
         << "\n// Arguments:";
  for (const Argument &argument : program.arguments) {
    stream << ' ' << argument.name << '=';
    if (argument.array < 0) {
      stream << argument.value;
      continue;
    }
    const Array &array = recipe.arrays[argument.array];
    stream << factsOf(array.kind).name << '[' << recipe.rows(array) << ','
           << recipe.columns(array) << ';' << recipe.rowStride(array) << ','
           << recipe.columnStride(array) << ']';
    if (array.misalignment)
      stream << '+' << array.misalignment;
    if (!array.isOutput)
      stream << ":int(-8,8," << array.contents << ')';
  }
  stream << '\n';
  program.module->print(stream);
  stream << '\n';
}

void Fuzzer::reportFailure(const Recipe &recipe, const Verdict &verdict) {
  ++numFailures;
  std::string command = "tile-fuzz --count=1 --seed=" + std::to_string(seed);
  llvm::errs() << "tile-fuzz: program " << seed << " fails at " << verdict.stage
               << ": " << verdict.text << "\n";
  // After an error of the driver nothing runs any more.
  bool isFinal = verdict.stage == "generator" || verdict.stage == "driver";
  if (isFinal)
    checker.device = nullptr;
  Recipe smallest = options.noShrink || isFinal
                        ? recipe
                        : shrink(checker, recipe, verdict.stage);
  Verdict last = isFinal ? verdict : checker.check(smallest);
  std::string path =
      options.directory + "/fuzz-" + std::to_string(seed) + ".mlir";
  std::string reason = last.text;
  for (size_t at = 0; (at = reason.find('\n', at)) != std::string::npos;)
    reason.replace(at, 1, " ");
  std::string program;
  llvm::raw_string_ostream stream(program);
  print(context, smallest,
        "// Made smaller from: " + command + "\n// Fails at " + last.stage +
            ": " + reason + "\n",
        stream);
  if (runtime::Status written = files::writeFile(path, program); !written) {
    llvm::errs() << "tile-fuzz: " << written.error().text() << '\n';
    return;
  }
  llvm::errs() << "tile-fuzz: smaller program in " << path << "\n  "
               << last.stage << ": " << last.text
               << "\n  again with: " << command << '\n';
}

/// The program of the seed, under the decisions that are given.
Recipe Fuzzer::makeRecipe() const {
  Recipe recipe = generate(seed);
  for (StringRef setting : options.settings) {
    setting = *readPlanSetting(setting);
    StringRef key = setting.take_until([](char c) { return c == '='; });
    llvm::erase_if(recipe.settings, [&](StringRef own) {
      return own.consume_front(key) && own.starts_with("=");
    });
    recipe.settings.push_back(setting.str());
  }
  return recipe;
}

void Fuzzer::checkOne() {
  Recipe recipe = makeRecipe();
  if (options.print) {
    print(context, recipe, "// Seed " + std::to_string(seed) + "\n",
          llvm::outs());
    return;
  }
  ++numPrograms;
  Verdict verdict = checker.check(recipe);
  if (verdict.kind == Verdict::Fails)
    return reportFailure(recipe, verdict);
  if (verdict.kind == Verdict::Agrees)
    return;
  ++numRefused;
  ++refusedBy[verdict.stage];
  if (options.showRefused)
    llvm::outs() << seed << ": " << verdict.stage << ": " << verdict.text;
}

int Fuzzer::summarise() {
  if (options.print)
    return 0;
  if (device)
    device->print(llvm::outs());
  llvm::outs() << "programs: " << numPrograms << ", failing: " << numFailures
               << ", refused: " << numRefused
               << "\npipelines run to the end: " << checker.numPipelines
               << ", runs compared: " << checker.numRuns << '\n';
  if (checker.compilesToPTX)
    llvm::outs() << "compiled to PTX: " << checker.numCompiled << '\n';
  for (const auto &[pass, count] : refusedBy)
    llvm::outs() << "refused by " << pass << ": " << count << '\n';
  if (numRefused * 100 > numPrograms * options.maxRefused) {
    llvm::errs() << "tile-fuzz: expected at most " << options.maxRefused
                 << " % of the programs to be refused, got " << numRefused
                 << " of " << numPrograms << '\n';
    return 1;
  }
  return numFailures ? 1 : 0;
}

/// Opens the GPU if it is asked for; false if there is none.
bool Fuzzer::openDevice() {
  checker.compilesToPTX = options.ptx || options.gpu;
  if (!options.gpu)
    return true;
  runtime::Result<std::unique_ptr<DeviceRunner>> opened = DeviceRunner::open();
  if (!opened) {
    llvm::errs() << "tile-fuzz: --gpu: " << opened.error().text() << '\n';
    return false;
  }
  device = std::move(*opened);
  checker.device = device.get();
  return true;
}

int Fuzzer::run() {
  if (!openDevice())
    return static_cast<int>(ExitCode::Runtime);
  auto start = std::chrono::steady_clock::now();
  checker.spoiledPass = options.spoil;
  checker.refusingPass = options.refuse;
  for (uint64_t i = 0; i < options.count; ++i) {
    std::chrono::duration<double> elapsed =
        std::chrono::steady_clock::now() - start;
    if (options.time && elapsed.count() > options.time)
      break;
    seed = options.seed + i * options.step;
    checkOne();
    if (numFailures == options.maxFailures || (device && !checker.device))
      break;
  }
  return summarise();
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialise(argc, argv);
  Options options;
  cl::HideUnrelatedOptions(options.category);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "tile-fuzz: run random programs on the interpreter after every "
          "pass\n",
          &llvm::errs()))
    return static_cast<int>(ExitCode::Usage);
  if (std::optional<std::string> wrong = describeWrong(options)) {
    llvm::errs() << "tile-fuzz: " << *wrong << '\n';
    return static_cast<int>(ExitCode::Usage);
  }
  if (!llvm::sys::fs::is_directory(options.directory)) {
    llvm::errs() << "tile-fuzz: -o: expected a folder, got '"
                 << options.directory << "'\n";
    return static_cast<int>(ExitCode::Runtime);
  }
  Fuzzer fuzzer(options);
  llvm::sys::AddSignalHandler(sayWhere, &fuzzer);
  int code = fuzzer.run();
  runtime::Status written = files::finishOutput();
  if (written)
    return code;
  llvm::errs() << "tile-fuzz: " << written.error().text() << '\n';
  return static_cast<int>(ExitCode::Runtime);
}
