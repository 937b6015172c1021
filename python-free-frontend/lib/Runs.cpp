//===- Runs.cpp - Run blocks and the kernels that they name ---------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runs.h"

#include "ForeignWords.h"
#include "Parser.h"

#include "tile/Frontend/Numbers.h"
#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace tile;
using namespace tile::frontend;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// `a.shape[0]` and `a.stride[0]`, and nothing else with brackets.
static bool toRunMember(const Expr &expr, RunExpr &result,
                        DiagnosticList &errors) {
  const Expr &member = *expr.operands[0];
  bool isMember = member.kind == Expr::Member &&
                  member.operands[0]->kind == Expr::Name &&
                  (member.text == "shape" || member.text == "stride");
  if (!isMember || expr.operands.size() != 2 || expr.axes.size() != 1 ||
      expr.operands[1]->kind != Expr::Integer) {
    errors.error(expr.range, "expected TENSOR.shape[AXIS] or "
                             "TENSOR.stride[AXIS] in a run block, got another "
                             "index");
    return false;
  }
  result.kind =
      member.text == "shape" ? RunExpr::Kind::Shape : RunExpr::Kind::Stride;
  result.operands.resize(2);
  return toRunExpr(*member.operands[0], result.operands[0], errors) &&
         toRunExpr(*expr.operands[1], result.operands[1], errors);
}

