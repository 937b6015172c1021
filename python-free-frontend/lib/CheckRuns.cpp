//===- CheckRuns.cpp - The names of run blocks ----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "Runs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace tile;
using namespace tile::frontend;

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
  void findReads();
  bool checkUse(const RunBinding &size);
  void checkType(const RunBinding &size);
  void checkSizes();
  void checkBinding(const RunBinding &binding);
  void checkTensor(const RunTensor &tensor);
  void checkComplete();
  void checkExpectations();
  void checkNames(const RunExpr &expr);
  void checkOperators(const RunExpr &expr);
  void checkElements(const RunBinding &binding,
                     const frontend::Argument &argument);
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
  /// What the kernels take: arguments and compile-time parameters.
  std::vector<StringRef> taken;
  /// Names that something in the block is made of.
  StringSet<> reads;
  StringMap<SMRange> bound;
};
} // namespace

/// The kernel that runs, and those that expectations compare with.
bool RunChecker::addKernels() {
  kernel = findKernel(kernels, block.kernels[0].name, block.range, errors);
  if (!kernel || kernel->isBroken)
    return false;
  block.kernels[0] = describeKernel(*kernel);
  for (const RunExpectation &expectation : block.expectations) {
    const RunExpr &value = expectation.value;
    if (value.kind != RunExpr::Kind::Kernel)
      continue;
    const Kernel *other = findKernel(kernels, value.text, value.range, errors);
    if (!other || other->isBroken)
      return false;
    block.kernels.push_back(describeKernel(*other));
  }
  return true;
}

void RunChecker::addNames() {
  for (const RunKernel &kernel : block.kernels) {
    for (const RunArgument &argument : kernel.arguments)
      arguments.push_back(argument.name);
    for (const RunParameter &parameter : kernel.parameters) {
      (parameter.isType ? types : names).push_back(parameter.name);
      taken.push_back(parameter.name);
    }
  }
  taken.insert(taken.end(), arguments.begin(), arguments.end());
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
  bool isName = expr.kind == RunExpr::Kind::Name && !isConstantName(expr.text);
  if (isName && !is_contained(names, expr.text))
    errors
        .error(expr.range, "expected a size or an argument of '" +
                               Twine(block.kernels[0].name) + "', got '" +
                               expr.text + "'")
        .help(helpForWord(expr.text, names));
  checkCall(expr, functions, errors);
  for (const RunExpr &operand : expr.operands)
    checkNames(operand);
}

/// Whole tensors have fewer operators than numbers.
void RunChecker::checkOperators(const RunExpr &expr) {
  bool isKnown = is_contained({"or", "and", "not", "<", "<=", ">",
                               ">=", "==", "!=", "+", "-", "*", "/", "%"},
                              expr.text);
  if (expr.kind == RunExpr::Kind::Operator && !isKnown)
    errors.error(expr.range, "expected an operator of expectations (or and not "
                             "< <= > >= == != + - * / %), got '" +
                                 Twine(expr.text) + "'");
  for (const RunExpr &operand : expr.operands)
    checkOperators(operand);
}

/// Adds the names in the expressions, but for `self`, which is being defined.
static void addReads(ArrayRef<RunExpr> exprs, StringRef self,
                     StringSet<> &reads) {
  for (const RunExpr &expr : exprs) {
    if (expr.kind == RunExpr::Kind::Name && expr.text != self)
      reads.insert(expr.text);
    addReads(expr.operands, self, reads);
  }
}

/// Finds what other things in the block are made of.
void RunChecker::findReads() {
  for (const RunBinding &size : block.sizes)
    addReads(size.value, size.name, reads);
  for (const RunBinding &binding : block.bindings) {
    addReads(binding.value, "", reads);
    if (binding.tensor)
      for (const auto *list : {&binding.tensor->sides, &binding.tensor->strides,
                               &binding.tensor->parameters})
        addReads(*list, "", reads);
  }
  addReads(block.grid, "", reads);
  for (const RunExpectation &expectation : block.expectations)
    addReads(expectation.value, "", reads);
}

/// What no kernel takes and nothing is made of is a slip.
bool RunChecker::checkUse(const RunBinding &size) {
  if (reads.contains(size.name) || is_contained(taken, size.name))
    return true;
  // What is missing may use it.
  if (block.isBroken)
    return false;
  errors
      .error(size.range,
             "expected an argument or a compile-time parameter of '" +
                 Twine(block.kernels[0].name) +
                 "', or a size that the run block uses, got '" + size.name +
                 "'")
      .help(helpForName(size.name, taken));
  return false;
}

