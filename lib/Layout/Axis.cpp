//===- Axis.cpp - Lines of a layout along one dimension -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/Axis.h"

#include "tile/Layout/Constructors.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace tile {

/// Lanes of a warp, as bits.
static constexpr unsigned kLaneBits = 5;
/// Elements of one line that a thread holds, where lanes can take the others.
static constexpr int64_t kMaxLineElements = 64;

/// The groups of a layout of registers.
static constexpr LayoutIn kDistributed[] = {LayoutIn::Reg, LayoutIn::Lane,
                                            LayoutIn::Warp, LayoutIn::Block};

/// The only place bit whose image has bit `coordBit` of dimension `dim`, if
/// that is all that it has.
static std::optional<PlaceBit> holderOf(const LinearLayout &atom, unsigned dim,
                                        unsigned coordBit) {
  Coord alone(atom.rank(), 0);
  alone[dim] = int64_t(1) << coordBit;
  std::optional<PlaceBit> holder;
  for (LayoutIn group : kDistributed)
    for (auto [bit, image] : enumerate(atom.bases(group))) {
      if ((image[dim] >> coordBit & 1) == 0)
        continue;
      if (holder || image != alone)
        return std::nullopt;
      holder = PlaceBit{group, unsigned(bit)};
    }
  return holder;
}

std::optional<SmallVector<PlaceBit>> axisBits(const TileLayout &layout,
                                              unsigned dim) {
  SmallVector<PlaceBit> holders;
  unsigned numBits = Log2_64(layout.atom().sides()[dim]);
  for (unsigned bit = 0; bit < numBits; ++bit) {
    std::optional<PlaceBit> holder = holderOf(layout.atom(), dim, bit);
    if (!holder)
      return std::nullopt;
    holders.push_back(*holder);
  }
  return holders;
}

TileLayout raiseWarps(const TileLayout &layout, unsigned dim) {
  std::optional<SmallVector<PlaceBit>> bits = axisBits(layout, dim);
  if (!bits)
    return layout;
  SmallVector<PlaceBit> order;
  for (bool areWarps : {false, true})
    for (PlaceBit holder : *bits)
      if ((holder.group == LayoutIn::Warp) == areWarps)
        order.push_back(holder);
  SmallVector<LinearLayout::Group> groups;
  for (LayoutIn group : kDistributed)
    groups.push_back({group, layout.atom().bases(group)});
  for (auto [bit, holder] : enumerate(order))
    groups[unsigned(holder.group)].second[holder.bit][dim] = int64_t(1) << bit;
  return cantFail(TileLayout::create(
      cantFail(LinearLayout::create(groups, layout.atom().sides())),
      layout.reps(), layout.order()));
}

TileLayout gatherAxis(const TileLayout &layout, unsigned dim) {
  const LinearLayout &atom = layout.atom();
  auto isFree = [](const Coord &image) {
    return all_of(image, [](int64_t entry) { return entry == 0; });
  };
  SmallVector<LinearLayout::Group> groups;
  for (LayoutIn group : kDistributed) {
    LinearLayout::Bases bases = atom.bases(group);
    for (Coord &image : bases)
      image[dim] = 0;
    if (group == LayoutIn::Reg)
      llvm::erase_if(bases, isFree);
    groups.push_back({group, bases});
  }
  LinearLayout::Bases &regs = groups[0].second, &lanes = groups[1].second;
  unsigned numBits = Log2_64(atom.sides()[dim]);
  unsigned numFree = count_if(lanes, isFree);
  unsigned numRegBits = numBits - std::min(numBits, numFree);
  auto lane = lanes.begin();
  for (unsigned bit = 0; bit < numBits; ++bit) {
    Coord image(atom.rank(), 0);
    image[dim] = int64_t(1) << bit;
    if (bit < numRegBits) {
      regs.push_back(image);
      continue;
    }
    lane = std::find_if(lane, lanes.end(), isFree);
    *lane = image;
  }
  return cantFail(
      TileLayout::create(cantFail(LinearLayout::create(groups, atom.sides())),
                         layout.reps(), layout.order()));
}

Expected<TileLayout> lineLayout(ArrayRef<int64_t> shape, unsigned dim,
                                int64_t numWarps) {
  unsigned rank = shape.size();
  SmallVector<int64_t> powers, reps;
  int64_t others = 1;
  for (auto [index, side] : enumerate(shape)) {
    powers.push_back(side & -side);
    reps.push_back(side / powers.back());
    others *= index == dim ? 1 : powers.back();
  }
  // Lanes that tell the elements of a line apart.
  unsigned axisBits = Log2_64(powers[dim]);
  unsigned numLanes =
      kLaneBits - std::min<unsigned>(kLaneBits, Log2_64(others));
  while (numLanes < kLaneBits && shape[dim] >> numLanes > kMaxLineElements)
    ++numLanes;
  numLanes = std::min(numLanes, axisBits);

  SmallVector<int64_t> perThread(rank, 1), lanes(rank, 1), warps(rank, 1);
  perThread[dim] = powers[dim] >> numLanes;
  lanes[dim] = int64_t(1) << numLanes;
  SmallVector<unsigned> order = {dim};
  for (unsigned other = rank; other-- > 0;)
    if (other != dim)
      order.push_back(other);
  int64_t lanesLeft = int64_t(1) << (kLaneBits - numLanes);
  int64_t warpsLeft = numWarps;
  for (unsigned other : drop_begin(order)) {
    lanes[other] = std::min(lanesLeft, powers[other]);
    lanesLeft /= lanes[other];
    warps[other] = std::min(warpsLeft, powers[other] / lanes[other]);
    warpsLeft /= warps[other];
  }
  // What is left holds copies: a line has all its elements already.
  lanes[order.back()] *= lanesLeft;
  warps[order.back()] *= warpsLeft;
  Expected<TileLayout> layout = blocked(powers, perThread, lanes, warps, order);
  if (!layout)
    return layout;
  for (unsigned index = 0; index < rank; ++index)
    reps[index] *= layout->reps()[index];
  return TileLayout::create(layout->atom(), reps, order);
}

} // namespace tile
