//===- Run.cpp - One run from the command line to the exit code -----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "Backend.h"
#include "Case.h"
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
  Runner(const Options &options, MLIRContext &context)
      : options(options), input(options, context) {}

  StepResult run();

private:
  StepResult bind() { return input.bind(); }
  StepResult evaluateExpectations() { return input.evaluateExpectations(); }
  StepResult runLaunch();
  StepResult compareResults();
  StepResult dump();
  StepResult report();

  const Options &options;
  Case input;
  Report result;
};
} // namespace

StepResult Runner::runLaunch() {
  result.heading = options.heading;
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

StepResult Runner::run() {
  StepResult (Runner::*const kSteps[])() = {
      &Runner::bind,      &Runner::evaluateExpectations,
      &Runner::runLaunch, &Runner::compareResults,
      &Runner::dump,      &Runner::report,
  };
  for (auto step : kSteps)
    if (StepResult failure = (this->*step)())
      return failure;
  return {};
}

StepResult run::runKernel(const Options &options, MLIRContext &context) {
  return Runner(options, context).run();
}
