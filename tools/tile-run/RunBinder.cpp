//===- RunBinder.cpp - The options of one run block -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunBinder.h"
#include "Npy.h"
#include "Number.h"

#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile;
using namespace tile::run;
using frontend::RunArgument;
using frontend::RunBinding;
using frontend::RunExpectation;
using frontend::RunExpr;
using frontend::RunKernel;
using frontend::RunParameter;
using frontend::RunTensor;
using llvm::StringRef;
using runtime::Error;
using runtime::Result;

std::string run::sideCount(size_t count) {
  return std::to_string(count) + (count == 1 ? " side" : " sides");
}

const ArgumentSpec *RunBinder::findGiven(StringRef name) const {
  for (const ArgumentSpec &spec : options.arguments)
    if (spec.name == name)
      return &spec;
  return nullptr;
}

/// Whether the block itself gives the name a value.
bool RunBinder::isSaid(StringRef name) const {
  auto isNamed = [&](const RunBinding &binding) {
    return binding.name == name;
  };
  return llvm::any_of(block.sizes, isNamed) ||
         llvm::any_of(block.bindings, isNamed);
}

bool RunBinder::isParameter(StringRef name) const {
  for (const RunKernel &kernel : block.kernels)
    for (const RunParameter &parameter : kernel.parameters)
      if (parameter.name == name)
        return true;
  return false;
}

