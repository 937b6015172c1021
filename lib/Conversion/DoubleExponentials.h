//===- DoubleExponentials.h - Exponentials in f64 ---------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of DoubleFunctions.h, which includes it, that rests on 2^x.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_DOUBLEEXPONENTIALS_H
#define TILE_CONVERSION_DOUBLEEXPONENTIALS_H

namespace tile {

// The first step is exact: x and whole * high are multiples of 2^-53, or within
// a factor of two of each other.
template <typename Ops>
typename DoubleFunctions<Ops>::Exponent DoubleFunctions<Ops>::exponentOf(F x) {
  F shifted = ops.fma(x, number(0x1.71547652b82fep+0), number(kRounder));
  F whole = ops.sub(shifted, number(kRounder));
  F first = ops.fma(whole, number(-kLn2.high), x);
  F high = ops.fma(whole, number(-kLn2.low), first);
  F low = ops.fma(whole, number(-kLn2.low), ops.sub(first, high));
  I count = ops.sub(ops.bits(shifted), ops.bits(number(kRounder)));
  return {count, {high, low}};
}

template <typename Ops>
typename DoubleFunctions<Ops>::Sum DoubleFunctions<Ops>::nearOne(Sum rest) {
  // (e^r - 1 - r) / r^2 on [-0.34667, 0.34667]: 2^-60.6 of e^r - 1.
  F quadratic =
      polynomial(rest.high, {0.5, 0x1.5555555555559p-3, 0x1.555555555555ap-5,
                             0x1.111111110f6a7p-7, 0x1.6c16c16c1448cp-10,
                             0x1.a01a01afe8f0ap-13, 0x1.a01a01b0a78e5p-16,
                             0x1.71ddf848462aep-19, 0x1.27e4c5ba2ee25p-22,
                             0x1.af5ed58e18d7bp-26, 0x1.1f9546e98250ep-29});
  F square = ops.mul(rest.high, rest.high);
  return quickSum(rest.high, ops.fma(square, quadratic, rest.low));
}

template <typename Ops>
typename DoubleFunctions<Ops>::Sum DoubleFunctions<Ops>::expOfRest(Sum rest) {
  Sum near = nearOne(rest);
  Sum one = quickSum(number(1.0), near.high);
  return {one.high, ops.add(one.low, near.low)};
}

// Two factors, since neither a subnormal power of two nor 2^1024 is a normal
// number; the first product is exact.
template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::scaled(Sum value, I whole) {
  I half = ops.ashr(whole, 1);
  F rounded = ops.add(value.high, value.low);
  return ops.mul(ops.mul(rounded, power(half)), power(ops.sub(whole, half)));
}

template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::exp(F x) {
  return expOf(exponentOf(clamp(x, -1000.0, 1000.0)));
}

template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::exp2(F x) {
  F held = clamp(x, -1500.0, 1500.0);
  F shifted = ops.add(held, number(kRounder));
  F rest = ops.sub(held, ops.sub(shifted, number(kRounder)));
  Sum natural = product(rest, number(kLn2.high));
  natural.low = ops.fma(rest, number(kLn2.low), natural.low);
  I count = ops.sub(ops.bits(shifted), ops.bits(number(kRounder)));
  return expOf({count, natural});
}

template <typename Ops>
typename DoubleFunctions<Ops>::Sum DoubleFunctions<Ops>::quarterExpm1(F x) {
  Exponent exponent = exponentOf(clamp(x, -50.0, 710.8));
  Sum near = nearOne(exponent.rest);
  F scale = power(ops.sub(exponent.whole, integer(2)));
  Sum whole = sum(scale, number(-0.25));
  Sum result = quickSum(whole.high, ops.mul(near.high, scale));
  result.low = ops.add(result.low, ops.fma(near.low, scale, whole.low));
  return quickSum(result.high, result.low);
}

template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::expm1(F x) {
  return exceptTiny(x, ops.mul(quarterExpm1(x).high, number(4.0)));
}

// With q = (e^2x - 1) / 4: below 0.55 q / (q + 1/2), else 1 - 1/2 / (q + 1/2).
template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::tanh(F x) {
  F size = ops.abs(x);
  Sum quarter = quarterExpm1(ops.add(size, size));
  Sum below = sum(quarter.high, number(0.5));
  below.low = ops.add(below.low, quarter.low);
  F inverse = ops.div(number(1.0), below.high);
  Sum ratio = quotient(quarter, below, inverse);
  F small = ops.add(ratio.high, ratio.low);
  F large = ops.fma(inverse, number(-0.5), number(1.0));
  F value = ops.select(ops.less(size, number(0.55)), small, large);
  return exceptTiny(x, ops.copySign(value, x));
}

// (q + q / (4 q + 1)) * 2 with q = (e^x - 1) / 4, whose quadruple may become
// infinite.
template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::sinh(F x) {
  Sum quarter = quarterExpm1(ops.abs(x));
  F below = ops.fma(quarter.high, number(4.0), number(1.0));
  F other = ops.add(ops.div(quarter.high, below), quarter.low);
  F value = ops.mul(ops.add(quarter.high, other), number(2.0));
  return exceptTiny(x, ops.copySign(value, x));
}

// h + 1 / (4 h) with h = e^x / 2, that is e^(x - log 2).
template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::cosh(F x) {
  Exponent exponent = exponentOf(clamp(ops.abs(x), 0.0, 1000.0));
  exponent.whole = ops.sub(exponent.whole, integer(1));
  F half = expOf(exponent);
  return ops.add(half, ops.div(number(0.25), half));
}

template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::slopeOfErf(F x) {
  // erf x / x - 1 on [0, 0.927], over x^2: 2^-55.2 of erf.
  F square = ops.mul(x, x);
  return polynomial(square, {0x1.06eba8214db69p-3, -0x1.812746b0379dfp-2,
                             0x1.ce2f21a042557p-4, -0x1.b82ce31265027p-6,
                             0x1.565bcd081f336p-8, -0x1.c02db2b0c8209p-11,
                             0x1.f9a2faa134f46p-14, -0x1.f4ce7e0cdab23p-17,
                             0x1.b9acf27bfd32fp-20, -0x1.5d34d5fe482f2p-23,
                             0x1.e003238e80282p-27, -0x1.c8c19c36d3ab3p-31});
}

template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::erf(F x) {
  F size = ops.abs(x);
  // log2(1 - erf x) on [0.92, 6], where 2^p is off by 2^-56.8; from 5.93 on erf
  // is 1 in f64.
  F held = clamp(size, 0.0, 6.0);
  F exponent = polynomial(
      held,
      {0x1.3b7b853df11b8p-25,  -0x1.a0be8bc01aef3p+0,  -0x1.d63e776c8a266p-1,
       -0x1.2fada5a1df631p-3,  0x1.c49f48cc3837bp-6,   0x1.fc77126198eaep-13,
       -0x1.347cb5db4081cp-9,  0x1.80a8b9f1fa28dp-11,  0x1.5accddf3bdcb6p-14,
       -0x1.94dc34f3e1aeap-13, 0x1.d1de1dde7c551p-14,  -0x1.65e7062b15566p-15,
       0x1.a2ad34ed82267p-17,  -0x1.838779403b60ap-19, 0x1.1e486b0687b29p-21,
       -0x1.4f35631604b2cp-24, 0x1.30ef9056920a0p-27,  -0x1.a010a31e4330ep-31,
       0x1.90ad40c82df3dp-35,  -0x1.e58de118c25ffp-40, 0x1.164bd1b7b1059p-45});
  F large = ops.sub(number(1.0), exp2(exponent));
  F small = ops.fma(slopeOfErf(x), size, size);
  F value = ops.select(ops.less(size, number(0.925)), small, large);
  return ops.copySign(value, x);
}

// Below 0.5 (1 - x) - x slope; else e^(-x^2) g / (1 + 2 x), or what is missing
// to 2.
template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::erfc(F x) {
  F size = ops.abs(x), one = number(1.0), zero = number(0.0);
  Sum first = sum(one, ops.negate(x));
  F low = ops.fma(ops.negate(slopeOfErf(x)), x, first.low);
  F small = ops.add(first.high, low);

  F held = clamp(size, 0.0, 27.3);
  Sum square = product(ops.negate(held), held);
  Exponent exponent = exponentOf(square.high);
  Sum rest = sum(exponent.rest.high, ops.add(exponent.rest.low, square.low));
  // (1 + 2 x) e^(x^2) erfc x on [0.5, 27.3], over t: 2^-57.3 of it.
  F t = ops.div(ops.sub(held, number(4.0)), ops.add(held, number(4.0)));
  F tail = polynomial(
      t,
      {-0x1.1df1ad154a28ep-3,  0x1.f7f5df66fd572p-7,   0x1.16ecefcfa5346p-4,
       -0x1.9ddb23c3e7ccep-4,  0x1.7fee004e13327p-4,   -0x1.0fb06dfe6b72bp-4,
       0x1.3079edf65ccb1p-5,   -0x1.0962387d9bd62p-6,  0x1.49c6729521744p-8,
       -0x1.8d4aa17faa345p-11, -0x1.a1df3432e5942p-13, 0x1.3be0d71b50bc5p-13,
       -0x1.9956e7ba9f05ap-16, -0x1.78a3df1b2c04cp-17, 0x1.7f0906949eaf6p-18,
       0x1.41acefc16011dp-22,  -0x1.b8ead80cd98d7p-21, 0x1.1fc921048afd9p-24,
       0x1.c1cf0adffa512p-24,  -0x1.a3d2232282d22p-27, -0x1.5da7a594bcc7bp-27});
  Sum g = quickSum(number(0x1.3ba5916e9fd7fp+0), ops.mul(t, tail));
  g.low = ops.add(g.low, number(-0x1.9490c0b89aa2bp-55));
  Sum below = sum(ops.add(held, held), one);
  Sum factor = quotient(g, below, ops.div(one, below.high));
  F right = scaled(product(expOfRest(rest), factor), exponent.whole);
  F large = ops.select(ops.less(x, zero), ops.sub(number(2.0), right), right);
  return ops.select(ops.less(size, number(0.5)), small, large);
}

} // namespace tile

#endif // TILE_CONVERSION_DOUBLEEXPONENTIALS_H
