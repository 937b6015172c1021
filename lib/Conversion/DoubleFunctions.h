//===- DoubleFunctions.h - Elementary functions in f64 ----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As MathFunctions.h, for f64, of which the chip approximates nothing: there is
// IEEE arithmetic with fma, and the bits.  What would lose digits is carried as
// an unevaluated sum of two numbers; docs/Numerics.md has the ulps.
//
// `Ops` has types F (f64), I (64-bit integer) and B (truth value), and works on
// each element of a vector:
//   number, integer                      constants
//   add, sub, mul, fma, div, sqrt,
//   negate, abs, copySign                IEEE, rounded once
//   bits, fromBits                       between F and I
//   toFloat                              from I, signed
//   add, sub, mul, band, bor, bxor,
//   shl, lshr, ashr                      on integers
//   mulHigh                              the upper half of a product, unsigned
//   funnel(high, low, n)                 the upper half of (high:low) << n
//   less, equal, below                   F ordered, I, I unsigned
//   select(B, x, y)
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_DOUBLEFUNCTIONS_H
#define TILE_CONVERSION_DOUBLEFUNCTIONS_H

#include <cstdint>
#include <initializer_list>
#include <limits>

namespace tile {

template <typename Ops>
class DoubleFunctions {
public:
  using F = typename Ops::F;
  using I = typename Ops::I;
  using B = typename Ops::B;

  explicit DoubleFunctions(Ops &ops) : ops(ops) {}

  F exp(F x);
  F exp2(F x);
  F expm1(F x);
  F tanh(F x);
  F sinh(F x);
  F cosh(F x);
  F erf(F x);
  F erfc(F x);
  F log(F x);
  F log2(F x);
  F log10(F x);
  F log1p(F x) { return exceptTiny(x, logOfOnePlus({x, number(0.0)})); }
  F asinh(F x);
  F acosh(F x);
  F atanh(F x);
  F cbrt(F x);
  F pow(F x, F y);
  F powi(F x, I n);
  F atan(F x) { return atan2(x, number(1.0)); }
  F atan2(F y, F x);
  F asin(F x) { return atan2(x, otherLeg(x)); }
  F acos(F x) { return atan2(otherLeg(x), x); }

  /// A number in two parts, the second below an ulp of the first.
  struct Sum {
    F high, low;
  };
  /// |x| minus the nearest multiple of pi/2, and that multiple modulo 4 in the
  /// low bits.
  struct Quadrant {
    Sum rest;
    I turns;
  };
  /// The first for |x| <= kFarLimit, the second, which is dear, for all other.
  static constexpr double kFarLimit = 0x1p26;
  Quadrant quadrantOfNear(F x);
  Quadrant quadrantOfFar(F x);
  F sin(F x, const Quadrant &quadrant);
  F cos(const Quadrant &quadrant);
  F tan(F x, const Quadrant &quadrant);

private:
  /// A constant in two parts.
  struct Pair {
    double high, low;
  };
  static constexpr Pair kLn2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
  static constexpr uint64_t kSign = 0x8000000000000000;
  static constexpr uint64_t kInfinity = 0x7ff0000000000000;
  /// 1.5 * 2^52: a number added to it has its whole part in the low bits.
  static constexpr double kRounder = 0x1.8p52;

  F number(double value) { return ops.number(value); }
  I integer(uint64_t value) { return ops.integer(value); }
  /// c[0] + c[1] x + c[2] x^2 + ...
  F polynomial(F x, std::initializer_list<double> coefficients);
  /// x + y exactly; |x| >= |y|, or x is 0.
  Sum quickSum(F x, F y);
  Sum sum(F x, F y);
  Sum product(F x, F y);
  Sum product(Sum x, Sum y);
  /// x / y, where `inverse` is 1 / y.
  Sum quotient(Sum x, Sum y, F inverse);
  B isNaN(F x) { return ops.below(integer(kInfinity), ops.bits(ops.abs(x))); }
  /// x held between two numbers; NaN stays.
  F clamp(F x, double low, double high);

