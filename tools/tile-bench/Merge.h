//===- Merge.h - Several runs as one ----------------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Figures of different processes are never mixed: a ratio is of two times of
// one run, and what is reported is the median of the runs' ratios.  Where two
// contenders never met in one run (Triton's and ours), their ratios to cuBLAS,
// each of its own run, are divided.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_MERGE_H
#define TILE_TOOLS_BENCH_MERGE_H

#include "Results.h"

namespace tile::bench {

/// A figure of several runs.
struct Spread {
  double median = 0, min = 0, max = 0;
  size_t count = 0;

  static Spread of(const std::vector<double> &values);
  bool isKnown() const { return count > 0; }
};

/// One case of all runs.
struct MergedCase {
  std::string name, group, variant, reference;
  double flops = 0, bytes = 0, floor = 0, aim = 0;
  /// Times of ours in microseconds, and in the same runs those of cuBLAS, or of
  /// the reference where cuBLAS took no part.
  Spread ours, peer;
  std::string peerName;
  /// Speed of ours over that of the reference.
  Spread ratio;
  /// Ours over the best of the contenders of Triton and PyTorch, which run in
  /// processes of their own: by way of the peer where it ran there too, else
  /// time by time.  0 without.
  double otherRatio = 0;
  std::string otherName;
  bool isOtherTriton() const;
  double relativeError = 0;
  int64_t numRegisters = 0, localBytes = 0;
  /// All runs gave the same bits, left the guards alone and ended well.
  bool isClean = true;
  std::vector<std::string> errors;

  double teraflops(const Spread &time) const {
    return flops / time.median * 1e-6;
  }
};

/// All runs.
struct MergedRun {
  std::vector<RunFacts> facts;
  std::vector<MergedCase> cases;
  std::vector<std::pair<std::string, Spread>> host;
};

MergedRun mergeRuns(const std::vector<RunResult> &runs);

/// Geometric mean of the medians of the ratios of a group; 0 if it has none.
double meanRatio(const MergedRun &run, const std::string &group);

/// The same against the best of Triton's contenders, where it has one; of all
/// groups if `group` is empty.
double meanTritonRatio(const MergedRun &run, const std::string &group);

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_MERGE_H
