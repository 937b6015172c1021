//===- RunExpressions.cpp - Expressions of run blocks ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Number.h"
#include "Reference.h"
#include "RunBinder.h"

#include "tile/Frontend/Numbers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace tile;
using namespace tile::run;
using frontend::RunExpr;
using llvm::StringRef;
using runtime::Error;
using runtime::Result;

/// `a.shape[0]` and `a.stride[0]`, of a tensor that has been bound.
BindResult RunBinder::findProperty(const RunExpr &expr, int64_t &result) const {
  const std::string &name = expr.operands[0].text;
  auto tensor = tensors.find(name);
  if (tensor == tensors.end())
    return PlacedError{expr.range, "expected a tensor with a value before this "
                                   "place, got '" +
                                       name + "'"};
  const TensorShape &shape = tensor->second.shape;
  const std::vector<int64_t> &list =
      expr.kind == RunExpr::Kind::Shape ? shape.sides : shape.strides;
  double axis = expr.operands[1].number;
  if (axis >= double(list.size()))
    return PlacedError{expr.range, "expected an axis of '" + name +
                                       "', which has " +
                                       std::to_string(list.size()) + ", got " +
                                       RunNumber::realOf(axis).spelling()};
  result = list[size_t(axis)];
  return {};
}

/// The operator or function of `result`, whose operands come later.
static BindResult convertOperator(const RunExpr &expr, Expectation &result) {
  using Kind = Expectation::Kind;
  result.name = expr.text;
  if (expr.kind == RunExpr::Kind::Kernel) {
    result.kind = Kind::Kernel;
    return {};
  }
  if (expr.kind == RunExpr::Kind::Call) {
    result.kind = Kind::Call;
    return {};
  }
  std::optional<Kind> kind = expr.operands.size() == 2
                                 ? symbolizeOperator(expr.text)
                             : expr.text == "not" ? std::optional(Kind::Not)
                             : expr.text == "-"   ? std::optional(Kind::Negate)
                                                  : std::nullopt;
  if (!kind)
    return PlacedError{expr.range, "expected an operator of expectations (or "
                                   "and not < <= > >= == != + - * / %), got '" +
                                       expr.text + "'"};
  result.kind = *kind;
  return {};
}

BindResult run::convertExpression(const RunExpr &expr, LeafConverter leaf,
                                  Expectation &result) {
  if (expr.kind == RunExpr::Kind::Number) {
    result.number = expr.number;
    result.integer = frontend::readInteger(expr.text);
    return {};
  }
  BindResult failure;
  if (leaf(expr, result, failure))
    return failure;
  if (BindResult error = convertOperator(expr, result))
    return error;
  result.operands.resize(expr.operands.size());
  for (auto [from, to] : llvm::zip_equal(expr.operands, result.operands))
    if (BindResult error = convertExpression(from, leaf, to))
      return error;
  return {};
}

/// Sizes and compile-time integers become numbers; tensors, and the scalars
/// that the kernel has, stay names.
BindResult RunBinder::convertName(const RunExpr &expr,
                                  Expectation &result) const {
  if (expr.text == "true" || expr.text == "false") {
    result.number = expr.text == "true";
    return {};
  }
  auto number = numbers.find(expr.text);
  if (number != numbers.end()) {
    result.number = number->second.value();
    if (!number->second.isReal())
      result.integer = number->second.integer;
    return {};
  }
  if (!tensors.contains(expr.text) &&
      (expr.text == "inf" || expr.text == "nan")) {
    result.number = *readNumber(expr.text);
    return {};
  }
  if (!tensors.contains(expr.text)) {
    PlacedError error = {expr.range, "expected a name with a value before this "
                                     "place, got '" +
                                         expr.text + "'"};
    error.help = "compile-time parameters get their values first, then sizes, "
                 "then tensors and scalars, each in their order";
    return error;
  }
  result.kind = Expectation::Kind::Name;
  result.name = expr.text;
  return {};
}

BindResult RunBinder::convert(const RunExpr &expr, Expectation &result) const {
  auto leaf = [&](const RunExpr &expr, Expectation &result, BindResult &error) {
    using Kind = RunExpr::Kind;
    bool isProperty = expr.kind == Kind::Shape || expr.kind == Kind::Stride;
    int64_t property = 0;
    if (isProperty) {
      error = findProperty(expr, property);
      result.number = double(property);
      result.integer = property;
    } else if (expr.kind == Kind::Name) {
      error = convertName(expr, result);
    }
    return isProperty || expr.kind == Kind::Name;
  };
  return convertExpression(expr, leaf, result);
}

