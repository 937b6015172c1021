//===- Tune.cpp - From a program to the fastest choice --------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tune.h"
#include "Measure.h"
#include "TableFile.h"

#include "tile-run/Backend.h"
#include "tile-run/DeviceCompiler.h"
#include "tile-run/RunBlocks.h"
#include "tile-run/Tuning.h"
#include "tile/Frontend/Frontend.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace tile;
using namespace tile::tune;
using frontend::RunBlock;
using frontend::TuneBlock;
using llvm::StringRef;
using run::BindResult;
using run::ExitCode;
using run::Failure;
using run::StepResult;

namespace {
/// Tunes the kernels of one file, run block by run block.
class Tuner {
public:
  Tuner(const Options &options, mlir::MLIRContext &context)
      : options(options), context(context) {}

  StepResult run();

private:
  StepResult read();
  StepResult readTunes();
  StepResult openDevice();
  StepResult complain(const run::PlacedError &error);
  StepResult tuneRun(const RunBlock &block);
  StepResult list(const RunBlock &block);
  StepResult makeKey(const run::Options &standing);
  void addCandidate(const RunBlock &block, Choice choice);
  void printRefusals();
  StepResult checkOnInterpreter();
  StepResult measure();
  StepResult record(llvm::ArrayRef<Measurement> measurements);

  const Options &options;
  mlir::MLIRContext &context;
  llvm::SourceMgr sources;
  std::vector<RunBlock> blocks;
  std::vector<TuneBlock> tunes;
  std::optional<Bench> bench;
  /// The chip that choices are compiled for.
  std::string target;

  // Of the run block that is tuned now.
  /// Declarations for its kernel.
  std::vector<TuneBlock> own;
  /// The program as it stands comes first.
  std::vector<Candidate> candidates;
  runtime::TuningKey key;
};
} // namespace

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

StepResult Tuner::readTunes() {
  std::vector<frontend::Diagnostic> diagnostics;
  std::optional<std::vector<TuneBlock>> all =
      frontend::readTunes(sources, diagnostics);
  frontend::printDiagnostics(sources, diagnostics, llvm::errs());
  if (!all)
    return Failure(ExitCode::Compile,
                   "'" + options.run.file + "' could not be read");
  const std::string &kernel = options.run.kernel;
  for (TuneBlock &tune : *all)
    if (kernel.empty() || tune.kernel == kernel)
      tunes.push_back(std::move(tune));
  if (tunes.empty())
    return Failure(ExitCode::Usage,
                   "expected a tune declaration" +
                       (kernel.empty() ? "" : " for '" + kernel + "'") +
                       " in '" + options.run.file + "', got none");
  return {};
}

StepResult Tuner::read() {
  if (StepResult failure = run::readRunBlocks(options.run, sources, blocks))
    return failure;
  if (StepResult failure = readTunes())
    return failure;
  auto isTuned = [&](StringRef kernel) {
    return llvm::any_of(
        tunes, [&](const TuneBlock &tune) { return tune.kernel == kernel; });
  };
  llvm::erase_if(blocks, [&](const RunBlock &block) {
    return !isTuned(block.kernels[0].name);
  });
  for (const TuneBlock &tune : tunes)
    if (llvm::none_of(blocks, [&](const RunBlock &block) {
          return block.kernels[0].name == tune.kernel;
        }))
      return Failure(ExitCode::Usage, "expected a run block for '" +
                                          tune.kernel + "' in '" +
                                          options.run.file + "', got none");
  return run::checkNames(options.run, blocks);
}