bool frontend::toRunExpr(const Expr &expr, RunExpr &result,
                         DiagnosticList &errors) {
  result.range = expr.range;
  result.text = expr.text.str();
  switch (expr.kind) {
  case Expr::Integer:
  case Expr::Float:
    result.kind = RunExpr::Kind::Number;
    if (std::optional<double> number = readNumber(expr.text)) {
      result.number = *number;
      return true;
    }
    errors.error(expr.range,
                 "expected a number that f64 holds, got '" + expr.text + "'");
    return false;
  case Expr::Name:
    result.kind = RunExpr::Kind::Name;
    return true;
  case Expr::Unary:
    // The least integer has no positive one.
    if (expr.text == "-" && expr.operands[0]->kind == Expr::Integer) {
      result.text += expr.operands[0]->text;
      std::optional<double> number = readNumber(result.text);
      result.number = number.value_or(0);
      if (number)
        return true;
    }
    [[fallthrough]];
  case Expr::Binary:
    result.kind = RunExpr::Kind::Operator;
    break;
  case Expr::Call:
    if (!expr.type.text.empty()) {
      errors.error(expr.range, "expected a tensor as the whole value of a "
                               "name, got it within an expression");
      return false;
    }
    for (const Identifier &name : expr.names)
      if (!name.text.empty()) {
        errors
            .error(name.range, "expected arguments without names in a run "
                               "block, got '" +
                                   name.text + "'")
            .help(
                name.text == "axis" || name.text == "dim"
                    ? ("the axis stands alone: '" + expr.text + "(x, 1)'").str()
                    : std::string());
        return false;
      }
    result.kind = RunExpr::Kind::Call;
    break;
  case Expr::Index:
    return toRunMember(expr, result, errors);
  case Expr::Error:
    return false;
  case Expr::Member:
    errors.error(expr.range, "expected TENSOR.shape[AXIS] or "
                             "TENSOR.stride[AXIS] in a run block, got '." +
                                 expr.text + "'");
    return false;
  default:
    errors
        .error(expr.range,
               "expected numbers, names, operators and functions in a run "
               "block, got another expression")
        .help(expr.kind == Expr::Method
                  ? "a tensor is the whole value of a name: 'x = "
                    "randn<f32>[N]'"
                  : "");
    return false;
  }
  result.operands.resize(expr.operands.size());
  for (auto [operand, converted] : zip_equal(expr.operands, result.operands))
    if (!toRunExpr(*operand, converted, errors))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Letters to change, add or leave out; two that changed places are one slip.
static unsigned slipsBetween(StringRef name, StringRef known, unsigned limit) {
  std::string sorted = name.lower(), other = known.lower();
  llvm::sort(sorted);
  llvm::sort(other);
  return sorted == other ? 1
                         : name.edit_distance_insensitive(known, true, limit);
}

StringRef frontend::nearestName(StringRef name, ArrayRef<StringRef> known) {
  StringRef nearest;
  // Two letters of a short name make another one.
  unsigned limit = name.size() < 5 ? 1 : 2;
  for (StringRef entry : known) {
    if (entry == name)
      continue;
    unsigned distance = slipsBetween(name, entry, limit);
    // Of one letter, another one is another name.
    if (distance > limit || distance >= std::min(name.size(), entry.size()) ||
        (distance == limit && !nearest.empty()))
      continue;
    nearest = entry;
    limit = distance;
  }
  return nearest;
}

std::string frontend::helpForName(StringRef name, ArrayRef<StringRef> known) {
  StringRef nearest = nearestName(name, known);
  return nearest.empty() ? "" : ("did you mean '" + nearest + "'?").str();
}

std::string frontend::helpForWord(StringRef name, ArrayRef<StringRef> known) {
  StringRef foreign = foreignName(name);
  return foreign.empty() ? helpForName(name, known) : foreign.str();
}

std::string frontend::helpForType(StringRef name) {
  StringRef meant = foreignType(name);
  if (!meant.empty())
    return ("did you mean '" + meant + "'?").str();
  return helpForName(name, SmallVector<StringRef>(elementTypeNames()));
}

bool frontend::isTypeName(StringRef name) {
  return is_contained(elementTypeNames(), name);
}

/// For a function that expectations do not have.
static std::string helpForCall(StringRef name) {
  if (isRunFill(name))
    return "a tensor is the whole value of a name: 'x = " + name.str() +
           "<f32>[N]'";
  SmallVector<StringRef> known;
  for (const ExpectationFunction &function : expectationFunctions())
    known.push_back(function.name);
  return helpForName(name, known);
}

void frontend::checkCall(const RunExpr &expr,
                         ArrayRef<frontend::Function> functions,
                         DiagnosticList &errors) {
  if (expr.kind != RunExpr::Kind::Call)
    return;
  const auto *own = find_if(functions, [&](const frontend::Function &entry) {
    return entry.name.text == expr.text;
  });
  if (own != functions.end()) {
    errors
        .error(expr.range,
               "expected a function of expectations, got '" + Twine(expr.text) +
                   "' of the file",
               own->name.range, "'" + Twine(expr.text) + "' is defined here")
        .help("only kernels call functions of the file: write a kernel that "
              "does, and 'expect y == kernel NAME', or call it otherwise than "
              "the function of expectations");
    return;
  }
  const ExpectationFunction *function = findExpectationFunction(expr.text);
  if (!function) {
    SmallVector<StringRef> names;
    for (const ExpectationFunction &entry : expectationFunctions())
      names.push_back(entry.name);
    errors
        .error(expr.range, "expected a function (" + join(names, ", ") +
                               "), got '" + expr.text + "'")
        .help(helpForCall(expr.text));
    return;
  }
  size_t count = expr.operands.size();
  if (count == function->numOperands)
    return;
  errors
      .error(expr.range,
             "expected " + Twine(function->numOperands) +
                 (function->numOperands == 1 ? " operand" : " operands") +
                 " of '" + expr.text + "', got " + Twine(count))
      .help("write '" + function->form + "'");
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// What follows from a tensor: `tensor.shape[axis]` or `tensor.stride[axis]`.
static RunArgument impliedArgument(std::string name, RunExpr::Kind kind,
                                   const frontend::Argument &tensor,
                                   size_t axis) {
  RunExpr operand, number, value;
  operand.kind = RunExpr::Kind::Name;
  operand.text = tensor.name.text.str();
  number.number = double(axis);
  value.kind = kind;
  value.operands = {operand, number};
  for (RunExpr *part : {&value.operands[0], &value.operands[1], &value})
    part->range = tensor.name.range;
  return {std::move(name), std::move(value), "", {}};
}

/// The arguments in the order of the signature: those that are written, sides,
/// strides.
static std::vector<RunArgument> argumentsOf(const Kernel &kernel) {
  std::vector<RunArgument> arguments;
  for (const frontend::Argument &argument : kernel.arguments) {
    RunArgument &entry = arguments.emplace_back();
    entry.name = argument.name.text.str();
    (argument.isPointer ? entry.element : entry.type) =
        argument.type.text.str();
    entry.range = argument.name.range;
    for (const Identifier &side : argument.sides)
      entry.sides.push_back(side.text.str());
  }
  for (const frontend::Argument &argument : kernel.arguments)
    for (size_t axis = 0; axis < argument.sides.size(); ++axis) {
      std::string name = argument.sides[axis].text.str();
      auto known = find_if(arguments, [&](const RunArgument &entry) {
        return entry.name == name;
      });
      RunArgument implied =
          impliedArgument(name, RunExpr::Kind::Shape, argument, axis);
      if (known == arguments.end())
        arguments.push_back(std::move(implied));
      else if (!known->implied)
        known->implied = std::move(implied.implied);
    }
  for (const frontend::Argument &argument : kernel.arguments)
    for (size_t axis = 0; axis < argument.sides.size(); ++axis)
      arguments.push_back(
          impliedArgument((argument.name.text + "_stride" + Twine(axis)).str(),
                          RunExpr::Kind::Stride, argument, axis));
  return arguments;
}

RunKernel frontend::describeKernel(const Kernel &kernel) {
  RunKernel result;
  result.name = kernel.name.text.str();
  result.arguments = argumentsOf(kernel);
  for (const Parameter &parameter : kernel.parameters) {
    RunParameter &entry = result.parameters.emplace_back();
    entry.name = parameter.name.text.str();
    entry.range = parameter.name.range;
    entry.isType = parameter.isType;
    entry.isBool = parameter.isBool;
    // A default that a run block cannot compute has no value there.
    std::vector<Diagnostic> unsaid;
    DiagnosticList quiet(unsaid);
    RunExpr value;
    if (parameter.value && toRunExpr(*parameter.value, value, quiet))
      entry.value = std::move(value);
  }
  return result;
}

const Kernel *frontend::findKernel(ArrayRef<Kernel> kernels, StringRef name,
                                   SMRange range, DiagnosticList &errors) {
  const auto *found = find_if(
      kernels, [&](const Kernel &kernel) { return kernel.name.text == name; });
  if (found != kernels.end())
    return found;
  std::vector<StringRef> known;
  for (const Kernel &kernel : kernels)
    known.push_back(kernel.name.text);
  errors
      .error(range, "expected a kernel" +
                        (known.empty() ? std::string()
                                       : " (" + join(known, ", ") + ")") +
                        ", got '" + name + "'")
      .help(helpForName(name, known));
  return nullptr;
}
