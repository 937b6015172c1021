//===- DoubleWaves.h - Sine, cosine and tangent in f64 ----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The periodic functions of DoubleFunctions.h, which includes it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_DOUBLEWAVES_H
#define TILE_CONVERSION_DOUBLEWAVES_H

namespace tile {

// pi/2 in three parts.  The first step is exact: x and whole * part are
// multiples of 2^-52, or of 2^-53 where both are close, and their difference is
// below 1.
template <typename Ops>
typename DoubleFunctions<Ops>::Quadrant
DoubleFunctions<Ops>::quadrantOfNear(F x) {
  F size = ops.abs(x);
  F shifted = ops.fma(size, number(0x1.45f306dc9c883p-1), number(kRounder));
  F whole = ops.sub(shifted, number(kRounder));
  F first = ops.fma(whole, number(-0x1.921fb54442d18p+0), size);
  Sum second = product(whole, number(-0x1.1a62633145c07p-54));
  Sum rest = sum(first, second.high);
  F low = ops.fma(whole, number(0x1.f1976b7ed8fbcp-110), second.low);
  return {quickSum(rest.high, ops.add(rest.low, low)), ops.bits(shifted)};
}

// Of 2/pi only the digits count that have a share in x * 2/pi modulo 4: 192
// from a place on that the exponent of x tells.  (M. Payne and R. Hanek,
// "Radian reduction for trigonometric functions", 1983.)
template <typename Ops>
typename DoubleFunctions<Ops>::Quadrant
DoubleFunctions<Ops>::quadrantOfFar(F x) {
  // 32 zeros, then the digits.
  constexpr uint64_t kTwoOverPi[] = {
      0x00000000a2f9836e, 0x4e441529fc2757d1, 0xf534ddc0db629599,
      0x3c439041fe5163ab, 0xdebbc561b7246e3a, 0x424dd2e006492eea,
      0x09d1921cfe1deb1c, 0xb129a73ee88235f5, 0x2ebb4484e99c7026,
      0xb45f7e413991d639, 0x835339f49c845f8b, 0xbdf9283b1ff897ff,
      0xde05980fef2f118b, 0x5a0a6d1f6d367ecf, 0x27cb09b74f463f66,
      0x9e5fea2d7527bac7, 0xebe5f17b3d0739f7, 0x8a5292ea6bfb5fb1,
      0x1f8d5d0856033046};
  I bits = ops.bits(x);
  I factor = ops.bor(ops.band(bits, integer(0xfffffffffffff)),
                     integer(0x10000000000000));
  // Where the digits start; |x| >= 2^26 here, so 4 at least.
  I skipped =
      ops.sub(ops.band(ops.lshr(bits, 52), integer(0x7ff)), integer(1045));
  // The four words from number skipped / 64 on, bit by bit of that number.
  I words[19];
  for (int i = 0; i < 19; ++i)
    words[i] = integer(kTwoOverPi[i]);
  for (int step = 8; step != 0; step /= 2) {
    B stays = ops.equal(ops.band(skipped, integer(64 * step)), integer(0));
    for (int i = 0; i < step + 3; ++i)
      words[i] = ops.select(stays, words[i], words[i + step]);
  }
  I inside = ops.band(skipped, integer(63));
  I digits[3];
  for (int i = 0; i < 3; ++i)
    digits[i] = ops.funnel(words[i], words[i + 1], inside);
  // The product modulo 4 in units of 2^-126, without what is smaller.
  I lower = ops.mul(digits[1], factor);
  I low = ops.add(lower, ops.mulHigh(digits[2], factor));
  I carry = ops.select(ops.below(low, lower), integer(1), integer(0));
  I high = ops.add(ops.add(ops.mul(digits[0], factor), carry),
                   ops.mulHigh(digits[1], factor));
  // The quadrant is the nearest one: the fraction is read as signed.
  I turns = ops.lshr(ops.add(high, integer(uint64_t(1) << 61)), 62);
  I fraction = ops.bor(ops.shl(high, 2), ops.lshr(low, 62));
  F upper = ops.mul(ops.toFloat(ops.ashr(fraction, 32)), number(0x1p32));
  Sum value =
      quickSum(upper, ops.toFloat(ops.band(fraction, integer(0xffffffff))));
  F tail = ops.mul(ops.toFloat(ops.lshr(ops.shl(low, 2), 1)), number(0x1p-63));
  value = quickSum(value.high, ops.add(value.low, tail));
  // Times pi/2 in two parts; infinity and NaN, times zero, make it NaN.
  Sum rest = product(value.high, number(0x1.921fb54442d18p-64));
  F more = ops.fma(value.high, number(0x1.1a62633145c07p-118), rest.low);
  more = ops.fma(value.low, number(0x1.921fb54442d18p-64), more);
  F special = ops.mul(ops.abs(x), number(0.0));
  return {quickSum(ops.add(rest.high, special), more), turns};
}

template <typename Ops>
typename DoubleFunctions<Ops>::Sum DoubleFunctions<Ops>::sine(Sum rest) {
  // (sin r - r) / r^3 on [0, 1.0001 pi/4], over r^2: 2^-57.3 of the sine.
  F r = rest.high, square = ops.mul(r, r);
  F cubic = ops.mul(
      square,
      polynomial(square, {-0x1.5555555555549p-3, 0x1.111111110f87dp-7,
                          -0x1.a01a019c11ca8p-13, 0x1.71de3577cf7f0p-19,
                          -0x1.ae5e6643bb70dp-26, 0x1.5d9301705adb2p-33}));
  F low = ops.fma(ops.mul(square, number(-0.5)), rest.low, rest.low);
  return quickSum(r, ops.fma(cubic, r, low));
}

template <typename Ops>
typename DoubleFunctions<Ops>::Sum DoubleFunctions<Ops>::cosine(Sum rest) {
  // (cos r - 1 + r^2/2) / r^4 on [0, 1.0001 pi/4], over r^2: 2^-60 of the
  // cosine.
  Sum square = product(rest.high, rest.high);
  F quartic =
      polynomial(square.high, {0x1.555555555554cp-5, -0x1.6c16c16c15181p-10,
                               0x1.a01a019cb20d6p-16, -0x1.27e4f80a27f76p-22,
                               0x1.1ee9ec0d4e794p-29, -0x1.8faeae6de730bp-37});
  Sum value = quickSum(number(1.0), ops.mul(square.high, number(-0.5)));
  F low = ops.fma(square.low, number(-0.5), value.low);
  low = ops.fma(ops.negate(rest.high), rest.low, low);
  low = ops.fma(ops.mul(square.high, square.high), quartic, low);
  return quickSum(value.high, low);
}

template <typename Ops>
typename Ops::I DoubleFunctions<Ops>::wave(Sum rest, I turns) {
  B isSine = ops.equal(ops.band(turns, integer(1)), integer(0));
  F value = ops.select(isSine, sine(rest).high, cosine(rest).high);
  I sign = ops.shl(ops.band(turns, integer(2)), 62);
  return ops.bxor(ops.bits(value), sign);
}

template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::sin(F x, const Quadrant &quadrant) {
  I sign = ops.band(ops.bits(x), integer(kSign));
  return ops.fromBits(ops.bxor(wave(quadrant.rest, quadrant.turns), sign));
}

template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::cos(const Quadrant &quadrant) {
  return ops.fromBits(wave(quadrant.rest, ops.add(quadrant.turns, integer(1))));
}

template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::tan(F x, const Quadrant &quadrant) {
  Sum sine = this->sine(quadrant.rest), cosine = this->cosine(quadrant.rest);
  B isEven = ops.equal(ops.band(quadrant.turns, integer(1)), integer(0));
  Sum above = {ops.select(isEven, sine.high, ops.negate(cosine.high)),
               ops.select(isEven, sine.low, ops.negate(cosine.low))};
  Sum below = {ops.select(isEven, cosine.high, sine.high),
               ops.select(isEven, cosine.low, sine.low)};
  Sum ratio = quotient(above, below, ops.div(number(1.0), below.high));
  F value = ops.add(ratio.high, ratio.low);
  I sign = ops.band(ops.bits(x), integer(kSign));
  return exceptTiny(x, ops.fromBits(ops.bxor(ops.bits(value), sign)));
}

} // namespace tile

#endif // TILE_CONVERSION_DOUBLEWAVES_H
