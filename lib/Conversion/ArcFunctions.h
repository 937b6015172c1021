//===- ArcFunctions.h - The tangent and inverse functions in f32 -*- C++
//-*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tangent, and the angles whose sine, cosine or tangent is given:
// MathFunctions.h tells how such functions are written, and over what.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_ARCFUNCTIONS_H
#define TILE_CONVERSION_ARCFUNCTIONS_H

#include "MathFunctions.h"

namespace tile {

template <typename Ops>
class ArcFunctions : public MathFunctions<Ops> {
  using Base = MathFunctions<Ops>;
  using Base::choose, Base::integer, Base::number, Base::ops, Base::polynomial;

public:
  using F = typename Ops::F;
  using I = typename Ops::I;
  using B = typename Ops::B;
  using Base::Base;

  F tan(F x, const typename Base::Quadrant &quadrant);
  F asin(F x);
  F acos(F x);
  F atan(F x);
  F atan2(F y, F x);

private:
  /// A sum of a number and what is small beside it.
  struct Sum {
    F high, low;
  };
  /// asin x where |x| is below 1/2, else asin sqrt((1 - |x|) / 2): the half of
  /// what is missing of a right angle.
  Sum nearAsin(F size);
  /// atan t for t in [0, 1].
  F atanOfUnit(F t);
  /// pi/2 times `quarters` plus high + low.
  F angle(float quarters, F high, F low);
};

template <typename Ops>
typename Ops::F
ArcFunctions<Ops>::tan(F x, const typename Base::Quadrant &quadrant) {
  F rest = quadrant.rest;
  // (tan r - r) / r^3 on [0, 1.008 pi/4], over r^2.
  F square = ops.mul(rest, rest);
  F cubic =
      ops.mul(square, polynomial(square, {0x1.555562p-2f, 0x1.110d1ap-3f,
                                          0x1.baf082p-5f, 0x1.5bdba2p-6f,
                                          0x1.67506cp-7f, -0x1.2f1956p-14f,
                                          0x1.23f65p-8f}));
  F tangent = ops.fma(cubic, rest, rest);
  // In odd quadrants -1 / tan r, by a step of Newton's.
  F inverse = ops.reciprocal(tangent);
  F excess = ops.fma(tangent, inverse, number(-1.0f));
  F cotangent = ops.fma(excess, inverse, ops.negate(inverse));
  B isEven = ops.equal(ops.band(quadrant.turns, integer(1)), integer(0));
  I bits = ops.bits(ops.select(isEven, tangent, cotangent));
  I sign = ops.band(ops.bits(x), integer(0x80000000));
  return ops.fromBits(ops.bxor(bits, sign));
}

// The second part of pi/2 is added to what is small beside the first.
template <typename Ops>
typename Ops::F ArcFunctions<Ops>::angle(float quarters, F high, F low) {
  F rest = ops.add(low, number(quarters * -0x1.777a5cp-25f));
  return ops.add(ops.add(number(quarters * 0x1.921fb6p+0f), high), rest);
}

template <typename Ops>
typename ArcFunctions<Ops>::Sum ArcFunctions<Ops>::nearAsin(F size) {
  F half = ops.fma(size, number(-0.5f), number(0.5f));
  // A step of Newton's from the approximation; 0 has the root 0.
  F inverse = ops.reciprocalSqrt(ops.add(half, number(0x1p-60f)));
  F root = ops.mul(half, inverse);
  F rest = ops.fma(ops.negate(root), root, half);
  root = ops.fma(rest, ops.mul(inverse, number(0.5f)), root);
  F x = choose(size, 0.5f, size, root);
  F square = choose(size, 0.5f, ops.mul(size, size), half);
  // (asin x - x) / x^3 on [0, 0.5], over x^2.
  F cubic = ops.mul(square, polynomial(square, {0x1.5555cap-3f, 0x1.33015ep-4f,
                                                0x1.748cbap-5f, 0x1.8b8e32p-6f,
                                                0x1.59f91cp-5f}));
  return {x, ops.mul(cubic, x)};
}

template <typename Ops>
typename Ops::F ArcFunctions<Ops>::asin(F x) {
  F size = ops.abs(x);
  Sum part = nearAsin(size);
  F small = ops.add(part.high, part.low);
  F large = angle(1.0f, ops.mul(part.high, number(-2.0f)),
                  ops.mul(part.low, number(-2.0f)));
  return ops.copySign(choose(size, 0.5f, small, large), x);
}

template <typename Ops>
typename Ops::F ArcFunctions<Ops>::acos(F x) {
  F size = ops.abs(x);
  Sum part = nearAsin(size);
  F small = angle(1.0f, ops.negate(ops.copySign(part.high, x)),
                  ops.negate(ops.copySign(part.low, x)));
  F right = ops.mul(ops.add(part.high, part.low), number(2.0f));
  F left = angle(2.0f, ops.mul(part.high, number(-2.0f)),
                 ops.mul(part.low, number(-2.0f)));
  F large = ops.select(ops.less(x, number(0.0f)), left, right);
  return choose(size, 0.5f, small, large);
}

template <typename Ops>
typename Ops::F ArcFunctions<Ops>::atanOfUnit(F t) {
  // (atan t - t) / t^3 on [0, 1], over t^2.
  F square = ops.mul(t, t);
  F cubic = ops.mul(
      square,
      polynomial(square, {-0x1.55553ep-2f, 0x1.9991e4p-3f, -0x1.242084p-3f,
                          0x1.c08c1ap-4f, -0x1.580814p-4f, 0x1.da24cap-5f,
                          -0x1.fd6fbcp-6f, 0x1.6410e4p-7f, -0x1.d32dacp-10f}));
  return ops.fma(cubic, t, t);
}

template <typename Ops>
typename Ops::F ArcFunctions<Ops>::atan(F x) {
  F size = ops.abs(x);
  F part = atanOfUnit(choose(size, 1.0f, size, ops.reciprocal(size)));
  F large = angle(1.0f, number(0.0f), ops.negate(part));
  return ops.copySign(choose(size, 1.0f, part, large), x);
}

template <typename Ops>
typename Ops::F ArcFunctions<Ops>::atan2(F y, F x) {
  // The lesser over the greater.  Bits are in the order of the numbers, and NaN
  // is the greatest.
  I width = ops.bits(ops.abs(x)), height = ops.bits(ops.abs(y));
  I isSteep = ops.ashr(ops.sub(width, height), 31);
  F greater = ops.fromBits(ops.mux(isSteep, height, width));
  F lesser = ops.fromBits(ops.mux(isSteep, width, height));
  // 0 over 0 is 0 here, infinity over infinity 1, less over infinity 0.
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  F largest = number(std::numeric_limits<float>::max());
  F atInfinity = choose(lesser, kInfinity, number(0.0f), largest);
  lesser = choose(greater, kInfinity, lesser, atInfinity);
  greater = ops.maximum(ops.minimum(greater, largest), number(0x1p-149f));
  // Both scaled, so that the reciprocal is normal, and what the quotient lacks.
  F factor = choose(greater, 0x1p30f, number(0x1p90f),
                    choose(greater, 0x1p90f, number(1.0f), number(0x1p-64f)));
  lesser = ops.mul(lesser, factor);
  greater = ops.mul(greater, factor);
  F inverse = ops.reciprocal(greater);
  F quotient = ops.mul(lesser, inverse);
  F rest = ops.fma(ops.negate(quotient), greater, lesser);
  F part = atanOfUnit(ops.fma(rest, inverse, quotient));
  // From pi/2 where it is steep, else from pi on the left; on one of them
  // backwards.
  I isLeft = ops.ashr(ops.bits(x), 31);
  auto start = [&](float right) {
    I ofTwo = ops.band(isLeft, ops.bits(number(2.0f * right)));
    return ops.fromBits(ops.mux(isSteep, ops.bits(number(right)), ofTwo));
  };
  I sign = ops.band(ops.bxor(isSteep, isLeft), integer(0x80000000));
  F turned = ops.fromBits(ops.bxor(ops.bits(part), sign));
  F low = ops.add(turned, start(-0x1.777a5cp-25f));
  return ops.copySign(ops.add(low, start(0x1.921fb6p+0f)), y);
}

} // namespace tile

#endif // TILE_CONVERSION_ARCFUNCTIONS_H
