//===- Runs.cpp - Run blocks and the kernels that they name ---------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <cmath>

using namespace llvm;
using namespace tile;
using namespace tile::frontend;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

bool frontend::readNumber(StringRef text, double &value) {
  std::string digits = text.str();
  llvm::erase(digits, '_');
  if (StringRef hex = digits; hex.consume_front("0x")) {
    uint64_t integer = 0;
    bool isNumber = !hex.getAsInteger(16, integer);
    value = double(integer);
    return isNumber;
  }
  return !StringRef(digits).getAsDouble(value) && std::isfinite(value);
}

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
    if (readNumber(expr.text, result.number))
      return true;
    errors.error(expr.range,
                 "expected a number that f64 holds, got '" + expr.text + "'");
    return false;
  case Expr::Name:
    result.kind = RunExpr::Kind::Name;
    return true;
  case Expr::Unary:
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
        errors.error(name.range, "expected arguments without names in a run "
                                 "block, got '" +
                                     name.text + "'");
        return false;
      }
    result.kind = RunExpr::Kind::Call;
    break;
  case Expr::Index:
    return toRunMember(expr, result, errors);
  case Expr::Error:
    return false;
  default:
    errors.error(expr.range,
                 "expected numbers, names, operators and functions in a run "
                 "block, got another expression");
    return false;
  }
  result.operands.resize(expr.operands.size());
  for (auto [operand, converted] : zip_equal(expr.operands, result.operands))
    if (!toRunExpr(*operand, converted, errors))
      return false;
  return true;
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
  return {std::move(name), std::move(value), ""};
}

