//===- Numbers.cpp - Numbers and how far a run may be from them -----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"

#include <algorithm>
#include <cmath>

using namespace tile::fuzz;

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

double tile::fuzz::roundToBits(double value, int bits, int least) {
  if (value == 0 || !std::isfinite(value))
    return value;
  int exponent;
  std::frexp(value, &exponent);
  int last = std::max(exponent - bits, least);
  // A quotient by a power of two is exact, and nearbyint takes the even one.
  return std::ldexp(std::nearbyint(std::ldexp(value, -last)), last);
}

double tile::fuzz::roundTo(double value, Kind kind) {
  if (kind == Kind::F64)
    return value;
  if (kind == Kind::I32 || kind == Kind::I8) {
    auto bits = static_cast<uint64_t>(static_cast<int64_t>(value));
    return kind == Kind::I8 ? static_cast<double>(static_cast<int8_t>(bits))
                            : static_cast<double>(static_cast<int32_t>(bits));
  }
  const KindFacts &facts = factsOf(kind);
  double rounded = roundToBits(value, facts.bits, facts.least);
  if (std::fabs(rounded) <= facts.largest)
    return rounded;
  return std::copysign(kind == Kind::F8E4M3 ? facts.largest : kAnything, value);
}

double tile::fuzz::roundoff(Kind kind) {
  return isInteger(kind) ? 0 : std::ldexp(1, -factsOf(kind).bits);
}