StepResult Tuner::openDevice() {
  if (options.isDry || options.run.device == run::DeviceChoice::Interpreter) {
    target = options.run.target.empty() ? "sm_90a" : options.run.target;
    return {};
  }
  runtime::Result<Bench> opened = Bench::open();
  if (!opened)
    return Failure(ExitCode::Runtime,
                   "expected a GPU to measure on, got " +
                       opened.error().text() +
                       "; --dry-run lists what there is to try");
  bench.emplace(std::move(*opened));
  const runtime::DeviceFacts &facts = bench->device().facts();
  const TargetInfo *chip = run::chooseTarget(facts);
  if (!chip)
    return Failure(ExitCode::Compile,
                   "expected a GPU that code can be made for, got " +
                       facts.name);
  target = options.run.target.empty() ? chip->name.str() : options.run.target;
  return {};
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// Prints the place, where there is one.
StepResult Tuner::complain(const run::PlacedError &error) {
  if (!error.range.isValid())
    return Failure(ExitCode::Usage, error.message);
  frontend::printDiagnostics(
      sources, {{error.range, error.message, {}, {}, {}}}, llvm::errs());
  return Failure(ExitCode::Usage,
                 "'" + options.run.file + "' could not be tuned");
}

/// The run with this choice; one that has no such run is out.
void Tuner::addCandidate(const RunBlock &block, Choice choice) {
  Candidate &candidate = candidates.emplace_back();
  run::Options chosen =
      choice.isStanding()
          ? run::withoutTuned(options.run, own)
          : run::withChoice(options.run, choice.parameters, choice.settings);
  candidate.choice = std::move(choice);
  BindResult error = run::RunBinder(block, chosen, candidate.run).bind();
  if (error)
    candidate.refusal = error->message;
}

/// NAME=VALUE for each.
static void addValues(llvm::ArrayRef<std::string> texts,
                      llvm::StringMap<std::string> &values) {
  for (StringRef text : texts)
    values[text.split('=').first] = text.split('=').second.str();
}

/// What the results will be kept under.
StepResult Tuner::makeKey(const run::Options &standing) {
  std::vector<run::LaunchArgument> arguments;
  if (StepResult failure = run::bindShapes(standing, context, arguments))
    return failure;
  key =
      run::tuningKey(standing, arguments, own,
                     bench ? bench->device().facts() : runtime::DeviceFacts());
  return {};
}

StepResult Tuner::list(const RunBlock &block) {
  candidates.clear();
  own.clear();
  llvm::copy_if(tunes, std::back_inserter(own), [&](const TuneBlock &tune) {
    return tune.kernel == block.kernels[0].name;
  });
  run::Options standing;
  run::Options untuned = run::withoutTuned(options.run, own);
  if (BindResult error = run::RunBinder(block, untuned, standing).bind())
    return complain(*error);
  llvm::StringMap<std::string> values, given;
  addValues(standing.parameterValues, values);
  addValues(untuned.settings, values);
  addValues(options.run.parameters, given);
  addValues(options.run.settings, given);
  for (const run::ArgumentSpec &spec : options.run.arguments)
    given[spec.name] = spec.scalar;
  Choices choices;
  for (const TuneBlock &tune : own)
    if (BindResult error = listChoices(tune, values, given, choices))
      return complain(*error);
  if (StepResult failure = makeKey(standing))
    return failure;
  addCandidate(block, Choice());
  for (Choice &choice : choices.list)
    addCandidate(block, std::move(choice));
  llvm::outs() << StringRef(standing.heading).substr(4) << " for " << target
               << ": " << choices.list.size() << " choices, "
               << choices.numExcluded << " more are excluded by 'where'\n"
               << "  shapes " << key.shape << '\n';
  if (choices.list.empty())
    return Failure(ExitCode::Usage, "expected a choice for '" +
                                        block.kernels[0].name +
                                        "' that 'where' allows, got none");
  return {};
}

/// Says what is out.
void Tuner::printRefusals() {
  for (const Candidate &candidate : candidates)
    if (!candidate.isIn())
      llvm::outs() << "  pruned " << candidate.choice.text() << ": "
                   << candidate.refusal << '\n';
  // What follows takes its time.
  llvm::outs().flush();
}

//===----------------------------------------------------------------------===//
// Checks and times
//===----------------------------------------------------------------------===//

StepResult Tuner::checkOnInterpreter() {
  for (const Candidate &candidate : candidates) {
    Inputs inputs(context);
    Input *input = nullptr;
    if (StepResult failure = inputs.find(candidate.run, input))
      return failure;
    run::Outcome outcome;
    if (StepResult failure =
            run::runOnInterpreter(input->theCase.launch(), outcome))
      return failure;
    std::string wrong;
    if (StepResult failure = Inputs::check(*input, wrong))
      return failure;
    if (!wrong.empty())
      return Failure(ExitCode::Mismatch,
                     candidate.choice.text() + ": " + wrong);
    llvm::outs() << "  right on the interpreter: " << candidate.choice.text()
                 << '\n';
  }
  return {};
}

static void printMeasurement(const Candidate &candidate,
                             const Measurement &measurement) {
  const timing::Times &times = measurement.times;
  llvm::outs() << "  measured " << candidate.choice.text() << ": median "
               << llvm::format("%.2f us, min %.2f us, max %.2f us",
                               times.median, times.min, times.max)
               << ", variant " << measurement.variant << '\n';
}

/// Prints the fastest, and adds it to the table.
StepResult Tuner::record(llvm::ArrayRef<Measurement> measurements) {
  const Measurement &first = measurements.front();
  const Measurement &fastest = measurements[findFastest(measurements)];
  const Choice &winner = candidates[fastest.candidate].choice;
  runtime::TuningEntry entry;
  entry.key = key;
  entry.parameters = winner.parameters;
  entry.settings = winner.settings;
  // What was measured had these as well, and the key does not say so.
  llvm::append_range(entry.settings,
                     run::withoutTuned(options.run, own).settings);
  entry.microseconds = fastest.times.median;
  if (candidates[first.candidate].choice.isStanding())
    entry.standingMicroseconds = first.times.median;
  llvm::outs() << "fastest " << winner.text() << ": "
               << llvm::format("%.2f us", entry.microseconds);
  if (entry.standingMicroseconds > 0 && !winner.isStanding())
    llvm::outs() << llvm::format(", %.3f times as fast as it stands",
                                 entry.standingMicroseconds /
                                     entry.microseconds);
  llvm::outs() << '\n';
  if (options.table.empty())
    return {};
  runtime::Status status = addToTable(options.table, {entry});
  if (!status)
    return Failure(ExitCode::Runtime, status.error());
  llvm::outs() << "added to '" << options.table << "'\n";
  return {};
}

StepResult Tuner::measure() {
  Inputs inputs(context);
  std::vector<Measurement> measurements;
  StepResult failure =
      bench->measure(candidates, inputs, options.turns, measurements);
  printRefusals();
  if (failure)
    return failure;
  if (measurements.empty())
    return Failure(ExitCode::Usage,
                   "expected a choice that the GPU takes, got none");
  for (const Measurement &measurement : measurements)
    printMeasurement(candidates[measurement.candidate], measurement);
  return record(measurements);
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

StepResult Tuner::tuneRun(const RunBlock &block) {
  if (!options.isDry && block.expectations.empty())
    return complain({block.range, "expected an 'expect' in the run block, by "
                                  "which choices are checked, got none"});
  if (StepResult failure = list(block))
    return failure;
  const llvm::MemoryBuffer *source =
      sources.getMemoryBuffer(sources.getMainFileID());
  compileAll(candidates, {source->getBuffer(), target, options.numThreads,
                          /*withCode=*/bench.has_value()});
  printRefusals();
  llvm::erase_if(candidates,
                 [](const Candidate &candidate) { return !candidate.isIn(); });
  if (candidates.empty())
    return Failure(ExitCode::Usage,
                   "expected a choice that the compiler takes, got none");
  if (options.isDry) {
    for (const Candidate &candidate : candidates)
      llvm::outs() << "  would try " << candidate.choice.text() << '\n';
    return {};
  }
  return bench ? measure() : checkOnInterpreter();
}

StepResult Tuner::run() {
  if (StepResult failure = read())
    return failure;
  if (StepResult failure = openDevice())
    return failure;
  for (const RunBlock &block : blocks)
    if (StepResult failure = tuneRun(block))
      return failure;
  return {};
}

StepResult tune::tuneProgram(const Options &options,
                             mlir::MLIRContext &context) {
  return Tuner(options, context).run();
}
