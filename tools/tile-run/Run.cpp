//===- Run.cpp - One run from the command line to the exit code -----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "Backend.h"
#include "Kernels.h"
#include "Npy.h"
#include "Number.h"
#include "Report.h"
#include "VerifyPasses.h"
#include "files/Files.h"

#include "tile/Frontend/Frontend.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tile;
using namespace tile::run;
using runtime::Error;
using runtime::Result;
using runtime::Status;

namespace {
/// The steps of a run, in the order of their definitions.
class Runner {
public:
  Runner(const Options &options, MLIRContext &context)
      : options(options), context(context),
        diagnostics(sources, &context, llvm::errs()) {}

  StepResult run();

private:
  OwningOpRef<ModuleOp> compileLanguage();
  StepResult parseFile();
  StepResult bind();
  StepResult checkNames();
  StepResult evaluateExpectations();
  StepResult runOther(const ExpectedResult &expected, Result<Reference> &value);
  StepResult runOnDevice(Launch &what, Outcome &outcome);
  StepResult runLaunch();
  StepResult checkGuards();
  StepResult compareResults();
  StepResult dump();
  StepResult report();

  LaunchArgument *findArgument(StringRef name);
  Result<Reference> valueOf(const std::string &name);

  const Options &options;
  MLIRContext &context;
  llvm::SourceMgr sources;
  /// Prints errors with the line that they are about.
  SourceMgrDiagnosticHandler diagnostics;
  OwningOpRef<ModuleOp> module;
  Launch launch;
  /// One for each expectation, from the values before the run.
  std::vector<Reference> references;
  Report result;
};
} // namespace

/// Compiles a source of the .tile language; null where it is wrong, which is
/// said.
OwningOpRef<ModuleOp> Runner::compileLanguage() {
  std::vector<frontend::Diagnostic> errors;
  OwningOpRef<ModuleOp> compiled = frontend::compileSource(
      sources,
      {options.parameters, options.compiledKernels, options.allowedLints},
      context, errors);
  frontend::printDiagnostics(sources, errors, llvm::errs());
  return compiled;
}

StepResult Runner::parseFile() {
  Result<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      files::readFile(options.file);
  if (!buffer)
    return Failure(ExitCode::Compile, buffer.error());
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  if (StringRef(options.file).ends_with(".tile"))
    module = compileLanguage();
  else if (files::checkNesting(sources))
    module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return Failure(ExitCode::Compile,
                   "'" + options.file + "' could not be read");
  result.heading = options.heading;
  launch.module = *module;
  launch.kernelName = result.kernel = options.kernel;
  launch.variant = options.variant;
  launch.grid = options.grid;
  launch.bench = options.bench;
  launch.maxIterations = options.maxIterations;
  launch.target = options.target;
  launch.settings = options.settings;
  return {};
}

StepResult Runner::bind() {
  if (options.numerics && options.expectations.empty())
    return Failure(ExitCode::Usage,
                   "--numerics: expected --expect NAME=EXPRESSION, got none");
  SmallVector<KernelOp> kernels = findKernels(*module, options.kernel);
  if (!kernels.empty())
    return bindArguments(kernels.front(), options.arguments, launch.arguments);
  SmallVector<StringRef> names;
  for (auto kernel : module->getOps<KernelOp>())
    names.push_back(kernel.getSymName());
  std::string known = names.empty() ? "a file with kernels"
                                    : "one of " + llvm::join(names, ", ");
  return Failure(ExitCode::Usage,
                 "kernel '" + options.kernel + "': expected " + known);
}

LaunchArgument *Runner::findArgument(StringRef name) {
  auto *found = llvm::find_if(launch.arguments, [&](LaunchArgument &argument) {
                  return argument.name == name;
                }).base();
  return found == launch.arguments.data() + launch.arguments.size() ? nullptr
                                                                    : found;
}

/// --expect and --dump name tensors of the kernel.
StepResult Runner::checkNames() {
  auto check = [&](const std::string &option,
                   const std::string &name) -> StepResult {
    LaunchArgument *argument = findArgument(name);
    if (argument && argument->tensor)
      return {};
    return Failure(ExitCode::Usage, option + ": argument '" + name +
                                        "': expected a pointer argument of '" +
                                        options.kernel + "'");
  };
  for (const ExpectedResult &expected : options.expectations)
    if (StepResult failure = check("--expect", expected.name))
      return failure;
  for (const auto &[name, file] : options.dumps)
    if (StepResult failure = check("--dump", name))
      return failure;
  return {};
}

Result<Reference> Runner::valueOf(const std::string &name) {
  LaunchArgument *argument = findArgument(name);
  if (!argument)
    return Error("argument '" + name + "': expected an argument of '" +
                 options.kernel + "'");
  if (argument->tensor && !argument->tensor->isInitialised())
    return Error("argument '" + name +
                 "': expected contents, got an uninitialised tensor");
  if (argument->tensor)
    return makeInput(argument->tensor->shape().sides,
                     argument->tensor->values());
  return makeInput({}, {decode(argument->type.element, argument->bits)});
}

