//===- HyperbolicFunctions.h - Hyperbolic functions in f32 ------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// expm1, log1p, and what is made of e^x and log x beside 1: MathFunctions.h
// tells how such functions are written, and over what.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_HYPERBOLICFUNCTIONS_H
#define TILE_CONVERSION_HYPERBOLICFUNCTIONS_H

#include "PowerFunctions.h"

namespace tile {

template <typename Ops>
class HyperbolicFunctions : public PowerFunctions<Ops> {
  using Base = PowerFunctions<Ops>;

public:
  using F = typename Ops::F;
  using I = typename Ops::I;
  using B = typename Ops::B;
  using Base::Base;

  F expm1(F x);
  F sinh(F x);
  F cosh(F x);
  F log1p(F x);
  F asinh(F x);
  F acosh(F x);
  F atanh(F x);

private:
  using Base::choose, Base::expm1OfRest, Base::held, Base::integer,
      Base::kRounder, Base::number, Base::ops, Base::polynomial, Base::power,
      Base::reduce, Base::sum;
  using typename Base::Reduced, typename Base::Sum;

  /// 2^whole for whole in [-126, 127].
  F powerOfTwo(F whole);
  /// e^|x| / 4, so that nothing overflows before the functions made of it do.
  F quarterExp(F x);
  /// log(number 2^more); the number is normal, and positive.
  F logOf(Sum number, F more);
  /// Half of x where it is so large that 1 beside it is nothing, for `logOf`
  /// with `more`; else `other`.
  struct Large {
    Sum number;
    F more;
  };
  Large orLarge(F size, Sum other, float more);
  /// x + sqrt(x^2 + one), for one = 1 or -1.
  Sum withRoot(F x, float one);
};

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

template <typename Ops>
typename Ops::F HyperbolicFunctions<Ops>::powerOfTwo(F whole) {
  return power(ops.add(whole, number(kRounder + 127.0f)));
}

template <typename Ops>
typename Ops::F HyperbolicFunctions<Ops>::expm1(F x) {
  // Below -25 it is -1, from 88.8 on infinite.
  F inside = ops.minimum(ops.maximum(x, number(-25.0f)), number(88.9f));
  Reduced reduced = reduce(inside);
  // 2^whole (e^rest - 1) + 2^whole - 1, halved: 2^128 is no f32.
  F half = powerOfTwo(ops.sub(reduced.whole, number(1.0f)));
  F result =
      ops.fma(expm1OfRest(reduced.rest), half, ops.sub(half, number(0.5f)));
  return ops.copySign(ops.mul(result, number(2.0f)), x);
}

template <typename Ops>
typename Ops::F HyperbolicFunctions<Ops>::quarterExp(F x) {
  Reduced reduced = reduce(held(x, 89.5f));
  F quarter = powerOfTwo(ops.sub(reduced.whole, number(2.0f)));
  return ops.fma(expm1OfRest(reduced.rest), quarter, quarter);
}

template <typename Ops>
typename Ops::F HyperbolicFunctions<Ops>::cosh(F x) {
  F quarter = quarterExp(x);
  return ops.fma(quarter, number(2.0f),
                 ops.mul(ops.reciprocal(quarter), number(0.125f)));
}

template <typename Ops>
typename Ops::F HyperbolicFunctions<Ops>::sinh(F x) {
  F size = ops.abs(x), quarter = quarterExp(x);
  F large = ops.fma(quarter, number(2.0f),
                    ops.mul(ops.reciprocal(quarter), number(-0.125f)));
  // (sinh x - x) / x^3 on [0, 1], over x^2.
  F square = ops.mul(x, x);
  F cubic =
      ops.mul(square, polynomial(square, {0x1.555556p-3f, 0x1.1110ep-7f,
                                          0x1.a022bcp-13f, 0x1.756c1ep-19f}));
  F small = ops.fma(cubic, size, size);
  return ops.copySign(choose(size, 1.0f, small, large), x);
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

template <typename Ops>
typename Ops::F HyperbolicFunctions<Ops>::logOf(Sum number, F more) {
  // The low part joins f, which has no more digits than it needs.
  auto mantissa = Base::mantissaOf(number.high);
  F inverse = ops.fromBits(ops.sub(integer(0x3f800000), mantissa.exponent));
  F f = ops.fma(number.low, inverse, mantissa.f);
  F e = ops.fma(ops.toFloat(mantissa.exponent), ops.number(0x1p-23f), more);
  return ops.fma(e, ops.number(0x1.62e43p-1f), ops.add(f, Base::logTail(f)));
}

template <typename Ops>
typename HyperbolicFunctions<Ops>::Large
HyperbolicFunctions<Ops>::orLarge(F size, Sum other, float more) {
  B isLarge = ops.less(number(0x1p30f), size);
  return {{ops.select(isLarge, ops.mul(size, number(0.5f)), other.high),
           ops.select(isLarge, number(0.0f), other.low)},
          ops.select(isLarge, number(more), number(0.0f))};
}

template <typename Ops>
typename Ops::F HyperbolicFunctions<Ops>::log1p(F x) {
  // 1 + x in two parts, whichever is the greater.
  F high = ops.add(x, number(1.0f));
  F ofX = ops.sub(high, number(1.0f));
  F low = ops.add(ops.sub(x, ofX), ops.sub(number(1.0f), ops.sub(high, ofX)));
  Large large = orLarge(x, {high, low}, 1.0f);
  F result = logOf(large.number, large.more);
  // -1, infinity, NaN and what is below -1: as the chip has it.
  B isUsual =
      ops.below(ops.sub(ops.bits(high), integer(1)), integer(0x7f7fffff));
  F special = ops.select(isUsual, result, ops.log2(high));
  return choose(ops.abs(x), 0x1p-25f, x, special);
}

template <typename Ops>
typename HyperbolicFunctions<Ops>::Sum
HyperbolicFunctions<Ops>::withRoot(F x, float one) {
  // The square in two parts, and the sum of it and one.
  F square = ops.mul(x, x);
  F ofSquare = ops.fma(x, x, ops.negate(square));
  F total = ops.add(square, number(one));
  F part = ops.sub(total, square);
  F lost = ops.add(ops.sub(square, ops.sub(total, part)),
                   ops.sub(number(one), part));
  // A step of Newton's from the approximation; 0 has the root 0.
  F inverse = ops.reciprocalSqrt(ops.add(total, number(0x1p-60f)));
  F root = ops.mul(total, inverse);
  F rest = ops.fma(ops.negate(root), root, total);
  rest = ops.add(rest, ops.add(lost, ofSquare));
  F correction = ops.mul(rest, ops.mul(inverse, number(0.5f)));
  Sum result = one > 0.0f ? sum(root, x) : sum(x, root);
  return {result.high, ops.add(result.low, correction)};
}

template <typename Ops>
typename Ops::F HyperbolicFunctions<Ops>::asinh(F x) {
  F size = ops.abs(x);
  Large value = orLarge(size, withRoot(size, 1.0f), 2.0f);
  F large = logOf(value.number, value.more);
  // (asinh x - x) / x^3 on [0, 0.5], over x^2.
  F square = ops.mul(x, x);
  F cubic = ops.mul(square, polynomial(square, {-0x1.555536p-3f, 0x1.3324f2p-4f,
                                                -0x1.6b95cep-5f, 0x1.cd6386p-6f,
                                                -0x1.b14942p-7f}));
  F small = ops.fma(cubic, size, size);
  F result = ops.copySign(choose(size, 0.5f, small, large), x);
  return choose(size, std::numeric_limits<float>::infinity(), result, x);
}

template <typename Ops>
typename Ops::F HyperbolicFunctions<Ops>::acosh(F x) {
  Large value = orLarge(x, withRoot(x, -1.0f), 2.0f);
  F result = logOf(value.number, value.more);
  // Below 1, infinity and NaN: as the chip has it of what is x or negative.
  B isUsual =
      ops.below(ops.sub(ops.bits(x), integer(0x3f800000)), integer(0x40000000));
  return ops.select(isUsual, result, ops.log2(ops.sub(x, number(1.0f))));
}

template <typename Ops>
typename Ops::F HyperbolicFunctions<Ops>::atanh(F x) {
  // log((1 + |x|) / (1 - |x|)) / 2, the quotient in two parts.
  F size = ops.abs(x);
  F below = ops.sub(number(1.0f), size);
  Sum above = sum(number(1.0f), size);
  F inverse = ops.reciprocal(below);
  F quotient = ops.mul(above.high, inverse);
  F rest = ops.fma(ops.negate(quotient), below, above.high);
  F low = ops.mul(ops.add(rest, above.low), inverse);
  F large = ops.mul(logOf({quotient, low}, number(0.0f)), number(0.5f));
  // (atanh x - x) / x^3 on [0, 0.5], over x^2.
  F square = ops.mul(x, x);
  F cubic =
      ops.mul(square, polynomial(square, {0x1.55553ep-2f, 0x1.99a75p-3f,
                                          0x1.233dbcp-3f, 0x1.e5076cp-4f,
                                          0x1.9ee71ap-5f, 0x1.6c0276p-3f}));
  F small = ops.fma(cubic, size, size);
  F inside = choose(size, 0.5f, small, large);
  // 1, NaN and what is beyond 1.
  F result = choose(size, 1.0f, inside, ops.reciprocalSqrt(below));
  return ops.copySign(result, x);
}

} // namespace tile

#endif // TILE_CONVERSION_HYPERBOLICFUNCTIONS_H
