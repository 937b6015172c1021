//===- RandomLayouts.h - Layouts to check laws on ---------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fixture that draws random layouts of a fixed seed.  Laws are checked
// against their definition and not against a second piece of algebra.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H
#define TILE_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H

#include "LayoutText.h"
#include "tile/Layout/Constructors.h"
#include <algorithm>
#include <numeric>
#include <random>

namespace tile {

constexpr int kNumRounds = 400;

/// Draws layouts, sides and orders.
class RandomLayouts : public testing::Test {
protected:
  using Bases = LinearLayout::Bases;
  using Sides = std::vector<int64_t>;

  int64_t pick(int64_t first, int64_t last) {
    return std::uniform_int_distribution<int64_t>(first, last)(random);
  }

  Sides randomSides(unsigned rank, int64_t maxBits) {
    Sides sides;
    for (unsigned dim = 0; dim < rank; ++dim)
      sides.push_back(int64_t(1) << pick(0, maxBits));
    return sides;
  }

  Coord randomCoord(const Sides &sides) {
    Coord coord;
    for (int64_t side : sides)
      coord.push_back(pick(0, side - 1));
    return coord;
  }

  Bases randomBases(const Sides &sides, int64_t maxBits) {
    Bases bases;
    for (int64_t count = pick(0, maxBits); count > 0; --count)
      bases.push_back(pick(0, 5) == 0 ? Coord(sides.size(), 0)
                                      : randomCoord(sides));
    return bases;
  }

  /// Any layout of registers, lanes and warps.
  LinearLayout randomLayout(const Sides &sides) {
    return must(LinearLayout::create({{LayoutIn::Reg, randomBases(sides, 3)},
                                      {LayoutIn::Lane, randomBases(sides, 3)},
                                      {LayoutIn::Warp, randomBases(sides, 2)}},
                                     sides));
  }

  /// A layout whose images are single bits, dealt out to the groups; sometimes
  /// with lanes exchanged for sums and free bits.  Closer to real ones.
  LinearLayout randomFragment(const Sides &sides, int64_t numLaneBits) {
    std::vector<Coord> bits;
    for (size_t dim = 0; dim < sides.size(); ++dim)
      for (int64_t value = 1; value < sides[dim]; value *= 2) {
        bits.push_back(Coord(sides.size(), 0));
        bits.back()[dim] = value;
      }
    if (pick(0, 2))
      std::shuffle(bits.begin(), bits.end(), random);
    Bases groups[3];
    for (const Coord &bit : bits) {
      int64_t group = pick(0, 2);
      if (group == 1 && int64_t(groups[1].size()) == numLaneBits)
        group = 0;
      groups[group].push_back(bit);
    }
    while (int64_t(groups[1].size()) < numLaneBits)
      groups[1].push_back(pick(0, 1) ? randomCoord(sides)
                                     : Coord(sides.size(), 0));
    return must(LinearLayout::create({{LayoutIn::Reg, groups[0]},
                                      {LayoutIn::Lane, groups[1]},
                                      {LayoutIn::Warp, groups[2]}},
                                     sides));
  }

  /// An access to a tile of these sides, repeated or not.
  TileLayout randomAccess(Sides sides, int64_t numLaneBits) {
    Sides reps(sides.size(), 1);
    for (size_t dim = 0; dim < sides.size(); ++dim)
      if (pick(0, 2) == 0) {
        sides[dim] /= 4;
        reps[dim] = pick(1, 4);
      }
    return must(TileLayout::create(randomFragment(sides, numLaneBits), reps,
                                   randomOrder(sides.size())));
  }

  /// A layout of shared memory that covers a tile of these sides.
  TileLayout randomShared(const Sides &sides, unsigned elementBits) {
    switch (pick(0, 3)) {
    case 0:
      return must(sharedSwizzled(sides[0], sides[1], elementBits, true));
    case 1:
      return must(sharedSwizzled(sides[0], sides[1], elementBits, false));
    case 2:
      return must(
          sharedRowMajor(sides[0] * pick(1, 2), sides[1] + 4 * pick(0, 3)));
    default:
      break;
    }
    // A random invertible map, often one that leaves low columns alone.
    int64_t size = sides[0] * sides[1], firstRandom = int64_t(1) << pick(0, 3);
    while (true) {
      Bases bases;
      for (int64_t value = 1; value < size; value *= 2)
        bases.push_back(value < firstRandom ? Coord({0, value})
                                            : randomCoord(sides));
      LinearLayout atom =
          must(LinearLayout::create({{LayoutIn::Offset, bases}}, sides));
      if (atom.isSurjective())
        return TileLayout::fromAtom(atom);
    }
  }

  std::vector<Place> places(const LinearLayout &layout) {
    std::vector<Place> all(1);
    for (LayoutIn group : kLayoutIns) {
      std::vector<Place> next;
      for (const Place &place : all)
        for (int64_t index = 0; index < layout.size(group); ++index) {
          next.push_back(place);
          next.back()[group] = index;
        }
      all = std::move(next);
    }
    return all;
  }

  std::vector<unsigned> randomOrder(unsigned rank) {
    std::vector<unsigned> order(rank);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    return order;
  }

  std::mt19937 random{20230719};
};

} // namespace tile

#endif // TILE_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H