bool RunBinder::knows(StringRef name) const {
  if (isParameter(name))
    return true;
  for (const RunBinding &size : block.sizes)
    if (size.name == name)
      return true;
  for (const RunKernel &kernel : block.kernels)
    for (const RunArgument &argument : kernel.arguments)
      if (argument.name == name)
        return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// A tensor on the command line whose sides the block spells as sizes gives
/// those sizes their values.
BindResult RunBinder::inferFrom(const RunBinding &binding,
                                const ArgumentSpec &spec) {
  std::vector<int64_t> sides = spec.shape.sides;
  if (spec.kind == ArgumentSpec::Kind::File) {
    Result<NpyArray> array = readNpy(spec.fill.file);
    if (!array)
      return PlacedError{
          {}, "argument '" + spec.name + "': " + array.error().text()};
    sides = array->sides;
  }
  if (sides.size() != binding.tensor->sides.size())
    return PlacedError{{},
                       "argument '" + spec.name + "': expected " +
                           sideCount(binding.tensor->sides.size()) +
                           ", as its run block says, got " + sidesText(sides)};
  for (size_t axis = 0; axis < sides.size(); ++axis) {
    const RunExpr &expr = binding.tensor->sides[axis];
    int64_t side = sides[axis];
    bool isSize = expr.kind == RunExpr::Kind::Name && !isParameter(expr.text) &&
                  llvm::any_of(block.sizes, [&](const RunBinding &size) {
                    return size.name == expr.text;
                  });
    if (!isSize || findGiven(expr.text))
      continue;
    auto [known, isNew] = inferred.try_emplace(expr.text, side);
    if (!isNew && known->second != side)
      return PlacedError{{},
                         "argument '" + spec.name + "': expected " +
                             std::to_string(known->second) + " for '" +
                             expr.text + "', as another tensor says, got " +
                             std::to_string(side)};
  }
  return {};
}

BindResult RunBinder::inferSizes() {
  for (const RunBinding &binding : block.bindings)
    if (const ArgumentSpec *given = findGiven(binding.name)) {
      bool isScalar = given->kind == ArgumentSpec::Kind::Scalar;
      if (binding.tensor && isScalar)
        return PlacedError{{},
                           "argument '" + binding.name +
                               "': expected a tensor such as f32[64,64]:ones, "
                               "got '" +
                               given->scalar + "'"};
      if (!binding.tensor && !isScalar)
        return PlacedError{{},
                           "argument '" + binding.name +
                               "': expected a number, got a tensor"};
      if (binding.tensor)
        if (BindResult error = inferFrom(binding, *given))
          return error;
    }
  return {};
}

BindResult RunBinder::setNumber(StringRef name, RunNumber value) {
  if (const ArgumentSpec *given = findGiven(name)) {
    bool isTruth = scalarType(name) == runtime::ElementType::I1;
    bool isTensor = given->kind != ArgumentSpec::Kind::Scalar;
    std::optional<RunNumber> number = RunNumber::read(given->scalar);
    if (!number || (number->isCondition() && !isTruth))
      return PlacedError{
          {},
          "argument '" + given->name + "': expected a number, got " +
              (isTensor ? "a tensor" : "'" + given->scalar + "'")};
    value = *number;
  } else if (auto known = inferred.find(name); known != inferred.end()) {
    value = RunNumber::integerOf(known->second);
  }
  numbers[name] = value;
  return {};
}

/// The type of the scalar argument `name`; nothing where there is none, or only
/// the kernel can say.
std::optional<runtime::ElementType>
RunBinder::scalarType(StringRef name) const {
  for (const RunKernel &kernel : block.kernels)
    for (const RunArgument &argument : kernel.arguments) {
      if (argument.name != name)
        continue;
      auto known = types.find(argument.type);
      return readElementType(known == types.end() ? argument.type
                                                  : known->second);
    }
  return std::nullopt;
}

/// Whether the value is true or false, which no float is.
static bool isCondition(const RunExpr &expr) {
  static constexpr StringRef kTruths[] = {
      "true", "false", "and", "or", "not", "<", "<=", ">", ">=", "==", "!="};
  return (expr.kind == RunExpr::Kind::Name ||
          expr.kind == RunExpr::Kind::Operator) &&
         llvm::is_contained(kTruths, expr.text);
}

/// Gives a size or a scalar argument its value.
BindResult RunBinder::bindScalar(const RunBinding &binding) {
  std::optional<runtime::ElementType> type = scalarType(binding.name);
  if (type && !runtime::isInteger(*type)) {
    if (isCondition(binding.value))
      return PlacedError{
          binding.value.range,
          "expected a number as '" + binding.name + "', which is " +
              std::string(runtime::stringify(*type)) + ", got a condition"};
    double real = 0;
    if (BindResult error = evaluateReal(binding.value, real))
      return error;
    if (Result<uint64_t> bits =
            parseScalar(*type, RunNumber::realOf(real).spelling());
        !bits && !findGiven(binding.name))
      return PlacedError{binding.value.range, "argument '" + binding.name +
                                                  "': " + bits.error().text()};
    return setNumber(binding.name, RunNumber::realOf(real));
  }
  RunNumber value;
  if (BindResult error = evaluateNumber(binding.value, value))
    return error;
  if (value.isReal())
    value = RunNumber::of(value.real);
  bool isTruth = type == runtime::ElementType::I1;
  bool isBit = value.isInteger() && (value.integer == 0 || value.integer == 1);
  bool fits = isTruth ? value.isCondition() || isBit
              : type  ? value.isInteger()
                      : !value.isCondition();
  bool isGiven = findGiven(binding.name) || inferred.contains(binding.name);
  if (fits && type && !isGiven)
    if (Result<uint64_t> bits = parseScalar(*type, value.spelling()); !bits)
      return PlacedError{binding.value.range, "argument '" + binding.name +
                                                  "': " + bits.error().text()};
  if (fits)
    return setNumber(binding.name, value);
  StringRef expected = isTruth ? "a condition"
                       : type  ? "an integer"
                               : "a number";
  std::string which =
      type ? "', which is " + std::string(runtime::stringify(*type)) : "'";
  return PlacedError{binding.value.range,
                     ("expected " + expected + " as '" + binding.name + which +
                      ", got " + value.text())
                         .str()};
}

BindResult RunBinder::bindSizes() {
  for (const RunBinding &size : block.sizes)
    if (!isParameter(size.name))
      if (BindResult error = bindScalar(size))
        return error;
  return {};
}

/// One of the numbers behind a fill; seeds, and limits of integers, are some.
BindResult RunBinder::fillParameter(const RunTensor &tensor,
                                    const RunExpr &expr, std::string &text) {
  bool isLast = &expr == &tensor.parameters.back();
  bool isSeed =
      tensor.fill == "randn" || (isLast && tensor.parameters.size() == 3);
  if (isSeed || tensor.fill == "int") {
    int64_t value = 0;
    if (BindResult error =
            evaluateInteger(expr, isSeed ? "a seed" : "a limit", value))
      return error;
    text = std::to_string(value);
    return {};
  }
  double value = 0;
  if (BindResult error = evaluateReal(expr, value))
    return error;
  text = RunNumber::realOf(value).spelling();
  return {};
}

/// "(-1,1,7)".
BindResult RunBinder::fillText(const RunTensor &tensor, std::string &text) {
  std::vector<std::string> parameters;
  for (const RunExpr &expr : tensor.parameters)
    if (BindResult error =
            fillParameter(tensor, expr, parameters.emplace_back()))
      return error;
  // Tensors without a seed differ from each other.
  bool isRange = tensor.fill == "uniform" || tensor.fill == "int";
  if (parameters.size() < (isRange ? 3 : tensor.fill == "randn" ? 1 : 0))
    parameters.push_back(std::to_string(tensors.size() + 1));
  if (!parameters.empty())
    text += "(" + llvm::join(parameters, ",") + ")";
  return {};
}

/// Elements are of the kernel's type, where the block alone says which.
BindResult RunBinder::checkElements(const RunBinding &binding,
                                    runtime::ElementType type) const {
  for (const RunKernel &kernel : block.kernels)
    for (const RunArgument &argument : kernel.arguments) {
      auto known = types.find(argument.element);
      std::optional<runtime::ElementType> expected = readElementType(
          known == types.end() ? argument.element : known->second);
      if (argument.name != binding.name || !expected || *expected == type)
        continue;
      auto nameOf = [](runtime::ElementType type) {
        return std::string(runtime::stringify(type));
      };
      return PlacedError{binding.tensor->typeRange,
                         "expected elements of " + nameOf(*expected) +
                             " for '" + binding.name + "', got " + nameOf(type),
                         argument.range,
                         "'" + binding.name + "' is defined here"};
    }
  return {};
}

/// The spec of a tensor as one would type it.
BindResult RunBinder::bindTensor(const RunBinding &binding) {
  if (const ArgumentSpec *given = findGiven(binding.name))
    return takeTensor(*given);
  const RunTensor &tensor = *binding.tensor;
  StringRef type = tensor.type;
  if (auto known = types.find(type); known != types.end())
    type = known->second;
  std::string text = (binding.name + "=" + type + "[").str();
  if (BindResult error = integerList(tensor.sides, "a side", text))
    return error;
  if (!tensor.strides.empty()) {
    text += ";";
    if (BindResult error = integerList(tensor.strides, "a stride", text))
      return error;
  }
  text += "]";
  if (tensor.fill != "empty")
    text += ":" + tensor.fill;
  if (BindResult error = fillText(tensor, text))
    return error;
  Result<ArgumentSpec> spec = parseArgumentSpec(text);
  if (!spec)
    return wrongTensor(binding, spec.error().text());
  if (BindResult error = checkElements(binding, spec->shape.type))
    return error;
  tensors[binding.name] = std::move(*spec);
  return {};
}

BindResult RunBinder::bindValues() {
  for (const RunBinding &binding : block.bindings)
    if (BindResult error =
            binding.tensor ? bindTensor(binding) : bindScalar(binding))
      return error;
  if (BindResult error = bindGivenTensors())
    return error;
  if (BindResult error = checkSides())
    return error;
  // What follows from tensors, unless it has been said.
  for (const RunKernel &kernel : block.kernels)
    for (const RunArgument &argument : kernel.arguments) {
      if (!argument.implied || numbers.contains(argument.name))
        continue;
      const RunExpr &implied = *argument.implied;
      if (!tensors.contains(implied.operands[0].text))
        continue;
      RunNumber value;
      if (BindResult error = evaluateNumber(implied, value))
        return error;
      if (BindResult error = setNumber(argument.name, value))
        return error;
    }
  return {};
}

BindResult RunBinder::bindGrid() {
  if (options.grid || block.grid.empty())
    return {};
  std::array<int64_t, 3> grid = {1, 1, 1};
  for (auto [i, expr] : llvm::enumerate(block.grid)) {
    if (i == grid.size())
      return PlacedError{expr.range, "expected at most 3 axes of a grid, got "
                                     "more"};
    if (BindResult error =
            evaluateInteger(expr, "a number of programs", grid[i]))
      return error;
    if (grid[i] < 0)
      return PlacedError{expr.range, "expected at least 0 programs, got " +
                                         std::to_string(grid[i])};
  }
  run.grid = grid;
  run.gridOrigin = "the grid of the run block";
  return {};
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

BindResult RunBinder::argumentsOf(const RunKernel &kernel,
                                  std::vector<ArgumentSpec> &specs) {
  for (const RunArgument &argument : kernel.arguments) {
    const ArgumentSpec *given = findGiven(argument.name);
    auto tensor = tensors.find(argument.name);
    if (given) {
      // `N=1e6` is the integer that it is of a size.
      auto number = numbers.find(argument.name);
      specs.push_back(*given);
      if (given->kind == ArgumentSpec::Kind::Scalar &&
          number != numbers.end() && number->second.isInteger())
        specs.back().scalar = number->second.spelling();
    } else if (tensor != tensors.end()) {
      specs.push_back(tensor->second);
    } else {
      bool hasValue = numbers.contains(argument.name);
      RunNumber value = numbers.lookup(argument.name);
      // A side of another kernel's may have the same name.
      bool isImplied = argument.implied && !isSaid(argument.name) &&
                       tensors.contains(argument.implied->operands[0].text);
      // What has none, the kernel asks for.
      if (!hasValue && !isImplied)
        continue;
      if (isImplied)
        if (BindResult error = evaluateNumber(*argument.implied, value))
          return error;
      ArgumentSpec &spec = specs.emplace_back();
      spec.name = argument.name;
      spec.scalar = value.spelling();
    }
  }
  return {};
}

/// What --expect calls is no function of the file, also where both have one.
BindResult RunBinder::checkCalls(const Expectation &value) const {
  if (value.kind == Expectation::Kind::Call &&
      llvm::is_contained(block.functions, value.name))
    return PlacedError{{},
                       "--expect: expected a function of expectations, got '" +
                           value.name + "' of the file"};
  for (const Expectation &operand : value.operands)
    if (BindResult error = checkCalls(operand))
      return error;
  return {};
}

BindResult RunBinder::bindExpectations() {
  run.compiledKernels.push_back(block.kernels[0].name);
  for (const ExpectedResult &given : options.expectations)
    if (BindResult error = checkCalls(given.value))
      return error;
  if (!options.expectations.empty())
    return {};
  for (const RunExpectation &entry : block.expectations) {
    ExpectedResult &expected = run.expectations.emplace_back();
    expected.name = entry.name;
    expected.absolute = entry.absolute;
    expected.relative = entry.relative;
    if (BindResult error = convert(entry.value, expected.value))
      return error;
    if (expected.value.kind != Expectation::Kind::Kernel)
      continue;
    for (const RunKernel &kernel : llvm::drop_begin(block.kernels))
      if (kernel.name == expected.value.name &&
          expected.kernelArguments.empty())
        if (BindResult error = argumentsOf(kernel, expected.kernelArguments))
          return error;
    run.compiledKernels.push_back(expected.value.name);
  }
  return {};
}

std::string RunBinder::valueText(StringRef name) const {
  auto number = numbers.find(name);
  return number != numbers.end() ? number->second.spelling()
                                 : types.lookup(name);
}

/// "run matmul(M = 65, N = 97, BM = 32)".
void RunBinder::makeHeading() {
  std::vector<std::string> parts;
  for (const RunBinding &size : block.sizes)
    parts.push_back(size.name + " = " + valueText(size.name));
  run.heading =
      "run " + block.kernels[0].name + "(" + llvm::join(parts, ", ") + ")";
}

BindResult RunBinder::bind() {
  run = options;
  run.kernel = block.kernels[0].name;
  run.arguments.clear();
  BindResult (RunBinder::*const kSteps[])() = {
      &RunBinder::inferSizes, &RunBinder::bindParameters,
      &RunBinder::bindSizes,  &RunBinder::bindValues,
      &RunBinder::bindGrid,   &RunBinder::bindExpectations,
  };
  for (auto step : kSteps)
    if (BindResult error = (this->*step)())
      return error;
  makeHeading();
  return argumentsOf(block.kernels[0], run.arguments);
}
