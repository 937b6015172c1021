//===- Queries.cpp - What passes ask of layouts ---------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/Queries.h"
#include "F2Span.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace tile {

/// Hardware facts of shared memory: 32 banks of 4 bytes, and a thread moves at
/// most 16 bytes.
constexpr int64_t kBankBytes = 4;
constexpr int64_t kNumBanks = 32;
constexpr int64_t kMaxVectorBytes = 16;

//===----------------------------------------------------------------------===//
// Bits of a layout
//===----------------------------------------------------------------------===//

/// The images of all input bits except the lowest `numLow` register bits, and
/// of the bits of the repetition index: XOR generators of the coordinates of
/// registers v * 2^numLow.  Repetitions that are not a power of two are covered
/// by the next one.
static SmallVector<Coord> higherImages(const TileLayout &layout,
                                       unsigned numLow) {
  const LinearLayout &atom = layout.atom();
  SmallVector<Coord> images;
  for (LayoutIn group : kLayoutIns) {
    ArrayRef<Coord> bases = atom.bases(group);
    append_range(images,
                 group == LayoutIn::Reg ? bases.drop_front(numLow) : bases);
  }
  for (unsigned dim : seq(layout.rank())) {
    for (int64_t rep = 1; rep < layout.reps()[dim]; rep *= 2) {
      Coord image(layout.rank(), 0);
      image[dim] = rep * atom.sides()[dim];
      images.push_back(std::move(image));
    }
  }
  return images;
}

/// Counts the leading register bits for which `isStep(image, 2^bit)` holds and
/// under which nothing else moves: `isAligned(image, width)` for all the rest.
template <typename IsStep, typename IsAligned>
static int64_t leadingWidth(const TileLayout &layout, int64_t maxElements,
                            IsStep isStep, IsAligned isAligned) {
  ArrayRef<Coord> regs = layout.atom().bases(LayoutIn::Reg);
  unsigned numLow = 0;
  while (numLow < regs.size() && int64_t(2) << numLow <= maxElements &&
         isStep(regs[numLow], int64_t(1) << numLow))
    ++numLow;
  for (; numLow > 0; --numLow) {
    int64_t width = int64_t(1) << numLow;
    if (all_of(higherImages(layout, numLow),
               [&](const Coord &image) { return isAligned(image, width); }))
      break;
  }
  return int64_t(1) << numLow;
}

