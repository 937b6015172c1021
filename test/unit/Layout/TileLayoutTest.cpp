//===- TileLayoutTest.cpp - Rules of repeated atoms -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/TileLayout.h"
#include "LayoutText.h"
#include "tile/Layout/Constructors.h"

using namespace tile;

namespace {

using Bases = LinearLayout::Bases;
constexpr LayoutIn kReg = LayoutIn::Reg, kLane = LayoutIn::Lane,
                   kOffset = LayoutIn::Offset;

/// Two lanes along rows, two registers along columns.
LinearLayout square() {
  return must(LinearLayout::create(
      {{kReg, Bases{{0, 1}}}, {kLane, Bases{{1, 0}}}}, {2, 2}));
}

// Each way to get the arguments wrong has a message that says what was wrong.
TEST(TileLayout, CreationErrors) {
  EXPECT_EQ(messageOf(TileLayout::create(square(), {3})),
            "expected 2 repetition counts, got 1");
  EXPECT_EQ(messageOf(TileLayout::create(square(), {3, 0})),
            "expected positive repetition counts, got 0");
  EXPECT_EQ(messageOf(TileLayout::create(square(), {3, 1}, {0, 0})),
            "expected an order that lists each of 2 dimensions once");
  EXPECT_EQ(messageOf(TileLayout::create(square(), {3, 1}, {0})),
            "expected an order that lists each of 2 dimensions once");
  int64_t large = int64_t(1) << 60;
  EXPECT_EQ(messageOf(TileLayout::create(square(), {large, large})),
            "expected at most 62 bits with repetitions, got 122");
  LinearLayout mixed = must(
      LinearLayout::create({{kReg, Bases{{1}}}, {kOffset, Bases{{2}}}}, {4}));
  EXPECT_EQ(messageOf(TileLayout::create(mixed, {1})),
            "expected either offset bases or bases of other groups, got both");
}

// The register index is rep * atomRegs + atomReg, last dimension fastest.
TEST(TileLayout, Apply) {
  TileLayout layout = must(TileLayout::create(square(), {3, 5}));
  EXPECT_EQ(layout.numRegs(), 30);
  EXPECT_EQ(layout.shape(), Coord({6, 10}));
  EXPECT_EQ(layout.apply(/*reg=*/1, /*lane=*/1, /*warp=*/0), Coord({1, 1}));
  EXPECT_EQ(layout.apply(/*reg=*/2, /*lane=*/0, /*warp=*/0), Coord({0, 2}));
  EXPECT_EQ(layout.apply(/*reg=*/10, /*lane=*/0, /*warp=*/0), Coord({2, 0}));
  EXPECT_EQ(layout.apply(/*reg=*/29, /*lane=*/1, /*warp=*/0), Coord({5, 9}));
}

// `order` names the fastest repetition first.
TEST(TileLayout, Order) {
  TileLayout layout = must(TileLayout::create(square(), {3, 5}, {0, 1}));
  EXPECT_FALSE(layout.hasDefaultOrder());
  EXPECT_EQ(layout.apply(/*reg=*/2, /*lane=*/0, /*warp=*/0), Coord({2, 0}));
  EXPECT_EQ(layout.apply(/*reg=*/6, /*lane=*/0, /*warp=*/0), Coord({0, 2}));
}

// Factors of two of the fastest repetitions move into the atom; what is left is
// odd or hidden behind an odd count.
TEST(TileLayout, CanonicalForm) {
  TileLayout layout = must(TileLayout::create(square(), {2, 12}));
  EXPECT_EQ(bitNames(layout.atom(), kReg), "c1 c2 c4");
  EXPECT_EQ(layout.reps(), llvm::ArrayRef<int64_t>({2, 3}));
  EXPECT_EQ(layout.shape(), Coord({4, 24}));
  TileLayout power = must(TileLayout::create(square(), {2, 4}));
  EXPECT_EQ(bitNames(power.atom(), kReg), "c1 c2 c4 r2");
  EXPECT_EQ(power.reps(), llvm::ArrayRef<int64_t>({1, 1}));
  // The order of at most one repeating dimension has no meaning.
  EXPECT_EQ(must(TileLayout::create(square(), {3, 1}, {0, 1})),
            must(TileLayout::create(square(), {3, 1}, {1, 0})));
  EXPECT_NE(must(TileLayout::create(square(), {3, 3}, {0, 1})),
            must(TileLayout::create(square(), {3, 3}, {1, 0})));
}

// Repetitions of a shared layout extend the offset.
TEST(TileLayout, SharedRepetitions) {
  LinearLayout row =
      must(LinearLayout::create({{kOffset, Bases{{0, 1}, {0, 2}}}}, {1, 4}));
  TileLayout layout = must(TileLayout::create(row, {5, 1}));
  EXPECT_TRUE(layout.isShared());
  EXPECT_EQ(layout.numOffsets(), 20);
  EXPECT_EQ(layout.numRegs(), 1);
  EXPECT_EQ(layout.applyOffset(7), Coord({1, 3}));
  EXPECT_EQ(layout.rightInverse()->offset({4, 2}), 18);
  EXPECT_FALSE(TileLayout::fromAtom(square()).isShared());
}

// The example at the head of TileLayout.h: the wgmma accumulator 64x192.
TEST(TileLayout, ExampleOfHeader) {
  TileLayout layout = must(wgmmaAccumulator({64, 192}, {1, 1}));
  EXPECT_EQ(layout.atom().sides(), llvm::ArrayRef<int64_t>({64, 64}));
  EXPECT_EQ(layout.atom().size(kReg), 32);
  EXPECT_EQ(layout.reps(), llvm::ArrayRef<int64_t>({1, 3}));
  EXPECT_EQ(layout.numRegs(), 96);
  EXPECT_EQ(layout.apply(/*reg=*/70, /*lane=*/0, /*warp=*/0), Coord({8, 136}));
}

// A layout covers tensors of its rank that are no longer than its shape.
TEST(TileLayout, Covers) {
  TileLayout layout = must(TileLayout::create(square(), {3, 5}));
  EXPECT_TRUE(layout.covers({6, 10}));
  EXPECT_TRUE(layout.covers({5, 9}));
  EXPECT_FALSE(layout.covers({7, 10}));
  EXPECT_FALSE(layout.covers({6}));
}

// A reduction drops the registers along its dimension and keeps the others;
// broadcasting back needs no registers of other dimensions to move.
TEST(TileLayout, SliceAndBroadcast) {
  TileLayout layout = must(mmaAccumulator({48, 24}, {1, 1}));
  EXPECT_EQ(layout.numRegs(), 36);
  TileLayout rows = layout.slice(1);
  EXPECT_EQ(rows.shape(), Coord({48}));
  EXPECT_EQ(rows.numRegs(), 6);
  EXPECT_EQ(rows.apply(/*reg=*/5, /*lane=*/0, /*warp=*/0), Coord({40}));
  EXPECT_EQ(rows.freeBits(kLane), 3u);
  TileLayout wide = rows.expandDims(1).broadcast(1, 24);
  EXPECT_EQ(wide.shape(), Coord({48, 24}));
  EXPECT_EQ(bitNames(wide.atom(), kReg), "r8 c4");
  EXPECT_EQ(bitNames(wide.atom(), kLane), "c1 c2 r1 r2 r4");
  EXPECT_EQ(wide.reps(), llvm::ArrayRef<int64_t>({3, 3}));
}

// Printing gives repetitions and order only where they say something.
TEST(TileLayout, Print) {
  EXPECT_EQ(print(TileLayout::fromAtom(square())),
            "register = [[0, 1]], lane = [[1, 0]], sides = [2, 2]");
  EXPECT_EQ(print(must(TileLayout::create(square(), {3, 5}, {0, 1}))),
            "register = [[0, 1]], lane = [[1, 0]], sides = [2, 2], "
            "reps = [3, 5], order = [0, 1]");
}

} // namespace