/// The value of a compile-time parameter that is a type.
void RunChecker::checkType(const RunBinding &size) {
  const RunExpr &value = size.value;
  bool isName = value.kind == RunExpr::Kind::Name;
  if (isName && (isTypeName(value.text) || is_contained(types, value.text)))
    return;
  errors
      .error(value.range, "expected a type for '" + Twine(size.name) +
                              "', got " +
                              (isName ? "'" + value.text + "'"
                                      : std::string("another expression")))
      .help(isName ? helpForType(value.text) : "");
}

void RunChecker::checkSizes() {
  for (const RunBinding &size : block.sizes) {
    checkNew(size);
    checkKind(size);
    if (!checkUse(size))
      continue;
    // The value of a type parameter is a type.
    if (!is_contained(types, size.name))
      checkNames(size.value);
    else
      checkType(size);
  }
}

void RunChecker::checkTensor(const RunTensor &tensor) {
  if (!isTypeName(tensor.type) && !is_contained(types, tensor.type))
    errors
        .error(tensor.typeRange,
               "expected a type such as f16, got '" + Twine(tensor.type) + "'")
        .help(helpForType(tensor.type));
  for (const auto *list : {&tensor.sides, &tensor.strides, &tensor.parameters})
    for (const RunExpr &expr : *list)
      checkNames(expr);
}

/// Elements of the kernel's type, where the file alone says which.
void RunChecker::checkElements(const RunBinding &binding,
                               const frontend::Argument &argument) {
  auto resolve = [&](StringRef type) {
    for (const RunBinding &size : block.sizes)
      if (size.name == type && is_contained(types, type))
        return StringRef(size.value.text);
    return type;
  };
  StringRef expected = resolve(argument.type.text),
            got = resolve(binding.tensor->type);
  if (!isTypeName(expected) || !isTypeName(got) || expected == got)
    return;
  errors.error(binding.tensor->typeRange,
               "expected elements of " + expected + " for '" +
                   Twine(binding.name) + "', got " + got,
               argument.type.range,
               "'" + Twine(binding.name) + "' is defined here");
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
  if (tensor)
    checkElements(binding, *argument);
  if (!expected.empty())
    errors.error(binding.range,
                 "expected " + expected + " for '" + Twine(binding.name) +
                     "', got " + got,
                 argument->name.range,
                 "'" + Twine(binding.name) + "' is defined here");
}

/// What is meant by the name of no argument.
static std::string helpForBinding(StringRef name, ArrayRef<StringRef> known) {
  bool isTolerance = name == "rtol" || name == "atol" || name == "tol";
  return isTolerance ? "a tolerance stands behind what is expected: 'expect y "
                       "== x within 1e-3'"
                     : helpForName(name, known);
}

void RunChecker::checkBinding(const RunBinding &binding) {
  checkNew(binding);
  checkKind(binding);
  if (!is_contained(arguments, binding.name))
    errors
        .error(binding.range, "expected an argument of '" +
                                  Twine(block.kernels[0].name) + "' (" +
                                  join(arguments, ", ") + "), got '" +
                                  binding.name + "'")
        .help(helpForBinding(binding.name, arguments));
  if (binding.tensor)
    checkTensor(*binding.tensor);
  else
    checkNames(binding.value);
}

/// Whatever does not follow from something else has a value.
void RunChecker::checkComplete() {
  if (block.isBroken)
    return;
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
  std::vector<StringRef> tensors;
  for (const RunBinding &binding : block.bindings)
    if (binding.tensor)
      tensors.push_back(binding.name);
  for (const RunExpectation &expectation : block.expectations) {
    // A tensor whose value did not parse is one.
    bool isMissing =
        block.isBroken && is_contained(arguments, expectation.name);
    if (!is_contained(tensors, expectation.name) && !isMissing)
      errors
          .error(expectation.range,
                 "expected a tensor of the run block to check, got '" +
                     Twine(expectation.name) + "'")
          .help(helpForName(expectation.name, tensors));
    checkNames(expectation.value);
    checkOperators(expectation.value);
  }
}

void RunChecker::check() {
  if (!addKernels())
    return;
  addNames();
  findReads();
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
