//===- Numerics.h - How a sum was rounded -----------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two right programs that add in different orders differ; these figures say
// whether they differ by more than rounding explains.  For an output s that is
// the sum of K terms p:
//
//   error       |got - s| in units in the last place of s
//   condition   sum|p| / |s|: how much rounding errors are magnified
//   bound       gamma_K sum|p|, gamma_K = K u / (1 - K u): no order of K
//               additions in a format of unit roundoff u errs more (Higham,
//               Accuracy and Stability of Numerical Algorithms, 3.1)
//
// Sums are in f32, u = 2^-24, or in f64 where the output is; an output narrower
// than that is rounded once more.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_NUMERICS_H
#define TILE_RUN_NUMERICS_H

#include "HostTensor.h"
#include "Reference.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace tile::run {

/// Figures of one output tensor.
struct Numerics {
  std::vector<int64_t> sides;
  int64_t numElements = 0, chain = 0;
  double meanUlp = 0, maxUlp = 0;
  double medianCondition = 0, maxCondition = 0;
  /// Row-major numbers of the elements with the largest error in ulp and the
  /// largest condition number.
  int64_t maxUlpAt = 0, maxConditionAt = 0;
  double meanMagnitude = 0;
  /// Standard deviation of the results.
  double deviation = 0;
  double gamma = 0;
  int64_t numInside = 0;
  /// The largest error as a share of its bound.
  double maxShare = 0;
};

/// Looks at `tensor` after the run.  An error if it holds no floats.
runtime::Result<Numerics> analyseNumerics(const HostTensor &tensor,
                                          const Reference &reference);

/// Lines for people.
void printNumerics(llvm::raw_ostream &stream, const Numerics &numerics);

/// The attributes of one JSON object.
void printNumericsJson(llvm::json::OStream &json, const Numerics &numerics);

} // namespace tile::run

#endif // TILE_RUN_NUMERICS_H
