//===- Reference.cpp - Values of expectations in f64 ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Npy.h"
#include "Number.h"
#include "ReferenceFunctions.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace tile;
using namespace tile::run;
using runtime::Error;
using runtime::Result;

/// No rounding error of finite numbers reaches an infinity or a NaN: it is
/// taken as exact, so that what a function makes of it has a bound.  A finite
/// number whose bound is none, such as the root of a sum that is 0, has terms
/// as large as itself: such a bound neither excuses everything nor forbids the
/// rounding of the number, and says nothing of the numbers it is added to.
static void boundTerms(Reference &result) {
  for (auto [value, magnitude] :
       llvm::zip_equal(result.values, result.magnitudes)) {
    if (!std::isfinite(value))
      magnitude = 0;
    else if (!std::isfinite(magnitude))
      magnitude = std::fabs(value);
  }
}

Reference run::makeInput(std::vector<int64_t> sides,
                         std::vector<double> values) {
  Reference input;
  input.sides = std::move(sides);
  input.values = std::move(values);
  input.magnitudes.reserve(input.values.size());
  for (double value : input.values) {
    input.magnitudes.push_back(std::fabs(value));
    input.isIntegral &= std::isfinite(value) && std::trunc(value) == value;
  }
  boundTerms(input);
  return input;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

std::optional<std::vector<int64_t>>
run::broadcastSides(const std::vector<int64_t> &lhs,
                    const std::vector<int64_t> &rhs) {
  std::vector<int64_t> sides = lhs.size() < rhs.size() ? rhs : lhs;
  const std::vector<int64_t> &other = lhs.size() < rhs.size() ? lhs : rhs;
  for (size_t i = 1; i <= other.size(); ++i) {
    int64_t &side = sides[sides.size() - i];
    int64_t second = other[other.size() - i];
    if (side != second && side != 1 && second != 1)
      return std::nullopt;
    side = side == 1 ? second : side;
  }
  return sides;
}

Reference run::broadcastTo(const Reference &value,
                           const std::vector<int64_t> &sides) {
  if (value.sides == sides)
    return value;
  Reference result = value;
  result.sides = sides;
  int64_t count = 1;
  for (int64_t side : sides)
    count *= side;
  result.values.resize(size_t(count));
  result.magnitudes.resize(size_t(count));
  for (int64_t i = 0; i < count; ++i) {
    int64_t from = 0, step = 1, rest = i;
    for (size_t dim = value.sides.size(), to = sides.size(); dim-- > 0;) {
      int64_t side = sides[--to];
      from += value.sides[dim] == 1 ? 0 : step * (rest % side);
      step *= value.sides[dim];
      rest /= side;
    }
    result.values[i] = value.values[from];
    result.magnitudes[i] = value.magnitudes[from];
  }
  return result;
}

/// The value of `lhs op rhs`.
static double apply(Expectation::Kind kind, double lhs, double rhs) {
  using Kind = Expectation::Kind;
  switch (kind) {
  case Kind::Or:
    return lhs != 0 || rhs != 0;
  case Kind::And:
    return lhs != 0 && rhs != 0;
  case Kind::Less:
    return lhs < rhs;
  case Kind::LessEqual:
    return lhs <= rhs;
  case Kind::Greater:
    return lhs > rhs;
  case Kind::GreaterEqual:
    return lhs >= rhs;
  case Kind::Equal:
    return lhs == rhs;
  case Kind::NotEqual:
    return lhs != rhs;
  case Kind::Add:
    return lhs + rhs;
  case Kind::Subtract:
    return lhs - rhs;
  case Kind::Multiply:
    return lhs * rhs;
  case Kind::Remainder:
    return std::fmod(lhs, rhs);
  default:
    return lhs / rhs;
  }
}

/// How far rounding errors of the operands, relative to `lhsTerms` and
/// `rhsTerms`, reach into the result.
static double spread(Expectation::Kind kind, double lhs, double rhs,
                     double lhsTerms, double rhsTerms) {
  using Kind = Expectation::Kind;
  switch (kind) {
  case Kind::Add:
  case Kind::Subtract:
    return lhsTerms + rhsTerms;
  case Kind::Multiply:
    return lhsTerms * rhsTerms;
  case Kind::Divide:
    return (lhsTerms + std::fabs(lhs / rhs) * rhsTerms) / std::fabs(rhs);
  case Kind::Remainder:
    return lhsTerms + std::fabs(std::trunc(lhs / rhs)) * rhsTerms;
  default:
    // A truth value is exact.
    return 1;
  }
}

/// lhs op rhs element by element; a scalar, and a side of 1, is repeated.
static Result<Reference> combine(Expectation::Kind kind, const Reference &lhs,
                                 const Reference &rhs) {
  using Kind = Expectation::Kind;
  std::optional<std::vector<int64_t>> sides =
      broadcastSides(lhs.sides, rhs.sides);
  if (!sides)
    return Error("expected operands with equal sides, got " +
                 sidesText(lhs.sides) + " and " + sidesText(rhs.sides));
  Reference left = broadcastTo(lhs, *sides), right = broadcastTo(rhs, *sides);
  Reference result = left;
  for (size_t i = 0; i < left.values.size(); ++i) {
    double a = left.values[i], b = right.values[i];
    result.values[i] = apply(kind, a, b);
    result.magnitudes[i] =
        spread(kind, a, b, left.magnitudes[i], right.magnitudes[i]);
  }
  bool isProduct = kind == Kind::Multiply || kind == Kind::Divide;
  result.chain = isProduct ? lhs.chain + rhs.chain + 1
                           : std::max(lhs.chain, rhs.chain) + 1;
  result.isIntegral = lhs.isIntegral && rhs.isIntegral && kind != Kind::Divide;
  result.operations =
      lhs.operations + rhs.operations + double(result.values.size());
  return result;
}

/// Each value replaced; what rounding errors are relative to stays.
static Reference mapElements(Reference value, double (*map)(double)) {
  for (double &element : value.values)
    element = map(element);
  return value;
}

/// The node's value, of the values of its operands.
static Result<Reference> evaluateNode(const Expectation &expectation,
                                      std::vector<Reference> operands,
                                      const ArgumentLookup &lookup) {
  switch (expectation.kind) {
  case Expectation::Kind::Number:
    return makeInput({}, {expectation.number});
  case Expectation::Kind::Name: {
    Result<Reference> value = lookup(expectation.name);
    bool isNumber = expectation.name == "inf" || expectation.name == "nan";
    if (!value && isNumber)
      return makeInput({}, {*readNumber(expectation.name)});
    return value;
  }
  case Expectation::Kind::Negate:
    return mapElements(std::move(operands[0]),
                       [](double value) { return -value; });
  case Expectation::Kind::Not:
    return mapElements(std::move(operands[0]),
                       [](double value) { return double(value == 0); });
  case Expectation::Kind::Call:
    return callFunction(expectation.name, operands);
  case Expectation::Kind::Kernel:
    return Error("expected a kernel as the whole expectation, got '" +
                 expectation.text() + "' within an expression");
  default:
    return combine(expectation.kind, operands[0], operands[1]);
  }
}

Result<Reference> run::evaluate(const Expectation &expectation,
                                const ArgumentLookup &lookup) {
  std::vector<Reference> operands;
  for (const Expectation &operand : expectation.operands) {
    Result<Reference> value = evaluate(operand, lookup);
    if (!value)
      return value;
    operands.push_back(std::move(*value));
  }
  Result<Reference> result =
      evaluateNode(expectation, std::move(operands), lookup);
  if (result)
    boundTerms(*result);
  return result;
}
