//===- Run.cpp - One run from the command line to the exit code -----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "Backend.h"
#include "Case.h"
#include "FirstBits.h"
#include "Npy.h"
#include "VerifyPasses.h"

using namespace mlir;
using namespace tile;
using namespace tile::run;
using runtime::Status;

namespace {
/// The steps of a run, in the order of their definitions.
class Runner {
public:
  Runner(const Options &options, MLIRContext &context, FirstBits &firstBits)
      : options(options), input(options, context), firstBits(firstBits) {}

  StepResult run();

private:
  StepResult bind() { return input.bind(); }
  StepResult evaluateExpectations() { return input.evaluateExpectations(); }
  StepResult runLaunch();
  StepResult compareResults();
  StepResult dump();
  StepResult report();
  StepResult compareBits();

  const Options &options;
  Case input;
  FirstBits &firstBits;
  Report result;
};
} // namespace

/// Which of several runs it is; empty for the only one.
static std::string headingOf(const Options &options) {
  bool hasBoth = !options.heading.empty() && !options.plan.empty();
  return options.heading + (hasBoth ? ", " : "") + options.plan;
}

StepResult Runner::runLaunch() {
  result.heading = headingOf(options);
  result.isRunBlock = !options.place.empty();
  result.kernel = options.kernel;
  if (options.verification)
    return verifyPasses(input.launch(), *options.verification, result.outcome);
  return runOnDevice(options, input.launch(), result.outcome);
}

StepResult Runner::compareResults() {
  if (StepResult failure = input.compareResults(result.checks))
    return failure;
  if (options.bench)
    result.bench =
        makeBenchFigures(result.outcome, input.operations(), input.bytes());
  return {};
}

StepResult Runner::dump() {
  for (const auto &[name, file] : options.dumps)
    if (Status status = writeNpy(file, *input.findArgument(name)->tensor);
        !status)
      return Failure(ExitCode::Runtime, status.error());
  return {};
}

StepResult Runner::report() {
  if (options.json)
    result.printJson(llvm::outs());
  else
    result.printText(llvm::outs());
  if (result.isOk())
    return {};
  return Failure(ExitCode::Mismatch, "the result is out of tolerance");
}

StepResult Runner::compareBits() {
  if (!options.sameBits)
    return {};
  for (const LaunchArgument &argument : input.launch().arguments)
    if (argument.tensor && !firstBits.matches(argument.name, *argument.tensor))
      return Failure(ExitCode::Mismatch,
                     "--same-bits: argument '" + argument.name +
                         "': expected the bits of the first plan, got others");
  return {};
}

StepResult Runner::run() {
  StepResult (Runner::*const kSteps[])() = {
      &Runner::bind,        &Runner::evaluateExpectations,
      &Runner::runLaunch,   &Runner::compareResults,
      &Runner::dump,        &Runner::report,
      &Runner::compareBits,
  };
  for (auto step : kSteps)
    if (StepResult failure = (this->*step)())
      return failure;
  return {};
}

StepResult run::runKernel(const Options &options, MLIRContext &context,
                          FirstBits &firstBits) {
  StepResult failure = Runner(options, context, firstBits).run();
  std::string which = headingOf(options);
  if (!failure || which.empty())
    return failure;
  if (options.isAsWritten && failure->code == ExitCode::Usage)
    failure->code = ExitCode::Compile;
  if (!options.place.empty())
    which += " at " + options.place;
  failure->where = which;
  return failure;
}
