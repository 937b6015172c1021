//===- DoubleLogarithms.h - Logarithms in f64 -------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The logarithms of DoubleFunctions.h, which includes it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_DOUBLELOGARITHMS_H
#define TILE_CONVERSION_DOUBLELOGARITHMS_H

namespace tile {

template <typename Ops>
typename DoubleFunctions<Ops>::Sum DoubleFunctions<Ops>::logOfNear(F f) {
  // (log(1 + f) - f + f^2/2) / f^3 on [-1/3, 1/3]: 2^-57.7 of the logarithm.
  F cubic = polynomial(
      f, {0x1.555555555553bp-2,  -0x1.ffffffffffea0p-3, 0x1.999999999fb3fp-3,
          -0x1.555555556f11ap-3, 0x1.24924920dbbebp-3,  -0x1.ffffffe8f8529p-4,
          0x1.c71c73fad30bcp-4,  -0x1.99999eff9fd3ep-4, 0x1.745cb8273f6ccp-4,
          -0x1.5554947f6bd1ep-4, 0x1.3b1d8a830df31p-4,  -0x1.24a34efb04c1dp-4,
          0x1.106b9eb407190p-4,  -0x1.fe0d962cab322p-5, 0x1.ef9f34bec6303p-5,
          -0x1.d970ba71419a9p-5, 0x1.569cc27d263dep-5,  -0x1.2fc0dc80a98e1p-5,
          0x1.5ba926ed79ee0p-4,  -0x1.5eb44f461d16fp-4});
  Sum square = product(f, f);
  Sum result = quickSum(f, ops.mul(square.high, number(-0.5)));
  F low = ops.fma(square.low, number(-0.5), result.low);
  result.low = ops.fma(ops.mul(square.high, f), cubic, low);
  return result;
}

template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::logarithm(F x, F more, Pair ofE,
                                                Pair ofTwo) {
  // x = 2^e (1 + f), with f in [-1/3, 1/3]; subnormal numbers are scaled first.
  constexpr uint64_t kTwoThirds = 0x3fe5555555555555;
  B isSmall = ops.less(x, number(0x1p-1022));
  F scaled = ops.select(isSmall, ops.mul(x, number(0x1p54)), x);
  I bits = ops.bits(scaled);
  I exponent =
      ops.band(ops.sub(bits, integer(kTwoThirds)), integer(0xfff0000000000000));
  F f = ops.sub(ops.fromBits(ops.sub(bits, exponent)), number(1.0));
  F e = ops.add(ops.toFloat(ops.ashr(exponent, 52)),
                ops.select(isSmall, number(-54.0), number(0.0)));
  Sum near = logOfNear(f);
  near.low = ops.add(near.low, more);
  if (ofE.high != 1.0) {
    Sum scaledNear = product(near.high, number(ofE.high));
    F low = ops.fma(near.high, number(ofE.low), scaledNear.low);
    near = {scaledNear.high, ops.fma(near.low, number(ofE.high), low)};
  }
  Sum whole = product(e, number(ofTwo.high));
  whole.low = ops.fma(e, number(ofTwo.low), whole.low);
  Sum result = quickSum(whole.high, near.high);
  F value =
      ops.add(result.high, ops.add(result.low, ops.add(whole.low, near.low)));
  // Positive infinity and NaN are their own logarithms.
  F nan = number(std::numeric_limits<double>::quiet_NaN());
  F special = ops.select(ops.less(x, number(0.0)), nan, x);
  special =
      ops.select(ops.equal(ops.shl(ops.bits(x), 1), integer(0)),
                 number(-std::numeric_limits<double>::infinity()), special);
  B isUsual =
      ops.below(ops.sub(ops.bits(x), integer(1)), integer(0x7fefffffffffffff));
  return ops.select(isUsual, value, special);
}

template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::log(F x) {
  return logarithm(x, number(0.0), {1.0, 0.0}, kLn2);
}

template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::log2(F x) {
  return logarithm(x, number(0.0),
                   {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56}, {1.0, 0.0});
}

template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::log10(F x) {
  return logarithm(x, number(0.0),
                   {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57},
                   {0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59});
}

template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::logOfOnePlus(Sum x) {
  // What 1 + x loses to rounding is small beside it.
  Sum whole = sum(x.high, number(1.0));
  F more = ops.div(ops.add(whole.low, x.low), whole.high);
  return logarithm(whole.high, more, {1.0, 0.0}, kLn2);
}

// log(x + sqrt(x^2 + 1)); from 2^60 on log(2 x).
template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::asinh(F x) {
  F size = ops.abs(x), zero = number(0.0);
  B isLarge = ops.less(number(0x1p60), size);
  F square = ops.mul(size, size);
  F root = ops.sqrt(ops.add(square, number(1.0)));
  F more = ops.div(square, ops.add(root, number(1.0)));
  Sum above = quickSum(size, ops.select(isLarge, zero, more));
  above.low = ops.select(isLarge, zero, above.low);
  F value = ops.add(logOfOnePlus(above),
                    ops.select(isLarge, number(kLn2.high), zero));
  return exceptTiny(x, ops.copySign(value, x));
}

// log(x + sqrt(x^2 - 1)), by what is above 1.
template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::acosh(F x) {
  F zero = number(0.0);
  B isLarge = ops.less(number(0x1p60), x);
  F first = ops.sub(x, number(1.0));
  Sum square = product({first, zero}, sum(number(2.0), first));
  F root = ops.sqrt(square.high);
  F missing = ops.add(ops.fma(ops.negate(root), root, square.high), square.low);
  F more = ops.div(missing, ops.add(root, root));
  Sum above = sum(root, first);
  above.low = ops.add(above.low, ops.select(ops.less(zero, root), more, zero));
  F value = logOfOnePlus({ops.select(isLarge, x, above.high),
                          ops.select(isLarge, zero, above.low)});
  value = ops.add(value, ops.select(isLarge, number(kLn2.high), zero));
  F nan = number(std::numeric_limits<double>::quiet_NaN());
  return ops.select(ops.less(x, number(1.0)), nan, value);
}

// log((1 + x) / (1 - x)) / 2, by what the quotient is above 1.
template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::atanh(F x) {
  F size = ops.abs(x);
  Sum below = sum(number(1.0), ops.negate(size));
  Sum above = quotient({ops.add(size, size), number(0.0)}, below,
                       ops.div(number(1.0), below.high));
  F value = ops.mul(logOfOnePlus(above), number(0.5));
  return exceptTiny(x, ops.copySign(value, x));
}

} // namespace tile

#endif // TILE_CONVERSION_DOUBLELOGARITHMS_H
