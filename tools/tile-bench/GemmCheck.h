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

/// A sample of the product in f64: random rows and columns, the first and the
/// last among them.
class GemmReference {
public:
  GemmReference(const HostMatrix &a, const HostMatrix &b, uint64_t seed);

  /// Goes on from A B to gelu(A B + bias) + residual, GELU in its tanh form.
  void applyEpilogue(const HostMatrix &bias, const HostMatrix &residual);

  /// Compares `c` where the sample is.  f16 and bf16: 2e-2 absolute and
  /// relative. f32: 4 K u sum|ab|.  Gives the relative error in the norm; a
  /// value out of tolerance is an error that names it.
  runtime::Result<double> compare(const HostMatrix &c, bool isInputF32,
                                  const std::string &who) const;

private:
  int64_t depth;
  std::vector<int64_t> rows, columns;
  /// Row by row: the products, and the sums of absolute products.
  std::vector<double> values, magnitudes;
};

/// Compares every element of two results; `tolerance` is relative to the
/// magnitude of each and to the root mean square of all.  `who` starts the
/// error.
runtime::Status compareAll(const HostMatrix &ours, const HostMatrix &theirs,
                           double tolerance, const std::string &who);

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_GEMMCHECK_H
