//===- CensusTest.cpp - What PTX is made of -------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Target/Census.h"

#include <gtest/gtest.h>

using namespace tile;

/// How often `name` occurs in `ptx`.
static unsigned countOf(llvm::StringRef ptx, llvm::StringRef name) {
  return takeCensus(ptx).find(name)->count;
}

// The bytes of an access are those of all its elements.
TEST(CensusTest, Widths) {
  Census census = takeCensus("ld.global.nc.L1::evict_last.v4.b32 {%r1}, [a];\n"
                             "ld.global.b16 %rs1, [a];\n"
                             "ld.global.v2.b64 {%rd1, %rd2}, [a];\n"
                             "ld.global.v8.f32 {%f1}, [a];\n");
  const CensusRow *loads = census.find("ld.global");
  EXPECT_EQ(loads->count, 4u);
  EXPECT_EQ(loads->countByBytes,
            (std::map<unsigned, unsigned>{{2, 1}, {16, 2}, {32, 1}}));
}

// Spaces are told apart, windows of shared memory are not; parameters and
// constants are left out.
TEST(CensusTest, Spaces) {
  llvm::StringRef ptx = "ld.shared.b32 %r1, [a];\n"
                        "ld.shared::cluster.b32 %r1, [a];\n"
                        "st.local.b32 [a], %r1;\n"
                        "st.relaxed.gpu.global.b32 [a], %r1;\n"
                        "ld.volatile.b32 %r1, [a];\n"
                        "ld.param.b32 %r1, [a];\n"
                        "ld.const.b32 %r1, [a];\n";
  EXPECT_EQ(countOf(ptx, "ld.shared"), 2u);
  EXPECT_EQ(countOf(ptx, "st.local"), 1u);
  EXPECT_EQ(countOf(ptx, "st.global"), 1u);
  EXPECT_EQ(countOf(ptx, "ld.generic"), 1u);
}

// Predicates, labels, comments, braces and several statements on a line, as
// inline assembly has them.
TEST(CensusTest, Statements) {
  llvm::StringRef ptx = "$L__BB0_1: // bar.sync 0;\n"
                        "@%p1 bar.sync 0;\n"
                        "{ .reg .pred p; @!p bar.sync 1; bar.arrive 2, 64; }\n"
                        "bar.warp.sync -1;\n"
                        "barrier.cluster.arrive.aligned;\n";
  EXPECT_EQ(countOf(ptx, "bar"), 3u);
  EXPECT_EQ(countOf(ptx, "bar.warp"), 1u);
  EXPECT_EQ(countOf(ptx, "barrier.cluster"), 1u);
}

// Copies count, the instructions that group and await them do not.
TEST(CensusTest, Copies) {
  Census census = takeCensus(
      "cp.async.cg.shared.global [%r1], [%rd1], 16, %r2;\n"
      "cp.async.ca.shared.global [%r1], [%rd1], 4;\n"
      "cp.async.commit_group;\n"
      "cp.async.wait_group 1;\n"
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [a], [b];\n"
      "cp.async.bulk.commit_group;\n"
      "cp.async.bulk.wait_group.read 0;\n");
  EXPECT_EQ(census.find("cp.async")->count, 2u);
  EXPECT_EQ(census.find("cp.async")->countByBytes,
            (std::map<unsigned, unsigned>{{4, 1}, {16, 1}}));
  EXPECT_EQ(census.find("cp.async.bulk")->count, 1u);
}

// Local memory is what is declared, in bytes.
TEST(CensusTest, LocalMemory) {
  EXPECT_EQ(takeCensus(".local .align 8 .b8 __local_depot0[64];\n"
                       ".local .b32 spill[2][3];\n"
                       ".shared .b8 tile[128];\n")
                .localBytes,
            64u + 24u);
  EXPECT_EQ(takeCensus(".reg .b32 %r<9>;\n").localBytes, 0u);
}

// Every row is printed, so that a test can check that something is absent.
TEST(CensusTest, Print) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  printCensus(takeCensus("st.global.b8 [a], %rs1;\nst.global.b8 [a], %rs1;\n"
                         "st.global.v4.b32 [a], {%r1};\n"),
              stream);
  EXPECT_NE(text.find("mma.sync: 0\n"), std::string::npos);
  EXPECT_NE(text.find("st.global: 3 (1 byte: 2, 16 bytes: 1)\n"),
            std::string::npos);
  EXPECT_NE(text.find("local memory: 0 bytes\n"), std::string::npos);
}