int64_t vectorWidth(const TileLayout &layout, unsigned dim,
                    int64_t maxElements) {
  auto isStep = [&](const Coord &image, int64_t step) {
    return all_of(seq(layout.rank()), [&](unsigned other) {
      return image[other] == (other == dim ? step : 0);
    });
  };
  auto isAligned = [&](const Coord &image, int64_t width) {
    return image[dim] % width == 0;
  };
  return leadingWidth(layout, maxElements, isStep, isAligned);
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

namespace {

/// Offsets of coordinates inside the atom of a shared layout.
class AtomOffsets {
public:
  static std::optional<AtomOffsets> create(const TileLayout &shared) {
    std::optional<LayoutInverse> inverse = shared.atom().rightInverse();
    if (!inverse || !shared.isShared())
      return std::nullopt;
    return AtomOffsets(shared.atom().sides(), std::move(*inverse));
  }

  /// Whether a coordinate bit stays inside one repetition.
  bool isInside(const Coord &image) const {
    return all_of(zip_equal(image, sides), [](auto pair) {
      return std::get<0>(pair) < std::get<1>(pair);
    });
  }

  /// The offset of a coordinate relative to its repetition.  Repetitions are
  /// multiples of the atom, so low offset bits depend on this alone.
  int64_t offset(Coord coord) const {
    for (auto [entry, side] : zip_equal(coord, sides))
      entry %= side;
    return inverse.apply(coord)[LayoutIn::Offset];
  }

private:
  AtomOffsets(ArrayRef<int64_t> sides, LayoutInverse inverse)
      : sides(sides), inverse(std::move(inverse)) {}

  SmallVector<int64_t, 2> sides;
  LayoutInverse inverse;
};

/// The shape of one access of a warp to shared memory.
struct AccessShape {
  int64_t vectorElements;
  unsigned elementBits;

  int64_t vectorBytes() const { return vectorElements * elementBits / 8; }
  /// Lanes that are served together.
  int64_t lanesPerWavefront() const {
    return kNumBanks * kBankBytes / std::max(vectorBytes(), kBankBytes);
  }
  int64_t wordOfOffset(int64_t offset) const {
    return offset * (elementBits / 8) / kBankBytes;
  }
};

} // namespace

int64_t sharedVectorWidth(const TileLayout &shared, const TileLayout &access,
                          int64_t maxElements) {
  std::optional<AtomOffsets> offsets = AtomOffsets::create(shared);
  if (!offsets || shared.rank() != access.rank())
    return 1;
  maxElements = std::min(maxElements, shared.atom().size(LayoutIn::Offset));
  auto isStep = [&](const Coord &image, int64_t step) {
    return offsets->isInside(image) && offsets->offset(image) == step;
  };
  auto isAligned = [&](const Coord &image, int64_t width) {
    return offsets->offset(image) % width == 0;
  };
  return leadingWidth(access, maxElements, isStep, isAligned);
}

/// Lanes differ by XOR inside one repetition of the shared atom, so all
/// wavefronts look the same up to a renaming of banks.  The number of words in
/// the busiest bank is 2^(rank of the map from lanes to words - rank of the map
/// from lanes to banks).
static int64_t conflictsByRank(const AtomOffsets &offsets,
                               const TileLayout &access, AccessShape shape) {
  F2Span words, banks;
  int64_t lanes = 1;
  for (const Coord &image : access.atom().bases(LayoutIn::Lane)) {
    if (lanes == shape.lanesPerWavefront())
      break;
    int64_t word = shape.wordOfOffset(offsets.offset(image));
    words.insert(word);
    banks.insert(word % kNumBanks);
    lanes *= 2;
  }
  return int64_t(1) << (words.rank() - banks.rank());
}

/// The number of words in the busiest bank, over the lanes of one wavefront.
static int64_t busiestBank(ArrayRef<int64_t> offsets, AccessShape shape) {
  SmallDenseSet<int64_t, 64> words;
  for (int64_t offset : offsets) {
    int64_t first = shape.wordOfOffset(offset);
    int64_t count = std::max<int64_t>(shape.vectorBytes() / kBankBytes, 1);
    for (int64_t word = first; word < first + count; ++word)
      words.insert(word);
  }
  std::array<int64_t, kNumBanks> load = {};
  for (int64_t word : words)
    ++load[word % kNumBanks];
  return *std::max_element(load.begin(), load.end());
}

/// Lanes cross repetitions of the shared atom, where offsets are not linear:
/// look at every wavefront.  Lanes outside of the shared tile are masked.
static int64_t conflictsByEnumeration(const TileLayout &shared,
                                      const TileLayout &access,
                                      AccessShape shape) {
  std::optional<TileLayoutInverse> inverse = shared.rightInverse();
  Coord bounds = shared.shape();
  auto isInside = [&](const Coord &coord) {
    return all_of(zip_equal(coord, bounds), [](auto pair) {
      return std::get<0>(pair) < std::get<1>(pair);
    });
  };
  int64_t numLanes = access.numLanes();
  int64_t perWavefront = std::min(numLanes, shape.lanesPerWavefront());
  int64_t worst = 1;
  for (int64_t warp = 0; warp < access.numWarps(); ++warp)
    for (int64_t reg = 0; reg < access.numRegs(); reg += shape.vectorElements)
      for (int64_t first = 0; first < numLanes; first += perWavefront) {
        SmallVector<int64_t, 32> offsets;
        for (int64_t lane : seq(first, first + perWavefront)) {
          Coord coord = access.apply(reg, lane, warp);
          if (isInside(coord))
            offsets.push_back(inverse->offset(coord));
        }
        worst = std::max(worst, busiestBank(offsets, shape));
      }
  return worst;
}

int64_t bankConflicts(const TileLayout &shared, const TileLayout &access,
                      int64_t vectorElements, unsigned elementBits) {
  AccessShape shape{vectorElements, elementBits};
  std::optional<AtomOffsets> offsets = AtomOffsets::create(shared);
  if (!offsets || shared.rank() != access.rank() || vectorElements < 1 ||
      vectorElements > kMaxVectorBytes || !isPowerOf2_64(vectorElements) ||
      elementBits < 8 || !isPowerOf2_64(elementBits) ||
      shape.vectorBytes() > kMaxVectorBytes ||
      sharedVectorWidth(shared, access, vectorElements) < vectorElements)
    return 0;
  if (all_of(access.atom().bases(LayoutIn::Lane),
             [&](const Coord &image) { return offsets->isInside(image); }))
    return conflictsByRank(*offsets, access, shape);
  return conflictsByEnumeration(shared, access, shape);
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

StringRef stringify(ConversionKind kind) {
  switch (kind) {
  case ConversionKind::Identity:
    return "identity";
  case ConversionKind::RegisterPermute:
    return "register_permute";
  case ConversionKind::Shuffle:
    return "shuffle";
  case ConversionKind::Shared:
    return "shared";
  }
  return "";
}

namespace {

/// One side of a conversion.  In a tile layout too, a coordinate is the XOR of
/// a part for each group, since repetitions are multiples of a power of two:
/// only the set of register parts is not a subspace.
class ConversionSide {
public:
  explicit ConversionSide(const TileLayout &layout)
      : layout(layout), shape(layout.shape()) {
    for (int64_t &side : shape)
      side = PowerOf2Ceil(side);
  }

  uint64_t registerPart(int64_t reg) const {
    return packCoord(layout.apply(reg, 0, 0), shape);
  }

  SmallVector<uint64_t> parts(LayoutIn group) const {
    return SmallVector<uint64_t>(
        map_range(layout.atom().bases(group),
                  [&](const Coord &basis) { return packCoord(basis, shape); }));
  }

private:
  const TileLayout &layout;
  Coord shape;
};

} // namespace

/// Whether both are spread over threads, warps and blocks that are counted
/// alike, and shapes agree.
static bool areComparable(const TileLayout &from, const TileLayout &to) {
  return from.rank() == to.rank() && from.shape() == to.shape() &&
         from.atom().numBits(LayoutIn::Offset) == 0 &&
         all_of(ArrayRef(kLayoutIns).drop_front(), [&](LayoutIn group) {
           return from.atom().numBits(group) == to.atom().numBits(group);
         });
}

/// Whether equal threads hold equal elements, up to their registers' part.
static bool haveEqualThreads(const TileLayout &from, const TileLayout &to) {
  return areComparable(from, to) &&
         all_of(ArrayRef(kLayoutIns).drop_front(), [&](LayoutIn group) {
           return from.atom().bases(group) == to.atom().bases(group);
         });
}

std::optional<SmallVector<int64_t>> registerSources(const TileLayout &from,
                                                    const TileLayout &to) {
  if (!haveEqualThreads(from, to))
    return std::nullopt;
  ConversionSide source(from), destination(to);
  DenseMap<uint64_t, int64_t> holder;
  for (int64_t reg = 0; reg < from.numRegs(); ++reg)
    holder.try_emplace(source.registerPart(reg), reg);
  SmallVector<int64_t> sources;
  for (int64_t reg = 0; reg < to.numRegs(); ++reg) {
    uint64_t wanted = destination.registerPart(reg);
    // The same register serves, where it can, though others hold copies.
    if (reg < from.numRegs() && source.registerPart(reg) == wanted) {
      sources.push_back(reg);
      continue;
    }
    auto found = holder.find(wanted);
    if (found == holder.end())
      return std::nullopt;
    sources.push_back(found->second);
  }
  return sources;
}

/// Whether every warp holds in `from` all that it holds in `to`.  A warp's
/// elements in `from` are cosets of the span of its lanes, one for each
/// register; `to` asks for its registers' parts, moved by every sum of its
/// lanes' parts and of the differences between the warps' parts.
static bool staysInWarp(const TileLayout &from, const TileLayout &to) {
  ConversionSide source(from), destination(to);
  F2Span lanes;
  for (uint64_t part : source.parts(LayoutIn::Lane))
    lanes.insert(part);
  DenseSet<uint64_t> held;
  for (int64_t reg = 0; reg < from.numRegs(); ++reg)
    held.insert(lanes.reduce(source.registerPart(reg)));

  SmallVector<uint64_t> moves = destination.parts(LayoutIn::Lane);
  for (LayoutIn group : {LayoutIn::Warp, LayoutIn::Block})
    for (auto [own, other] :
         zip_equal(source.parts(group), destination.parts(group)))
      moves.push_back(own ^ other);
  SmallVector<uint64_t> sums = {0};
  F2Span seen;
  for (uint64_t move : moves) {
    uint64_t reduced = lanes.reduce(move);
    if (!seen.insert(reduced))
      continue;
    for (size_t index = 0, end = sums.size(); index < end; ++index)
      sums.push_back(sums[index] ^ reduced);
  }
  return all_of(seq<int64_t>(0, to.numRegs()), [&](int64_t reg) {
    uint64_t part = destination.registerPart(reg);
    return all_of(sums, [&](uint64_t sum) {
      return held.contains(lanes.reduce(part ^ sum));
    });
  });
}

ConversionKind conversionKind(const TileLayout &from, const TileLayout &to) {
  if (from == to)
    return ConversionKind::Identity;
  if (std::optional<SmallVector<int64_t>> sources = registerSources(from, to))
    return from.numRegs() == to.numRegs() &&
                   equal(*sources, seq<int64_t>(0, to.numRegs()))
               ? ConversionKind::Identity
               : ConversionKind::RegisterPermute;
  if (areComparable(from, to) && staysInWarp(from, to))
    return ConversionKind::Shuffle;
  return ConversionKind::Shared;
}

OwnerMask ownerMask(const TileLayout &layout) {
  return {layout.redundantBits(LayoutIn::Reg),
          layout.redundantBits(LayoutIn::Lane),
          layout.redundantBits(LayoutIn::Warp),
          layout.redundantBits(LayoutIn::Block)};
}

} // namespace tile
