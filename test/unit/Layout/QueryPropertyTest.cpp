//===- QueryPropertyTest.cpp - Queries on random layouts ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomLayouts.h"
#include "tile/Layout/Queries.h"
#include <map>
#include <set>

using namespace tile;

namespace {

using QueryProperty = RandomLayouts;

// vectorWidth is the largest power of two for which all vectors are consecutive
// and aligned.
TEST_F(QueryProperty, VectorWidth) {
  int numWide = 0;
  for (int round = 0; round < 2 * kNumRounds; ++round) {
    LinearLayout atom = randomFragment(randomSides(2, 3), pick(0, 2));
    TileLayout layout = must(
        TileLayout::create(atom, {pick(1, 3), pick(1, 3)}, randomOrder(2)));
    unsigned dim = pick(0, 1);
    auto isVector = [&](int64_t width) {
      for (const Place &place : places(layout.atom()))
        for (int64_t rep = 0; rep < layout.numReps(); ++rep) {
          int64_t reg =
              place[LayoutIn::Reg] + rep * layout.atom().size(LayoutIn::Reg);
          int64_t lane = place[LayoutIn::Lane], warp = place[LayoutIn::Warp];
          Coord coord = layout.apply(reg, lane, warp);
          Coord first = layout.apply(reg / width * width, lane, warp);
          if (first[dim] % width != 0 ||
              coord[dim] != first[dim] + reg % width ||
              coord[1 - dim] != first[1 - dim])
            return false;
        }
      return true;
    };
    int64_t expected = 1;
    for (int64_t width : {2, 4, 8})
      if (layout.atom().size(LayoutIn::Reg) >= width && isVector(width))
        expected = width;
    EXPECT_EQ(vectorWidth(layout, dim, 8), expected) << print(layout);
    numWide += expected > 1;
  }
  EXPECT_GT(numWide, kNumRounds / 8);
}

/// Counts, for each wavefront, the words in the busiest bank.
int64_t bruteForceConflicts(const TileLayout &shared, const TileLayout &access,
                            int64_t vectorElements, int64_t elementBytes) {
  TileLayoutInverse inverse = *shared.rightInverse();
  int64_t vectorBytes = vectorElements * elementBytes;
  int64_t lanes = 128 / std::max<int64_t>(vectorBytes, 4), worst = 0;
  for (int64_t warp = 0; warp < access.numWarps(); ++warp)
    for (int64_t reg = 0; reg < access.numRegs(); reg += vectorElements)
      for (int64_t first = 0; first < 32; first += lanes) {
        std::map<int64_t, std::set<int64_t>> banks;
        for (int64_t lane = first; lane < first + lanes; ++lane)
          for (int64_t element = 0; element < vectorElements; ++element) {
            Coord coord = access.apply(reg + element, lane, warp);
            int64_t word = inverse.offset(coord) * elementBytes / 4;
            banks[word % 32].insert(word);
            worst = std::max<int64_t>(worst, banks[word % 32].size());
          }
      }
  return worst;
}

// bankConflicts agrees with counting words and banks, on swizzled and odd tiles
// and on random linear ones.
TEST_F(QueryProperty, BankConflicts) {
  std::map<int64_t, int> seen;
  for (int round = 0; round < 2 * kNumRounds; ++round) {
    int64_t elementBits = int64_t(8) << pick(0, 2);
    Sides sides = {int64_t(8) << pick(0, 2), int64_t(8) << pick(0, 4)};
    TileLayout access = randomAccess(sides, 5);
    TileLayout shared = randomShared(sides, elementBits);
    int64_t width = sharedVectorWidth(shared, access, 128 / elementBits);
    int64_t vector = std::min<int64_t>(width, int64_t(1) << pick(0, 3));
    int64_t conflicts = bankConflicts(shared, access, vector, elementBits);
    EXPECT_EQ(conflicts,
              bruteForceConflicts(shared, access, vector, elementBits / 8))
        << print(shared) << "\n"
        << print(access) << "\n"
        << vector << " x " << elementBits;
    ++seen[conflicts];
  }
  EXPECT_GE(seen.size(), 4u);
}

// sharedVectorWidth is the largest power of two for which all vectors are
// consecutive and aligned in shared memory.
TEST_F(QueryProperty, SharedVectorWidth) {
  int numWide = 0;
  for (int round = 0; round < 4 * kNumRounds; ++round) {
    Sides sides = {int64_t(8) << pick(0, 1), int64_t(8) << pick(0, 3)};
    TileLayout access = randomAccess(sides, 3);
    TileLayout shared = randomShared(sides, 16);
    TileLayoutInverse inverse = *shared.rightInverse();
    auto isVector = [&](int64_t width) {
      for (Place place : places(access.atom()))
        for (int64_t rep = 0; rep < access.numReps(); ++rep) {
          Place first = place;
          first[LayoutIn::Reg] -= place[LayoutIn::Reg] % width;
          int64_t start = inverse.offset(access.apply(first));
          if (start % width != 0 || inverse.offset(access.apply(place)) !=
                                        start + place[LayoutIn::Reg] % width)
            return false;
          place[LayoutIn::Reg] += access.atom().size(LayoutIn::Reg);
        }
      return true;
    };
    int64_t expected = 1;
    for (int64_t width : {2, 4, 8})
      if (access.atom().size(LayoutIn::Reg) >= width && isVector(width))
        expected = width;
    EXPECT_EQ(sharedVectorWidth(shared, access, 8), expected)
        << print(shared) << "\n"
        << print(access);
    numWide += expected > 1;
  }
  EXPECT_GT(numWide, kNumRounds / 8);
}

/// Classifies a conversion by looking at all places.
ConversionKind bruteForceKind(const TileLayout &from, const TileLayout &to) {
  bool identical = from.numRegs() == to.numRegs(), inWarp = true;
  std::vector<std::set<int64_t>> sources(to.numRegs());
  for (int64_t reg = 0; reg < to.numRegs(); ++reg)
    for (int64_t other = 0; other < from.numRegs(); ++other)
      sources[reg].insert(other);
  for (int64_t warp = 0; warp < to.numWarps(); ++warp) {
    std::set<Coord> held;
    for (int64_t lane = 0; lane < from.numLanes(); ++lane)
      for (int64_t reg = 0; reg < from.numRegs(); ++reg)
        held.insert(from.apply(reg, lane, warp));
    for (int64_t lane = 0; lane < to.numLanes(); ++lane)
      for (int64_t reg = 0; reg < to.numRegs(); ++reg) {
        Coord wanted = to.apply(reg, lane, warp);
        inWarp &= held.count(wanted) != 0;
        identical = identical && from.apply(reg, lane, warp) == wanted;
        for (int64_t other = 0; other < from.numRegs(); ++other)
          if (from.apply(other, lane, warp) != wanted)
            sources[reg].erase(other);
      }
  }
  if (identical)
    return ConversionKind::Identity;
  for (const std::set<int64_t> &source : sources)
    if (source.empty())
      return inWarp ? ConversionKind::Shuffle : ConversionKind::Shared;
  return ConversionKind::RegisterPermute;
}

// conversionKind agrees with looking at every place, and the sources of a
// renaming hold what the destinations want.
TEST_F(QueryProperty, ConversionKind) {
  std::map<ConversionKind, int> seen;
  for (int round = 0; round < 4 * kNumRounds; ++round) {
    Sides sides = randomSides(2, 2);
    LinearLayout first = randomFragment(sides, 2);
    // A variation of the first layout: exchange two images, or another one.
    std::vector<LinearLayout::Group> groups;
    std::vector<Coord *> images;
    for (LayoutIn group : kLayoutIns)
      groups.emplace_back(group, first.bases(group));
    for (LinearLayout::Group &group : groups)
      for (Coord &image : group.second)
        images.push_back(&image);
    if (!images.empty())
      std::swap(*images[pick(0, images.size() - 1)],
                *images[pick(0, images.size() - 1)]);
    if (pick(0, 3) == 0 && !images.empty())
      *images[pick(0, images.size() - 1)] = randomCoord(sides);
    LinearLayout second = must(LinearLayout::create(groups, sides));
    Sides reps = {pick(1, 3), pick(1, 3)};
    TileLayout from = must(TileLayout::create(first, reps, randomOrder(2)));
    TileLayout to = must(TileLayout::create(second, reps, randomOrder(2)));
    ConversionKind kind = conversionKind(from, to);
    EXPECT_EQ(kind, bruteForceKind(from, to)) << print(from) << "\n"
                                              << print(to);
    ++seen[kind];
    if (auto sources = registerSources(from, to))
      for (int64_t lane = 0; lane < to.numLanes(); ++lane)
        for (int64_t reg = 0; reg < to.numRegs(); ++reg)
          EXPECT_EQ(from.apply((*sources)[reg], lane, 0),
                    to.apply(reg, lane, 0));
  }
  for (auto kind : {ConversionKind::Identity, ConversionKind::RegisterPermute,
                    ConversionKind::Shuffle, ConversionKind::Shared})
    EXPECT_GT(seen[kind], kNumRounds / 20) << stringify(kind).str();
}

} // namespace
