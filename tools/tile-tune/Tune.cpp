//===- Tune.cpp - From a program to the fastest choice --------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tune.h"
#include "Measure.h"
#include "Program.h"
#include "TableFile.h"

#include "tile-run/DeviceCompiler.h"
#include "tile-run/Tuning.h"
#include "tile-run/VerifyPasses.h"
#include "tile/GPU/Target.h"

#include "llvm/Support/Format.h"

#include <functional>

using namespace tile;
using namespace tile::tune;
using frontend::RunBlock;
using llvm::StringRef;
using run::ExitCode;
using run::Failure;
using run::StepResult;

namespace {
/// Tunes the kernels of one file, run block by run block.
class Tuner {
public:
  Tuner(const Options &options, mlir::MLIRContext &context)
      : options(options), context(context), program(this->options.run) {}

  StepResult run();

private:
  StepResult openDevice();
  StepResult tuneRun(const RunBlock &block);
  StepResult list(const RunBlock &block);
  void printRefusals();
  StepResult checkOnInterpreter(Candidate &candidate);
  StepResult checkAllOnInterpreter();
  StepResult measure();
  Choice kept(const Choice &choice) const;
  StepResult record(llvm::ArrayRef<Measurement> measurements);
  StepResult addToTable(const runtime::TuningEntry &entry,
                        llvm::ArrayRef<Measurement> measurements);

  Options options;
  mlir::MLIRContext &context;
  Program program;
  std::optional<Bench> bench;
  /// The chip that choices are compiled for.
  std::string target;
  /// What is tuned now, and what the result will be kept under.
  Task task;
  runtime::TuningKey key;
};
} // namespace

