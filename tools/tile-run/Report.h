//===- Report.h - What tile-run prints --------------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_REPORT_H
#define TILE_RUN_REPORT_H

#include "Compare.h"
#include "Launch.h"
#include "Numerics.h"

namespace tile::run {

/// One expectation and how it came out.
struct Check {
  std::string name;
  std::string expected;
  std::vector<int64_t> sides;
  Comparison comparison;
  /// Set with --numerics.
  std::optional<Numerics> numerics;
};

/// Times of --bench, with what they amount to.
struct BenchFigures {
  double median = 0, min = 0, max = 0;
  unsigned numRepeats = 0;
  /// 0 where no expectation says how many operations there are.
  double teraflops = 0;
  /// Every tensor moved once.
  double gigabytes = 0;
};

/// Everything that is known after a run.
struct Report {
  /// Of one run of several; empty for none.
  std::string heading;
  std::string kernel;
  /// Whether a run block of a program asked for it.
  bool isRunBlock = false;
  Outcome outcome;
  std::vector<Check> checks;
  std::optional<BenchFigures> bench;

  bool isOk() const;
  /// Lines for people.
  void printText(llvm::raw_ostream &stream) const;
  /// One JSON object.
  void printJson(llvm::raw_ostream &stream) const;
};

/// One line for people.
void printCheck(llvm::raw_ostream &stream, const Check &check);

/// Figures from the times of an outcome; `operations` and `bytes` are those of
/// one run.
BenchFigures makeBenchFigures(const Outcome &outcome, double operations,
                              double bytes);

} // namespace tile::run

#endif // TILE_RUN_REPORT_H
