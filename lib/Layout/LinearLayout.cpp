//===- LinearLayout.cpp - Linear layouts over F2 --------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/LinearLayout.h"
#include "F2Span.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>

using namespace llvm;

namespace tile {

/// Places and packed coordinates must fit into 64 bits, with signed indices.
constexpr unsigned kMaxBits = 62;

StringRef stringify(LayoutIn group) {
  switch (group) {
  case LayoutIn::Reg:
    return "register";
  case LayoutIn::Lane:
    return "lane";
  case LayoutIn::Warp:
    return "warp";
  case LayoutIn::Block:
    return "block";
  case LayoutIn::Offset:
    return "offset";
  }
  return "";
}

std::optional<LayoutIn> symbolizeLayoutIn(StringRef name) {
  for (LayoutIn group : kLayoutIns)
    if (stringify(group) == name)
      return group;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

static Error checkSides(ArrayRef<int64_t> sides) {
  unsigned numBits = 0;
  for (int64_t side : sides) {
    if (side < 1 || !isPowerOf2_64(side))
      return createStringError("expected sides that are powers of two, got " +
                               Twine(side));
    numBits += Log2_64(side);
  }
  if (numBits > kMaxBits)
    return createStringError("expected at most " + Twine(kMaxBits) +
                             " bits of coordinates, got " + Twine(numBits));
  return Error::success();
}

static Error checkBases(const LinearLayout::Group &group,
                        ArrayRef<int64_t> sides) {
  for (const Coord &basis : group.second) {
    if (basis.size() != sides.size())
      return createStringError("expected a " + stringify(group.first) +
                               " basis of " + Twine(sides.size()) +
                               " entries, got " + Twine(basis.size()));
    for (auto [entry, side] : zip_equal(basis, sides))
      if (entry < 0 || entry >= side)
        return createStringError("expected " + stringify(group.first) +
                                 " basis entries from 0 to " + Twine(side - 1) +
                                 ", got " + Twine(entry));
  }
  return Error::success();
}

Expected<LinearLayout> LinearLayout::create(ArrayRef<Group> groups,
                                            ArrayRef<int64_t> sides) {
  if (Error error = checkSides(sides))
    return std::move(error);
  LinearLayout layout;
  layout.tensorSides.assign(sides.begin(), sides.end());
  std::array<bool, kNumLayoutIns> seen = {};
  size_t numBits = 0;
  for (const Group &group : groups) {
    bool &seenGroup = seen[unsigned(group.first)];
    if (seenGroup)
      return createStringError("expected each group once, got " +
                               stringify(group.first) + " twice");
    seenGroup = true;
    if (Error error = checkBases(group, sides))
      return std::move(error);
    layout.groupBases[unsigned(group.first)] = group.second;
    numBits += group.second.size();
  }
  if (numBits > kMaxBits)
    return createStringError("expected at most " + Twine(kMaxBits) +
                             " input bits, got " + Twine(numBits));
  return layout;
}

int64_t LinearLayout::numElements() const {
  int64_t count = 1;
  for (int64_t side : tensorSides)
    count *= side;
  return count;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

Coord LinearLayout::apply(const Place &place) const {
  Coord coord(rank(), 0);
  for (LayoutIn group : kLayoutIns) {
    uint64_t index = uint64_t(place[group]);
    for (const Coord &basis : bases(group)) {
      if (index & 1)
        for (unsigned dim = 0; dim < rank(); ++dim)
          coord[dim] ^= basis[dim];
      index >>= 1;
    }
  }
  return coord;
}

Coord LinearLayout::apply(ArrayRef<std::pair<LayoutIn, int64_t>> place) const {
  Place indices;
  for (auto [group, index] : place)
    indices[group] = index;
  return apply(indices);
}

//===----------------------------------------------------------------------===//
// Algebra
//===----------------------------------------------------------------------===//

Expected<LinearLayout> LinearLayout::compose(const LinearLayout &outer,
                                             LayoutIn through) const {
  if (numElements() != outer.size(through))
    return createStringError("expected the " + stringify(through) +
                             " group to have " + Twine(numElements()) +
                             " places, got " + Twine(outer.size(through)));
  LinearLayout result;
  result.tensorSides = outer.tensorSides;
  for (LayoutIn group : kLayoutIns)
    for (const Coord &basis : bases(group)) {
      Place place;
      place[through] = packCoord(basis, tensorSides);
      result.groupBases[unsigned(group)].push_back(outer.apply(place));
    }
  return result;
}

LinearLayout LinearLayout::product(const LinearLayout &outer) const {
  assert(rank() == outer.rank() && "expected layouts of equal rank");
  LinearLayout result = *this;
  for (unsigned dim = 0; dim < rank(); ++dim)
    result.tensorSides[dim] *= outer.tensorSides[dim];
  for (LayoutIn group : kLayoutIns)
    for (Coord basis : outer.bases(group)) {
      for (unsigned dim = 0; dim < rank(); ++dim)
        basis[dim] *= tensorSides[dim];
      result.groupBases[unsigned(group)].push_back(std::move(basis));
    }
  return result;
}

std::optional<LinearLayout>
LinearLayout::quotient(const LinearLayout &inner) const {
  if (rank() != inner.rank())
    return std::nullopt;
  LinearLayout result;
  for (unsigned dim = 0; dim < rank(); ++dim) {
    if (tensorSides[dim] % inner.tensorSides[dim] != 0)
      return std::nullopt;
    result.tensorSides.push_back(tensorSides[dim] / inner.tensorSides[dim]);
  }
  for (LayoutIn group : kLayoutIns) {
    ArrayRef<Coord> own = bases(group), low = inner.bases(group);
    if (own.size() < low.size() || own.take_front(low.size()) != low)
      return std::nullopt;
    for (Coord basis : own.drop_front(low.size())) {
      for (unsigned dim = 0; dim < rank(); ++dim) {
        if (basis[dim] % inner.tensorSides[dim] != 0)
          return std::nullopt;
        basis[dim] /= inner.tensorSides[dim];
      }
      result.groupBases[unsigned(group)].push_back(std::move(basis));
    }
  }
  return result;
}

/// Calls `visit(group, bit, packed image)` for every input bit, in the order of
/// kLayoutIns.
template <typename Fn>
static void forEachBit(const LinearLayout &layout, Fn visit) {
  for (LayoutIn group : kLayoutIns)
    for (auto [bit, basis] : enumerate(layout.bases(group)))
      visit(group, unsigned(bit), packCoord(basis, layout.sides()));
}

/// The images of a layout's input bits, each named by its number in the order
/// of kLayoutIns.
static F2Span spanOfImages(const LinearLayout &layout) {
  F2Span span;
  unsigned number = 0;
  forEachBit(layout, [&](LayoutIn, unsigned, uint64_t image) {
    span.insert(image, uint64_t(1) << number++);
  });
  return span;
}

/// Splits a set of input bits, numbered in the order of kLayoutIns.
static Place splitInputBits(const LinearLayout &layout, uint64_t bits) {
  Place place;
  for (LayoutIn group : kLayoutIns) {
    place[group] = bits & uint64_t(layout.size(group) - 1);
    bits >>= layout.numBits(group);
  }
  return place;
}

std::optional<LayoutInverse> LinearLayout::rightInverse() const {
  F2Span span = spanOfImages(*this);
  LayoutInverse inverse;
  inverse.images.resize(rank());
  for (unsigned dim = 0; dim < rank(); ++dim) {
    for (int64_t value = 1; value < tensorSides[dim]; value *= 2) {
      Coord coord(rank(), 0);
      coord[dim] = value;
      std::optional<uint64_t> bits = span.solve(packCoord(coord, tensorSides));
      if (!bits)
        return std::nullopt;
      inverse.images[dim].push_back(splitInputBits(*this, *bits));
    }
  }
  return inverse;
}

bool LinearLayout::isSurjective() const {
  return spanOfImages(*this).rank() == Log2_64(numElements());
}

bool LinearLayout::isInjective() const {
  unsigned numInputBits = 0;
  for (LayoutIn group : kLayoutIns)
    numInputBits += numBits(group);
  return spanOfImages(*this).rank() == numInputBits;
}

static bool isZero(const Coord &coord) {
  return all_of(coord, [](int64_t entry) { return entry == 0; });
}

uint64_t LinearLayout::freeBits(LayoutIn group) const {
  uint64_t mask = 0;
  for (auto [bit, basis] : enumerate(bases(group)))
    if (isZero(basis))
      mask |= uint64_t(1) << bit;
  return mask;
}

uint64_t LinearLayout::redundantBits(LayoutIn group) const {
  F2Span span;
  uint64_t mask = 0;
  forEachBit(*this, [&](LayoutIn current, unsigned bit, uint64_t image) {
    if (!span.insert(image) && current == group)
      mask |= uint64_t(1) << bit;
  });
  return mask;
}

//===----------------------------------------------------------------------===//
// Reshaping
//===----------------------------------------------------------------------===//

LinearLayout LinearLayout::transpose(ArrayRef<unsigned> perm) const {
  assert(perm.size() == rank() && "expected one entry a dimension");
  auto permute = [&](const Coord &coord) {
    return Coord(map_range(perm, [&](unsigned dim) { return coord[dim]; }));
  };
  LinearLayout result;
  result.tensorSides = permute(tensorSides);
  for (LayoutIn group : kLayoutIns)
    for (const Coord &basis : bases(group))
      result.groupBases[unsigned(group)].push_back(permute(basis));
  return result;
}

LinearLayout LinearLayout::slice(unsigned dim) const {
  assert(dim < rank() && "expected a dimension of the layout");
  LinearLayout result = *this;
  result.tensorSides.erase(result.tensorSides.begin() + dim);
  for (Bases &group : result.groupBases)
    for (Coord &basis : group)
      basis.erase(basis.begin() + dim);
  return result;
}

LinearLayout LinearLayout::expandDims(unsigned dim) const {
  assert(dim <= rank() && "expected a position among the dimensions");
  LinearLayout result = *this;
  result.tensorSides.insert(result.tensorSides.begin() + dim, 1);
  for (Bases &group : result.groupBases)
    for (Coord &basis : group)
      basis.insert(basis.begin() + dim, 0);
  return result;
}

LinearLayout LinearLayout::broadcast(unsigned dim, int64_t size) const {
  assert(dim < rank() && tensorSides[dim] == 1 && isPowerOf2_64(size) &&
         "expected a dimension of side 1 and a power of two");
  LinearLayout result = *this;
  int64_t value = 1;
  for (LayoutIn group : {LayoutIn::Reg, LayoutIn::Lane, LayoutIn::Warp}) {
    for (Coord &basis : result.groupBases[unsigned(group)]) {
      if (value == size || !isZero(basis))
        continue;
      basis[dim] = value;
      value *= 2;
    }
  }
  for (; value < size; value *= 2) {
    Coord basis(rank(), 0);
    basis[dim] = value;
    result.groupBases[unsigned(LayoutIn::Reg)].push_back(std::move(basis));
  }
  result.tensorSides[dim] = size;
  return result;
}

LinearLayout LinearLayout::removeFreeBits(LayoutIn group) const {
  LinearLayout result = *this;
  erase_if(result.groupBases[unsigned(group)], isZero);
  return result;
}

//===----------------------------------------------------------------------===//
// Comparing and printing
//===----------------------------------------------------------------------===//

bool LinearLayout::operator==(const LinearLayout &other) const {
  return tensorSides == other.tensorSides && groupBases == other.groupBases;
}

hash_code hash_value(const LinearLayout &layout) {
  hash_code code =
      hash_combine_range(layout.tensorSides.begin(), layout.tensorSides.end());
  for (const LinearLayout::Bases &group : layout.groupBases) {
    code = hash_combine(code, group.size());
    for (const Coord &basis : group)
      code = hash_combine(code, hash_combine_range(basis.begin(), basis.end()));
  }
  return code;
}

static void printList(raw_ostream &os, ArrayRef<int64_t> list) {
  os << "[";
  interleaveComma(list, os);
  os << "]";
}

void LinearLayout::print(raw_ostream &os) const {
  for (LayoutIn group : kLayoutIns) {
    if (bases(group).empty())
      continue;
    os << stringify(group) << " = [";
    interleave(
        bases(group), [&](const Coord &basis) { printList(os, basis); },
        [&] { os << ", "; });
    os << "], ";
  }
  os << "sides = ";
  printList(os, tensorSides);
}

raw_ostream &operator<<(raw_ostream &os, const LinearLayout &layout) {
  layout.print(os);
  return os;
}

//===----------------------------------------------------------------------===//
// Inverse
//===----------------------------------------------------------------------===//

Place LayoutInverse::apply(ArrayRef<int64_t> coord) const {
  assert(coord.size() == images.size() && "expected one entry a dimension");
  Place place;
  for (auto [dim, entry] : enumerate(coord)) {
    assert(entry >= 0 && entry < int64_t(1) << images[dim].size() &&
           "expected a coordinate inside the sides");
    for (auto [bit, image] : enumerate(images[dim]))
      if (entry >> bit & 1)
        for (LayoutIn group : kLayoutIns)
          place[group] ^= image[group];
  }
  return place;
}

} // namespace tile
