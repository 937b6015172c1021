//===- GemmCheck.h - Is the product right? ----------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_GEMMCHECK_H
#define TILE_TOOLS_BENCH_GEMMCHECK_H

#include "HostMatrix.h"

#include "tile/Runtime/Result.h"

#include <string>
#include <vector>

namespace tile::bench {

/// How far a result may be from the right one.
struct Tolerance {
  /// Of an element x that is a sum of products p: absolute + relative |x| +
  /// ofSum sum|p| + ofRoot sqrt(sum p^2).
  double absolute = 0, relative = 0, ofSum = 0, ofRoot = 0;
  /// Of the sample: norm of the error over the norm of the reference.
  double norm = 0;
  /// Between two contenders, as `compareAll` takes it.
  double others = 0;
};

/// Collects how far values are from what is right.
class ErrorNorm {
public:
  explicit ErrorNorm(std::string who) : who(std::move(who)) {}

  /// An error if the value is further away than `allowed`, or NaN.
  runtime::Status add(int64_t row, int64_t column, double expected, double got,
                      double allowed);
  /// Norm of the error over that of what is right; an error above `greatest`.
  runtime::Result<double> finish(double greatest) const;

private:
  std::string who;
  double errorSquares = 0, valueSquares = 0;
};

/// A sample of the product in f64: random rows and columns, the first and the
/// last among them.
class GemmReference {
public:
  GemmReference(const HostMatrix &a, const HostMatrix &b, uint64_t seed);

  /// Goes on from A B to gelu(A B + bias) + residual, GELU in its tanh form.
  void applyEpilogue(const HostMatrix &bias, const HostMatrix &residual);

  /// Compares `c` where the sample is.  Gives the relative error in the norm;
  /// a value out of tolerance is an error that names it.
  runtime::Result<double> compare(const HostMatrix &c,
                                  const Tolerance &tolerance,
                                  const std::string &who) const;

private:
  std::vector<int64_t> rows, columns;
  /// Row by row: the sums of products, of their magnitudes, of their squares.
  std::vector<double> values, magnitudes, squares;
};

/// 64 random indices below `size` and the first and the last among them, or all
/// of them if there are fewer.
std::vector<int64_t> sampleIndices(int64_t size, uint64_t seed);

/// Compares every element of two results; `tolerance` is relative to the
/// magnitude of each and to the root mean square of all.  `who` starts the
/// error.
runtime::Status compareAll(const HostMatrix &ours, const HostMatrix &theirs,
                           double tolerance, const std::string &who);

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_GEMMCHECK_H
