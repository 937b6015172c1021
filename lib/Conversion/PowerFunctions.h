//===- PowerFunctions.h - Powers and what is made of them -------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Powers with all their digits, and what needs e^x with more digits than exp
// gives: MathFunctions.h tells how such functions are written, and over what.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_POWERFUNCTIONS_H
#define TILE_CONVERSION_POWERFUNCTIONS_H

#include "MathFunctions.h"

namespace tile {

template <typename Ops>
class PowerFunctions : public MathFunctions<Ops> {
  using Base = MathFunctions<Ops>;

public:
  using F = typename Ops::F;
  using I = typename Ops::I;
  using B = typename Ops::B;
  using Base::Base;

  F pow(F x, F y);
  F powi(F x, I n);
  F cbrt(F x);
  F erfc(F x);

protected:
  using Base::choose, Base::integer, Base::kRounder, Base::number, Base::ops,
      Base::polynomial;

  /// The nearest f32, and what it lacks.
  struct Sum {
    F high, low;
  };
  /// high + low, where |high| is not the lesser or is 0.
  Sum sum(F high, F low);
  /// x = whole ln 2 + rest, |rest| <= ln 2 / 2.
  struct Reduced {
    F whole, rest;
  };
  Reduced reduce(F x);
  /// e^rest - 1 where |rest| <= 0.3475.
  F expm1OfRest(F rest);
  /// |x|, but at most `limit`; NaN stays NaN.
  F held(F x, float limit);

private:
  /// x 2^whole for whole in [-252, 252]; twice rounded where it is subnormal.
  F scale(F x, F whole);
  /// log2 |x|, to about 30 bits, or infinite or NaN.
  Sum log2Of(F size);
  /// An exponent; the highest bits of the integers say what it is.
  struct Exponent {
    Sum number;
    I notInteger, isOdd;
  };
  /// An integer whose highest bit is set where x is not 0.
  I signIfNotZero(I x) { return ops.bor(x, ops.sub(integer(0), x)); }
  F powOf(F x, const Exponent &exponent);
};

template <typename Ops>
typename PowerFunctions<Ops>::Sum PowerFunctions<Ops>::sum(F high, F low) {
  F nearest = ops.add(high, low);
  return {nearest, ops.add(ops.sub(high, nearest), low)};
}

// ln 2 in two parts.  The first step is exact but for small x.
template <typename Ops>
typename PowerFunctions<Ops>::Reduced PowerFunctions<Ops>::reduce(F x) {
  F shifted = ops.fma(x, number(0x1.715476p+0f), number(kRounder));
  F whole = ops.sub(shifted, number(kRounder));
  F rest = ops.fma(whole, number(-0x1.62e43p-1f), x);
  return {whole, ops.fma(whole, number(0x1.05c61p-29f), rest)};
}

template <typename Ops>
typename Ops::F PowerFunctions<Ops>::expm1OfRest(F rest) {
  // (exp(r) - 1 - r) / r^2 on [-0.3475, 0.3475].
  F tail = polynomial(rest, {0x1p-1f, 0x1.555554p-3f, 0x1.5554eap-5f,
                             0x1.1113a4p-7f, 0x1.6d4c0ap-10f, 0x1.9c83c6p-13f});
  return ops.fma(ops.mul(rest, rest), tail, rest);
}

template <typename Ops>
typename Ops::F PowerFunctions<Ops>::held(F x, float limit) {
  return ops.minimum(ops.abs(x), number(limit));
}

template <typename Ops>
typename Ops::F PowerFunctions<Ops>::scale(F x, F whole) {
  I shifted = ops.bits(ops.add(whole, number(kRounder)));
  I count = ops.sub(shifted, ops.bits(number(kRounder)));
  I half = ops.ashr(count, 1);
  auto twoTo = [&](I n) {
    return ops.fromBits(ops.shl(ops.add(n, integer(127)), 23));
  };
  return ops.mul(ops.mul(x, twoTo(half)), twoTo(ops.sub(count, half)));
}

template <typename Ops>
typename PowerFunctions<Ops>::Sum PowerFunctions<Ops>::log2Of(F size) {
  F normal = choose(size, 0x1p-126f, ops.mul(size, number(0x1p23f)), size);
  auto mantissa = Base::mantissaOf(normal);
  F f = mantissa.f;
  F e = ops.fma(ops.toFloat(mantissa.exponent), number(0x1p-23f),
                choose(size, 0x1p-126f, number(-23.0f), number(0.0f)));
  // log(1 + f) = 2 atanh(s), s = f / (2 + f) in two parts.
  Sum two = sum(number(2.0f), f);
  F inverse = ops.reciprocal(two.high);
  F s = ops.mul(f, inverse);
  s = ops.fma(ops.fma(ops.negate(s), two.high, f), inverse, s);
  F rest = ops.fma(ops.negate(s), two.high, f);
  rest = ops.mul(ops.fma(ops.negate(s), two.low, rest), inverse);
  // The square and the cube have to be known in two parts, too.
  F square = ops.mul(s, s), cube = ops.mul(square, s);
  F ofSquare = ops.fma(s, s, ops.negate(square));
  F ofCube = ops.fma(ofSquare, s, ops.fma(square, s, ops.negate(cube)));
  // (log2((1 + s) / (1 - s)) - 2 s / ln 2) / s^3 on [0, 0.2], over s^2.
  F slope =
      polynomial(square, {0x1.27786cp-1f, 0x1.a521eep-2f, 0x1.64232cp-2f});
  F tail = ops.fma(ofCube, number(0x1.ec709cp-1f),
                   ops.mul(ops.mul(cube, square), slope));
  // 2 / ln 2 in two parts; the rest of s counts 1 / (1 - s^2) times.
  F high = ops.mul(s, number(0x1.715476p+1f));
  F low = ops.fma(s, number(0x1.715476p+1f), ops.negate(high));
  low = ops.fma(s, number(0x1.4ae0cp-25f), low);
  low = ops.fma(ops.fma(rest, square, rest), number(0x1.715476p+1f), low);
  low = ops.fma(cube, number(0x1.ec709cp-1f), ops.add(low, tail));
  Sum result = sum(e, high);
  result = sum(result.high, ops.add(result.low, low));
  // Zero, infinity and NaN: as the chip has it.
  F special = ops.log2(size);
  auto orSpecial = [&](F usual, F other) {
    F beyond =
        choose(size, std::numeric_limits<float>::infinity(), usual, other);
    return choose(size, 0x1p-149f, other, beyond);
  };
  return {orSpecial(result.high, special), orSpecial(result.low, number(0.0f))};
}

// Masks, as in `choose`, and not predicates: there are six conditions.
template <typename Ops>
typename Ops::F PowerFunctions<Ops>::powOf(F x, const Exponent &exponent) {
  F y = exponent.number.high, size = ops.abs(x);
  Sum log = log2Of(size);
  F high = ops.mul(log.high, y);
  F low = ops.fma(log.high, y, ops.negate(high));
  low = ops.fma(log.low, y, low);
  low = ops.fma(log.high, exponent.number.low, low);
  // Beyond 200, up or down, the power is beyond all f32.
  F distance = ops.abs(high);
  low = choose(distance, 200.0f, low, number(0.0f));
  F scaled = ops.copySign(held(high, 200.0f), high);
  F whole = ops.sub(ops.add(scaled, number(kRounder)), number(kRounder));
  F rest = ops.add(ops.sub(scaled, whole), low);
  F fraction = expm1OfRest(ops.mul(rest, number(0x1.62e43p-1f)));
  F result = scale(ops.add(fraction, number(1.0f)), whole);
  // A negative base that is not infinite: no number, or the sign of its odd
  // powers.
  I base = ops.bits(x), width = ops.bits(size);
  I infinity = integer(0x7f800000), sign = integer(0x80000000);
  I isFinite = ops.band(ops.sub(width, infinity), ops.sub(integer(0), width));
  I isNan =
      ops.ashr(ops.band(ops.band(base, exponent.notInteger), isFinite), 31);
  I isOdd = ops.band(ops.band(base, exponent.isOdd), sign);
  I bits = ops.bor(ops.bits(result),
                   ops.bor(isOdd, ops.band(isNan, integer(0x7fc00000))));
  // 1 to any power, any number to the power 0, and -1 to an infinite one.
  I distanceBits = ops.bits(ops.abs(y));
  I fromOne = ops.bxor(base, integer(0x3f800000));
  I fromMinusOne = ops.bor(ops.bxor(base, integer(0xbf800000)),
                           ops.bxor(distanceBits, infinity));
  I isUsual =
      ops.band(ops.band(signIfNotZero(fromOne), signIfNotZero(fromMinusOne)),
               signIfNotZero(distanceBits));
  return ops.fromBits(
      ops.mux(ops.ashr(isUsual, 31), bits, ops.bits(number(1.0f))));
}

template <typename Ops>
typename Ops::F PowerFunctions<Ops>::pow(F x, F y) {
  F half = ops.mul(y, number(0.5f));
  F even = ops.mul(ops.floor(half), number(2.0f));
  auto differs = [&](F other) {
    return signIfNotZero(ops.bxor(ops.bits(other), ops.bits(y)));
  };
  I notInteger = differs(ops.floor(y));
  I notEven = differs(even);
  I isOdd = ops.band(notEven, ops.bxor(notInteger, integer(0xffffffff)));
  return powOf(x, {{y, number(0.0f)}, notInteger, isOdd});
}

template <typename Ops>
typename Ops::F PowerFunctions<Ops>::powi(F x, I n) {
  // n in two parts, each of which an f32 holds.
  F high = ops.toFloat(ops.band(n, integer(0xfffff000)));
  F low = ops.toFloat(ops.band(n, integer(0xfff)));
  return powOf(x, {sum(high, low), integer(0), ops.shl(n, 31)});
}

template <typename Ops>
typename Ops::F PowerFunctions<Ops>::cbrt(F x) {
  // Small numbers are scaled, or a step of Newton's had no digits.
  F size = ops.abs(x);
  F scaled = choose(size, 0x1p-96f, ops.mul(size, number(0x1p48f)), size);
  F guess = ops.exp2(ops.mul(ops.log2(scaled), number(0x1.555556p-2f)));
  F square = ops.mul(guess, guess);
  F excess = ops.fma(square, guess, ops.negate(scaled));
  F slope = ops.reciprocal(ops.mul(square, number(-3.0f)));
  F root = ops.fma(excess, slope, guess);
  root = choose(size, 0x1p-96f, ops.mul(root, number(0x1p-16f)), root);
  // Zero, infinity and NaN stay.
  root = choose(size, std::numeric_limits<float>::infinity(), root, size);
  return ops.copySign(choose(size, 0x1p-149f, size, root), x);
}

template <typename Ops>
typename Ops::F PowerFunctions<Ops>::erfc(F x) {
  // e^(-x^2) times a quotient; from 10.1 on it is 0.
  F size = held(x, 10.5f);
  F square = ops.mul(size, size);
  F low = ops.fma(size, size, ops.negate(square));
  Reduced reduced = reduce(ops.negate(square));
  F fraction = expm1OfRest(ops.sub(reduced.rest, low));
  // e^(x^2) erfc x (1 + 2x) on [0, 10.1], over (x - 2) / (x + 2).
  F place = ops.fma(ops.mul(size, number(2.0f)),
                    ops.reciprocal(ops.add(size, number(2.0f))), number(-1.0f));
  F upper = polynomial(place, {0x1.46e80ep+0f, -0x1.7bf616p-4f, -0x1.540848p-3f,
                               0x1.4ffc4p-3f, -0x1.bc0aa8p-5f, -0x1.081b22p-7f,
                               0x1.1ad7cap-7f, 0x1.585506p-10f,
                               -0x1.426b06p-10f, -0x1.a409p-12f});
  F inverse = ops.reciprocal(ops.fma(size, number(2.0f), number(1.0f)));
  F quotient = ops.mul(upper, inverse);
  F rest =
      ops.fma(ops.mul(quotient, number(-2.0f)), size, ops.sub(upper, quotient));
  quotient = ops.fma(rest, inverse, quotient);
  F right = scale(ops.fma(fraction, quotient, quotient), reduced.whole);
  // On the left it is 2 - erfc |x|.
  I isLeft = ops.ashr(ops.bits(x), 31);
  F left = ops.sub(number(2.0f), right);
  return ops.fromBits(ops.mux(isLeft, ops.bits(left), ops.bits(right)));
}

} // namespace tile

#endif // TILE_CONVERSION_POWERFUNCTIONS_H
