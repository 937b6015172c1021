//===- DoublePowers.h - Powers and roots in f64 -----------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The powers of DoubleFunctions.h, which includes it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_DOUBLEPOWERS_H
#define TILE_CONVERSION_DOUBLEPOWERS_H

namespace tile {

// With s = (m - 1) / (m + 1), log2 m = 2/log(2) (s + s^3/3 + s^5/5 + ...): all
// up to the fifth power in two parts.
template <typename Ops>
typename DoubleFunctions<Ops>::Sum DoubleFunctions<Ops>::preciseLog2(F x) {
  // x = 2^e m, with m in [sqrt(1/2), sqrt(2)].
  constexpr uint64_t kRootOfHalf = 0x3fe6a09e667f3bcd;
  B isSmall = ops.less(x, number(0x1p-1022));
  F scaled = ops.select(isSmall, ops.mul(x, number(0x1p54)), x);
  I bits = ops.bits(scaled);
  I exponent = ops.band(ops.sub(bits, integer(kRootOfHalf)),
                        integer(0xfff0000000000000));
  F m = ops.fromBits(ops.sub(bits, exponent));
  F e = ops.add(ops.toFloat(ops.ashr(exponent, 52)),
                ops.select(isSmall, number(-54.0), number(0.0)));

  Sum below = sum(number(1.0), m);
  Sum s = quotient({ops.sub(m, number(1.0)), number(0.0)}, below,
                   ops.div(number(1.0), below.high));
  Sum square = product(s, s);
  // (atanh s / s - 1 - s^2/3 - s^4/5) / s^6 on [0, 0.1716], over s^2: 2^-71.6
  // of atanh s.
  F tail = polynomial(square.high, {0x1.24924924927ccp-3, 0x1.c71c71c65a3a2p-4,
                                    0x1.745d17d74786cp-4, 0x1.3b13783c6e3efp-4,
                                    0x1.111dcd1362c66p-4, 0x1.de9ebe5659338p-5,
                                    0x1.e7dde2766d1c8p-5});
  auto plus = [&](Pair constant, Sum y) -> Sum {
    Sum result = quickSum(number(constant.high), y.high);
    F low = ops.add(y.low, number(constant.low));
    return {result.high, ops.add(result.low, low)};
  };
  Sum value = plus({0x1.999999999999ap-3, -0x1.999999999999ap-57},
                   {ops.mul(tail, square.high), number(0.0)});
  value = plus({0x1.5555555555555p-2, 0x1.5555555555555p-56},
               product(value, square));
  value = product(plus({1.0, 0.0}, product(value, square)), s);
  value = product(
      value, Sum{number(0x1.71547652b82fep+1), number(0x1.777d0ffda0d24p-55)});
  Sum result = quickSum(e, value.high);
  return quickSum(result.high, ops.add(result.low, value.low));
}

template <typename Ops>
typename DoubleFunctions<Ops>::Parity DoubleFunctions<Ops>::parityOf(F y) {
  // From 2^52 on there are integers only, from 2^53 on no odd ones.
  F size = ops.abs(y);
  B hasFraction = ops.less(size, number(0x1p52));
  F shifted = ops.add(size, number(0x1p52));
  F whole = ops.sub(shifted, number(0x1p52));
  I same = ops.select(hasFraction, ops.bits(whole), ops.bits(size));
  I lowest =
      ops.band(ops.bits(ops.select(hasFraction, shifted, size)), integer(1));
  lowest = ops.select(ops.less(size, number(0x1p53)), lowest, integer(0));
  // NaN is none.
  I isOther = ops.select(isNaN(y), integer(1), ops.bxor(same, ops.bits(size)));
  return {ops.equal(isOther, integer(0)), ops.equal(lowest, integer(1))};
}

template <typename Ops>
typename DoubleFunctions<Ops>::Sum DoubleFunctions<Ops>::log2OfSize(F x) {
  F size = ops.abs(x);
  F infinity = number(std::numeric_limits<double>::infinity());
  B isZero = ops.equal(ops.bits(size), integer(0));
  Sum log = preciseLog2(size);
  // The logarithm of zero is minus infinity, that of infinity and NaN itself;
  // their second part is no number, nor is it of a product that is far out.
  F high = ops.select(isZero, ops.negate(infinity),
                      ops.select(ops.less(size, infinity), log.high, size));
  return {high, log.low};
}

template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::powOf(F x, F y, Sum power,
                                            const Parity &parity) {
  F size = ops.abs(x), zero = number(0.0), one = number(1.0);
  F held = clamp(power.high, -1500.0, 1500.0);
  B isHeld = ops.less(number(1400.0), ops.abs(power.high));
  F low = ops.select(isHeld, zero, power.low);
  F shifted = ops.add(held, number(kRounder));
  F rest = ops.sub(held, ops.sub(shifted, number(kRounder)));
  Sum natural =
      product(Sum{rest, low}, Sum{number(kLn2.high), number(kLn2.low)});
  I count = ops.sub(ops.bits(shifted), ops.bits(number(kRounder)));
  F value = expOf({count, sum(natural.high, natural.low)});
  value = ops.select(ops.equal(ops.bits(size), ops.bits(one)), one, value);

  // A negative number has powers that are integers only, odd ones negative.
  I isNegative = ops.band(ops.bits(x), integer(kSign));
  I sign = ops.select(parity.isOdd, isNegative, integer(0));
  sign = ops.select(parity.isInteger, sign, integer(0));
  value = ops.fromBits(ops.bxor(ops.bits(value), sign));
  F nan = number(std::numeric_limits<double>::quiet_NaN());
  F root = ops.select(ops.equal(isNegative, integer(0)), value, nan);
  B isZero = ops.equal(ops.bits(size), integer(0));
  B isInfinite = ops.equal(ops.bits(size), integer(kInfinity));
  root = ops.select(isZero, value, ops.select(isInfinite, value, root));
  value = ops.select(parity.isInteger, value, root);
  value = ops.select(ops.equal(ops.bits(x), ops.bits(one)), one, value);
  return ops.select(ops.equal(ops.bits(ops.abs(y)), integer(0)), one, value);
}

template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::pow(F x, F y) {
  Sum log = log2OfSize(x);
  Sum power = product(log.high, y);
  power.low = ops.fma(log.low, y, power.low);
  return powOf(x, y, power, parityOf(y));
}

template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::powi(F x, I n) {
  // n in two parts, each of which an f64 holds.
  Sum y = quickSum(ops.toFloat(ops.band(n, integer(~uint64_t(0xfff)))),
                   ops.toFloat(ops.band(n, integer(0xfff))));
  Sum log = log2OfSize(x);
  Sum power = product(log.high, y.high);
  power.low = ops.fma(log.low, y.high, power.low);
  power.low = ops.fma(log.high, y.low, power.low);
  I one = integer(1);
  return powOf(x, y.high, power,
               {ops.equal(one, one), ops.equal(ops.band(n, one), one)});
}

// x = 8^k m with m in [1, 8): m times the square of m^(-1/3), which Newton's
// method finds, corrected once.
template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::cbrt(F x) {
  F size = ops.abs(x);
  B isSmall = ops.less(size, number(0x1p-1022));
  F scaled = ops.select(isSmall, ops.mul(size, number(0x1p54)), size);
  I bits = ops.bits(scaled);
  // floor((exponent + 1) / 3), as the exponent's bias is 3 * 341.
  I third = ops.lshr(ops.mul(ops.lshr(bits, 52), integer(0x5556)), 16);
  F m = ops.fromBits(ops.sub(
      bits, ops.shl(ops.sub(ops.mul(third, integer(3)), integer(1023)), 52)));
  // x^(-1/3) on [1, 8]: 2^-8.4 of it.
  F inverse = polynomial(m, {0x1.6cc4a8bc19313p+0, -0x1.3178bd9cf7715p-1,
                             0x1.a1602a1e7eb33p-3, -0x1.3c3ce877338fep-5,
                             0x1.e45306ddace94p-9, -0x1.2443bec332468p-13});
  for (int i = 0; i < 3; ++i) {
    F square = ops.mul(inverse, inverse);
    F error = ops.fma(ops.negate(ops.mul(square, inverse)), m, number(1.0));
    F step = ops.mul(inverse, number(0x1.5555555555555p-2));
    inverse = ops.fma(step, error, inverse);
  }
  F square = ops.mul(inverse, inverse);
  F root = ops.mul(m, square);
  Sum squared = product(root, root);
  Sum cubed = product(squared.high, root);
  F missing =
      ops.sub(ops.sub(m, cubed.high), ops.fma(squared.low, root, cubed.low));
  root = ops.fma(ops.mul(square, number(0x1.5555555555555p-2)), missing, root);
  I scale = ops.sub(ops.add(third, integer(1023 - 341)),
                    ops.select(isSmall, integer(18), integer(0)));
  F value = ops.mul(root, ops.fromBits(ops.shl(scale, 52)));
  B isUsual =
      ops.below(ops.sub(ops.bits(size), integer(1)), integer(kInfinity - 1));
  return ops.select(isUsual, ops.copySign(value, x), x);
}

} // namespace tile

#endif // TILE_CONVERSION_DOUBLEPOWERS_H
