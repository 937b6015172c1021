//===- TestAnalysis.h - Passes that print facts -----------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_LIB_TESTANALYSIS_H
#define TILE_TEST_LIB_TESTANALYSIS_H

namespace tile::test {

/// Registers `test-tile-print-access` and `test-tile-print-divisibility`.
void registerAnalysisTestPasses();

} // namespace tile::test

#endif // TILE_TEST_LIB_TESTANALYSIS_H
