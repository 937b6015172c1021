//===- AxisTest.cpp - Lines of a layout along one dimension ---------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/Axis.h"
#include "LayoutText.h"
#include "tile/Layout/Constructors.h"

using namespace tile;

namespace {

/// "l0 l1 r2" for lane bits 0 and 1 and register bit 2; "none".
std::string axisText(const TileLayout &layout, unsigned dim) {
  auto bits = axisBits(layout, dim);
  if (!bits)
    return "none";
  std::string text;
  for (PlaceBit bit : *bits)
    text += (text.empty() ? "" : " ") +
            stringify(bit.group).substr(0, 1).str() + std::to_string(bit.bit);
  return text;
}

/// Whether warps differ along a dimension.
bool crossesWarps(const TileLayout &layout, unsigned dim) {
  for (const Coord &image : layout.atom().bases(LayoutIn::Warp))
    if (image[dim] != 0)
      return true;
  return false;
}

// The bits of a coordinate are found where they are: m16n8's row bits 1 2 4 are
// lanes and 8 is a register, and the warps follow.
TEST(AxisBits, WhoHoldsWhat) {
  TileLayout mma = must(mmaAccumulator({64, 32}, {2, 1}));
  EXPECT_EQ(axisText(mma, 0), "l2 l3 l4 r1 r4 w0");
  EXPECT_EQ(axisText(mma, 1), "r0 l0 l1 r2 r3");
  EXPECT_EQ(axisText(must(blocked({1, 8}, {1, 1}, {1, 32}, {1, 1}, {1, 0})), 0),
            "");
}

// A bit that shares a place, or is in two places, has no holder.
TEST(AxisBits, Entangled) {
  auto make = [](LinearLayout::Bases reg, LinearLayout::Bases lane) {
    return TileLayout::fromAtom(must(LinearLayout::create(
        {{LayoutIn::Reg, reg}, {LayoutIn::Lane, lane}}, {2, 2})));
  };
  EXPECT_EQ(axisText(make({{0, 1}}, {{1, 1}}), 1), "none");
  EXPECT_EQ(axisText(make({{0, 1}}, {{1, 1}}), 0), "none");
  EXPECT_EQ(axisText(make({{0, 1}}, {{0, 1}, {1, 0}}), 1), "none");
  EXPECT_EQ(axisText(make({{0, 1}}, {{1, 0}}), 1), "r0");
}

// Registers above the warps' bits go below them; the rest stays.
TEST(RaiseWarps, CutsLines) {
  TileLayout layout = must(blocked({32, 64}, {1, 2}, {1, 32}, {4, 1}, {1, 0}));
  EXPECT_EQ(axisText(layout, 0), "w0 w1 r1 r2 r3");
  TileLayout raised = raiseWarps(layout, 0);
  EXPECT_EQ(axisText(raised, 0), "r1 r2 r3 w0 w1");
  EXPECT_EQ(axisText(raised, 1), axisText(layout, 1));
  EXPECT_EQ(raiseWarps(raised, 0), raised);
  TileLayout mma = must(mmaAccumulator({64, 32}, {2, 1}));
  EXPECT_EQ(raiseWarps(mma, 0), mma);
}

// What warps told apart, free lanes tell apart afterwards, the highest bits
// first; the rest of the layout stays.
TEST(GatherAxis, FreesWarps) {
  TileLayout partial = must(mmaAccumulator({64, 32}, {2, 1})).slice(1);
  EXPECT_EQ(axisText(partial, 0), "l2 l3 l4 r0 r1 w0");
  EXPECT_EQ(axisText(gatherAxis(partial, 0), 0), "r0 l0 l1 l2 l3 l4");
  TileLayout both = must(blocked({8, 64}, {1, 2}, {8, 4}, {1, 4}, {1, 0}))
                        .slice(1)
                        .expandDims(1);
  EXPECT_EQ(gatherAxis(both, 1), both);
  TileLayout wide = must(blocked({8, 64}, {1, 2}, {8, 4}, {1, 4}, {1, 0}));
  TileLayout gathered = gatherAxis(wide, 1);
  EXPECT_EQ(axisText(gathered, 1), "r0 r1 r2 r3 l0 l1");
  EXPECT_EQ(gathered.slice(1), wide.slice(1));
}

// Each warp has whole lines, every element is somewhere, and sides are not
// padded.
TEST(LineLayout, HoldsLines) {
  for (std::vector<int64_t> shape :
       std::vector<std::vector<int64_t>>{{1},
                                         {3},
                                         {48},
                                         {229},
                                         {4096},
                                         {64, 128},
                                         {128, 64},
                                         {3, 48},
                                         {48, 3},
                                         {1, 4096},
                                         {4096, 1},
                                         {2, 3, 64},
                                         {16, 16, 16}})
    for (unsigned dim = 0; dim < shape.size(); ++dim)
      for (int64_t warps : {1, 2, 4, 8}) {
        TileLayout layout = must(lineLayout(shape, dim, warps));
        EXPECT_EQ(llvm::ArrayRef<int64_t>(layout.shape()),
                  llvm::ArrayRef<int64_t>(shape));
        EXPECT_TRUE(layout.isSurjective());
        EXPECT_FALSE(crossesWarps(layout, dim));
        EXPECT_EQ(layout.numWarps(), warps);
        EXPECT_EQ(layout.numLanes(), 32);
        EXPECT_NE(axisText(layout, dim), "none");
      }
}

// Lanes that nothing else needs, or that keep a thread's part of a line at 64
// elements, follow the registers.
TEST(LineLayout, SpreadsLongLines) {
  EXPECT_EQ(axisText(must(lineLayout({64, 16}, 1, 4)), 1), "r0 r1 r2 r3");
  EXPECT_EQ(axisText(must(lineLayout({8, 16}, 1, 4)), 1), "r0 r1 l0 l1");
  EXPECT_EQ(axisText(must(lineLayout({64, 256}, 1, 4)), 1),
            "r0 r1 r2 r3 r4 r5 l0 l1");
}

} // namespace
