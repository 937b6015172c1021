//===- PropertyTest.cpp - Laws on random layouts --------------------------===//
//
// Every law is checked on many random layouts of a fixed seed, against the
// definition and not against a second piece of algebra.
//
//===----------------------------------------------------------------------===//

#include "LayoutText.h"
#include "tile/Layout/Constructors.h"
#include "tile/Layout/Queries.h"
#include <map>
#include <random>
#include <set>

using namespace tile;

namespace {

using Bases = LinearLayout::Bases;
using Sides = std::vector<int64_t>;
constexpr int kNumRounds = 400;

class Property : public testing::Test {
protected:
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

// Transposing, slicing and expanding a tile layout acts on coordinates.
TEST_F(Property, TileLayoutReshaping) {
  for (int round = 0; round < kNumRounds; ++round) {
    LinearLayout atom = randomFragment(randomSides(2, 2), 2);
    TileLayout layout = must(
        TileLayout::create(atom, {pick(1, 4), pick(1, 4)}, randomOrder(2)));
    TileLayout turned = layout.transpose({1, 0});
    EXPECT_EQ(turned.transpose({1, 0}), layout);
    EXPECT_EQ(layout.expandDims(pick(0, 2)).rank(), 3u);
    TileLayout rows = layout.slice(1);
    for (int64_t lane = 0; lane < layout.numLanes(); ++lane) {
      std::set<int64_t> expected, held;
      for (int64_t reg = 0; reg < layout.numRegs(); ++reg) {
        Coord coord = layout.apply(reg, lane, 0);
        EXPECT_EQ(turned.apply(reg, lane, 0), Coord({coord[1], coord[0]}));
        expected.insert(coord[0]);
      }
      for (int64_t reg = 0; reg < rows.numRegs(); ++reg)
        held.insert(rows.apply(reg, lane, 0)[0]);
      EXPECT_EQ(held, expected);
    }
    EXPECT_EQ(rows.expandDims(1).slice(1), rows);
  }
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

// vectorWidth is the largest power of two for which all vectors are consecutive
// and aligned.
TEST_F(Property, VectorWidth) {
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
TEST_F(Property, BankConflicts) {
  std::map<int64_t, int> seen;
  for (int round = 0; round < kNumRounds; ++round) {
    int64_t elementBits = int64_t(8) << pick(0, 2);
    Sides sides = {int64_t(8) << pick(0, 2), int64_t(8) << pick(0, 4)};
    TileLayout access = TileLayout::fromAtom(randomFragment(sides, 5));
    TileLayout shared;
    int64_t rows = sides[0] * pick(1, 2), cols = sides[1] + 4 * pick(0, 3);
    switch (pick(0, 3)) {
    case 0:
      shared = must(sharedSwizzled(sides[0], sides[1], elementBits, true));
      break;
    case 1:
      shared = must(sharedSwizzled(sides[0], sides[1], elementBits, false));
      break;
    case 2:
      shared = must(sharedRowMajor(rows, cols));
      break;
    case 3: {
      Bases bases;
      for (int64_t value = 1; value < sides[0] * sides[1]; value *= 2)
        bases.push_back(randomCoord(sides));
      LinearLayout atom =
          must(LinearLayout::create({{LayoutIn::Offset, bases}}, sides));
      if (!atom.isSurjective())
        continue;
      shared = TileLayout::fromAtom(atom);
      break;
    }
    }
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
TEST_F(Property, SharedVectorWidth) {
  int numWide = 0;
  for (int round = 0; round < kNumRounds; ++round) {
    Sides sides = {int64_t(8) << pick(0, 1), int64_t(8) << pick(0, 3)};
    TileLayout access = TileLayout::fromAtom(randomFragment(sides, 3));
    TileLayout shared =
        pick(0, 1) ? must(sharedSwizzled(sides[0], sides[1], 16, pick(0, 1)))
                   : must(sharedRowMajor(sides[0], sides[1] + 4 * pick(0, 3)));
    TileLayoutInverse inverse = *shared.rightInverse();
    auto isVector = [&](int64_t width) {
      for (const Place &place : places(access.atom())) {
        Place first = place;
        first[LayoutIn::Reg] -= place[LayoutIn::Reg] % width;
        int64_t start = inverse.offset(access.apply(first));
        if (start % width != 0 || inverse.offset(access.apply(place)) !=
                                      start + place[LayoutIn::Reg] % width)
          return false;
      }
      return true;
    };
    int64_t expected = 1;
    for (int64_t width : {2, 4, 8})
      if (access.numRegs() >= width && isVector(width))
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
TEST_F(Property, ConversionKind) {
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
