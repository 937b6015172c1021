//===- MathFunctions.h - Elementary functions in f32 ------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The chip has 2^x, log2 x, 1/x and 1/sqrt(x) to about one ulp, and nothing
// else.  The functions here are polynomials around them, written once over a
// type of operations `Ops`: the compiler emits the operations, and a test
// computes them on the host and counts ulps.  docs/Numerics.md has the result.
//
// All are free of branches, so that they work on vectors.  Coefficients are
// minimax on the interval that is named beside them.
//
// `Ops` has types F (float), I (32-bit integer), L (64-bit integer) and B
// (truth value), and works on each element of a vector:
//   number, integer, wide                constants
//   add, sub, mul, fma, negate,
//   abs, copySign                        IEEE, rounded once
//   minNumber, maxNumber                 the number, where the other is NaN
//   minimum, maximum                     NaN, where one is
//   floor                                exact
//   exp2, log2, reciprocal,
//   reciprocalSqrt                       the chip's approximations; subnormal
//                                        operands and results may become zero
//   bits, fromBits, toFloat              between F and I, and from L to F
//   add, sub, band, bor, bxor,
//   shl, lshr, ashr                      on integers
//   mux(mask, x, y)                      the bits of x where the mask's are set
//   funnel(high, low, n)                 the upper half of (high:low) << n
//   extend, truncate, mul, lshr          between I and L (unsigned), and on L
//   less, equal, below                   F ordered, I, I unsigned
//   select(B, x, y), band(B, B),
//   bor(B, B)
//
// PowerFunctions.h, HyperbolicFunctions.h and ArcFunctions.h have more of them.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_MATHFUNCTIONS_H
#define TILE_CONVERSION_MATHFUNCTIONS_H

#include <cstdint>
#include <initializer_list>
#include <limits>

namespace tile {

template <typename Ops>
class MathFunctions {
public:
  using F = typename Ops::F;
  using I = typename Ops::I;
  using L = typename Ops::L;
  using B = typename Ops::B;

  explicit MathFunctions(Ops &ops) : ops(ops) {}

  F exp(F x);
  F log(F x);
  F log2(F x);
  F log10(F x);
  F tanh(F x);
  F erf(F x);

  /// |x| minus the nearest multiple of pi/2, and that multiple modulo 4 in the
  /// low bits.
  struct Quadrant {
    F rest;
    I turns;
  };
  /// The first for |x| <= kFarLimit, the second, which is dear, for all other.
  static constexpr float kFarLimit = 131072.0f;
  Quadrant quadrantOfNear(F x);
  Quadrant quadrantOfFar(F x);
  F sin(F x, const Quadrant &quadrant);
  F cos(const Quadrant &quadrant);

protected:
  /// `small` where size is below the limit, else `large`; size is not negative.
  F choose(F size, float limit, F small, F large);
  F number(float value) { return ops.number(value); }
  I integer(uint32_t value) { return ops.integer(value); }
  /// c[0] + c[1] x + c[2] x^2 + ...
  F polynomial(F x, std::initializer_list<float> coefficients);
  /// 2^whole, for whole in [-126, 127], from whole + 3 * 2^22 + 127.
  F power(F shifted) { return ops.fromBits(ops.shl(ops.bits(shifted), 23)); }
  /// exp2(rest + whole) where `scaled`, the sum of both, says what is whole.
  template <typename Rest>
  F exp2Of(F scaled, Rest rest);
  /// x as 2^e (1 + f), with f in [-1/3, 1/3]; exponent is e's place in bits.
  struct Mantissa {
    F f;
    I exponent;
  };
  Mantissa mantissaOf(F normal);
  /// log(1 + f) - f.
  F logTail(F f);
  /// A constant in two parts.
  struct Pair {
    float high, low;
  };
  /// A logarithm: that of e and that of 2 tell its base.
  F logarithm(F x, Pair ofE, Pair ofTwo);
  /// The bits of the sine where the lowest bit of `turns` is clear, else of the
  /// cosine, with the sign that bit 1 tells.
  I wave(F rest, I turns);

