//===- ReshapeTest.cpp - Layouts of reshaped tensors ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/Reshape.h"
#include "LayoutText.h"
#include "tile/Layout/Constructors.h"

using namespace tile;

namespace {

using Shape = std::vector<int64_t>;

/// A layout of any shape on four warps, as a load would have it.
TileLayout spread(const Shape &shape) {
  unsigned rank = shape.size();
  llvm::SmallVector<int64_t> powers, reps, ones(rank, 1), lanes(rank, 1);
  for (int64_t side : shape) {
    powers.push_back(side & -side);
    reps.push_back(side / powers.back());
  }
  llvm::SmallVector<int64_t> warps(ones);
  lanes.back() = 32;
  warps.front() = 4;
  llvm::SmallVector<unsigned> order;
  for (unsigned dim = rank; dim-- > 0;)
    order.push_back(dim);
  TileLayout layout = must(blocked(powers, ones, lanes, warps, order));
  for (unsigned dim = 0; dim < rank; ++dim)
    reps[dim] *= layout.reps()[dim];
  return must(TileLayout::create(layout.atom(), reps, order));
}

/// Checks, place by place, that every element stays where it is.
void expectSamePlaces(const TileLayout &before, const Shape &from,
                      const TileLayout &after, const Shape &to) {
  ASSERT_EQ(llvm::ArrayRef<int64_t>(after.shape()),
            llvm::ArrayRef<int64_t>(to));
  ASSERT_EQ(before.numRegs(), after.numRegs());
  for (int64_t reg = 0; reg < before.numRegs(); ++reg)
    for (int64_t lane = 0; lane < 32; ++lane)
      for (int64_t warp = 0; warp < 4; ++warp)
        ASSERT_EQ(flatten(before.apply(reg, lane, warp), from),
                  flatten(after.apply(reg, lane, warp), to));
}

// Where there is a layout, every element is where it was.
TEST(Reshape, KeepsPlaces) {
  std::vector<std::pair<Shape, Shape>> cases = {
      {{16, 8}, {128}},        {{128}, {16, 8}},
      {{128}, {2, 4, 16}},     {{4, 32}, {32, 4}},
      {{48, 64}, {48, 2, 32}}, {{48, 64}, {96, 32}},
      {{64, 48}, {64, 3, 16}}, {{64, 3, 16}, {64, 48}},
      {{1, 64}, {64}},         {{64}, {64, 1}},
      {{48}, {3, 16}},         {{3, 16}, {48}},
      {{48}, {1, 24, 2}},      {{1}, {1, 1}},
      {{3}, {3, 1}},           {{229, 4}, {229, 2, 2}},
      {{8, 229}, {2, 4, 229}}, {{48, 48}, {3, 16, 48}}};
  for (auto &[from, to] : cases) {
    TileLayout layout = spread(from);
    std::optional<TileLayout> reshaped = reshapeLayout(layout, from, to);
    ASSERT_TRUE(reshaped) << print(layout);
    expectSamePlaces(layout, from, *reshaped, to);
  }
}

// An odd factor below other bits would carry: no layout.
TEST(Reshape, Refused) {
  EXPECT_FALSE(reshapeLayout(spread({16, 48}), {16, 48}, {768}));
  EXPECT_FALSE(reshapeLayout(spread({768}), {768}, {16, 48}));
  EXPECT_FALSE(reshapeLayout(spread({3, 5}), {3, 5}, {5, 3}));
  EXPECT_FALSE(reshapeLayout(spread({48}), {48}, {16, 3}));
  EXPECT_FALSE(reshapeLayout(spread({64}), {32}, {32}));
}

} // namespace
