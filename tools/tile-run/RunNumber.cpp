//===- RunNumber.cpp - Sizes and constraints of .tile files ---------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunNumber.h"
#include "Number.h"
#include "Reference.h"

#include "tile/Frontend/Numbers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace tile;
using namespace tile::run;
using frontend::RunExpr;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

RunNumber RunNumber::integerOf(int64_t value) {
  RunNumber result;
  result.integer = value;
  return result;
}

RunNumber RunNumber::realOf(double value) {
  RunNumber result;
  result.kind = Kind::Real;
  result.real = value;
  return result;
}

RunNumber RunNumber::conditionOf(bool holds) {
  RunNumber result;
  result.kind = Kind::Condition;
  result.integer = holds;
  return result;
}

RunNumber RunNumber::of(double value) {
  bool isNegativeZero = value == 0 && std::signbit(value);
  return isExactInteger(value) && !isNegativeZero ? integerOf(int64_t(value))
                                                  : realOf(value);
}

double RunNumber::value() const {
  return kind == Kind::Real ? real : double(integer);
}

std::optional<RunNumber> RunNumber::read(StringRef text) {
  if (text == "true" || text == "false")
    return conditionOf(text == "true");
  if (std::optional<int64_t> integer = frontend::readInteger(text))
    return integerOf(*integer);
  if (std::optional<double> real = run::readNumber(text))
    return of(*real);
  return std::nullopt;
}

std::string RunNumber::text() const {
  if (isCondition())
    return "a condition";
  // A 64 that is no integer shows that.
  bool isWhole = isReal() && !of(real).isReal();
  return spelling() + (isWhole ? ".0" : "");
}

