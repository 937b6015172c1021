//===- Case.cpp - One run: arguments and what is expected -----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include "Backend.h"
#include "ExactReference.h"
#include "Kernels.h"
#include "Npy.h"
#include "Number.h"
#include "RunBlocks.h"
#include "files/Files.h"

#include "tile/Frontend/Frontend.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tile;
using namespace tile::run;
using runtime::Error;
using runtime::Result;

/// Compiles a source of the .tile language; null where it is wrong, which is
/// said.
OwningOpRef<ModuleOp> Case::compileLanguage(ExitCode &code, bool &isSaid) {
  std::vector<frontend::Diagnostic> errors;
  OwningOpRef<ModuleOp> compiled = frontend::compileSource(
      sources,
      {options.parameters, options.compiledKernels, options.allowedLints},
      context, errors);
  size_t numSaid = options.said->size();
  printDiagnostics(options, sources, errors);
  isSaid = options.said->size() == numSaid;
  if (frontend::isOfOptions(errors))
    code = ExitCode::Usage;
  return compiled;
}

StepResult Case::parseFile() {
  Result<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      files::readFile(options.file);
  if (!buffer)
    return Failure(ExitCode::Compile, buffer.error());
  shown.AddNewSourceBuffer(files::toShow(**buffer), llvm::SMLoc());
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  ExitCode code = ExitCode::Compile;
  bool isSaid = false;
  if (StringRef(options.file).ends_with(".tile")) {
    terms.emplace(context);
    module = compileLanguage(code, isSaid);
  } else if (files::checkIR(sources)) {
    module = parseSourceFile<ModuleOp>(sources, &context);
  }
  if (!module) {
    Failure failure(code,
                    code == ExitCode::Usage
                        ? "expected options that '" + options.file + "' takes"
                        : "expected a source without errors, got '" +
                              options.file + "'");
    failure.isSaid = isSaid;
    return failure;
  }
  theLaunch.module = *module;
  theLaunch.kernelName = options.kernel;
  theLaunch.variant = options.variant;
  theLaunch.grid = options.grid;
  theLaunch.gridOrigin = options.gridOrigin;
  theLaunch.isRunBlock = !options.heading.empty();
  theLaunch.bench = options.bench;
  theLaunch.maxIterations = options.maxIterations;
  theLaunch.target = options.target;
  theLaunch.settings = options.settings;
  return {};
}

StepResult Case::bindKernel() {
  if (options.numerics && options.expectations.empty())
    return Failure(ExitCode::Usage,
                   "--numerics: expected --expect NAME=EXPRESSION, got none");
  SmallVector<KernelOp> kernels = findKernels(*module, options.kernel);
  if (!kernels.empty())
    return bindArguments(kernels.front(), options.arguments,
                         theLaunch.arguments);
  SmallVector<StringRef> names;
  for (auto kernel : module->getOps<KernelOp>())
    names.push_back(kernel.getSymName());
  std::string known = names.empty() ? "a file with kernels"
                                    : "one of " + llvm::join(names, ", ");
  return Failure(ExitCode::Usage,
                 "kernel '" + options.kernel + "': expected " + known);
}

LaunchArgument *Case::findArgument(StringRef name) {
  for (LaunchArgument &argument : theLaunch.arguments)
    if (argument.name == name)
      return &argument;
  return nullptr;
}

/// What asks for a result, for people.
static std::string labelOf(const ExpectedResult &expected) {
  std::string value = expected.value.text();
  return expected.place.empty()
             ? "--expect '" + expected.name + "=" + value + "'"
             : "'expect " + expected.name + " == " + value + "' at " +
                   expected.place;
}

/// --expect and --dump name tensors of the kernel.
StepResult Case::checkNames() {
  auto check = [&](const std::string &option,
                   const std::string &name) -> StepResult {
    LaunchArgument *argument = findArgument(name);
    if (argument && argument->type.isPointer)
      return {};
    return Failure(ExitCode::Usage, option + ": argument '" + name +
                                        "': expected a pointer argument of '" +
                                        options.kernel + "'");
  };
  for (const ExpectedResult &expected : options.expectations)
    if (StepResult failure =
            check(expected.place.empty() ? "--expect" : labelOf(expected),
                  expected.name))
      return failure;
  for (const auto &[name, file] : options.dumps)
    if (StepResult failure = check("--dump", name))
      return failure;
  return {};
}

/// What is wrong whatever the tensors hold is said before they are made.  Of
/// several variants the one that is chosen counts, which the addresses decide.
StepResult Case::checkScalars() {
  SmallVector<KernelOp> kernels = findKernels(*module, options.kernel);
  if (kernels.size() != 1)
    return {};
  if (StepResult failure = checkFacts(kernels.front(), theLaunch.arguments,
                                      /*addresses=*/{}))
    return failure;
  Grid grid;
  return computeGrid(kernels.front(), theLaunch, grid);
}

StepResult Case::makeMemory() {
  return makeTensors(options.memoryLimit, theLaunch.arguments);
}

