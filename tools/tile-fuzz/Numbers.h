//===- Numbers.h - Numbers and how far a run may be from them ---*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that are rounded once give the one right number where their
// operands are exact; everything else widens the bound by what it may err.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FUZZ_NUMBERS_H
#define TILE_FUZZ_NUMBERS_H

#include "Recipe.h"

#include <limits>

namespace tile::fuzz {

inline constexpr double kAnything = std::numeric_limits<double>::infinity();

/// A value and how far a run may be from it; infinity: anything goes.
struct Number {
  double value = 0, bound = 0;
};

/// Half a unit in the last place of 1.
double roundoff(Kind kind);
/// An exact operation's result, rounded to `kind`.
Number finish(double value, double bound, Kind kind);
/// A binary operation on numbers of `kind`.
Number combine(BinaryCode code, Number a, Number b, Kind kind);
/// A function; on a device it is an approximation.
Number apply(UnaryCode code, Number x, Kind kind, bool onDevice);
/// A conversion; integers get what lies between -kMostInteger and kMostInteger.
Number convert(Number x, Kind from, Kind to);
/// What a device may compute in other ways than the interpreter.
bool isApproximated(UnaryCode code);

} // namespace tile::fuzz

#endif // TILE_FUZZ_NUMBERS_H
