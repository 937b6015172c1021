//===- Tuning.cpp - Runs that take what was fastest -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tuning.h"
#include "Case.h"
#include "DeviceCompiler.h"
#include "DeviceTensors.h"
#include "Kernels.h"
#include "Number.h"
#include "RunBlocks.h"
#include "files/Files.h"

#include "tile/Frontend/Frontend.h"
#include "tile/IR/PlanKeys.h"
#include "tile/Target/ProgramHash.h"
#include "tile/Target/Version.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile;
using namespace tile::run;
using frontend::TuneBlock;
using frontend::TuneRange;
using llvm::StringRef;
using runtime::LaunchValue;
using runtime::Result;
using runtime::TuningEntry;
using runtime::TuningKey;
using runtime::TuningTable;

bool run::isGiven(const Options &options, StringRef name) {
  auto isNamed = [&](StringRef text) { return text.split('=').first == name; };
  return llvm::any_of(options.parameters, isNamed) ||
         llvm::any_of(options.settings, isNamed) ||
         llvm::any_of(options.arguments, [&](const ArgumentSpec &spec) {
           return spec.name == name;
         });
}

Options run::withChoice(const Options &options,
                        const std::vector<std::string> &parameters,
                        const std::vector<std::string> &settings) {
  auto isFree = [&](StringRef text) {
    return !isGiven(options, text.split('=').first);
  };
  Options result = options;
  llvm::copy_if(parameters, std::back_inserter(result.parameters), isFree);
  llvm::copy_if(settings, std::back_inserter(result.settings), isFree);
  return result;
}

/// Whether a declaration has candidates for the name.
static bool isTuned(StringRef name, llvm::ArrayRef<TuneBlock> tunes) {
  return llvm::any_of(tunes, [&](const TuneBlock &tune) {
    return llvm::any_of(tune.ranges, [&](const TuneRange &range) {
      return range.name == name;
    });
  });
}

Options run::withoutTuned(const Options &options,
                          llvm::ArrayRef<TuneBlock> tunes) {
  auto isNamed = [&](StringRef text) {
    return isTuned(text.split('=').first, tunes);
  };
  Options result = options;
  llvm::erase_if(result.parameters, isNamed);
  llvm::erase_if(result.settings, isNamed);
  llvm::erase_if(result.arguments, [&](const ArgumentSpec &spec) {
    return isTuned(spec.name, tunes);
  });
  return result;
}

/// The argument as a launch would get it.  Device memory starts at multiples of
/// 256, so that the position of a pointer says all that counts of its address.
static LaunchValue launchValue(const LaunchArgument &argument) {
  return argument.tensor
             ? LaunchValue::pointer(argument.tensor->pointerPosition())
             : scalarValue(argument);
}

/// Makes the arguments of a run, of tensors all but the contents.
static StepResult bindShapes(Options quiet, mlir::MLIRContext &context,
                             std::vector<LaunchArgument> &arguments,
                             std::string &program) {
  for (const frontend::LintInfo &lint : frontend::lints())
    quiet.allowedLints.push_back(lint.name.str());
  for (ArgumentSpec &spec : quiet.arguments)
    if (spec.kind == ArgumentSpec::Kind::Tensor)
      spec.fill = Fill();
  quiet.numerics = false;
  Case input(quiet, context);
  if (StepResult failure = input.bind())
    return failure;
  arguments = std::move(input.launch().arguments);
  program =
      programHash(findKernels(input.launch().module, quiet.kernel).front());
  return {};
}

StepResult run::readTunes(const Options &options, llvm::SourceMgr &sources,
                          std::vector<TuneBlock> &tunes) {
  std::vector<frontend::Diagnostic> diagnostics;
  std::optional<std::vector<TuneBlock>> all =
      frontend::readTunes(sources, diagnostics);
  printDiagnostics(options, sources, diagnostics);
  if (!all)
    return Failure(ExitCode::Compile,
                   "expected a source without errors, got '" + options.file +
                       "'");
  tunes = std::move(*all);
  return {};
}

StringRef run::runName(const Options &run) {
  StringRef name = run.heading;
  name.consume_front("run ");
  return name;
}

StepResult run::findTuningKey(const Options &run, mlir::MLIRContext &context,
                              llvm::ArrayRef<TuneBlock> tunes,
                              const runtime::DeviceFacts &device,
                              StringRef target, TuningKey &key) {
  std::vector<LaunchArgument> arguments;
  if (StepResult failure = bindShapes(run, context, arguments, key.program))
    return failure;
  std::vector<runtime::Argument> types;
  std::vector<LaunchValue> values;
  for (const LaunchArgument &argument : arguments) {
    runtime::Argument &type = types.emplace_back();
    type.name = argument.name;
    type.type = argument.type;
    values.push_back(launchValue(argument));
  }
  std::vector<std::string> fixed;
  for (StringRef text : run.parameterValues)
    if (!isTuned(text.split('=').first, tunes))
      fixed.push_back(text.str());
  key.kernel = run.kernel;
  key.shape = runtime::shapeClass(types, values, fixed);
  key.card = device.name;
  key.numMultiprocessors = device.numMultiprocessors;
  key.target = target.str();
  key.compiler = compilerVersion().str();
  return {};
}

//===----------------------------------------------------------------------===//
// Look-up
//===----------------------------------------------------------------------===//

/// The first setting that a plan cannot have; empty if there is none.
static std::string findUnknownSetting(const TuningEntry &entry) {
  for (StringRef setting : entry.settings) {
    auto [name, value] = setting.split('=');
    const PlanKey *key = findPlanKey(name);
    // The card decides the target.
    if (!key || key->name == "target" || !key->takes(value))
      return ("expected a decision of the plan and its value (tilec "
              "--help-plan lists them), got '" +
              setting + "'")
          .str();
  }
  return "";
}

