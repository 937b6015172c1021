//===- ExactReference.cpp - Values of expectations in integers ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExactReference.h"
#include "ReferenceFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"

using namespace tile;
using namespace tile::run;
using Kind = Expectation::Kind;

/// The integer at `address`, sign-extended but for i1.
static int64_t loadInteger(runtime::ElementType type, const uint8_t *address) {
  uint64_t bits = 0;
  unsigned size = runtime::sizeInBytes(type);
  std::memcpy(&bits, address, size);
  return type == runtime::ElementType::I1 ? int64_t(bits)
                                          : llvm::SignExtend64(bits, 8 * size);
}

std::optional<ExactReference>
run::exactValueOf(const LaunchArgument &argument) {
  if (!runtime::isInteger(argument.type.element))
    return std::nullopt;
  if (!argument.tensor)
    return ExactReference{{}, {argument.integer()}};
  const HostTensor &tensor = *argument.tensor;
  ExactReference result;
  result.sides = tensor.shape().sides;
  tensor.forEachElement([&](size_t position) {
    result.values.push_back(
        loadInteger(tensor.shape().type, &tensor.memory()[position]));
  });
  return result;
}

/// Where each element of `sides` comes from in an array of sides `from`.
static std::vector<double> sourcesOf(const std::vector<int64_t> &from,
                                     size_t count,
                                     const std::vector<int64_t> &sides) {
  std::vector<double> numbers(count);
  for (size_t i = 0; i < count; ++i)
    numbers[i] = double(i);
  return broadcastTo(makeInput(from, std::move(numbers)), sides).values;
}

/// Repeats all to one shape, which evaluate() has found.
static std::vector<int64_t> align(std::vector<ExactReference> &operands) {
  std::vector<int64_t> sides;
  for (const ExactReference &operand : operands)
    sides = broadcastSides(sides, operand.sides).value_or(sides);
  for (ExactReference &operand : operands) {
    if (operand.sides == sides)
      continue;
    std::vector<int64_t> values;
    for (double from : sourcesOf(operand.sides, operand.values.size(), sides))
      values.push_back(operand.values[size_t(from)]);
    operand = {sides, std::move(values)};
  }
  return sides;
}

/// `a op b`; nothing where it overflows or is no operator of integers.
static std::optional<int64_t> apply(Kind kind, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (kind) {
  case Kind::Add:
    return llvm::AddOverflow(a, b, result) ? std::nullopt
                                           : std::optional(result);
  case Kind::Subtract:
    return llvm::SubOverflow(a, b, result) ? std::nullopt
                                           : std::optional(result);
  case Kind::Multiply:
    return llvm::MulOverflow(a, b, result) ? std::nullopt
                                           : std::optional(result);
  case Kind::Remainder:
    // -1 divides everything, also where the quotient is none of 64 bits.
    return b == 0 ? std::nullopt : std::optional(b == -1 ? 0 : a % b);
  case Kind::Or:
    return a != 0 || b != 0;
  case Kind::And:
    return a != 0 && b != 0;
  case Kind::Less:
    return a < b;
  case Kind::LessEqual:
    return a <= b;
  case Kind::Greater:
    return a > b;
  case Kind::GreaterEqual:
    return a >= b;
  case Kind::Equal:
    return a == b;
  case Kind::NotEqual:
    return a != b;
  default:
    return std::nullopt;
  }
}

/// Whether the node makes integers of integers, element by element.
static bool isOfIntegers(const Expectation &node) {
  if (node.kind == Kind::Call)
    return llvm::is_contained({"where", "min", "max", "abs"}, node.name);
  return node.kind != Kind::Divide && node.kind != Kind::Kernel;
}

/// The function of these operands.
static std::optional<int64_t> callFunction(llvm::StringRef name,
                                           llvm::ArrayRef<int64_t> operands) {
  if (name == "where")
    return operands[operands[0] ? 1 : 2];
  if (name == "min")
    return std::min(operands[0], operands[1]);
  if (name == "max")
    return std::max(operands[0], operands[1]);
  return operands[0] < 0 ? apply(Kind::Subtract, 0, operands[0])
                         : std::optional(operands[0]);
}

/// One element of the node.
static std::optional<int64_t> element(const Expectation &node,
                                      llvm::ArrayRef<int64_t> operands) {
  if (node.kind == Kind::Negate)
    return apply(Kind::Subtract, 0, operands[0]);
  if (node.kind == Kind::Not)
    return operands[0] == 0;
  if (node.kind == Kind::Call)
    return callFunction(node.name, operands);
  return apply(node.kind, operands[0], operands[1]);
}

std::optional<ExactReference>
run::evaluateExactly(const Expectation &expectation,
                     const ExactLookup &lookup) {
  if (expectation.kind == Kind::Name)
    return lookup(expectation.name);
  if (expectation.kind == Kind::Number)
    return expectation.integer
               ? std::optional(ExactReference{{}, {*expectation.integer}})
               : std::nullopt;
  if (!isOfIntegers(expectation))
    return std::nullopt;
  std::vector<ExactReference> operands;
  for (const Expectation &operand : expectation.operands) {
    std::optional<ExactReference> value = evaluateExactly(operand, lookup);
    if (!value)
      return std::nullopt;
    operands.push_back(std::move(*value));
  }
  ExactReference result;
  result.sides = align(operands);
  std::vector<int64_t> parts(operands.size());
  for (size_t i = 0, e = operands[0].values.size(); i < e; ++i) {
    for (auto [part, operand] : llvm::zip_equal(parts, operands))
      part = operand.values[i];
    std::optional<int64_t> value = element(expectation, parts);
    if (!value)
      return std::nullopt;
    result.values.push_back(*value);
  }
  return result;
}
