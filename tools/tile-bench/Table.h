//===- Table.h - Results as text for a terminal -----------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_TABLE_H
#define TILE_TOOLS_BENCH_TABLE_H

#include "Results.h"

namespace tile::bench {

/// What the figures below are figures of, and the names of the columns.
std::string formatHead(const RunFacts &facts);
/// One line, and one more for each contender beside ours and the reference.
std::string formatRow(const CaseResult &result);
/// The geometric mean of each group, and the cases below their floor.
std::string formatSummary(const RunResult &run);

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_TABLE_H
