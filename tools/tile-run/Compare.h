//===- Compare.h - A result against its reference ---------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An element is wrong if |got - want| > atol + rtol * |want|, unless got is
// want rounded to the element type, or both are NaN.  Nothing is rounded to an
// integer: one that is expected must be one of the type.  What the two
// tolerances are when nobody says:
//
//   integers                         0: exact, as far as f64 tells them apart
//   all inputs integers, |terms|     0: got is want rounded once, since every
//     sum to at most 2^24            partial sum is exact in f32
//   f16, bf16                        2e-2 both
//   f8E4M3FN, f8E5M2                 2 u both (u: half an ulp of 1)
//   f32, f64                         an absolute one for each element:
//                                    4 K u sum|terms|, K operations long
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_COMPARE_H
#define TILE_RUN_COMPARE_H

#include "HostTensor.h"
#include "Reference.h"

namespace tile::run {

/// What the caller says of the tolerance; if one is given, the other is 0.
struct Tolerance {
  std::optional<double> absolute, relative;
};

/// How far a result is from its reference.
struct Comparison {
  double maxAbsolute = 0, maxRelative = 0, maxUlp = 0;
  int64_t numElements = 0, numWrong = 0;
  /// Row-major number of the first wrong element, and the values there.
  int64_t firstWrong = -1;
  double got = 0, want = 0;
  /// The values there, where they were compared as integers.
  std::optional<int64_t> gotInteger, wantInteger;
  /// The element type, where it does not hold `want`.
  std::string narrowType;
  /// The rule that was applied, in words.
  std::string rule;

  bool isOk() const { return numWrong == 0; }
};

/// Compares every element.
runtime::Result<Comparison> compare(const HostTensor &tensor,
                                    const Reference &reference,
                                    const Tolerance &tolerance);

} // namespace tile::run

#endif // TILE_RUN_COMPARE_H
