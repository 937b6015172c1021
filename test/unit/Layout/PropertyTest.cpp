//===- PropertyTest.cpp - Laws on random layouts --------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomLayouts.h"
#include <map>
#include <set>

using namespace tile;

namespace {

using Property = RandomLayouts;

Coord sum(const Coord &first, const Coord &second) {
  Coord result = first;
  for (size_t dim = 0; dim < result.size(); ++dim)
    result[dim] ^= second[dim];
  return result;
}

//===----------------------------------------------------------------------===//
// Linear layouts
//===----------------------------------------------------------------------===//

// L(p ^ q) = L(p) ^ L(q).
TEST_F(Property, Linearity) {
  for (int round = 0; round < kNumRounds; ++round) {
    LinearLayout layout = randomLayout(randomSides(2, 3));
    std::vector<Place> all = places(layout);
    Place first = all[pick(0, all.size() - 1)], both = first;
    Place second = all[pick(0, all.size() - 1)];
    for (LayoutIn group : kLayoutIns)
      both[group] ^= second[group];
    EXPECT_EQ(layout.apply(both),
              sum(layout.apply(first), layout.apply(second)));
  }
}

// Surjective and injective mean what they say; the inverse exists where they
// allow it, inverts, and picks the places that are zero in redundant bits.
TEST_F(Property, Inverse) {
  int numInverted = 0;
  for (int round = 0; round < kNumRounds; ++round) {
    LinearLayout layout = randomLayout(randomSides(pick(1, 3), 2));
    std::map<Coord, int, std::less<>> holders, owners;
    for (const Place &place : places(layout)) {
      Coord coord = layout.apply(place);
      ++holders[coord];
      bool owns = true;
      for (LayoutIn group : kLayoutIns)
        owns &= (place[group] & layout.redundantBits(group)) == 0;
      owners[coord] += owns;
    }
    for (auto &[coord, count] : owners)
      EXPECT_EQ(count, 1);
    EXPECT_EQ(layout.isSurjective(),
              int64_t(holders.size()) == layout.numElements());
    EXPECT_EQ(layout.isInjective(), holders.begin()->second == 1);
    std::optional<LayoutInverse> inverse = layout.rightInverse();
    ASSERT_EQ(bool(inverse), layout.isSurjective());
    numInverted += bool(inverse);
    for (auto &[coord, count] : holders) {
      if (!inverse)
        break;
      Place place = inverse->apply(coord);
      EXPECT_EQ(layout.apply(place), coord);
      for (LayoutIn group : kLayoutIns)
        EXPECT_EQ(place[group] & layout.redundantBits(group), 0);
    }
  }
  EXPECT_GT(numInverted, kNumRounds / 4);
}

// product applies the inner layout to the low bits and the outer one, scaled,
// to the high bits; quotient undoes it.
TEST_F(Property, ProductAndQuotient) {
  for (int round = 0; round < kNumRounds; ++round) {
    unsigned rank = pick(1, 3);
    LinearLayout inner = randomLayout(randomSides(rank, 2));
    LinearLayout outer = randomLayout(randomSides(rank, 2));
    LinearLayout product = inner.product(outer);
    std::vector<Place> all = places(product);
    const Place &place = all[pick(0, all.size() - 1)];
    Place low = place, high = place;
    for (LayoutIn group : kLayoutIns) {
      low[group] %= inner.size(group);
      high[group] /= inner.size(group);
    }
    Coord expected = inner.apply(low), tile = outer.apply(high);
    for (unsigned dim = 0; dim < rank; ++dim)
      expected[dim] += tile[dim] * inner.sides()[dim];
    EXPECT_EQ(product.apply(place), expected);
    EXPECT_EQ(product.quotient(inner), outer);
  }
}

// A quotient that exists multiplies back.
TEST_F(Property, QuotientMultipliesBack) {
  int numDivided = 0;
  for (int round = 0; round < kNumRounds; ++round) {
    LinearLayout layout = randomFragment({8, 8}, 2);
    Sides sides = {1, int64_t(1) << pick(0, 2)};
    Bases reg;
    for (int64_t value = 1; value < sides[1]; value *= 2)
      reg.push_back({0, value});
    LinearLayout inner =
        must(LinearLayout::create({{LayoutIn::Reg, reg}}, sides));
    if (std::optional<LinearLayout> outer = layout.quotient(inner)) {
      ++numDivided;
      EXPECT_EQ(inner.product(*outer), layout);
    }
  }
  EXPECT_GT(numDivided, kNumRounds / 4);
}

// Composition applies one map after the other and is associative; composing
// with the inverse gives the identity.
TEST_F(Property, Compose) {
  for (int round = 0; round < kNumRounds; ++round) {
    Sides sides = randomSides(2, 3);
    int64_t size = sides[0] * sides[1];
    auto swizzle = [&] {
      Bases bases;
      for (int64_t value = 1; value < size; value *= 2)
        bases.push_back(randomCoord(sides));
      return must(LinearLayout::create({{LayoutIn::Offset, bases}}, sides));
    };
    LinearLayout layout = randomLayout(sides), middle = swizzle(),
                 last = swizzle();
    LinearLayout two = must(layout.compose(middle, LayoutIn::Offset));
    std::vector<Place> all = places(layout);
    const Place &place = all[pick(0, all.size() - 1)];
    Coord coord = layout.apply(place);
    Place offset;
    offset[LayoutIn::Offset] = coord[0] * sides[1] + coord[1];
    EXPECT_EQ(two.apply(place), middle.apply(offset));
    EXPECT_EQ(must(two.compose(last, LayoutIn::Offset)),
              must(layout.compose(must(middle.compose(last, LayoutIn::Offset)),
                                  LayoutIn::Offset)));
    std::optional<LayoutInverse> inverse = middle.rightInverse();
    if (!inverse)
      continue;
    Bases back;
    for (unsigned dim : {1, 0})
      for (int64_t bit = 0; int64_t(1) << bit < sides[dim]; ++bit)
        back.push_back({inverse->image(dim, bit)[LayoutIn::Offset]});
    LinearLayout undo =
        must(LinearLayout::create({{LayoutIn::Offset, back}}, {size}));
    LinearLayout identity = must(middle.compose(undo, LayoutIn::Offset));
    for (int64_t value = 0; value < size; ++value)
      EXPECT_EQ(identity.apply({{LayoutIn::Offset, value}}), Coord({value}));
  }
}

// Reshaping layouts reshapes coordinates: transposes permute them, slices drop
// an entry, and a broadcast that is sliced again holds what it held.
TEST_F(Property, Reshaping) {
  for (int round = 0; round < kNumRounds; ++round) {
    unsigned rank = pick(1, 3), dim = pick(0, rank - 1);
    LinearLayout layout = randomLayout(randomSides(rank, 2));
    std::vector<unsigned> perm = randomOrder(rank);
    LinearLayout turned = layout.transpose(perm), sliced = layout.slice(dim);
    LinearLayout wide = sliced.expandDims(dim).broadcast(dim, 4);
    EXPECT_EQ(sliced.expandDims(dim).slice(dim), sliced);
    for (Place place : places(wide)) {
      Coord dropped = wide.apply(place);
      dropped.erase(dropped.begin() + dim);
      place[LayoutIn::Reg] %= sliced.size(LayoutIn::Reg);
      Coord coord = layout.apply(place);
      Coord permuted = turned.apply(place);
      for (unsigned index = 0; index < rank; ++index)
        EXPECT_EQ(permuted[index], coord[perm[index]]);
      coord.erase(coord.begin() + dim);
      EXPECT_EQ(dropped, coord);
    }
  }
}

//===----------------------------------------------------------------------===//
// Tile layouts
//===----------------------------------------------------------------------===//

// The canonical form is the map of the definition; the inverse inverts it.
TEST_F(Property, TileLayoutFormula) {
  for (int round = 0; round < kNumRounds; ++round) {
    unsigned rank = pick(1, 3);
    LinearLayout atom = randomLayout(randomSides(rank, 1));
    Sides reps;
    int64_t numReps = 1;
    for (unsigned dim = 0; dim < rank; ++dim) {
      reps.push_back(pick(1, 6));
      numReps *= reps.back();
    }
    std::vector<unsigned> order = randomOrder(rank);
    TileLayout layout = must(TileLayout::create(atom, reps, order));
    std::optional<TileLayoutInverse> inverse = layout.rightInverse();
    EXPECT_EQ(bool(inverse), atom.isSurjective());
    ASSERT_EQ(layout.numRegs(), atom.size(LayoutIn::Reg) * numReps);
    for (Place place : places(atom)) {
      int64_t rep = pick(0, numReps - 1), rest = rep;
      Coord expected = atom.apply(place);
      for (unsigned dim : order) {
        expected[dim] += rest % reps[dim] * atom.sides()[dim];
        rest /= reps[dim];
      }
      place[LayoutIn::Reg] += rep * atom.size(LayoutIn::Reg);
      ASSERT_EQ(layout.apply(place), expected);
      if (inverse)
        ASSERT_EQ(layout.apply(inverse->apply(expected)), expected);
    }
  }
}

// Two tile layouts are equal exactly if they are the same map.
TEST_F(Property, TileLayoutCanonical) {
  std::map<std::string, TileLayout> byMap;
  int numEqual = 0;
  for (int round = 0; round < 4 * kNumRounds; ++round) {
    Sides sides = randomSides(2, 1);
    Bases reg = randomBases(sides, 2), lane = randomBases(sides, 1);
    LinearLayout atom = must(LinearLayout::create(
        {{LayoutIn::Reg, reg}, {LayoutIn::Lane, lane}}, sides));
    TileLayout layout = must(
        TileLayout::create(atom, {pick(1, 4), pick(1, 4)}, randomOrder(2)));
    std::string map = print(layout.numLanes());
    for (int64_t side : layout.shape())
      map += " " + std::to_string(side);
    for (int64_t l = 0; l < layout.numLanes(); ++l)
      for (int64_t r = 0; r < layout.numRegs(); ++r)
        for (int64_t entry : layout.apply(r, l, 0))
          map += " " + std::to_string(entry);
    auto [found, isNew] = byMap.try_emplace(map, layout);
    numEqual += !isNew;
    EXPECT_EQ(found->second, layout);
    EXPECT_EQ(hash_value(found->second), hash_value(layout));
  }
  EXPECT_GT(numEqual, kNumRounds);
}

// Transposing a tile layout permutes coordinates, whatever repeats.
TEST_F(Property, TileLayoutTranspose) {
  for (int round = 0; round < kNumRounds; ++round) {
    LinearLayout atom = randomFragment(randomSides(3, 1), 1);
    TileLayout layout = must(TileLayout::create(
        atom, {pick(1, 4), pick(1, 4), pick(1, 4)}, randomOrder(3)));
    std::vector<unsigned> perm = randomOrder(3);
    TileLayout turned = layout.transpose(perm);
    for (int64_t reg = 0; reg < layout.numRegs(); ++reg) {
      Coord coord = layout.apply(reg, 1, 0);
      ASSERT_EQ(turned.apply(reg, 1, 0),
                Coord({coord[perm[0]], coord[perm[1]], coord[perm[2]]}));
    }
  }
}

// A slice holds, in the order of registers, what is left of the coordinates
// when each is taken once; expanding adds a coordinate of 0.
TEST_F(Property, TileLayoutSlice) {
  for (int round = 0; round < kNumRounds; ++round) {
    LinearLayout atom = randomFragment(randomSides(3, 1), 2);
    TileLayout layout = must(TileLayout::create(
        atom, {pick(1, 4), pick(1, 4), pick(1, 4)}, randomOrder(3)));
    unsigned dim = pick(0, 2);
    TileLayout sliced = layout.slice(dim);
    TileLayout expanded = sliced.expandDims(dim);
    for (int64_t lane = 0; lane < layout.numLanes(); ++lane) {
      std::vector<Coord> expected, held;
      std::set<Coord> seen;
      for (int64_t reg = 0; reg < layout.numRegs(); ++reg) {
        Coord coord = layout.apply(reg, lane, 0);
        coord.erase(coord.begin() + dim);
        if (seen.insert(coord).second)
          expected.push_back(coord);
      }
      for (int64_t reg = 0; reg < sliced.numRegs(); ++reg) {
        held.push_back(sliced.apply(reg, lane, 0));
        Coord coord = held.back();
        coord.insert(coord.begin() + dim, 0);
        EXPECT_EQ(expanded.apply(reg, lane, 0), coord);
      }
      EXPECT_EQ(held, expected);
    }
    EXPECT_EQ(expanded.slice(dim), sliced);
  }
}

} // namespace