BindResult RunBinder::evaluateReal(const RunExpr &expr, double &result) const {
  Expectation expectation;
  if (BindResult error = convert(expr, expectation))
    return error;
  Result<Reference> value =
      evaluate(expectation, [](const std::string &name) -> Result<Reference> {
        return Error("expected a number, got the tensor '" + name + "'");
      });
  if (!value)
    return PlacedError{expr.range, value.error().text()};
  result = value->values[0];
  return {};
}

/// Names, sides and strides as what kernels compute with.
bool RunBinder::findNumber(const RunExpr &expr, RunNumber &result,
                           BindResult &error) const {
  using Kind = RunExpr::Kind;
  bool isProperty = expr.kind == Kind::Shape || expr.kind == Kind::Stride;
  if (!isProperty && expr.kind != Kind::Name)
    return false;
  if (isProperty) {
    result = RunNumber();
    error = findProperty(expr, result.integer);
    return true;
  }
  if (auto number = numbers.find(expr.text); number != numbers.end()) {
    result = number->second;
    return true;
  }
  Expectation value;
  error = convertName(expr, value);
  if (!error && value.kind == Expectation::Kind::Name)
    error = PlacedError{expr.range, "expected a number, got the tensor '" +
                                        value.name + "'"};
  bool isCondition = expr.text == "true" || expr.text == "false";
  result = isCondition ? RunNumber::conditionOf(value.number != 0)
                       : RunNumber::realOf(value.number);
  return true;
}

BindResult RunBinder::evaluateNumber(const RunExpr &expr,
                                     RunNumber &result) const {
  auto lookup = [&](const RunExpr &expr, RunNumber &result, BindResult &error) {
    return findNumber(expr, result, error);
  };
  return run::evaluateNumber(expr, lookup, result);
}

/// What the command line says of a name in the expression; null for nothing.
const ArgumentSpec *RunBinder::givenIn(const RunExpr &expr) const {
  if (expr.kind == RunExpr::Kind::Name)
    return findGiven(expr.text);
  for (const RunExpr &operand : expr.operands)
    if (const ArgumentSpec *given = givenIn(operand))
      return given;
  return nullptr;
}

/// At the expression, or where its value comes from.
PlacedError RunBinder::wrongValue(const RunExpr &expr,
                                  const llvm::Twine &message) const {
  const ArgumentSpec *given = givenIn(expr);
  if (given && expr.kind == RunExpr::Kind::Name)
    return {{}, ("argument '" + given->name + "': " + message).str()};
  PlacedError error = {expr.range, message.str()};
  if (given)
    error.help = "the command line says " + given->name + "=" + given->scalar;
  return error;
}

/// At the tensor, or what the command line says of its size.
PlacedError RunBinder::wrongTensor(const frontend::RunBinding &binding,
                                   const std::string &message) const {
  for (const auto *list : {&binding.tensor->sides, &binding.tensor->strides,
                           &binding.tensor->parameters})
    for (const RunExpr &expr : *list)
      if (const ArgumentSpec *given = givenIn(expr))
        return {{}, "'" + given->name + "=" + given->scalar + "': " + message};
  return {binding.range, message};
}

BindResult RunBinder::evaluateInteger(const RunExpr &expr,
                                      const llvm::Twine &what,
                                      int64_t &result) const {
  RunNumber value;
  if (BindResult error = evaluateNumber(expr, value))
    return error;
  if (value.kind == RunNumber::Kind::Real)
    value = RunNumber::of(value.real);
  result = value.integer;
  if (value.isInteger())
    return {};
  return wrongValue(expr,
                    "expected an integer as " + what + ", got " + value.text());
}

/// "65,130".
BindResult RunBinder::integerList(const std::vector<RunExpr> &exprs,
                                  StringRef what, std::string &text) const {
  std::vector<std::string> parts;
  for (const RunExpr &expr : exprs) {
    int64_t value = 0;
    if (BindResult error = evaluateInteger(expr, what, value))
      return error;
    if (what == "a side" && value < 0)
      return wrongValue(expr, "expected a side of at least 0, got " +
                                  std::to_string(value));
    parts.push_back(std::to_string(value));
  }
  text += llvm::join(parts, ",");
  return {};
}