  /// 1.5 * 2^23: a number added to it has its whole part in the low bits.
  static constexpr float kRounder = 12582912.0f;

  Ops &ops;
};

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

template <typename Ops>
typename Ops::F
MathFunctions<Ops>::polynomial(F x, std::initializer_list<float> coefficients) {
  const float *next = coefficients.end();
  F sum = number(*--next);
  while (next != coefficients.begin())
    sum = ops.fma(sum, x, number(*--next));
  return sum;
}

// By a mask, not by a predicate: of those a thread has seven, and ptxas, which
// computes many elements of a tile side by side, keeps the others in registers
// that a matrix product's epilogue does not have.  Bits of numbers that are not
// negative are in the order of the numbers, and NaN is above them all.
template <typename Ops>
typename Ops::F MathFunctions<Ops>::choose(F size, float limit, F small,
                                           F large) {
  I isBelow = ops.ashr(ops.sub(ops.bits(size), ops.bits(number(limit))), 31);
  return ops.fromBits(ops.mux(isBelow, ops.bits(small), ops.bits(large)));
}

// The whole part is held to normal powers of two; what is beyond it stays with
// the rest, whose exp2 overflows, or is small enough for the product to become
// subnormal, rounded once.
template <typename Ops>
template <typename Rest>
typename Ops::F MathFunctions<Ops>::exp2Of(F scaled, Rest rest) {
  F held =
      ops.minNumber(ops.maxNumber(scaled, number(-126.0f)), number(127.0f));
  F shifted = ops.add(held, number(kRounder + 127.0f));
  F whole = ops.sub(shifted, number(kRounder + 127.0f));
  return ops.mul(ops.exp2(rest(whole)), power(shifted));
}

template <typename Ops>
typename Ops::F MathFunctions<Ops>::exp(F x) {
  // log2(e) in two parts: the product may be far larger than its error.
  F high = number(0x1.715476p+0f), low = number(0x1.4ae0cp-26f);
  return exp2Of(ops.mul(x, high), [&](F whole) {
    F rest = ops.fma(x, high, ops.negate(whole));
    return ops.fma(x, low, rest);
  });
}

template <typename Ops>
typename Ops::F MathFunctions<Ops>::tanh(F x) {
  F size = ops.abs(x);
  // 1 - 2 / (exp(2 |x|) + 1); errors of exp are damped more than they grow.
  F power = ops.exp2(ops.mul(size, number(0x1.715476p+1f)));
  F inverse = ops.reciprocal(ops.add(power, number(1.0f)));
  F large = ops.fma(inverse, number(-2.0f), number(1.0f));
  // (tanh x - x) / x^3 on [0, 0.55], over x^2.
  F square = ops.mul(x, x);
  F cubic = ops.mul(square, polynomial(square, {-0x1.55554ap-2f, 0x1.110d2ap-3f,
                                                -0x1.b9290ap-5f, 0x1.594112p-6f,
                                                -0x1.9b44d4p-8f}));
  F small = ops.fma(cubic, size, size);
  return ops.copySign(choose(size, 0.55f, small, large), x);
}

template <typename Ops>
typename Ops::F MathFunctions<Ops>::erf(F x) {
  F size = ops.abs(x);
  // log2(1 - erf x) on [0.92, 4]; from 3.92 on erf is 1 in f32.
  F held = ops.select(ops.less(number(4.0f), size), number(4.0f), size);
  F exponent = polynomial(
      held, {-0x1.28034ep-12f, -0x1.a07cp+0f, -0x1.d6a934p-1f, -0x1.331494p-3f,
             0x1.06b0aep-5f, -0x1.1fbb46p-8f, 0x1.2868b6p-12f});
  F large = ops.sub(number(1.0f), ops.exp2(exponent));
  // erf x / x - 1 on [0, 0.927], over x^2.
  F square = ops.mul(x, x);
  F slope = polynomial(square, {0x1.06eba8p-3f, -0x1.812742p-2f, 0x1.ce2e1p-4f,
                                -0x1.b80f34p-6f, 0x1.54ce2ap-8f,
                                -0x1.aa76dep-11f, 0x1.5d8ebep-14f});
  F small = ops.fma(slope, size, size);
  return ops.copySign(choose(size, 0.925f, small, large), x);
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

template <typename Ops>
typename MathFunctions<Ops>::Mantissa MathFunctions<Ops>::mantissaOf(F normal) {
  constexpr uint32_t kTwoThirds = 0x3f2aaaab;
  I bits = ops.bits(normal);
  I exponent =
      ops.band(ops.sub(bits, integer(kTwoThirds)), integer(0xff800000));
  F f = ops.sub(ops.fromBits(ops.sub(bits, exponent)), number(1.0f));
  return {f, exponent};
}

template <typename Ops>
typename Ops::F MathFunctions<Ops>::logTail(F f) {
  // (log(1 + f) - f) / f^2 on [-1/3, 1/3].
  return ops.mul(
      ops.mul(f, f),
      polynomial(f, {-0.5f, 0x1.555502p-2f, -0x1.fffe84p-3f, 0x1.99d1ecp-3f,
                     -0x1.55a754p-3f, 0x1.1ebecap-3f, -0x1.f25ddap-4f,
                     0x1.1ecf8ep-3f, -0x1.0931e4p-3f}));
}

template <typename Ops>
typename Ops::F MathFunctions<Ops>::logarithm(F x, Pair ofE, Pair ofTwo) {
  // Subnormal numbers are scaled first.
  B isSmall = ops.less(x, number(0x1p-126f));
  F scaled = ops.select(isSmall, ops.mul(x, number(0x1p23f)), x);
  Mantissa mantissa = mantissaOf(scaled);
  F f = mantissa.f;
  F e = ops.fma(ops.toFloat(mantissa.exponent), number(0x1p-23f),
                ops.select(isSmall, number(-23.0f), number(0.0f)));
  F tail = logTail(f);
  if (ofE.high != 1.0f)
    tail = ops.fma(f, number(ofE.low), ops.mul(tail, number(ofE.high)));
  if (ofTwo.low != 0.0f)
    tail = ops.fma(e, number(ofTwo.low), tail);
  F ofRest =
      ofE.high == 1.0f ? ops.add(f, tail) : ops.fma(f, number(ofE.high), tail);
  F result = ops.fma(e, number(ofTwo.high), ofRest);
  // Zero, infinity, NaN and what is negative: as the chip has it.
  B isUsual = ops.below(ops.sub(ops.bits(x), integer(1)), integer(0x7f7fffff));
  return ops.select(isUsual, result, ops.log2(x));
}

template <typename Ops>
typename Ops::F MathFunctions<Ops>::log(F x) {
  return logarithm(x, {1.0f, 0.0f}, {0x1.62e43p-1f, 0.0f});
}

template <typename Ops>
typename Ops::F MathFunctions<Ops>::log2(F x) {
  return logarithm(x, {0x1.715476p+0f, 0x1.4ae0cp-26f}, {1.0f, 0.0f});
}

template <typename Ops>
typename Ops::F MathFunctions<Ops>::log10(F x) {
  return logarithm(x, {0x1.bcb7b2p-2f, -0x1.5b235ep-27f},
                   {0x1.344136p-2f, -0x1.ec10cp-27f});
}

//===----------------------------------------------------------------------===//
// Sine and cosine
//===----------------------------------------------------------------------===//

// pi/2 in three parts.  The first step is exact: x and whole * part are
// multiples of 2^-23, and their difference is below 1.
template <typename Ops>
typename MathFunctions<Ops>::Quadrant MathFunctions<Ops>::quadrantOfNear(F x) {
  F size = ops.abs(x);
  F shifted = ops.fma(size, number(0x1.45f306p-1f), number(kRounder));
  F whole = ops.sub(shifted, number(kRounder));
  F rest = ops.fma(whole, number(-0x1.921fb6p+0f), size);
  rest = ops.fma(whole, number(0x1.777a5cp-25f), rest);
  rest = ops.fma(whole, number(0x1.ee59dap-50f), rest);
  return {rest, ops.bits(shifted)};
}

// Of 2/pi only the digits count that have a share in x * 2/pi modulo 4: 96 from
// a place on that the exponent of x tells.  (M. Payne and R. Hanek, "Radian
// reduction for trigonometric functions", 1983.)
template <typename Ops>
typename MathFunctions<Ops>::Quadrant MathFunctions<Ops>::quadrantOfFar(F x) {
  constexpr uint32_t kTwoOverPi[] = {0,          0xa2f9836e, 0x4e441529,
                                     0xfc2757d1, 0xf534ddc0, 0xdb629599,
                                     0x3c439041, 0xfe5163ab};
  I bits = ops.bits(x);
  I mantissa = ops.bor(ops.band(bits, integer(0x7fffff)), integer(0x800000));
  // Where the digits start; |x| >= 2^17 here, so 24 at least.
  I skipped =
      ops.sub(ops.band(ops.lshr(bits, 23), integer(0xff)), integer(120));
  I word = ops.lshr(skipped, 5), inside = ops.band(skipped, integer(31));
  I words[4];
  for (uint32_t i = 0; i < 4; ++i) {
    words[i] = integer(kTwoOverPi[i]);
    for (uint32_t first = 1; first <= 4; ++first)
      words[i] = ops.select(ops.equal(word, integer(first)),
                            integer(kTwoOverPi[first + i]), words[i]);
  }
  L factor = ops.extend(mantissa);
  auto product = [&](int i) {
    I digits = ops.funnel(words[i], words[i + 1], inside);
    return ops.mul(ops.extend(digits), factor);
  };
  // The product modulo 4 in units of 2^-62, without what is smaller.
  L sum = ops.add(ops.shl(product(0), 32),
                  ops.add(product(1), ops.lshr(product(2), 32)));
  // The quadrant is the nearest one: the fraction is read as signed.
  L turns = ops.lshr(ops.add(sum, ops.wide(uint64_t(1) << 61)), 62);
  F fraction = ops.toFloat(ops.shl(sum, 2));
  // Times pi/2 in two parts; infinity and NaN, times zero, make it NaN.
  F rest = ops.fma(fraction, number(-0x1.777a5cp-89f),
                   ops.mul(ops.abs(x), number(0.0f)));
  rest = ops.fma(fraction, number(0x1.921fb6p-64f), rest);
  return {rest, ops.truncate(turns)};
}

template <typename Ops>
typename Ops::I MathFunctions<Ops>::wave(F rest, I turns) {
  F square = ops.mul(rest, rest);
  // (sin r - r) / r^3 and (cos r - 1 + r^2/2) / r^4 on [0, 1.008 pi/4], over
  // r^2.
  F cubic = ops.mul(square, polynomial(square, {-0x1.555544p-3f, 0x1.110712p-7f,
                                                -0x1.99335ep-13f}));
  F sine = ops.fma(cubic, rest, rest);
  F quadratic = ops.fma(
      square,
      polynomial(square, {0x1.55554ap-5f, -0x1.6c0bdep-10f, 0x1.99d2d4p-16f}),
      number(-0.5f));
  F cosine = ops.fma(quadratic, square, number(1.0f));
  B isSine = ops.equal(ops.band(turns, integer(1)), integer(0));
  F value = ops.select(isSine, sine, cosine);
  I sign = ops.shl(ops.band(turns, integer(2)), 30);
  return ops.bxor(ops.bits(value), sign);
}

template <typename Ops>
typename Ops::F MathFunctions<Ops>::sin(F x, const Quadrant &quadrant) {
  I sign = ops.band(ops.bits(x), integer(0x80000000));
  return ops.fromBits(ops.bxor(wave(quadrant.rest, quadrant.turns), sign));
}

template <typename Ops>
typename Ops::F MathFunctions<Ops>::cos(const Quadrant &quadrant) {
  return ops.fromBits(wave(quadrant.rest, ops.add(quadrant.turns, integer(1))));
}

} // namespace tile

#endif // TILE_CONVERSION_MATHFUNCTIONS_H
