//===- Suite.h - What is measured -------------------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_SUITE_H
#define TILE_TOOLS_BENCH_SUITE_H

#include "Session.h"

namespace tile::bench {

/// One line of the suite: a product, or an example.
struct SuiteCase {
  std::string group;
  GemmCase gemm;
  std::optional<ExampleCase> example = {};
  /// Ratio to the reference that must be reached, and the one aimed at; 0:
  /// none.
  double floor = 0, aim = 0;
  /// Belongs to the quick form of the suite.
  bool isQuick = false;
  /// Which of several ways to write it ours is; may be empty.
  std::string form = {};

  /// "f16 nn 4096x4096x4096", then "bias+gelu+residual" where it is fused, then
  /// the form; of an example its own.
  std::string name() const;
  /// The contender that the ratio is to.
  const char *reference() const;
};

/// All of them, in the order in which they are measured.
std::vector<SuiteCase> suiteCases();
/// Squares of 8, 16, ..., 16384 in f16, by pointers and masks and as an
/// arrangement.
std::vector<SuiteCase> squareCases();

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_SUITE_H