/// The arguments in the order of the signature: those that are written, sides,
/// strides.
static std::vector<RunArgument> argumentsOf(const Kernel &kernel) {
  std::vector<RunArgument> arguments;
  for (const frontend::Argument &argument : kernel.arguments)
    arguments.push_back({argument.name.text.str(), std::nullopt,
                         argument.isPointer ? "" : argument.type.text.str()});
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

static RunKernel describeKernel(const Kernel &kernel) {
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
  errors.error(range, "expected a kernel" +
                          (known.empty() ? std::string()
                                         : " (" + join(known, ", ") + ")") +
                          ", got '" + name + "'");
  return nullptr;
}

namespace {
/// Checks the names of one run block.
class RunChecker {
public:
  RunChecker(const SourceFile &file, RunBlock &block, DiagnosticList &errors)
      : kernels(file.kernels), functions(file.functions), block(block),
        errors(errors) {}

  void check();

private:
  bool addKernels();
  void addNames();
  void checkSizes();
  void checkBinding(const RunBinding &binding);
  void checkTensor(const RunTensor &tensor);
  void checkComplete();
  void checkExpectations();
  void checkNames(const RunExpr &expr);
  void checkNew(const RunBinding &binding);
  void checkKind(const RunBinding &binding);

  const std::vector<Kernel> &kernels;
  const std::vector<frontend::Function> &functions;
  /// The one that runs.
  const Kernel *kernel = nullptr;
  RunBlock &block;
  DiagnosticList &errors;
  /// Names that expressions may use, in the order of their definition.
  std::vector<StringRef> names, types, arguments;
  StringMap<SMRange> bound;
};
} // namespace

/// The kernel that runs, and those that expectations compare with.
bool RunChecker::addKernels() {
  kernel = findKernel(kernels, block.kernels[0].name, block.range, errors);
  if (!kernel)
    return false;
  block.kernels[0] = describeKernel(*kernel);
  for (const RunExpectation &expectation : block.expectations) {
    const RunExpr &value = expectation.value;
    if (value.kind != RunExpr::Kind::Kernel)
      continue;
    const Kernel *other = findKernel(kernels, value.text, value.range, errors);
    if (!other)
      return false;
    block.kernels.push_back(describeKernel(*other));
  }
  return true;
}

void RunChecker::addNames() {
  for (const RunKernel &kernel : block.kernels) {
    for (const RunArgument &argument : kernel.arguments)
      arguments.push_back(argument.name);
    for (const RunParameter &parameter : kernel.parameters)
      (parameter.isType ? types : names).push_back(parameter.name);
  }
  names.insert(names.end(), arguments.begin(), arguments.end());
  for (const RunBinding &size : block.sizes)
    names.push_back(size.name);
}

void RunChecker::checkNew(const RunBinding &binding) {
  auto [place, isNew] = bound.try_emplace(binding.name, binding.range);
  if (!isNew)
    errors.error(binding.range,
                 "expected one value of '" + Twine(binding.name) + "', got two",
                 place->second, "the first one is here");
}

void RunChecker::checkNames(const RunExpr &expr) {
  bool isNumber = is_contained({"true", "false", "inf", "nan"}, expr.text);
  bool isName = expr.kind == RunExpr::Kind::Name && !isNumber;
  if (isName && !is_contained(names, expr.text))
    errors.error(expr.range, "expected a size or an argument of '" +
                                 Twine(block.kernels[0].name) + "', got '" +
                                 expr.text + "'");
  checkCall(expr, functions, errors);
  for (const RunExpr &operand : expr.operands)
    checkNames(operand);
}

void frontend::checkCall(const RunExpr &expr,
                         ArrayRef<frontend::Function> functions,
                         DiagnosticList &errors) {
  const auto *function =
      find_if(functions, [&](const frontend::Function &entry) {
        return entry.name.text == expr.text;
      });
  if (expr.kind != RunExpr::Kind::Call || function == functions.end())
    return;
  errors
      .error(expr.range,
             "expected a function of expectations, got '" + Twine(expr.text) +
                 "' of the file",
             function->name.range, "'" + Twine(expr.text) + "' is defined here")
      .help("only kernels call functions of the file: write a kernel that "
            "does, and 'expect y == kernel NAME', or call it otherwise than "
            "the function of expectations");
}

void RunChecker::checkSizes() {
  for (const RunBinding &size : block.sizes) {
    checkNew(size);
    // The value of a type parameter is a type.
    if (!is_contained(types, size.name))
      checkNames(size.value);
  }
}

bool frontend::isTypeName(StringRef name) {
  return is_contained({"f64", "f32", "f16", "bf16", "f8e4m3", "f8e5m2", "i64",
                       "i32", "i16", "i8", "i1"},
                      name);
}

void RunChecker::checkTensor(const RunTensor &tensor) {
  if (!isTypeName(tensor.type) && !is_contained(types, tensor.type))
    errors.error(tensor.typeRange, "expected a type such as f16, got '" +
                                       Twine(tensor.type) + "'");
  for (const auto *list : {&tensor.sides, &tensor.strides, &tensor.parameters})
    for (const RunExpr &expr : *list)
      checkNames(expr);
}

/// A tensor, with as many sides, for what the kernel takes as one.
void RunChecker::checkKind(const RunBinding &binding) {
  auto argument =
      find_if(kernel->arguments, [&](const frontend::Argument &entry) {
        return entry.name.text == binding.name;
      });
  if (argument == kernel->arguments.end())
    return;
  const RunTensor *tensor = binding.tensor ? &*binding.tensor : nullptr;
  size_t rank = argument->sides.size();
  std::string expected, got = tensor ? "a tensor" : "a number";
  if (argument->isPointer != (tensor != nullptr)) {
    expected =
        argument->isPointer ? "a tensor such as zeros<f32>[64]" : "a number";
  } else if (tensor && rank > 0 && tensor->sides.size() != rank) {
    expected = std::to_string(rank) + (rank == 1 ? " side" : " sides");
    got = std::to_string(tensor->sides.size());
  }
  if (!expected.empty())
    errors.error(binding.range,
                 "expected " + expected + " for '" + Twine(binding.name) +
                     "', got " + got,
                 argument->name.range,
                 "'" + Twine(binding.name) + "' is defined here");
}

void RunChecker::checkBinding(const RunBinding &binding) {
  checkNew(binding);
  checkKind(binding);
  if (!is_contained(arguments, binding.name))
    errors.error(binding.range, "expected an argument of '" +
                                    Twine(block.kernels[0].name) + "' (" +
                                    join(arguments, ", ") + "), got '" +
                                    binding.name + "'");
  if (binding.tensor)
    checkTensor(*binding.tensor);
  else
    checkNames(binding.value);
}

/// Whatever does not follow from something else has a value.
void RunChecker::checkComplete() {
  for (const RunKernel &kernel : block.kernels)
    for (const RunArgument &argument : kernel.arguments)
      if (!argument.implied && !bound.contains(argument.name)) {
        bound.try_emplace(argument.name, block.range);
        errors.error(block.range,
                     "expected a value of '" + Twine(argument.name) +
                         "', an argument of '" + kernel.name + "', got none");
      }
}

void RunChecker::checkExpectations() {
  for (const RunExpectation &expectation : block.expectations) {
    const RunBinding *tensor = nullptr;
    for (const RunBinding &binding : block.bindings)
      if (binding.name == expectation.name && binding.tensor)
        tensor = &binding;
    if (!tensor)
      errors.error(expectation.range,
                   "expected a tensor of the run block to check, got '" +
                       Twine(expectation.name) + "'");
    checkNames(expectation.value);
  }
}

void RunChecker::check() {
  if (!addKernels())
    return;
  addNames();
  checkSizes();
  for (const RunBinding &binding : block.bindings)
    checkBinding(binding);
  for (const RunExpr &expr : block.grid)
    checkNames(expr);
  checkComplete();
  checkExpectations();
}

void frontend::linkRuns(SourceFile &file, DiagnosticList &errors) {
  for (RunBlock &block : file.runs) {
    RunChecker(file, block, errors).check();
    for (const frontend::Function &function : file.functions)
      block.functions.push_back(function.name.text.str());
  }
}
