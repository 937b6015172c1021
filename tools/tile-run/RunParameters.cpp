//===- RunParameters.cpp - Compile-time parameters of run blocks ----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Number.h"
#include "RunBinder.h"

#include "tile/Frontend/Numbers.h"
#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/STLExtras.h"

using namespace tile;
using namespace tile::run;
using frontend::RunBinding;
using frontend::RunExpr;
using frontend::RunKernel;
using frontend::RunParameter;
using llvm::StringRef;

StringRef run::expectedOf(const RunParameter &parameter, StringRef text) {
  if (parameter.isType)
    return readElementType(text) ? "" : "a type";
  if (parameter.isBool)
    return text == "true" || text == "false" ? "" : "true or false";
  return frontend::readInteger(text) ? "" : "an integer";
}

/// The first value that the block gives in parentheses; null for none.
const RunBinding *RunBinder::findSize(StringRef name) const {
  for (const RunBinding &size : block.sizes)
    if (size.name == name)
      return &size;
  return nullptr;
}

/// The text of a compile-time parameter: from the command line, from the block,
/// or its default; empty where only the kernel can say.
BindResult RunBinder::parameterText(const RunParameter &parameter,
                                    const llvm::StringMap<std::string> &given,
                                    bool &isDefault, std::string &text) {
  isDefault = false;
  text = given.lookup(parameter.name);
  if (const ArgumentSpec *spec = findGiven(parameter.name)) {
    if (spec->kind != ArgumentSpec::Kind::Scalar)
      return PlacedError{{},
                         "argument '" + parameter.name +
                             "': expected the value of a compile-time "
                             "parameter, got a tensor"};
    if (!text.empty() && text != spec->scalar)
      return PlacedError{{},
                         "expected one value for '" + parameter.name +
                             "', got --param " + parameter.name + "=" + text +
                             " and " + parameter.name + "=" + spec->scalar};
    text = spec->scalar;
  }
  if (!text.empty())
    return {};
  const RunBinding *size = findSize(parameter.name);
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
  if (!error)
    text = number.spelling();
  // What has no value here has one in the kernel.
  return isDefault ? BindResult() : error;
}

/// What the command line says of the parameter, as a hint; empty for nothing.
std::string RunBinder::givenText(StringRef name) const {
  std::string given;
  if (const ArgumentSpec *spec = findGiven(name))
    given = spec->name + "=" + spec->scalar;
  for (StringRef text : options.parameters)
    if (text.split('=').first == name)
      given = "--param " + text.str();
  return given.empty() ? given : "the command line says " + given;
}

/// At the value, where the block gives it.
BindResult RunBinder::wrongParameter(const RunParameter &parameter,
                                     const llvm::Twine &message) const {
  const RunBinding *size = findSize(parameter.name);
  bool isSaid = size && !findGiven(parameter.name) &&
                llvm::none_of(options.parameters, [&](StringRef text) {
                  return text.split('=').first == parameter.name;
                });
  if (!isSaid)
    return PlacedError{
        parameter.range, message.str(), {}, {}, givenText(parameter.name)};
  return PlacedError{size->value.range, message.str(), parameter.range,
                     "'" + parameter.name + "' is defined here"};
}

BindResult RunBinder::bindParameter(const RunParameter &parameter,
                                    llvm::StringMap<std::string> &given) {
  bool isDefault = false;
  std::string text;
  if (BindResult error = parameterText(parameter, given, isDefault, text))
    return error;
  if (text.empty())
    return {};
  StringRef expected = expectedOf(parameter, text);
  if (!expected.empty())
    return wrongParameter(parameter, "expected " + expected + " for '" +
                                         parameter.name + "', got '" + text +
                                         "'");
  if (parameter.isType)
    types[parameter.name] = text = frontend::languageTypeName(text).str();
  else
    numbers[parameter.name] = *RunNumber::read(text);
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