StepResult Tuner::openDevice() {
  if (options.isDry || options.run.device == run::DeviceChoice::Interpreter) {
    target =
        options.run.target.empty() ? kDefaultTarget.str() : options.run.target;
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

/// Lists what there is to try with a run block.
StepResult Tuner::list(const RunBlock &block) {
  task = Task();
  if (StepResult failure = program.list(block, task))
    return failure;
  if (StepResult failure = run::findTuningKey(
          task.standing, context, task.tunes,
          bench ? bench->device().facts() : runtime::DeviceFacts(), target,
          key))
    return failure;
  size_t numChoices = task.candidates.size() - 1;
  llvm::outs() << run::runName(task.standing) << " for " << target
               << ", choices: " << numChoices
               << ", excluded by 'where': " << task.numExcluded << '\n'
               << "  shapes " << key.shape << '\n';
  if (numChoices == 0)
    return Failure(ExitCode::Usage, "expected a choice for '" + key.kernel +
                                        "' that 'where' allows, got none");
  return {};
}

/// Says what is out.
void Tuner::printRefusals() {
  for (const Candidate &candidate : task.candidates)
    if (!candidate.isIn())
      llvm::outs() << "  pruned " << candidate.choice.text() << ": "
                   << candidate.refusal << '\n';
  // What follows takes its time.
  llvm::outs().flush();
}

//===----------------------------------------------------------------------===//
// Checks and times
//===----------------------------------------------------------------------===//

/// Runs a choice as it was written and, since settings change nothing of that,
/// after each pass that they make a difference to.
StepResult Tuner::checkOnInterpreter(Candidate &candidate) {
  candidate.run.target = target;
  Inputs inputs(context);
  Input *input = nullptr;
  if (StepResult failure = inputs.findFor(candidate, input))
    return failure;
  if (!candidate.isIn())
    return {};
  run::Outcome outcome;
  if (StepResult failure = run::verifyPasses(
          input->theCase.launch(), *options.run.verification, outcome))
    return failure;
  std::string wrong;
  if (StepResult failure = Inputs::check(*input, wrong))
    return failure;
  if (!wrong.empty())
    return Failure(ExitCode::Mismatch, wrong);
  if (llvm::is_contained(outcome.grid, 0)) {
    llvm::outs() << "  a grid of no programs, nothing ran: "
                 << candidate.choice.text() << '\n';
    return {};
  }
  size_t numChanges = 0;
  for (const run::VerifiedVariant &variant : outcome.verified)
    numChanges += variant.numChanged;
  llvm::outs() << "  right on the interpreter: " << candidate.choice.text()
               << ", also after " << numChanges << " passes that changed it\n";
  return {};
}

StepResult Tuner::checkAllOnInterpreter() {
  for (Candidate &candidate : task.candidates)
    if (StepResult failure = checkOnInterpreter(candidate)) {
      failure->message = candidate.choice.text() + ": " + failure->message;
      return failure;
    }
  printRefusals();
  if (llvm::none_of(task.candidates, std::mem_fn(&Candidate::isIn)))
    return Failure(ExitCode::Usage,
                   "expected a choice that the run block has values for, got "
                   "none");
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

/// The choice as a table has it: what was measured had the settings of the
/// command line as well, and the key does not say so.
Choice Tuner::kept(const Choice &choice) const {
  Choice result = choice;
  llvm::append_range(result.settings,
                     run::withoutTuned(options.run, task.tunes).settings);
  return result;
}

StepResult Tuner::addToTable(const runtime::TuningEntry &entry,
                             llvm::ArrayRef<Measurement> measurements) {
  Finding finding;
  finding.entry = entry;
  for (const Measurement &measurement : measurements)
    finding.measured.push_back(
        kept(task.candidates[measurement.candidate].choice));
  runtime::Result<Addition> addition = tune::addToTable(options.table, finding);
  if (!addition)
    return Failure(ExitCode::Runtime, addition.error());
  std::string earlier;
  llvm::raw_string_ostream stream(earlier);
  if (const std::optional<runtime::TuningEntry> &known = addition->earlier)
    stream << Choice{known->parameters, known->settings}.text()
           << llvm::format(": %.2f us for ", known->microseconds) << known->run;
  if (addition->isEarlierKept)
    llvm::outs() << "kept in '" << options.table << "': " << earlier << '\n';
  else
    llvm::outs() << "added to '" << options.table << "'"
                 << (earlier.empty() ? "" : ", in place of " + earlier) << '\n';
  return {};
}

/// Prints the fastest, and adds it to the table.
StepResult Tuner::record(llvm::ArrayRef<Measurement> measurements) {
  const Measurement &first = measurements.front();
  const Measurement &fastest = measurements[findFastest(measurements)];
  const Choice &winner = task.candidates[fastest.candidate].choice;
  runtime::TuningEntry entry;
  entry.key = key;
  entry.parameters = kept(winner).parameters;
  entry.settings = kept(winner).settings;
  entry.run = run::runName(task.standing).str();
  entry.microseconds = fastest.times.median;
  if (task.candidates[first.candidate].choice.isStanding())
    entry.standingMicroseconds = first.times.median;
  llvm::outs() << "fastest " << winner.text() << ": "
               << llvm::format("%.2f us", entry.microseconds);
  if (entry.standingMicroseconds > 0 && !winner.isStanding())
    llvm::outs() << llvm::format(", %.3f times as fast as it stands",
                                 entry.standingMicroseconds /
                                     entry.microseconds);
  llvm::outs() << '\n';
  return options.table.empty() ? StepResult() : addToTable(entry, measurements);
}

StepResult Tuner::measure() {
  Inputs inputs(context);
  std::vector<Measurement> measurements;
  StepResult failure =
      bench->measure(task.candidates, inputs, options.turns, measurements);
  printRefusals();
  if (failure)
    return failure;
  if (measurements.empty())
    return Failure(ExitCode::Usage,
                   "expected a choice that the GPU takes, got none");
  for (const Measurement &measurement : measurements)
    printMeasurement(task.candidates[measurement.candidate], measurement);
  return record(measurements);
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

StepResult Tuner::tuneRun(const RunBlock &block) {
  if (!options.isDry && block.expectations.empty())
    return program.complain({block.range,
                             "expected an 'expect' in the run block, by "
                             "which choices are checked, got none"});
  if (StepResult failure = list(block))
    return failure;
  compileAll(task.candidates, {program.text(), target, options.numThreads,
                               /*withCode=*/bench.has_value(),
                               /*withLowering=*/options.isDry});
  printRefusals();
  llvm::erase_if(task.candidates,
                 [](const Candidate &candidate) { return !candidate.isIn(); });
  if (task.candidates.empty())
    return Failure(ExitCode::Usage,
                   "expected a choice that the compiler takes, got none");
  if (options.isDry) {
    for (const Candidate &candidate : task.candidates)
      llvm::outs() << "  would try " << candidate.choice.text() << '\n';
    return {};
  }
  return bench ? measure() : checkAllOnInterpreter();
}

StepResult Tuner::run() {
  if (StepResult failure = program.read())
    return failure;
  // What was measured must not be lost for a table that cannot take it.
  if (!options.table.empty())
    if (runtime::Status status = checkTable(options.table); !status)
      return Failure(ExitCode::Runtime, status.error());
  if (StepResult failure = openDevice())
    return failure;
  for (const RunBlock &block : program.blocks())
    if (StepResult failure = tuneRun(block))
      return failure;
  return {};
}

StepResult tune::tuneProgram(const Options &options,
                             mlir::MLIRContext &context) {
  return Tuner(options, context).run();
}
