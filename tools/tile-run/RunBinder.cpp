//===- RunBinder.cpp - The options of one run block -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunBinder.h"
#include "Npy.h"
#include "Number.h"
#include "Reference.h"
#include "RunNumber.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

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

/// An element type as NAME=SPEC spells it.
static std::string runtimeType(StringRef type) {
  return llvm::StringSwitch<std::string>(type)
      .Case("f8e4m3", "f8E4M3FN")
      .Case("f8e5m2", "f8E5M2")
      .Default(type.str());
}

std::optional<runtime::ElementType> run::languageType(StringRef type) {
  return runtime::symbolizeElementType(runtimeType(type));
}

std::string run::textOf(double value) {
  constexpr double kMaxInteger = 9007199254740992.0;
  if (std::trunc(value) == value && std::fabs(value) <= kMaxInteger)
    return std::to_string(static_cast<int64_t>(value));
  return numberText(value);
}

const ArgumentSpec *RunBinder::findGiven(StringRef name) const {
  for (const ArgumentSpec &spec : options.arguments)
    if (spec.name == name)
      return &spec;
  return nullptr;
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
                           std::to_string(binding.tensor->sides.size()) +
                           " sides, as its run block says, got " +
                           sidesText(sides)};
  for (size_t axis = 0; axis < sides.size(); ++axis) {
    const RunExpr &expr = binding.tensor->sides[axis];
    int64_t side = sides[axis];
    bool isSize = expr.kind == RunExpr::Kind::Name && !isParameter(expr.text) &&
                  llvm::any_of(block.sizes, [&](const RunBinding &size) {
                    return size.name == expr.text;
                  });
    if (!isSize || findGiven(expr.text))
      continue;
    auto [known, isNew] = inferred.try_emplace(expr.text, double(side));
    if (!isNew && known->second != double(side))
      return PlacedError{{},
                         "argument '" + spec.name + "': expected " +
                             textOf(known->second) + " for '" + expr.text +
                             "', as another tensor says, got " +
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

BindResult RunBinder::setNumber(llvm::SMRange range, StringRef name,
                                double value) {
  if (const ArgumentSpec *given = findGiven(name)) {
    if (std::optional<double> number = readNumber(given->scalar))
      value = *number;
    else
      return PlacedError{range, ("expected a number for '" + name + "', got '" +
                                 given->scalar + "'")
                                    .str()};
  } else if (auto known = inferred.find(name); known != inferred.end()) {
    value = known->second;
  }
  numbers[name] = value;
  return {};
}

/// The text of a compile-time parameter: from the command line, from the block,
/// or its default; empty where only the kernel can say.
BindResult RunBinder::parameterText(const RunParameter &parameter,
                                    const llvm::StringMap<std::string> &given,
                                    bool &isDefault, std::string &text) {
  isDefault = false;
  text = given.lookup(parameter.name);
  if (const ArgumentSpec *spec = findGiven(parameter.name)) {
    if (!text.empty() && text != spec->scalar)
      return PlacedError{{},
                         "expected one value for '" + parameter.name +
                             "', got --param " + parameter.name + "=" + text +
                             " and " + parameter.name + "=" + spec->scalar};
    text = spec->scalar;
  }
  if (!text.empty())
    return {};
  const RunBinding *size = nullptr;
  for (const RunBinding &entry : block.sizes)
    if (!size && entry.name == parameter.name)
      size = &entry;
  isDefault = !size;
  if (isDefault && !parameter.value)
    return {};
  const RunExpr &value = isDefault ? *parameter.value : size->value;
  if (parameter.isType) {
    auto known = types.find(value.text);
    text = known != types.end() ? known->second : value.text;
    return {};
  }
  RunNumber number;
  BindResult error = evaluateNumber(value, number);
  if (!error && number.isCondition())
    text = number.integer ? "true" : "false";
  else if (!error)
    text = number.isInteger() ? number.text() : textOf(number.real);
  // What has no value here has one in the kernel.
  return isDefault ? BindResult() : error;
}

BindResult RunBinder::bindParameter(const RunParameter &parameter,
                                    llvm::StringMap<std::string> &given) {
  bool isDefault = false;
  std::string text;
  if (BindResult error = parameterText(parameter, given, isDefault, text))
    return error;
  if (text.empty())
    return {};
  int64_t number = text == "true";
  bool isWord = text == "true" || text == "false";
  bool fits = parameter.isType   ? languageType(text).has_value()
              : parameter.isBool ? isWord
                                 : !StringRef(text).getAsInteger(10, number);
  StringRef expected = parameter.isType   ? "a type"
                       : parameter.isBool ? "true or false"
                                          : "an integer";
  if (!fits)
    return PlacedError{parameter.range,
                       ("expected " + expected + " for '" + parameter.name +
                        "', got '" + text + "'")
                           .str()};
  if (parameter.isType)
    types[parameter.name] = text;
  else
    numbers[parameter.name] = double(number);
  if (parameter.isBool)
    words[parameter.name] = text;
  if (!isDefault && !given.contains(parameter.name)) {
    run.parameters.push_back(parameter.name + "=" + text);
    given[parameter.name] = text;
  }
  return {};
}

BindResult RunBinder::bindParameters() {
  llvm::StringMap<std::string> given;
  for (StringRef text : options.parameters)
    given[text.split('=').first] = text.split('=').second.str();
  for (const RunKernel &kernel : block.kernels)
    for (const RunParameter &parameter : kernel.parameters)
      if (BindResult error = bindParameter(parameter, given))
        return error;
  for (const RunParameter &parameter : block.kernels[0].parameters)
    if (std::string text = valueText(parameter.name); !text.empty())
      run.parameterValues.push_back(parameter.name + "=" + text);
  return {};
}

/// Whether it is a scalar of floats, which are computed in f64.
bool RunBinder::isRealArgument(StringRef name) const {
  for (const RunKernel &kernel : block.kernels)
    for (const RunArgument &argument : kernel.arguments) {
      if (argument.name != name)
        continue;
      auto known = types.find(argument.type);
      std::optional<runtime::ElementType> type =
          languageType(known == types.end() ? argument.type : known->second);
      return type && !runtime::isInteger(*type);
    }
  return false;
}

BindResult RunBinder::bindSizes() {
  for (const RunBinding &size : block.sizes) {
    if (isParameter(size.name))
      continue;
    RunNumber value;
    BindResult wrong = isRealArgument(size.name)
                           ? evaluateReal(size.value, value.real)
                           : evaluateNumber(size.value, value);
    if (wrong)
      return wrong;
    if (isRealArgument(size.name))
      value.kind = RunNumber::Kind::Real;
    if (value.isCondition())
      return PlacedError{size.value.range, "expected a number as '" +
                                               size.name +
                                               "', got a condition"};
    if (BindResult error = setNumber(size.range, size.name, value.value()))
      return error;
  }
  return {};
}

/// The spec of a tensor as one would type it.
BindResult RunBinder::bindTensor(const RunBinding &binding) {
  if (const ArgumentSpec *given = findGiven(binding.name)) {
    ArgumentSpec spec = *given;
    if (spec.kind == ArgumentSpec::Kind::File)
      if (Result<NpyArray> array = readNpy(spec.fill.file)) {
        spec.shape.sides = array->sides;
        spec.shape.strides = rowMajorStrides(array->sides);
      }
    tensors[binding.name] = spec;
    return {};
  }
  const RunTensor &tensor = *binding.tensor;
  StringRef type = tensor.type;
  if (auto known = types.find(type); known != types.end())
    type = known->second;
  std::string text = binding.name + "=" + runtimeType(type) + "[";
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
  std::vector<std::string> parameters;
  for (const RunExpr &parameter : tensor.parameters) {
    double value = 0;
    if (BindResult error = evaluateReal(parameter, value))
      return error;
    parameters.push_back(textOf(value));
  }
  // Tensors without a seed differ from each other.
  bool isRange = tensor.fill == "uniform" || tensor.fill == "int";
  if (parameters.size() < (isRange ? 3 : tensor.fill == "randn" ? 1 : 0))
    parameters.push_back(std::to_string(tensors.size() + 1));
  if (!parameters.empty())
    text += "(" + llvm::join(parameters, ",") + ")";
  Result<ArgumentSpec> spec = parseArgumentSpec(text);
  if (!spec)
    return PlacedError{binding.range, spec.error().text()};
  tensors[binding.name] = std::move(*spec);
  return {};
}

BindResult RunBinder::bindValues() {
  for (const RunBinding &binding : block.bindings) {
    BindResult error;
    double value = 0;
    if (binding.tensor)
      error = bindTensor(binding);
    else if (!(error = evaluateReal(binding.value, value)))
      error = setNumber(binding.range, binding.name, value);
    if (error)
      return error;
  }
  // What follows from tensors, unless it has been said.
  for (const RunKernel &kernel : block.kernels)
    for (const RunArgument &argument : kernel.arguments) {
      if (!argument.implied || numbers.contains(argument.name))
        continue;
      double value = 0;
      if (BindResult error = evaluateReal(*argument.implied, value))
        return error;
      if (BindResult error =
              setNumber(argument.implied->range, argument.name, value))
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
      specs.push_back(*given);
    } else if (tensor != tensors.end()) {
      specs.push_back(tensor->second);
    } else {
      ArgumentSpec &spec = specs.emplace_back();
      spec.name = argument.name;
      spec.scalar = textOf(numbers.lookup(argument.name));
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
  std::string word = types.lookup(name) + words.lookup(name);
  auto number = numbers.find(name);
  return !word.empty()             ? word
         : number != numbers.end() ? textOf(number->second)
                                   : "";
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