Result<Reference> Case::valueOf(const std::string &name) {
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
StepResult Case::runOther(const ExpectedResult &expected,
                          Result<Reference> &value) {
  Launch other;
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
  if (StepResult failure = makeTensors(options.memoryLimit, other.arguments))
    return failure;
  Outcome outcome;
  if (StepResult failure = runOnDevice(options, other, outcome))
    return failure;
  for (const LaunchArgument &argument : other.arguments)
    if (argument.name == expected.name && argument.tensor) {
      value =
          makeInput(argument.tensor->shape().sides, argument.tensor->values());
      if (std::optional<ExactReference> exact = exactValueOf(argument))
        value->integers = std::move(exact->values);
    }
  return {};
}

/// What f64 rounds of an i64 is computed again in integers.
void Case::addIntegers(const ExpectedResult &expected, Reference &value) {
  const LaunchArgument &result = *findArgument(expected.name);
  if (expected.value.kind == Expectation::Kind::Kernel ||
      result.type.element != runtime::ElementType::I64)
    return;
  auto lookup = [&](const std::string &name) -> std::optional<ExactReference> {
    const LaunchArgument *argument = findArgument(name);
    return argument ? exactValueOf(*argument) : std::nullopt;
  };
  std::optional<ExactReference> exact = evaluateExactly(expected.value, lookup);
  if (exact && exact->sides == value.sides)
    value.integers = std::move(exact->values);
}

/// Sides without those of 1, which say nothing of how many elements there are.
static std::vector<int64_t> significantSides(std::vector<int64_t> sides) {
  llvm::erase(sides, 1);
  return sides;
}

/// What the file expects is wrong there; what --expect does, on the command
/// line.
Failure Case::wrongExpectation(const ExpectedResult &expected,
                               const llvm::Twine &message) {
  if (expected.place.empty())
    return Failure(ExitCode::Usage, labelOf(expected) + ": " + message.str());
  StringRef text =
      sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
  // The file may have been written to since its blocks were read.
  size_t end = std::min(expected.end, text.size()),
         begin = std::min(expected.begin, end);
  frontend::Diagnostic diagnostic;
  diagnostic.range = {llvm::SMLoc::getFromPointer(text.begin() + begin),
                      llvm::SMLoc::getFromPointer(text.begin() + end)};
  diagnostic.message = message.str();
  printDiagnostics(options, sources, diagnostic);
  return Failure(ExitCode::Compile, "expected values to compare with, got the "
                                    "errors above");
}

/// Adds the value that is expected.
StepResult Case::evaluateExpectation(const ExpectedResult &expected) {
  Result<Reference> value =
      Error("expected a kernel with the argument '" + expected.name + "'");
  if (expected.value.kind != Expectation::Kind::Kernel)
    value = evaluate(expected.value,
                     [&](const std::string &name) { return valueOf(name); });
  else if (StepResult failure = runOther(expected, value))
    return failure;
  if (!value)
    return wrongExpectation(expected, value.error().text());
  addIntegers(expected, *value);
  const std::vector<int64_t> &sides =
      findArgument(expected.name)->tensor->shape().sides;
  bool fits = significantSides(value->sides) == significantSides(sides);
  if (fits && !value->sides.empty())
    value->sides = sides;
  if (!value->sides.empty() && !fits)
    return wrongExpectation(
        expected, "argument '" + expected.name + "': expected sides " +
                      sidesText(value->sides) + ", got " + sidesText(sides));
  references.push_back(std::move(*value));
  return {};
}

StepResult Case::evaluateExpectations() {
  StepResult first;
  for (const ExpectedResult &expected : options.expectations) {
    StepResult failure = evaluateExpectation(expected);
    if (failure && !first)
      first = std::move(failure);
  }
  return first;
}

StepResult Case::checkGuards() {
  for (const LaunchArgument &argument : theLaunch.arguments) {
    if (!argument.tensor)
      continue;
    if (std::optional<std::string> damage = argument.tensor->findDamage())
      return Failure(ExitCode::Runtime,
                     "argument '" + argument.name + "': " + *damage);
  }
  return {};
}

StepResult Case::compareResults(std::vector<Check> &checks) {
  if (StepResult failure = checkGuards())
    return failure;
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
    checks.push_back({expected.name, expected.value.text(),
                      tensor.shape().sides, std::move(*comparison),
                      std::nullopt});
    if (!options.numerics)
      continue;
    Result<Numerics> numerics = analyseNumerics(tensor, reference);
    if (!numerics)
      return Failure(ExitCode::Usage, "argument '" + expected.name +
                                          "': " + numerics.error().text());
    checks.back().numerics = std::move(*numerics);
  }
  return {};
}

double Case::operations() const {
  double sum = 0;
  for (const Reference &reference : references)
    sum += reference.operations;
  return sum;
}

double Case::bytes() const {
  double sum = 0;
  for (const LaunchArgument &argument : theLaunch.arguments)
    if (argument.tensor)
      sum += double(argument.tensor->shape().numElements()) *
             double(argument.tensor->elementBytes());
  return sum;
}

StepResult Case::bind() {
  StepResult (Case::*const kSteps[])() = {
      &Case::parseFile, &Case::bindKernel, &Case::checkNames,
      &Case::checkScalars, &Case::makeMemory};
  for (auto step : kSteps)
    if (StepResult failure = (this->*step)())
      return failure;
  return {};
}
