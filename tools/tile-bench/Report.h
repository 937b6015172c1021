//===- Report.h - Tables and JSON -------------------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_REPORT_H
#define TILE_TOOLS_BENCH_REPORT_H

#include "Gemm.h"

#include <string>
#include <vector>

namespace tile::bench {

/// Where, when and with what a run was made.
struct RunFacts {
  /// ISO 8601, UTC.
  std::string date;
  std::string card;
  /// "13.0".
  std::string driver;
  /// Version of cuBLAS, or why there is none.
  std::string cublas;
  bool hasCublas = false;
  std::string kernel, target, layout, inputType, outputType;
  int repeats = 0;

  static RunFacts collect(const runtime::Device &device);
};

/// The head of the table: what the figures below it are figures of.
std::string formatHead(const RunFacts &facts);
/// One line of the table.
std::string formatRow(const GemmResult &result);
/// The last line: the geometric mean of the ratios, empty without cuBLAS.
std::string formatMean(const std::vector<GemmResult> &results);
/// Everything as JSON.
std::string formatJson(const RunFacts &facts,
                       const std::vector<GemmResult> &results);

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_REPORT_H