std::string RunNumber::spelling() const {
  // `1e6` is typed as `1000000`.
  RunNumber plain = isReal() ? of(real) : *this;
  return isCondition()    ? (integer ? "true" : "false")
         : plain.isReal() ? numberText(real)
                          : std::to_string(plain.integer);
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

namespace {
/// Evaluates one expression; what is wrong has a place.
class NumberEvaluator {
public:
  explicit NumberEvaluator(NumberLookup lookup) : lookup(lookup) {}

  BindResult evaluate(const RunExpr &expr, RunNumber &result);

private:
  BindResult unary(const RunExpr &expr, RunNumber &result);
  BindResult binary(const RunExpr &expr, RunNumber &result);
  BindResult call(const RunExpr &expr, RunNumber &result);

  NumberLookup lookup;
};
} // namespace

static PlacedError overflow(const RunExpr &expr) {
  return PlacedError{expr.range,
                     "expected a result of at most 64 bits, got more"};
}

static PlacedError wrongOperands(const RunExpr &expr, StringRef expected,
                                 const RunNumber &left,
                                 const RunNumber &right) {
  return PlacedError{
      expr.range, ("expected " + expected + " on both sides of '" + expr.text +
                   "', got " + left.text() + " and " + right.text())
                      .str()};
}

/// A number as it is written: an integer unless it has a fraction or exponent.
static BindResult literal(const RunExpr &expr, RunNumber &result) {
  StringRef text = expr.text;
  bool isHex = text.starts_with("0x") || text.starts_with("-0x");
  bool isInteger = !text.empty() &&
                   (isHex || !text.contains_insensitive('e')) &&
                   !text.contains('.');
  // What the front end made itself has no text.
  if (!isInteger) {
    result = text.empty() ? RunNumber::of(expr.number)
                          : RunNumber::realOf(expr.number);
    return {};
  }
  std::optional<int64_t> integer = frontend::readInteger(text);
  if (!integer)
    return PlacedError{expr.range,
                       "expected a number of at most 64 bits, got '" +
                           expr.text + "'"};
  result = RunNumber::integerOf(*integer);
  return {};
}

BindResult NumberEvaluator::unary(const RunExpr &expr, RunNumber &result) {
  RunNumber operand;
  if (BindResult error = evaluate(expr.operands[0], operand))
    return error;
  bool isNot = expr.text == "not";
  if (isNot != operand.isCondition() ||
      (expr.text == "~" && !operand.isInteger()))
    return PlacedError{expr.range, std::string("expected ") +
                                       (isNot              ? "a condition"
                                        : expr.text == "~" ? "an integer"
                                                           : "a number") +
                                       " after '" + expr.text + "', got " +
                                       operand.text()};
  if (isNot)
    result = RunNumber::conditionOf(!operand.integer);
  else if (!operand.isInteger())
    result = RunNumber::realOf(-operand.real);
  else if (expr.text == "~")
    result = RunNumber::integerOf(~operand.integer);
  else if (llvm::SubOverflow(int64_t(0), operand.integer, result.integer))
    return overflow(expr);
  return {};
}

/// Whether `left op right` holds of two that compare as numbers do; nothing if
/// `op` is no comparison.
template <typename T>
static std::optional<bool> compare(StringRef op, T left, T right) {
  if (op == "<")
    return left < right;
  if (op == "<=")
    return left <= right;
  if (op == ">")
    return left > right;
  if (op == ">=")
    return left >= right;
  if (op == "==")
    return left == right;
  if (op == "!=")
    return left != right;
  return std::nullopt;
}

/// Shifts are by less than the width and lose nothing.
static BindResult shift(const RunExpr &expr, int64_t a, int64_t b,
                        int64_t &result) {
  if (b < 0 || b > 63)
    return PlacedError{expr.operands[1].range,
                       "expected a shift from 0 to 63, got " +
                           std::to_string(b)};
  if (expr.text == ">>") {
    result = a >> b;
    return {};
  }
  bool isLost =
      b == 63 ? a != 0 : llvm::MulOverflow(a, int64_t(1) << b, result);
  return isLost ? BindResult(overflow(expr)) : BindResult();
}

static BindResult divide(const RunExpr &expr, StringRef op, int64_t a,
                         int64_t b, int64_t &result) {
  if (b == 0)
    return PlacedError{expr.operands[1].range,
                       "expected a divisor other than 0, got 0"};
  if (a == std::numeric_limits<int64_t>::min() && b == -1)
    return overflow(expr);
  result = op == "/" ? a / b : op == "%" ? a % b : llvm::divideCeilSigned(a, b);
  return {};
}

static BindResult integerOperator(const RunExpr &expr, int64_t a, int64_t b,
                                  RunNumber &result) {
  StringRef op = expr.text;
  if (std::optional<bool> holds = compare(op, a, b)) {
    result = RunNumber::conditionOf(*holds);
    return {};
  }
  result = RunNumber();
  if (op == "/" || op == "%")
    return divide(expr, op, a, b, result.integer);
  if (op == "<<" || op == ">>")
    return shift(expr, a, b, result.integer);
  bool overflows = op == "+"   ? llvm::AddOverflow(a, b, result.integer)
                   : op == "-" ? llvm::SubOverflow(a, b, result.integer)
                   : op == "*" ? llvm::MulOverflow(a, b, result.integer)
                               : false;
  if (overflows)
    return overflow(expr);
  if (op == "&" || op == "|" || op == "^")
    result.integer = op == "&" ? a & b : op == "|" ? a | b : a ^ b;
  return {};
}

static BindResult realOperator(const RunExpr &expr, const RunNumber &left,
                               const RunNumber &right, RunNumber &result) {
  StringRef op = expr.text;
  double a = left.value(), b = right.value();
  if (std::optional<bool> holds = compare(op, a, b))
    result = RunNumber::conditionOf(*holds);
  else if (op == "+" || op == "-")
    result = RunNumber::realOf(op == "+" ? a + b : a - b);
  else if (op == "*" || op == "/")
    result = RunNumber::realOf(op == "*" ? a * b : a / b);
  else
    return wrongOperands(expr, "integers", left, right);
  return {};
}

BindResult NumberEvaluator::binary(const RunExpr &expr, RunNumber &result) {
  RunNumber left, right;
  if (BindResult error = evaluate(expr.operands[0], left))
    return error;
  if (BindResult error = evaluate(expr.operands[1], right))
    return error;
  StringRef op = expr.text;
  bool isLogic = op == "and" || op == "or";
  if (left.isCondition() && right.isCondition()) {
    bool isOr = op == "or" || op == "|";
    std::optional<bool> holds;
    if (isLogic || op == "&" || op == "|")
      holds =
          isOr ? left.integer || right.integer : left.integer && right.integer;
    else if (op == "==" || op == "!=")
      holds = (left.integer == right.integer) == (op == "==");
    if (!holds)
      return wrongOperands(expr, "numbers", left, right);
    result = RunNumber::conditionOf(*holds);
    return {};
  }
  if (isLogic || left.isCondition() || right.isCondition())
    return wrongOperands(expr, isLogic ? "conditions" : "numbers", left, right);
  if (left.isInteger() && right.isInteger())
    return integerOperator(expr, left.integer, right.integer, result);
  return realOperator(expr, left, right, result);
}

/// Functions of integers that give integers are here; others are those of
/// `expect`.
BindResult NumberEvaluator::call(const RunExpr &expr, RunNumber &result) {
  std::vector<RunNumber> operands(expr.operands.size());
  for (auto [operand, number] : llvm::zip_equal(expr.operands, operands))
    if (BindResult error = evaluate(operand, number))
      return error;
  StringRef name = expr.text;
  if (name == "where" && operands.size() == 3 && operands[0].isCondition()) {
    result = operands[operands[0].integer ? 1 : 2];
    return {};
  }
  bool areIntegers = llvm::all_of(
      operands, [](const RunNumber &number) { return number.isInteger(); });
  if (areIntegers && operands.size() == 1 &&
      (name == "abs" || name == "floor")) {
    bool isTurned = name == "abs" && operands[0].integer < 0;
    result = operands[0];
    if (isTurned &&
        llvm::SubOverflow(int64_t(0), operands[0].integer, result.integer))
      return overflow(expr);
    return {};
  }
  bool isExtremum = name == "min" || name == "max";
  if (areIntegers && operands.size() == 2 && (isExtremum || name == "cdiv")) {
    int64_t a = operands[0].integer, b = operands[1].integer;
    result =
        RunNumber::integerOf(name == "min" ? std::min(a, b) : std::max(a, b));
    return isExtremum ? BindResult() : divide(expr, name, a, b, result.integer);
  }
  Expectation expectation;
  expectation.kind = Expectation::Kind::Call;
  expectation.name = expr.text;
  for (const RunNumber &number : operands)
    expectation.operands.emplace_back().number = number.value();
  runtime::Result<Reference> value = run::evaluate(
      expectation, [](const std::string &) -> runtime::Result<Reference> {
        return runtime::Error("expected a number, got a tensor");
      });
  if (!value)
    return PlacedError{expr.range, value.error().text()};
  if (value->values.size() != 1)
    return PlacedError{expr.range, "expected a number, got a tensor"};
  // `floor(4.5)` is an integer again.
  result = RunNumber::of(value->values[0]);
  return {};
}

BindResult NumberEvaluator::evaluate(const RunExpr &expr, RunNumber &result) {
  BindResult error;
  if (expr.kind == RunExpr::Kind::Number)
    return literal(expr, result);
  if (lookup(expr, result, error))
    return error;
  if (expr.kind == RunExpr::Kind::Call)
    return call(expr, result);
  if (expr.kind != RunExpr::Kind::Operator)
    return PlacedError{expr.range, "expected a number at this place, got "
                                   "something of a tensor"};
  return expr.operands.size() == 1 ? unary(expr, result) : binary(expr, result);
}

BindResult run::evaluateNumber(const RunExpr &expr, NumberLookup lookup,
                               RunNumber &result) {
  return NumberEvaluator(lookup).evaluate(expr, result);
}
