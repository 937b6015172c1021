//===- DoubleArcs.h - Inverse trigonometric functions in f64 ---- -*- C++
//-*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arcs of DoubleFunctions.h, which includes it: all are angles of a point.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_DOUBLEARCS_H
#define TILE_CONVERSION_DOUBLEARCS_H

namespace tile {

template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::otherLeg(F x) {
  return ops.sqrt(ops.mul(ops.sub(number(1.0), x), ops.add(number(1.0), x)));
}

// The angle is a multiple of pi/4 plus or minus that of a ratio of at most
// tan(pi/8): the axes are exchanged so that the ratio is at most 1, and turned
// by pi/4 where it is still larger.
template <typename Ops>
typename Ops::F DoubleFunctions<Ops>::atan2(F y, F x) {
  F sizeX = ops.abs(x), sizeY = ops.abs(y);
  B isSteep = ops.less(sizeX, sizeY);
  F shorter = ops.select(isSteep, sizeX, sizeY);
  F longer = ops.select(isSteep, sizeY, sizeX);
  // Of infinities and zeros the ratio is 0 or 1.
  B isInfinite = ops.equal(ops.bits(longer), integer(kInfinity));
  F ifInfinite = ops.select(ops.equal(ops.bits(shorter), integer(kInfinity)),
                            number(1.0), number(0.0));
  shorter = ops.select(isInfinite, ifInfinite, shorter);
  B isUsual = ops.less(number(0.0), longer);
  longer = ops.select(isInfinite, number(1.0),
                      ops.select(isUsual, longer, number(1.0)));
  // Where the longer side has no normal inverse; what the shorter one loses is
  // lost in the result, too.
  F scale = ops.select(ops.less(number(0x1p500), longer), number(0x1p-500),
                       ops.select(ops.less(longer, number(0x1p-500)),
                                  number(0x1p600), number(1.0)));
  shorter = ops.mul(shorter, scale);
  longer = ops.mul(longer, scale);

  B isTurned = ops.less(ops.mul(longer, number(0x1.a827999fcef32p-2)), shorter);
  Sum less = sum(shorter, ops.negate(longer)), more = sum(longer, shorter);
  F zero = number(0.0);
  Sum above = {ops.select(isTurned, less.high, shorter),
               ops.select(isTurned, less.low, zero)};
  Sum below = {ops.select(isTurned, more.high, longer),
               ops.select(isTurned, more.low, zero)};
  Sum ratio = quotient(above, below, ops.div(number(1.0), below.high));
  // (atan q - q) / q^3 on [0, tan(pi/8)], over q^2: 2^-58.2 of the angle.
  F square = ops.mul(ratio.high, ratio.high);
  F cubic = ops.mul(
      square, polynomial(square, {-0x1.555555555553dp-2, 0x1.99999999958f6p-3,
                                  -0x1.24924922b161ep-3, 0x1.c71c70e7baf95p-4,
                                  -0x1.745cf90db9c73p-4, 0x1.3b111c8fe5cdep-4,
                                  -0x1.10ebdf62f8bc7p-4, 0x1.df117ee4a74a7p-5,
                                  -0x1.9cdc85ecfcef9p-5, 0x1.37ee186f2f955p-5,
                                  -0x1.259eedeae3fe7p-6}));
  F low = ops.fma(cubic, ratio.high, ratio.low);

  I isLeft = ops.band(ops.bits(x), integer(kSign));
  F quarters = ops.select(isTurned, number(1.0), zero);
  quarters = ops.select(isSteep, ops.sub(number(2.0), quarters), quarters);
  quarters = ops.select(ops.equal(isLeft, integer(0)), quarters,
                        ops.sub(number(4.0), quarters));
  I flip = ops.bxor(isLeft, ops.select(isSteep, integer(kSign), integer(0)));
  auto flipped = [&](F part) {
    return ops.fromBits(ops.bxor(ops.bits(part), flip));
  };
  Sum whole = product(quarters, number(0x1.921fb54442d18p-1));
  whole.low = ops.fma(quarters, number(0x1.1a62633145c07p-55), whole.low);
  Sum angle = quickSum(whole.high, flipped(ratio.high));
  F rest = ops.add(angle.low, ops.add(whole.low, flipped(low)));
  F value = ops.copySign(ops.add(angle.high, rest), y);
  return ops.select(isNaN(x), x, ops.select(isNaN(y), y, value));
}

} // namespace tile

#endif // TILE_CONVERSION_DOUBLEARCS_H
