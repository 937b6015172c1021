//===- Evaluate.h - What a program must store -------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Works on the description alone, in f64, and bounds what rounding may do to
// each value, so that no tolerance is chosen.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FUZZ_EVALUATE_H
#define TILE_FUZZ_EVALUATE_H

#include "Recipe.h"

namespace tile::fuzz {

/// A value and how far a run may be from it; infinity: anything goes.
struct Number {
  double value = 0, bound = 0;
};

/// What output `index` holds, row by row.  On a device, tensor cores cut the
/// sums of dots, and exp is an approximation.
std::vector<Number> evaluate(const Recipe &recipe, size_t index, bool onDevice);

} // namespace tile::fuzz

#endif // TILE_FUZZ_EVALUATE_H
