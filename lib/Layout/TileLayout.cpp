//===- TileLayout.cpp - Atom times repetitions ----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/TileLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>

using namespace llvm;

namespace tile {

/// Bits that the index of a group, or a coordinate, may take.
constexpr unsigned kMaxBits = 62;

static SmallVector<unsigned, 2> lastToFirst(unsigned rank) {
  return SmallVector<unsigned, 2>(llvm::reverse(seq(rank)));
}

static bool isPermutation(ArrayRef<unsigned> order, unsigned rank) {
  SmallVector<unsigned> sorted(order);
  llvm::sort(sorted);
  return equal(sorted, seq(rank));
}

static Error checkRepetitions(const LinearLayout &atom,
                              ArrayRef<int64_t> reps) {
  if (reps.size() != atom.rank())
    return createStringError("expected " + Twine(atom.rank()) +
                             " repetition counts, got " + Twine(reps.size()));
  unsigned numBits = 0;
  for (LayoutIn group : kLayoutIns)
    numBits += atom.numBits(group);
  numBits = std::max(numBits, Log2_64(atom.numElements()));
  for (int64_t count : reps) {
    if (count < 1)
      return createStringError("expected positive repetition counts, got " +
                               Twine(count));
    numBits += Log2_64_Ceil(count);
  }
  if (numBits > kMaxBits)
    return createStringError("expected at most " + Twine(kMaxBits) +
                             " bits with repetitions, got " + Twine(numBits));
  return Error::success();
}

Expected<TileLayout> TileLayout::create(LinearLayout atom,
                                        ArrayRef<int64_t> reps,
                                        ArrayRef<unsigned> order) {
  if (Error error = checkRepetitions(atom, reps))
    return std::move(error);
  if (!order.empty() && !isPermutation(order, atom.rank()))
    return createStringError("expected an order that lists each of " +
                             Twine(atom.rank()) + " dimensions once");
  bool distributed =
      any_of(ArrayRef(kLayoutIns).drop_back(),
             [&](LayoutIn group) { return atom.numBits(group) != 0; });
  if (distributed && atom.numBits(LayoutIn::Offset) != 0)
    return createStringError(
        "expected either offset bases or bases of other groups, got both");
  return TileLayout(std::move(atom), reps,
                    order.empty() ? ArrayRef<unsigned>(lastToFirst(reps.size()))
                                  : order);
}

TileLayout TileLayout::fromAtom(LinearLayout atom) {
  SmallVector<int64_t, 2> reps(atom.rank(), 1);
  SmallVector<unsigned, 2> order = lastToFirst(atom.rank());
  return TileLayout(std::move(atom), reps, order);
}

TileLayout::TileLayout(LinearLayout atom, ArrayRef<int64_t> reps,
                       ArrayRef<unsigned> order)
    : linearAtom(std::move(atom)), repCounts(reps), repOrder(order) {
  canonicalize();
}

/// Appends to `group` a bit that tells apart two copies along `dim`.
static LinearLayout doubleAlong(const LinearLayout &atom, unsigned dim,
                                LayoutIn group) {
  LinearLayout::Bases bases(1, Coord(atom.rank(), 0));
  bases[0][dim] = 1;
  SmallVector<int64_t, 2> sides(atom.rank(), 1);
  sides[dim] = 2;
  return atom.product(cantFail(LinearLayout::create({{group, bases}}, sides)));
}

void TileLayout::canonicalize() {
  // Bits of the fastest repetition index are as good as bits of the atom.
  for (unsigned dim : repOrder) {
    while (repCounts[dim] % 2 == 0) {
      linearAtom = doubleAlong(linearAtom, dim, repeatedGroup());
      repCounts[dim] /= 2;
    }
    if (repCounts[dim] != 1)
      break;
  }
  // The order of dimensions that do not repeat has no meaning: they go last,
  // unless the whole order can be the default.
  auto repeats = [&](unsigned dim) { return repCounts[dim] != 1; };
  SmallVector<unsigned, 2> standard = lastToFirst(rank());
  SmallVector<unsigned, 2> fast(make_filter_range(repOrder, repeats));
  if (equal(fast, make_filter_range(standard, repeats))) {
    repOrder = standard;
    return;
  }
  repOrder = fast;
  for (unsigned dim : standard)
    if (!repeats(dim))
      repOrder.push_back(dim);
}

LayoutIn TileLayout::repeatedGroup() const {
  return linearAtom.numBits(LayoutIn::Offset) ? LayoutIn::Offset
                                              : LayoutIn::Reg;
}

bool TileLayout::hasDefaultOrder() const {
  return equal(repOrder, lastToFirst(rank()));
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

Coord TileLayout::shape() const {
  Coord shape(linearAtom.sides());
  for (auto [side, count] : zip_equal(shape, repCounts))
    side *= count;
  return shape;
}

int64_t TileLayout::numReps() const {
  int64_t count = 1;
  for (int64_t reps : repCounts)
    count *= reps;
  return count;
}

bool TileLayout::isShared() const {
  // An atom of one element in one place is as much shared as distributed.
  return all_of(ArrayRef(kLayoutIns).drop_back(),
                [&](LayoutIn group) { return linearAtom.numBits(group) == 0; });
}

int64_t TileLayout::numRegs() const {
  int64_t atomRegs = linearAtom.size(LayoutIn::Reg);
  return repeatedGroup() == LayoutIn::Reg ? atomRegs * numReps() : atomRegs;
}

int64_t TileLayout::numOffsets() const {
  return isShared() ? linearAtom.size(LayoutIn::Offset) * numReps() : 1;
}

bool TileLayout::covers(ArrayRef<int64_t> tensorShape) const {
  if (tensorShape.size() != rank())
    return false;
  Coord own = shape();
  return all_of(seq(rank()), [&](unsigned dim) {
    return tensorShape[dim] >= 0 && tensorShape[dim] <= own[dim];
  });
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// The first element of a repetition.
Coord TileLayout::repCoord(int64_t rep) const {
  Coord coord(rank(), 0);
  for (unsigned dim : repOrder) {
    coord[dim] = rep % repCounts[dim] * linearAtom.sides()[dim];
    rep /= repCounts[dim];
  }
  return coord;
}

Coord TileLayout::apply(const Place &place) const {
  Coord coord = linearAtom.apply(place);
  // Only one of the two groups is in use, so one of the terms is 0.
  int64_t rep =
      (place[LayoutIn::Reg] >> linearAtom.numBits(LayoutIn::Reg)) +
      (place[LayoutIn::Offset] >> linearAtom.numBits(LayoutIn::Offset));
  assert(rep >= 0 && rep < numReps() && "expected a place of the layout");
  for (auto [entry, first] : zip_equal(coord, repCoord(rep)))
    entry += first;
  return coord;
}

Coord TileLayout::apply(int64_t reg, int64_t lane, int64_t warp,
                        int64_t block) const {
  Place place;
  place[LayoutIn::Reg] = reg;
  place[LayoutIn::Lane] = lane;
  place[LayoutIn::Warp] = warp;
  place[LayoutIn::Block] = block;
  return apply(place);
}

Coord TileLayout::applyOffset(int64_t offset) const {
  Place place;
  place[LayoutIn::Offset] = offset;
  return apply(place);
}

std::optional<TileLayoutInverse> TileLayout::rightInverse() const {
  std::optional<LayoutInverse> atomInverse = linearAtom.rightInverse();
  if (!atomInverse)
    return std::nullopt;
  TileLayoutInverse inverse;
  inverse.layout = *this;
  inverse.atomInverse = std::move(*atomInverse);
  return inverse;
}

Place TileLayoutInverse::apply(ArrayRef<int64_t> coord) const {
  const LinearLayout &atom = layout.atom();
  Coord inAtom(coord);
  int64_t rep = 0;
  for (unsigned dim : reverse(layout.order())) {
    assert(coord[dim] < atom.sides()[dim] * layout.reps()[dim] &&
           "expected a coordinate inside the shape");
    rep = rep * layout.reps()[dim] + coord[dim] / atom.sides()[dim];
    inAtom[dim] = coord[dim] % atom.sides()[dim];
  }
  Place place = atomInverse.apply(inAtom);
  if (layout.isShared())
    place[LayoutIn::Offset] += rep * atom.size(LayoutIn::Offset);
  if (layout.repeatedGroup() == LayoutIn::Reg && !layout.isShared())
    place[LayoutIn::Reg] += rep * atom.size(LayoutIn::Reg);
  return place;
}

//===----------------------------------------------------------------------===//
// Reshaping
//===----------------------------------------------------------------------===//

TileLayout TileLayout::transpose(ArrayRef<unsigned> perm) const {
  SmallVector<int64_t, 2> reps(rank());
  SmallVector<unsigned, 2> positionOf(rank());
  for (auto [position, dim] : enumerate(perm)) {
    reps[position] = repCounts[dim];
    positionOf[dim] = position;
  }
  SmallVector<unsigned, 2> order;
  for (unsigned dim : repOrder)
    order.push_back(positionOf[dim]);
  return TileLayout(linearAtom.transpose(perm), reps, order);
}

TileLayout TileLayout::slice(unsigned dim) const {
  SmallVector<int64_t, 2> reps(repCounts);
  reps.erase(reps.begin() + dim);
  SmallVector<unsigned, 2> order;
  for (unsigned other : repOrder)
    if (other != dim)
      order.push_back(other > dim ? other - 1 : other);
  return TileLayout(linearAtom.slice(dim).removeFreeBits(LayoutIn::Reg), reps,
                    order);
}

TileLayout TileLayout::expandDims(unsigned dim) const {
  SmallVector<int64_t, 2> reps(repCounts);
  reps.insert(reps.begin() + dim, 1);
  SmallVector<unsigned, 2> order;
  for (unsigned other : repOrder)
    order.push_back(other >= dim ? other + 1 : other);
  order.push_back(dim);
  return TileLayout(linearAtom.expandDims(dim), reps, order);
}

TileLayout TileLayout::broadcast(unsigned dim, int64_t size) const {
  assert(size >= 1 && repCounts[dim] == 1 && "expected a side of 1");
  int64_t powerOfTwo = size & -size;
  SmallVector<int64_t, 2> reps(repCounts);
  reps[dim] = size / powerOfTwo;
  return TileLayout(linearAtom.broadcast(dim, powerOfTwo), reps, repOrder);
}

//===----------------------------------------------------------------------===//
// Comparing and printing
//===----------------------------------------------------------------------===//

bool TileLayout::operator==(const TileLayout &other) const {
  return linearAtom == other.linearAtom && repCounts == other.repCounts &&
         repOrder == other.repOrder;
}

hash_code hash_value(const TileLayout &layout) {
  return hash_combine(
      layout.linearAtom,
      hash_combine_range(layout.repCounts.begin(), layout.repCounts.end()),
      hash_combine_range(layout.repOrder.begin(), layout.repOrder.end()));
}

void TileLayout::print(raw_ostream &os) const {
  linearAtom.print(os);
  if (any_of(repCounts, [](int64_t count) { return count != 1; })) {
    os << ", reps = [";
    interleaveComma(repCounts, os);
    os << "]";
  }
  if (!hasDefaultOrder()) {
    os << ", order = [";
    interleaveComma(repOrder, os);
    os << "]";
  }
}

raw_ostream &operator<<(raw_ostream &os, const TileLayout &layout) {
  layout.print(os);
  return os;
}

} // namespace tile