/// What another kernel leaves in the argument, run on the same device.
StepResult Runner::runOther(const ExpectedResult &expected,
                            Result<Reference> &value) {
  Launch other;
  other.maxIterations = options.maxIterations;
  other.module = *module;
  other.kernelName = expected.value.name;
  other.maxIterations = options.maxIterations;
  other.target = options.target;
  SmallVector<KernelOp> kernels = findKernels(*module, other.kernelName);
  if (kernels.empty())
    return Failure(ExitCode::Usage, "expected a kernel to compare with, got '" +
                                        other.kernelName + "'");
  if (StepResult failure = bindArguments(
          kernels.front(), expected.kernelArguments, other.arguments))
    return failure;
  Outcome outcome;
  if (StepResult failure = runOnDevice(other, outcome))
    return failure;
  for (const LaunchArgument &argument : other.arguments)
    if (argument.name == expected.name && argument.tensor)
      value =
          makeInput(argument.tensor->shape().sides, argument.tensor->values());
  return {};
}

/// Sides without those of 1, which say nothing of how many elements there are.
static std::vector<int64_t> significantSides(std::vector<int64_t> sides) {
  llvm::erase(sides, 1);
  return sides;
}

StepResult Runner::evaluateExpectations() {
  for (const ExpectedResult &expected : options.expectations) {
    Result<Reference> value =
        Error("expected a kernel with the argument '" + expected.name + "'");
    if (expected.value.kind != Expectation::Kind::Kernel)
      value = evaluate(expected.value,
                       [&](const std::string &name) { return valueOf(name); });
    else if (StepResult failure = runOther(expected, value))
      return failure;
    std::string text = expected.name + "=" + expected.value.text();
    if (!value)
      return Failure(ExitCode::Usage,
                     "--expect '" + text + "': " + value.error().text());
    const std::vector<int64_t> &sides =
        findArgument(expected.name)->tensor->shape().sides;
    bool fits = significantSides(value->sides) == significantSides(sides);
    if (fits && !value->sides.empty())
      value->sides = sides;
    if (!value->sides.empty() && !fits)
      return Failure(ExitCode::Usage, "--expect '" + text + "': argument '" +
                                          expected.name + "': expected sides " +
                                          sidesText(value->sides) + ", got " +
                                          sidesText(sides));
    references.push_back(std::move(*value));
  }
  return {};
}

StepResult Runner::runOnDevice(Launch &what, Outcome &outcome) {
  bool mayUseGPU =
      options.device != DeviceChoice::Interpreter && !options.verification;
  Result<std::shared_ptr<const runtime::Driver>> driver =
      mayUseGPU ? runtime::Driver::open()
                : runtime::Error("the interpreter is asked for");
  if (driver)
    return runOnCuda(what, *driver, outcome);
  bool isCompiled = !options.target.empty() || !options.settings.empty();
  if (isCompiled && !options.verification)
    return Failure(ExitCode::Usage, "--arch, --set: expected the GPU or "
                                    "--verify-passes, got the interpreter");
  if (options.device != DeviceChoice::Cuda)
    return runOnInterpreter(what, outcome);
  return Failure(ExitCode::Runtime, "--device=cuda: " + driver.error().text());
}

StepResult Runner::runLaunch() {
  if (options.verification)
    return verifyPasses(launch, *options.verification, result.outcome);
  return runOnDevice(launch, result.outcome);
}

StepResult Runner::checkGuards() {
  for (const LaunchArgument &argument : launch.arguments) {
    if (!argument.tensor)
      continue;
    if (std::optional<std::string> damage = argument.tensor->findDamage())
      return Failure(ExitCode::Runtime,
                     "argument '" + argument.name + "': " + *damage);
  }
  return {};
}

StepResult Runner::compareResults() {
  double operations = 0, bytes = 0;
  for (auto [expected, reference] :
       llvm::zip_equal(options.expectations, references)) {
    const HostTensor &tensor = *findArgument(expected.name)->tensor;
    Tolerance tolerance = options.tolerance;
    if (!tolerance.absolute && !tolerance.relative)
      tolerance = {expected.absolute, expected.relative};
    Result<Comparison> comparison = compare(tensor, reference, tolerance);
    if (!comparison)
      return Failure(ExitCode::Usage, "argument '" + expected.name +
                                          "': " + comparison.error().text());
    result.checks.push_back({expected.name, expected.value.text(),
                             tensor.shape().sides, std::move(*comparison),
                             std::nullopt});
    if (options.numerics) {
      Result<Numerics> numerics = analyseNumerics(tensor, reference);
      if (!numerics)
        return Failure(ExitCode::Usage, "argument '" + expected.name +
                                            "': " + numerics.error().text());
      result.checks.back().numerics = std::move(*numerics);
    }
    operations += reference.operations;
  }
  for (const LaunchArgument &argument : launch.arguments)
    if (argument.tensor)
      bytes += double(argument.tensor->shape().numElements()) *
               double(argument.tensor->elementBytes());
  if (options.bench)
    result.bench = makeBenchFigures(result.outcome, operations, bytes);
  return {};
}

StepResult Runner::dump() {
  for (const auto &[name, file] : options.dumps)
    if (Status status = writeNpy(file, *findArgument(name)->tensor); !status)
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
      &Runner::parseFile,      &Runner::bind,
      &Runner::checkNames,     &Runner::evaluateExpectations,
      &Runner::runLaunch,      &Runner::checkGuards,
      &Runner::compareResults, &Runner::dump,
      &Runner::report,
  };
  for (auto step : kSteps)
    if (StepResult failure = (this->*step)())
      return failure;
  return {};
}

StepResult run::runKernel(const Options &options, MLIRContext &context) {
  return Runner(options, context).run();
}
