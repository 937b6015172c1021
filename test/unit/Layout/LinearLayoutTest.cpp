//===- LinearLayoutTest.cpp - Rules of linear layouts ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/LinearLayout.h"
#include "LayoutText.h"

using namespace tile;

namespace {

using Bases = LinearLayout::Bases;
constexpr LayoutIn kReg = LayoutIn::Reg, kLane = LayoutIn::Lane,
                   kWarp = LayoutIn::Warp, kOffset = LayoutIn::Offset;

/// The m16n8 accumulator, written out.
LinearLayout fragment() {
  return must(LinearLayout::create(
      {{kReg, Bases{{0, 1}, {8, 0}}},
       {kLane, Bases{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}}},
      {16, 8}));
}

// The names of groups are those of the IR, and reading inverts writing.
TEST(LinearLayout, NamesOfGroups) {
  EXPECT_EQ(stringify(LayoutIn::Reg), "register");
  EXPECT_EQ(stringify(LayoutIn::Lane), "lane");
  EXPECT_EQ(stringify(LayoutIn::Warp), "warp");
  EXPECT_EQ(stringify(LayoutIn::Block), "block");
  EXPECT_EQ(stringify(LayoutIn::Offset), "offset");
  for (LayoutIn group : kLayoutIns)
    EXPECT_EQ(symbolizeLayoutIn(stringify(group)), group);
  EXPECT_EQ(symbolizeLayoutIn("thread"), std::nullopt);
}

// Each way to get the arguments wrong has a message that says what was wrong.
TEST(LinearLayout, CreationErrors) {
  EXPECT_EQ(messageOf(LinearLayout::create({}, {12})),
            "expected sides that are powers of two, got 12");
  EXPECT_EQ(messageOf(LinearLayout::create({}, {0})),
            "expected sides that are powers of two, got 0");
  EXPECT_EQ(messageOf(LinearLayout::create({}, {-4})),
            "expected sides that are powers of two, got -4");
  EXPECT_EQ(messageOf(LinearLayout::create({{kReg, Bases{{1}}}}, {4, 4})),
            "expected a register basis of 2 entries, got 1");
  EXPECT_EQ(messageOf(LinearLayout::create({{kLane, Bases{{4}}}}, {4})),
            "expected lane basis entries from 0 to 3, got 4");
  EXPECT_EQ(messageOf(LinearLayout::create({{kLane, Bases{{-1}}}}, {4})),
            "expected lane basis entries from 0 to 3, got -1");
  EXPECT_EQ(messageOf(LinearLayout::create(
                {{kLane, Bases{{1}}}, {kLane, Bases{{1}}}}, {4})),
            "expected each group once, got lane twice");
  int64_t large = int64_t(1) << 40;
  EXPECT_EQ(messageOf(LinearLayout::create({}, {large, large})),
            "expected at most 62 bits of coordinates, got 80");
  EXPECT_EQ(
      messageOf(LinearLayout::create({{kLane, Bases(63, Coord{0})}}, {1})),
      "expected at most 62 input bits, got 63");
}

// A place maps to the XOR of the images of its bits; absent groups are 0.
TEST(LinearLayout, Apply) {
  LinearLayout layout = fragment();
  EXPECT_EQ(layout.apply({{kReg, 3}, {kLane, 5}}), Coord({9, 3}));
  EXPECT_EQ(layout.apply({{kLane, 31}}), Coord({7, 6}));
  EXPECT_EQ(layout.apply({{kReg, 2}, {kWarp, 0}}), Coord({8, 0}));
  EXPECT_EQ(layout.numBits(kLane), 5u);
  EXPECT_EQ(layout.size(kLane), 32);
  EXPECT_EQ(layout.size(kWarp), 1);
}

// The example at the head of LinearLayout.h: what thread 5 holds.
TEST(LinearLayout, ExampleOfHeader) {
  LinearLayout layout = fragment();
  std::vector<Coord> held;
  for (int64_t reg = 0; reg < 4; ++reg)
    held.push_back(layout.apply({{kReg, reg}, {kLane, 5}}));
  EXPECT_EQ(held, (std::vector<Coord>{{1, 2}, {1, 3}, {9, 2}, {9, 3}}));
}

// A product scales the outer layout by the inner sides and appends its bits.
TEST(LinearLayout, Product) {
  LinearLayout tiles = must(LinearLayout::create(
      {{kReg, Bases{{0, 1}}}, {kWarp, Bases{{1, 0}, {0, 0}}}}, {2, 2}));
  LinearLayout layout = fragment().product(tiles);
  EXPECT_EQ(layout.sides(), llvm::ArrayRef<int64_t>({32, 16}));
  EXPECT_EQ(bitNames(layout, kReg), "c1 r8 c8");
  EXPECT_EQ(bitNames(layout, kLane), "c2 c4 r1 r2 r4");
  EXPECT_EQ(bitNames(layout, kWarp), "r16 free");
  EXPECT_EQ(layout.quotient(fragment()), tiles);
}

// A quotient exists only where the inner layout is a whole tile of the other.
TEST(LinearLayout, QuotientFailures) {
  LinearLayout layout = fragment();
  auto inner = [](Bases reg, std::vector<int64_t> sides) {
    return must(LinearLayout::create({{kReg, reg}}, sides));
  };
  EXPECT_TRUE(layout.quotient(inner({{0, 1}}, {1, 2})));
  // The second register is a row.
  EXPECT_FALSE(layout.quotient(inner({{0, 1}, {0, 2}}, {1, 4})));
  // The side is covered, but by a lane: its image 2 lies inside the tile.
  EXPECT_FALSE(layout.quotient(inner({{0, 1}}, {1, 4})));
  EXPECT_FALSE(layout.quotient(inner({{0, 1}}, {1, 16})));
  EXPECT_FALSE(layout.quotient(LinearLayout()));
}

// A composition feeds the coordinate, last dimension lowest, to the outer map.
TEST(LinearLayout, Compose) {
  // Chunk ^= row on a 4x4 tile.
  LinearLayout swizzle = must(LinearLayout::create(
      {{kOffset, Bases{{0, 1}, {0, 2}, {1, 1}, {2, 2}}}}, {4, 4}));
  LinearLayout access = must(LinearLayout::create(
      {{kLane, Bases{{1, 0}, {2, 0}}}, {kReg, Bases{{0, 1}}}}, {4, 4}));
  LinearLayout result = must(access.compose(swizzle, kOffset));
  EXPECT_EQ(bitNames(result, kLane), "r1+c1 r2+c2");
  EXPECT_EQ(bitNames(result, kReg), "c1");
  EXPECT_EQ(messageOf(access.compose(fragment(), kLane)),
            "expected the lane group to have 16 places, got 32");
}

// The inverse gives the one owner of a coordinate, zero in redundant bits.
TEST(LinearLayout, RightInverse) {
  LinearLayout layout = must(LinearLayout::create(
      {{kReg, Bases{{1}, {0}, {1}}}, {kLane, Bases{{2}, {3}}}}, {4}));
  EXPECT_TRUE(layout.isSurjective());
  EXPECT_FALSE(layout.isInjective());
  EXPECT_EQ(layout.freeBits(kReg), 2u);
  EXPECT_EQ(layout.redundantBits(kReg), 6u);
  EXPECT_EQ(layout.freeBits(kLane), 0u);
  EXPECT_EQ(layout.redundantBits(kLane), 2u);
  Place place = layout.rightInverse()->apply({3});
  EXPECT_EQ(place[kReg], 1);
  EXPECT_EQ(place[kLane], 1);
  LinearLayout narrow = must(LinearLayout::create({}, {2}));
  EXPECT_FALSE(narrow.isSurjective());
  EXPECT_TRUE(narrow.isInjective());
  EXPECT_FALSE(narrow.rightInverse());
}

// A slice frees what told the dropped elements apart; broadcasting the result
// back uses the free lanes before it adds registers.
TEST(LinearLayout, SliceAndBroadcast) {
  LinearLayout rows = fragment().slice(1);
  EXPECT_EQ(bitNames(rows, kReg, "r"), "free r8");
  EXPECT_EQ(bitNames(rows, kLane, "r"), "free free r1 r2 r4");
  LinearLayout column = rows.removeFreeBits(kReg).expandDims(1);
  EXPECT_EQ(column.sides(), llvm::ArrayRef<int64_t>({16, 1}));
  LinearLayout wide = column.broadcast(1, 8);
  EXPECT_EQ(bitNames(wide, kReg), "r8 c4");
  EXPECT_EQ(bitNames(wide, kLane), "c1 c2 r1 r2 r4");
}

// Transposing renames dimensions.
TEST(LinearLayout, Transpose) {
  LinearLayout layout = fragment().transpose({1, 0});
  EXPECT_EQ(layout.sides(), llvm::ArrayRef<int64_t>({8, 16}));
  EXPECT_EQ(bitNames(layout, kReg), "r1 c8");
  EXPECT_EQ(layout.transpose({1, 0}), fragment());
}

// Equal layouts hash alike, whatever the order and presence of empty groups.
TEST(LinearLayout, EqualityAndPrint) {
  LinearLayout first = must(LinearLayout::create(
      {{kLane, Bases{{1}}}, {kReg, Bases{{2}}}, {kWarp, Bases{}}}, {4}));
  LinearLayout second = must(
      LinearLayout::create({{kReg, Bases{{2}}}, {kLane, Bases{{1}}}}, {4}));
  LinearLayout third = must(
      LinearLayout::create({{kReg, Bases{{1}}}, {kLane, Bases{{2}}}}, {4}));
  EXPECT_EQ(first, second);
  EXPECT_EQ(hash_value(first), hash_value(second));
  EXPECT_NE(first, third);
  EXPECT_NE(hash_value(first), hash_value(third));
  EXPECT_EQ(print(first), "register = [[2]], lane = [[1]], sides = [4]");
  EXPECT_EQ(print(LinearLayout()), "sides = []");
}

} // namespace