Result<TuningTable> run::readTable(StringRef path) {
  Result<std::unique_ptr<llvm::MemoryBuffer>> buffer = files::readFile(path);
  if (!buffer)
    return buffer.takeError();
  StringRef text = (*buffer)->getBuffer();
  if (text.trim().empty())
    return TuningTable();
  Result<TuningTable> table = TuningTable::parse({text.data(), text.size()});
  if (!table)
    return runtime::Error(("'" + path + "': " + table.error().text()).str());
  for (const TuningEntry &entry : table->entries())
    if (std::string why = findUnknownSetting(entry); !why.empty())
      return runtime::Error(("'" + path + "': the tuning table's entry for '" +
                             entry.key.kernel + "', " + entry.key.shape + ": " +
                             why)
                                .str());
  return table;
}

/// The card that the runs will be on.
static Result<runtime::DeviceFacts> findCard(const Options &options) {
  if (options.device == DeviceChoice::Interpreter || options.verification)
    return runtime::Error("the interpreter");
  auto driver = runtime::Driver::open();
  if (!driver)
    return driver.takeError();
  Result<runtime::Device> device = runtime::Device::open(*driver);
  if (!device)
    return device.takeError();
  return device->facts();
}

/// The chip that the runs will be compiled for.
static Result<std::string> findChip(const Options &options,
                                    const Result<runtime::DeviceFacts> &card) {
  if (!card)
    return runtime::Error("expected a GPU, got " + card.error().text());
  if (StringRef(options.target).contains(','))
    return runtime::Error("expected one chip, got '" + options.target + "'");
  if (!options.target.empty())
    return options.target;
  const TargetInfo *chip = chooseTarget(*card);
  if (!chip)
    return runtime::Error("expected a GPU that code can be made for, got " +
                          card->name);
  return chip->name.str();
}

/// "BM=128 warps=8, measured at 202.1 us (240.5 us as it stands)"; without
/// times where the command line changes the choice.
static std::string describe(const Options &options, const TuningEntry &entry) {
  std::vector<std::string> words, given;
  for (const auto &list : {entry.parameters, entry.settings})
    for (const std::string &text : list)
      (isGiven(options, StringRef(text).split('=').first) ? given : words)
          .push_back(text);
  std::string text = words.empty() ? "as it stands" : llvm::join(words, " ");
  if (!given.empty())
    return text + ", without " + llvm::join(given, " ") +
           ", since the command line comes first";
  text += ", measured at " + numberText(entry.microseconds) + " us";
  if (entry.standingMicroseconds > 0 && !words.empty())
    text += " (" + numberText(entry.standingMicroseconds) + " us as it stands)";
  return text;
}

static void remark(const Options &run, const llvm::Twine &text) {
  llvm::errs() << "tile-run: " << run.heading << ": " << text << '\n';
}

namespace {
/// The table and what it is asked with.
struct Lookup {
  const Options &options;
  mlir::MLIRContext &context;
  const TuningTable &table;
  const runtime::DeviceFacts &card;
  std::string target;

  StepResult apply(const llvm::SourceMgr &sources,
                   const frontend::RunBlock &block,
                   llvm::ArrayRef<TuneBlock> tunes, Options &run) const;
};
} // namespace

/// Replaces one run.
StepResult Lookup::apply(const llvm::SourceMgr &sources,
                         const frontend::RunBlock &block,
                         llvm::ArrayRef<TuneBlock> tunes, Options &run) const {
  Options standing;
  if (StepResult failure =
          expandRun(withoutTuned(options, tunes), sources, block, standing))
    return failure;
  TuningKey key;
  if (StepResult failure =
          findTuningKey(standing, context, tunes, card, target, key))
    return failure;
  const TuningEntry *entry = table.find(key);
  if (!entry) {
    remark(run, "not tuned: " + table.explainMiss(key));
    return {};
  }
  remark(run, "tuned: " + describe(options, *entry));
  run = Options();
  return expandRun(withChoice(options, entry->parameters, entry->settings),
                   sources, block, run);
}

StepResult run::applyTuning(const Options &options, mlir::MLIRContext &context,
                            std::vector<Options> &runs) {
  Result<TuningTable> table = readTable(options.table);
  if (!table)
    return Failure(ExitCode::Compile, "--tuned: " + table.error().text());
  llvm::SourceMgr sources;
  std::vector<frontend::RunBlock> blocks;
  if (StepResult failure = readRunBlocks(options, sources, blocks))
    return failure;
  if (blocks.size() != runs.size())
    return Failure(ExitCode::Usage,
                   "--tuned: expected a kernel with a run block, got none");
  std::vector<TuneBlock> tunes;
  if (StepResult failure = readTunes(options, sources, tunes))
    return failure;
  Result<runtime::DeviceFacts> card = findCard(options);
  Result<std::string> chip = findChip(options, card);
  if (!chip) {
    for (const Options &run : runs)
      if (!run.isOut)
        remark(run, "not tuned: " + chip.error().text());
    return {};
  }
  Lookup lookup = {options, context, *table, *card, *chip};
  for (size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].isOut)
      continue;
    std::vector<TuneBlock> own;
    for (const TuneBlock &tune : tunes)
      if (tune.kernel == runs[i].kernel)
        own.push_back(tune);
    if (StepResult failure = lookup.apply(sources, blocks[i], own, runs[i]))
      return failure;
  }
  return {};
}