Number tile::fuzz::finish(double value, double bound, Kind kind) {
  if (std::isnan(value) || !(bound < kAnything))
    return {0, kAnything};
  if (isInteger(kind) || bound == 0) {
    double rounded = roundTo(value, kind);
    return std::isfinite(rounded) ? Number{rounded, bound}
                                  : Number{0, kAnything};
  }
  const KindFacts &facts = factsOf(kind);
  if (kind == Kind::F8E4M3)
    value = std::clamp(value, -facts.largest, facts.largest);
  else if (!(std::fabs(value) + bound < 0.99 * facts.largest))
    return {0, kAnything};
  // In f64 this evaluation rounds as well.
  double unit = roundoff(kind) * (kind == Kind::F64 ? 2 : 1);
  double least = std::ldexp(1, facts.least);
  bound += unit * 1.001 * (std::fabs(value) + bound) + least;
  return {value, bound};
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static Number divide(Number a, Number b, Kind kind) {
  double least = std::fabs(b.value) - b.bound;
  if (!(least > 0))
    return {0, kAnything};
  double quotient = a.value / b.value;
  double bound = (a.bound + std::fabs(quotient) * b.bound) / least;
  return finish(quotient, bound, kind);
}

Number tile::fuzz::combine(BinaryCode code, Number a, Number b, Kind kind) {
  if (a.bound == kAnything || b.bound == kAnything)
    return {0, kAnything};
  double bound = a.bound + b.bound;
  switch (code) {
  case BinaryCode::Add:
    return finish(a.value + b.value, bound, kind);
  case BinaryCode::Subtract:
    return finish(a.value - b.value, bound, kind);
  case BinaryCode::Multiply: {
    if (isInteger(kind))
      return finish(static_cast<double>(static_cast<int64_t>(
                        static_cast<uint64_t>(static_cast<int64_t>(a.value)) *
                        static_cast<uint64_t>(static_cast<int64_t>(b.value)) %
                        (uint64_t(1) << 32))),
                    0, kind);
    bound = a.bound * b.bound + std::fabs(a.value) * b.bound +
            std::fabs(b.value) * a.bound;
    return finish(a.value * b.value, bound, kind);
  }
  case BinaryCode::Max:
    return {std::fmax(a.value, b.value), std::fmax(a.bound, b.bound)};
  case BinaryCode::Min:
    return {std::fmin(a.value, b.value), std::fmax(a.bound, b.bound)};
  case BinaryCode::Divide:
    return divide(a, b, kind);
  case BinaryCode::Xor:
  case BinaryCode::And:
  case BinaryCode::Or: {
    auto left = static_cast<int64_t>(a.value);
    auto right = static_cast<int64_t>(b.value);
    int64_t result = code == BinaryCode::Xor   ? left ^ right
                     : code == BinaryCode::And ? left & right
                                               : left | right;
    return {static_cast<double>(result), 0};
  }
  }
  return {0, kAnything};
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {
/// A function of one number.
struct Function {
  double (*value)(double);
  /// Units in the last place that a device may err in f32 and in f64
  /// (docs/Numerics.md); 0: rounded once.
  double ulps = 0, doubleUlps = 0;
  /// Whether the extremes of an interval lie at its ends.  Otherwise the
  /// function is as steep as 1 at most, and its values lie in [-1, 1].
  bool isMonotonic = true;
  /// Whether its values are numbers of the type: nothing is rounded.
  bool isExact = false;
};
} // namespace

static Function functionOf(UnaryCode code) {
  switch (code) {
  case UnaryCode::Exp:
    return {std::exp, 4.6, 0.8};
  case UnaryCode::Exp2:
    return {std::exp2, 2.6, 0.8};
  case UnaryCode::Log:
    return {std::log, 1, 0.7};
  case UnaryCode::Log2:
    return {std::log2, 2, 0.7};
  case UnaryCode::Log10:
    return {std::log10, 2, 0.7};
  case UnaryCode::Sin:
    return {std::sin, 2.5, 0.8, false};
  case UnaryCode::Cos:
    return {std::cos, 2.5, 0.8, false};
  case UnaryCode::Tanh:
    return {std::tanh, 2.5, 1.5};
  case UnaryCode::Erf:
    return {std::erf, 2, 1.3};
  case UnaryCode::Rsqrt:
    return {[](double x) { return 1 / std::sqrt(x); }, 2.5, 1.5};
  case UnaryCode::Sqrt:
    return {std::sqrt};
  case UnaryCode::Floor:
    return {std::floor, 0, 0, true, true};
  case UnaryCode::Ceil:
    return {std::ceil, 0, 0, true, true};
  case UnaryCode::Trunc:
    return {std::trunc, 0, 0, true, true};
  case UnaryCode::Round:
    return {std::round, 0, 0, true, true};
  case UnaryCode::RoundEven:
    return {std::nearbyint, 0, 0, true, true};
  case UnaryCode::Negate:
  case UnaryCode::Absolute:
    break;
  }
  return {std::fabs, 0, 0, true, true};
}

bool tile::fuzz::isApproximated(UnaryCode code) {
  return functionOf(code).ulps > 0;
}

Number tile::fuzz::apply(UnaryCode code, Number x, Kind kind, bool onDevice) {
  if (x.bound == kAnything)
    return x;
  if (code == UnaryCode::Negate)
    return {-x.value, x.bound};
  if (code == UnaryCode::Absolute)
    return {std::fabs(x.value), x.bound};
  Function function = functionOf(code);
  double value = function.value(x.value);
  double bound = std::fmin(x.bound, 2);
  if (function.isMonotonic && x.bound > 0)
    bound = std::fmax(std::fabs(function.value(x.value + x.bound) - value),
                      std::fabs(function.value(x.value - x.bound) - value));
  // std::fmax leaves out NaN: an interval that leaves the domain at its lower
  // end, which all domains here have.
  double low = function.value(x.value - x.bound);
  if (!std::isfinite(value) || !std::isfinite(bound) || !std::isfinite(low))
    return {0, kAnything};
  if (function.isExact)
    return {value, bound};
  if (function.ulps > 0) {
    // The interpreter computes in f64 and rounds once, as a device does from
    // f32 to narrower types.  This evaluation errs as the interpreter does.
    bool isDouble = !onDevice || kind == Kind::F64;
    double units = isDouble ? 4 : 2 * function.ulps;
    if (isDouble && onDevice)
      units += 2 * function.doubleUlps;
    Kind inside = isDouble ? Kind::F64 : Kind::F32;
    bound += units * (roundoff(inside) * (std::fabs(value) + bound) +
                      std::ldexp(1, factsOf(inside).least));
  }
  return finish(value, bound, kind);
}

Number tile::fuzz::convert(Number x, Kind from, Kind to) {
  if (x.bound == kAnything)
    return x;
  if (!isInteger(to) || isInteger(from))
    return finish(x.value, x.bound, to);
  double value = std::clamp(x.value, -kMostInteger, kMostInteger);
  double whole = std::trunc(value);
  bool isClear = std::trunc(value - x.bound) == whole &&
                 std::trunc(value + x.bound) == whole;
  return isClear ? Number{whole, 0} : Number{0, kAnything};
}
