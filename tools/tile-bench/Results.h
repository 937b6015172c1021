//===- Results.h - What a run has measured ----------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one format in which runs are written, read and merged.  triton_matmul.py
// beside this file writes it as well.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_RESULTS_H
#define TILE_TOOLS_BENCH_RESULTS_H

#include "Race.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tile::bench {

/// Names of contenders that reports know.
inline constexpr const char *kOurs = "tile";
inline constexpr const char *kOursPlain = "tile, plain";
inline constexpr const char *kCublas = "cuBLAS";
inline constexpr const char *kCublasLt = "cuBLASLt";
/// A copy of as many bytes.
inline constexpr const char *kCopy = "copy";
/// The product of f32, beside one of `tf32x3`.
inline constexpr const char *kCublasF32 = "cuBLAS, f32";

/// Where, when and with what a run was made.
struct RunFacts {
  /// ISO 8601, UTC.
  std::string date;
  std::string card;
  /// "CUDA 13.0 (580.159)".
  std::string driver;
  /// Version of cuBLAS, or why there is none.
  std::string library;
  /// The command line.
  std::string command;
  int64_t numMultiprocessors = 0;
  int64_t repeats = 0;

  static RunFacts collect(const runtime::Device &device);
};

/// What is done in `microseconds`, with its unit: "657.1 TF", or "3861 GB/s"
/// where there are no operations to count.
std::string speedText(double flops, double bytes, double microseconds);

/// What was measured of one case.
struct CaseResult {
  /// "f16 nn 4096x4096x4096".
  std::string name;
  /// Cases of one group have a geometric mean.
  std::string group;
  /// Least work: floating-point operations, and bytes to and from memory.
  double flops = 0, bytes = 0;
  /// The ratio that must be reached, and the one aimed at; 0: none.
  double floor = 0, aim = 0;
  /// The contender whose time the ratio is to; empty: none.
  std::string reference = kCublas;
  /// Our variant, the launcher's estimate for it, and its code.
  std::string variant;
  std::optional<int64_t> cost;
  int64_t numRegisters = 0, localBytes = 0;
  /// By contender, ours first.
  std::vector<std::pair<std::string, Timing>> timings;
  /// Why there are no times.
  std::string error;

  const Timing *find(std::string_view contender) const;
  /// Speed of ours over speed of `contender`; 0 where one has no time.
  double ratioTo(std::string_view contender) const;
  double ratio() const { return ratioTo(reference); }
  /// Speed of the contender in 1e12 operations a second.
  double teraflops(const Timing &timing) const {
    return flops / timing.median * 1e-6;
  }
  std::string speed(const Timing &timing) const {
    return speedText(flops, bytes, timing.median);
  }
};

/// A figure of the host: "warm launch, us".
struct HostFigure {
  std::string name;
  double value = 0;
};

/// What one process has measured.
struct RunResult {
  RunFacts facts;
  std::vector<CaseResult> cases;
  std::vector<HostFigure> host;
};

/// Geometric mean; 0 of nothing.
double geometricMean(const std::vector<double> &values);
/// Middle value, or the mean of the two in the middle; 0 of nothing.
double median(std::vector<double> values);
/// The groups of the cases, in order of first occurrence.
std::vector<std::string> groupsOf(const std::vector<CaseResult> &cases);

std::string writeResults(const RunResult &run);
runtime::Result<RunResult> parseResults(std::string_view json);

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_RESULTS_H
