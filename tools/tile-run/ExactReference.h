//===- ExactReference.h - Values of expectations in integers ----*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// f64 does not tell 2^53 + 1 from 2^53.  An expectation of integers that are
// added, multiplied, compared and chosen from is therefore computed in 64 bits
// as well.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_EXACTREFERENCE_H
#define TILE_RUN_EXACTREFERENCE_H

#include "Launch.h"
#include "Reference.h"

namespace tile::run {

/// An array of integers, or one if it has no sides.
struct ExactReference {
  std::vector<int64_t> sides;
  std::vector<int64_t> values;
};

/// What the argument holds; nothing where it is of floats.
std::optional<ExactReference> exactValueOf(const LaunchArgument &argument);

/// Gives the value of a named argument; nothing where it is not of integers.
using ExactLookup =
    std::function<std::optional<ExactReference>(const std::string &name)>;

/// Evaluates `expectation`, which evaluate() has found right; nothing where a
/// value is none of 64 bits, or a function is not one of integers.
std::optional<ExactReference> evaluateExactly(const Expectation &expectation,
                                              const ExactLookup &lookup);

} // namespace tile::run

#endif // TILE_RUN_EXACTREFERENCE_H
