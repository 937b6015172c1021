//===- Reference.h - Values of expectations in f64 --------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The independent reference: plain loops in f64, in ascending k, that know
// nothing of tiles or of the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_REFERENCE_H
#define TILE_RUN_REFERENCE_H

#include "Expectation.h"

#include <cstdint>
#include <functional>

namespace tile::run {

/// The value of an expression: an array, or a scalar if it has no sides.
struct Reference {
  std::vector<int64_t> sides;
  std::vector<double> values;
  /// For each element the sum of the absolute values of the terms that it is
  /// made of: what a rounding error is relative to.
  std::vector<double> magnitudes;
  /// Additions and multiplications that lead to an element: how many roundings
  /// may add up.
  int64_t chain = 0;
  /// Whether all inputs are integers, so that small results are exact.
  bool isIntegral = true;
  /// Floating-point operations of the expression.
  double operations = 0;
  /// Of a whole expectation: its elements as integers of 64 bits, which f64 may
  /// not hold; empty where they are none.
  std::vector<int64_t> integers;

  int64_t numElements() const { return int64_t(values.size()); }
};

/// Gives the value of a named argument, or an error.
using ArgumentLookup =
    std::function<runtime::Result<Reference>(const std::string &name)>;

/// Evaluates `expectation` on all cores.
runtime::Result<Reference> evaluate(const Expectation &expectation,
                                    const ArgumentLookup &lookup);

/// An input with these elements.
Reference makeInput(std::vector<int64_t> sides, std::vector<double> values);

} // namespace tile::run

#endif // TILE_RUN_REFERENCE_H
