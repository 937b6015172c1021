//===- Expression.cpp - Value of an expression ----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

using namespace tile::runtime;
using Kind = Expression::Kind;

namespace {
/// One evaluation.  The recursion is as deep as the tree, which the parser
/// bounds.
class Evaluator {
public:
  Evaluator(const Expression &expression, const int64_t *values)
      : expression(expression), values(values) {}

  Result<int64_t> run() {
    int64_t value = 0;
    int32_t root = static_cast<int32_t>(expression.nodes().size()) - 1;
    if (!evaluate(root, value))
      return Error("expression '" + expression.text() + "': " + error);
    return value;
  }

private:
  bool evaluate(int32_t index, int64_t &value);
  bool evaluateUnary(const Expression::Node &node, int64_t &value);
  bool evaluateLogic(const Expression::Node &node, int64_t &value);
  bool evaluateArithmetic(Kind kind, int64_t a, int64_t b, int64_t &value);
  bool evaluateDivision(Kind kind, int64_t a, int64_t b, int64_t &value);

  bool overflow(int64_t a, const char *symbol, int64_t b) {
    error = "expected a 64-bit result, got overflow in " + std::to_string(a) +
            " " + symbol + " " + std::to_string(b);
    return false;
  }

  const Expression &expression;
  const int64_t *values;
  std::string error;
};
} // namespace

bool Evaluator::evaluate(int32_t index, int64_t &value) {
  const Expression::Node &node = expression.nodes()[index];
  switch (node.kind) {
  case Kind::Literal:
    value = node.value;
    return true;
  case Kind::Name:
    value = values[node.value];
    return true;
  case Kind::Negate:
  case Kind::Not:
    return evaluateUnary(node, value);
  case Kind::And:
  case Kind::Or:
    return evaluateLogic(node, value);
  default:
    int64_t a, b;
    return evaluate(node.left, a) && evaluate(node.right, b) &&
           evaluateArithmetic(node.kind, a, b, value);
  }
}

bool Evaluator::evaluateUnary(const Expression::Node &node, int64_t &value) {
  int64_t operand;
  if (!evaluate(node.left, operand))
    return false;
  return applyOperator(node.kind, operand, 0, value) ||
         overflow(0, "-", operand);
}

bool Evaluator::evaluateLogic(const Expression::Node &node, int64_t &value) {
  int64_t left;
  if (!evaluate(node.left, left))
    return false;
  bool isDecided = (node.kind == Kind::And) == (left == 0);
  if (isDecided) {
    value = left != 0;
    return true;
  }
  int64_t right;
  if (!evaluate(node.right, right))
    return false;
  value = right != 0;
  return true;
}

bool Evaluator::evaluateArithmetic(Kind kind, int64_t a, int64_t b,
                                   int64_t &value) {
  if (applyOperator(kind, a, b, value))
    return true;
  switch (kind) {
  case Kind::Add:
    return overflow(a, "+", b);
  case Kind::Subtract:
    return overflow(a, "-", b);
  case Kind::Multiply:
    return overflow(a, "*", b);
  default:
    return evaluateDivision(kind, a, b, value);
  }
}

bool Evaluator::evaluateDivision(Kind kind, int64_t a, int64_t b,
                                 int64_t &value) {
  bool isRemainder = kind == Kind::Remainder || kind == Kind::Modulo;
  if (b == 0) {
    error = "expected a divisor other than 0, got " + std::to_string(a) +
            (isRemainder ? " % 0" : " / 0");
    return false;
  }
  // The one quotient that does not fit; its remainder does, but traps on x86.
  if (b == -1) {
    if (isRemainder) {
      value = 0;
      return true;
    }
    return !__builtin_sub_overflow(int64_t(0), a, &value) ||
           overflow(a, "/", b);
  }
  int64_t quotient = a / b, remainder = a % b;
  bool isInexact = remainder != 0;
  bool isNegative = (a < 0) != (b < 0);
  switch (kind) {
  case Kind::Divide:
    value = quotient;
    return true;
  case Kind::CeilDiv:
    value = quotient + (isInexact && !isNegative);
    return true;
  case Kind::FloorDiv:
    value = quotient - (isInexact && isNegative);
    return true;
  case Kind::Modulo:
    value = isInexact && isNegative ? remainder + b : remainder;
    return true;
  default:
    value = remainder;
    return true;
  }
}

Result<int64_t> Expression::evaluate(const int64_t *values) const {
  return Evaluator(*this, values).run();
}

Result<int64_t> Expression::evaluate(const Bindings &bindings) const {
  std::vector<int64_t> values;
  for (const std::string &name : nameTable) {
    auto found = bindings.find(name);
    if (found == bindings.end())
      return Error("expression '" + source + "': expected a value for '" +
                   name + "', got none");
    values.push_back(found->second);
  }
  return evaluate(values.data());
}