  /// An exponent: 2^whole e^rest, with |rest| <= log(2) / 2.
  struct Exponent {
    I whole;
    Sum rest;
  };
  Exponent exponentOf(F x);
  /// e^rest - 1.
  Sum nearOne(Sum rest);
  /// 2^whole, normal.
  F power(I whole) {
    return ops.fromBits(ops.shl(ops.add(whole, integer(1023)), 52));
  }
  /// e^rest, and times 2^whole.
  Sum expOfRest(Sum rest);
  F scaled(Sum value, I whole);
  F expOf(const Exponent &exponent) {
    return scaled(expOfRest(exponent.rest), exponent.whole);
  }
  /// erf x / x - 1 for |x| <= 0.927.
  F slopeOfErf(F x);
  /// (e^x - 1) / 4: does not overflow where sinh does not.
  Sum quarterExpm1(F x);
  /// `y`, but x itself where it is so small that a function with slope 1 is x.
  F exceptTiny(F x, F y);

  /// The logarithm of x + x * more, where x is not special: that of e and that
  /// of 2 tell its base.
  F logarithm(F x, F more, Pair ofE, Pair ofTwo);
  /// log(1 + x) for x that is not tiny.
  F logOfOnePlus(Sum x);
  /// log(1 + f) for f in [-1/3, 1/3].
  Sum logOfNear(F f);

  /// log2 x to 68 bits, for x that is positive and finite.
  Sum preciseLog2(F x);
  /// Whether a number is an integer, and whether an odd one.
  struct Parity {
    B isInteger, isOdd;
  };
  Parity parityOf(F y);
  /// log2 |x|: infinite or NaN where `high` is.
  Sum log2OfSize(F x);
  /// x^y, which is 2^power but for signs and special cases.
  F powOf(F x, F y, Sum power, const Parity &parity);
  /// sqrt(1 - x^2).
  F otherLeg(F x);

  Sum sine(Sum rest);
  Sum cosine(Sum rest);
  /// The bits of the sine where the lowest bit of `turns` is clear, else of the
  /// cosine, with the sign that bit 1 tells.
  I wave(Sum rest, I turns);

  Ops &ops;
};

//===----------------------------------------------------------------------===//
// Sums of two numbers
//===----------------------------------------------------------------------===//

template <typename Ops>
typename Ops::F
DoubleFunctions<Ops>::polynomial(F x,
                                 std::initializer_list<double> coefficients) {
  const double *next = coefficients.end();
  F result = number(*--next);
  while (next != coefficients.begin())
    result = ops.fma(result, x, number(*--next));
  return result;
}

// T. J. Dekker, "A floating-point technique for extending the available
// precision", 1971; the next one is D. E. Knuth's.
template <typename Ops>
typename DoubleFunctions<Ops>::Sum DoubleFunctions<Ops>::quickSum(F x, F y) {
  F high = ops.add(x, y);
  return {high, ops.sub(y, ops.sub(high, x))};
}

template <typename Ops>
typename DoubleFunctions<Ops>::Sum DoubleFunctions<Ops>::sum(F x, F y) {
  F high = ops.add(x, y);
  F ofY = ops.sub(high, x);
  F ofX = ops.sub(high, ofY);
  return {high, ops.add(ops.sub(x, ofX), ops.sub(y, ofY))};
}

template <typename Ops>
typename DoubleFunctions<Ops>::Sum DoubleFunctions<Ops>::product(F x, F y) {
  F high = ops.mul(x, y);
  return {high, ops.fma(x, y, ops.negate(high))};
}

template <typename Ops>
typename DoubleFunctions<Ops>::Sum DoubleFunctions<Ops>::product(Sum x, Sum y) {
  Sum result = product(x.high, y.high);
  F cross = ops.fma(x.high, y.low, ops.mul(x.low, y.high));
  return {result.high, ops.add(result.low, cross)};
}

template <typename Ops>
typename DoubleFunctions<Ops>::Sum DoubleFunctions<Ops>::quotient(Sum x, Sum y,
                                                                  F inverse) {
  F value = ops.mul(x.high, inverse), minus = ops.negate(value);
  F missing =
      ops.add(ops.fma(minus, y.high, x.high), ops.fma(minus, y.low, x.low));
  return {value, ops.mul(missing, inverse)};
}

template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::clamp(F x, double low, double high) {
  F held = ops.select(ops.less(x, number(low)), number(low), x);
  return ops.select(ops.less(number(high), held), number(high), held);
}

template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::exceptTiny(F x, F y) {
  return ops.select(ops.less(ops.abs(x), number(0x1p-54)), x, y);
}

} // namespace tile

#include "DoubleArcs.h"
#include "DoubleExponentials.h"
#include "DoubleLogarithms.h"
#include "DoublePowers.h"
#include "DoubleWaves.h"

#endif // TILE_CONVERSION_DOUBLEFUNCTIONS_H
