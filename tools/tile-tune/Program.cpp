//===- Program.cpp - A .tile file and what to tune in it ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "tile-run/RunBlocks.h"
#include "tile-run/Tuning.h"
#include "tile/Frontend/Frontend.h"
#include "tile/Frontend/Numbers.h"

#include "llvm/ADT/STLExtras.h"

using namespace tile;
using namespace tile::tune;
using frontend::RunBlock;
using frontend::TuneBlock;
using llvm::StringRef;
using run::BindResult;
using run::ExitCode;
using run::Failure;
using run::StepResult;

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

StringRef Program::text() const {
  return sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
}

StepResult Program::complain(const run::PlacedError &error) const {
  if (!error.range.isValid())
    return Failure(ExitCode::Usage, error.message);
  run::printError(options, sources, error);
  return Failure(ExitCode::Compile,
                 "'" + options.file + "' could not be tuned");
}

StepResult Program::readTunes() {
  std::vector<TuneBlock> all;
  if (StepResult failure = run::readTunes(options, sources, all))
    return failure;
  const std::string &kernel = options.kernel;
  for (TuneBlock &tune : all)
    if (kernel.empty() || tune.kernel == kernel)
      tunes.push_back(std::move(tune));
  if (tunes.empty())
    return Failure(ExitCode::Usage,
                   "expected a tune declaration" +
                       (kernel.empty() ? "" : " for '" + kernel + "'") +
                       " in '" + options.file + "', got none");
  return {};
}

/// Whether a declaration has candidates for the decision.
static bool isTunedPlanKey(StringRef name, llvm::ArrayRef<TuneBlock> tunes) {
  return llvm::any_of(tunes, [&](const TuneBlock &tune) {
    return llvm::any_of(tune.ranges, [&](const frontend::TuneRange &range) {
      return range.isPlanKey && range.name == name;
    });
  });
}

StepResult Program::read() {
  if (StepResult failure = run::readRunBlocks(options, sources, runBlocks))
    return failure;
  if (StepResult failure = readTunes())
    return failure;
  auto isTuned = [&](StringRef kernel) {
    return llvm::any_of(
        tunes, [&](const TuneBlock &tune) { return tune.kernel == kernel; });
  };
  llvm::erase_if(runBlocks, [&](const RunBlock &block) {
    return !isTuned(block.kernels[0].name);
  });
  for (const TuneBlock &tune : tunes)
    if (llvm::none_of(runBlocks, [&](const RunBlock &block) {
          return block.kernels[0].name == tune.kernel;
        }))
      return Failure(ExitCode::Usage, "expected a run block for '" +
                                          tune.kernel + "' in '" +
                                          options.file + "', got none");
  if (StepResult failure = takeDecisions())
    return failure;
  return run::checkNames(options, runBlocks);
}

/// `warps=4` is the one candidate of a plan key that a declaration names, where
/// no argument is called so.
StepResult Program::takeDecisions() {
  auto isDecision = [&](const run::ArgumentSpec &spec) {
    run::Options unused;
    return isTunedPlanKey(spec.name, tunes) &&
           llvm::none_of(runBlocks, [&](const RunBlock &block) {
             return run::RunBinder(block, options, unused).knows(spec.name);
           });
  };
  for (const run::ArgumentSpec &spec : options.arguments) {
    if (!isDecision(spec))
      continue;
    if (spec.kind != run::ArgumentSpec::Kind::Scalar)
      return Failure(ExitCode::Usage, "'" + spec.name +
                                          "': expected a decision of the "
                                          "plan, got a tensor");
    if (llvm::any_of(options.settings, [&](StringRef setting) {
          return setting.split('=').first == spec.name;
        }))
      return Failure(ExitCode::Usage,
                     "'" + spec.name + "': expected one value, got two");
    options.settings.push_back(spec.name + "=" +
                               frontend::withPlainIntegers(spec.scalar));
  }
  llvm::erase_if(options.arguments, isDecision);
  return {};
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// The run with this choice; one that has no such run is out.
void Program::addCandidate(const RunBlock &block, Choice choice,
                           Task &task) const {
  Candidate &candidate = task.candidates.emplace_back();
  run::Options chosen =
      choice.isStanding()
          ? run::withoutTuned(options, task.tunes)
          : run::withChoice(options, choice.parameters, choice.settings);
  candidate.choice = std::move(choice);
  BindResult error = run::RunBinder(block, chosen, candidate.run).bind();
  if (!error)
    return;
  candidate.refusal = error->message;
  if (!error->range.isValid())
    return;
  auto [line, column] = frontend::lineAndColumn(sources, error->range.Start);
  candidate.refusal = options.file + ":" + std::to_string(line) + ":" +
                      std::to_string(column) + ": " + error->message;
}

/// NAME=VALUE for each.
static void addValues(llvm::ArrayRef<std::string> texts,
                      llvm::StringMap<std::string> &values) {
  for (StringRef text : texts)
    values[text.split('=').first] = text.split('=').second.str();
}

/// Whether a parameter has its default, and that may change with a choice.
static bool followsFromOthers(const frontend::RunParameter &parameter,
                              const RunBlock &block,
                              const Surroundings &surroundings) {
  bool isNumber = parameter.value && !parameter.isType && !parameter.isBool;
  return isNumber && hasName(*parameter.value) &&
         !surroundings.given.contains(parameter.name) &&
         llvm::none_of(block.sizes, [&](const frontend::RunBinding &size) {
           return size.name == parameter.name;
         });
}

Surroundings Program::surroundings(const RunBlock &block,
                                   const Task &task) const {
  Surroundings result;
  result.parameters = block.kernels[0].parameters;
  addValues(task.standing.parameterValues, result.values);
  addValues(run::withoutTuned(options, task.tunes).settings, result.values);
  addValues(options.parameters, result.given);
  addValues(options.settings, result.given);
  for (const run::ArgumentSpec &spec : options.arguments)
    result.given[spec.name] =
        spec.kind == run::ArgumentSpec::Kind::Scalar ? spec.scalar : "a tensor";
  for (const frontend::RunParameter &parameter : block.kernels[0].parameters)
    if (followsFromOthers(parameter, block, result))
      result.defaults.push_back(&parameter);
  return result;
}

StepResult Program::list(const RunBlock &block, Task &task) const {
  const std::string &kernel = block.kernels[0].name;
  for (const TuneBlock &tune : tunes)
    if (tune.kernel == kernel)
      task.tunes.push_back(tune);
  run::Options untuned = run::withoutTuned(options, task.tunes);
  if (BindResult error = run::RunBinder(block, untuned, task.standing).bind())
    return complain(*error);
  Surroundings around = surroundings(block, task);
  Choices choices;
  for (const TuneBlock &tune : task.tunes)
    if (BindResult error = listChoices(tune, around, choices))
      return complain(*error);
  task.numExcluded = choices.numExcluded;
  addCandidate(block, Choice(), task);
  for (Choice &choice : choices.list)
    addCandidate(block, std::move(choice), task);
  return {};
}
