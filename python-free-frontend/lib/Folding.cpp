//===- Folding.cpp - Operators on what is known at compile time -----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;

bool frontend::isComparison(StringRef op) {
  return op == "<" || op == "<=" || op == ">" || op == ">=" || op == "==" ||
         op == "!=";
}

/// -x, ~x and not x, all known at compile time.
Val KernelEmitter::foldUnary(const Expr &expr, Val value) {
  bool isNot = expr.text == "not";
  bool isBool = value.kind == Val::Bool;
  if (isNot != isBool || (expr.text == "~" && value.kind != Val::Int)) {
    errors.error(expr.range, "expected " +
                                 Twine(isNot              ? "i1"
                                       : expr.text == "~" ? "an integer"
                                                          : "a number") +
                                 " after '" + expr.text + "', got " +
                                 describe(value));
    return {};
  }
  if (isNot)
    return Val::condition(!value.integer);
  if (expr.text == "~")
    return Val::constant(~value.integer);
  if (value.kind == Val::Int &&
      value.integer == std::numeric_limits<int64_t>::min()) {
    errors.error(expr.range, "expected a result of at most 64 bits, got more");
    return {};
  }
  value.integer = -value.integer;
  value.number = -value.number;
  return value;
}

/// Whether `left op right` holds of two that compare as numbers do.
template <typename T>
static bool compare(StringRef op, T left, T right) {
  return op == "<"    ? left < right
         : op == "<=" ? left <= right
         : op == ">"  ? left > right
         : op == ">=" ? left >= right
         : op == "==" ? left == right
                      : left != right;
}

/// A number as an f64.
static double numberOf(const Val &value) {
  return value.kind == Val::Int ? double(value.integer) : value.number;
}

Val KernelEmitter::foldComparison(const Expr &expr, const Val &left,
                                  const Val &right) {
  StringRef op = expr.text;
  bool isEquality = op == "==" || op == "!=";
  if (left.kind == Val::Type || (left.kind == Val::Bool && isEquality)) {
    bool same = left.type == right.type && left.integer == right.integer;
    if (isEquality && left.kind == right.kind)
      return Val::condition(same == (op == "=="));
  } else if (left.kind == Val::Int && right.kind == Val::Int) {
    return Val::condition(compare(op, left.integer, right.integer));
  } else if (left.kind != Val::Bool && right.kind != Val::Bool) {
    return Val::condition(compare(op, numberOf(left), numberOf(right)));
  }
  errors.error(expr.range, "expected numbers on both sides of '" + op +
                               "', got " + describe(left) + " and " +
                               describe(right));
  return {};
}

/// Both known at compile time.
Val KernelEmitter::fold(const Expr &expr, const Val &left, const Val &right) {
  StringRef op = expr.text;
  if (isComparison(op))
    return foldComparison(expr, left, right);
  bool isLogic = op == "and" || op == "or";
  bool areBools = left.kind == Val::Bool && right.kind == Val::Bool;
  if (areBools && (isLogic || op == "&" || op == "|")) {
    bool isAnd = op == "and" || op == "&";
    return Val::condition(isAnd ? left.integer && right.integer
                                : left.integer || right.integer);
  }
  bool areNumbers = (left.kind == Val::Int || left.kind == Val::Float) &&
                    (right.kind == Val::Int || right.kind == Val::Float);
  if (areNumbers && !isLogic)
    return foldNumbers(expr, left, right);
  errors.error(expr.range, "expected " + Twine(isLogic ? "i1" : "numbers") +
                               " on both sides of '" + op + "', got " +
                               describe(left) + " and " + describe(right));
  return {};
}

/// A shift moves by less than the width.
bool KernelEmitter::checkShift(const Expr &amount, const Val &value,
                               Type element) {
  int64_t bits = element ? element.getIntOrFloatBitWidth() : 64;
  if (value.kind != Val::Int || (value.integer >= 0 && value.integer < bits))
    return true;
  errors.error(amount.range, "expected a shift from 0 to " + Twine(bits - 1) +
                                 ", got " + Twine(value.integer));
  return false;
}

/// Integers in 64 bits, floats in f64.
Val KernelEmitter::foldNumbers(const Expr &expr, const Val &left,
                               const Val &right) {
  if (left.kind == Val::Int && right.kind == Val::Int)
    return foldIntegers(expr, left.integer, right.integer);
  double a = numberOf(left), b = numberOf(right);
  Val result;
  result.kind = Val::Float;
  switch (expr.text[0]) {
  case '+':
    result.number = a + b;
    return result;
  case '-':
    result.number = a - b;
    return result;
  case '*':
    result.number = a * b;
    return result;
  case '/':
    result.number = a / b;
    return result;
  default:
    errors.error(expr.range, "expected integers on both sides of '" +
                                 expr.text +
                                 "', got a constant with a fraction");
    return {};
  }
}

Val KernelEmitter::foldIntegers(const Expr &expr, int64_t a, int64_t b) {
  int64_t result = 0;
  bool overflows = false;
  switch (expr.text[0]) {
  case '+':
    overflows = llvm::AddOverflow(a, b, result);
    break;
  case '-':
    overflows = llvm::SubOverflow(a, b, result);
    break;
  case '*':
    overflows = llvm::MulOverflow(a, b, result);
    break;
  case '&':
    result = a & b;
    break;
  case '|':
    result = a | b;
    break;
  case '^':
    result = a ^ b;
    break;
  case '<':
  case '>':
    if (!checkShift(*expr.operands[1], Val::constant(b), {}))
      return {};
    // 2^63 has no place in 64 bits.
    overflows = expr.text == "<<" && b == 63 && a != 0;
    if (expr.text == ">>")
      result = a >> b;
    else if (!overflows)
      overflows = llvm::MulOverflow(a, int64_t(1) << b, result);
    break;
  default:
    if (b == 0) {
      errors.error(expr.operands[1]->range,
                   "expected a divisor other than 0, got 0");
      return {};
    }
    overflows = a == std::numeric_limits<int64_t>::min() && b == -1;
    if (!overflows)
      result = expr.text == "/" ? a / b : a % b;
  }
  if (!overflows)
    return Val::constant(result);
  errors.error(expr.range, "expected a result of at most 64 bits, got more");
  return {};
}
