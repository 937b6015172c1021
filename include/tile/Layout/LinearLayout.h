//===- LinearLayout.h - Linear layouts over F2 ------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout says which element of a tensor lives in which hardware place.  It is
// a linear map over F2: the bits of the place (register, lane, warp, block; or
// offset, for shared memory) go to the bits of the tensor coordinate, and XOR
// plays the part of +.
//
//   map      L : places -> coordinates, both of power-of-two size
//   formula  L(p) = XOR of bases(g)[i] over all groups g and set bits i of p.g
//   inverse  rightInverse(): coordinate -> the one place that owns it
//   drawn    the top left of an m16n8 accumulator, place = l<lane>:r<register>
//
//            col 0   col 1   col 2   col 3
//     row 0  l0:r0   l0:r1   l1:r0   l1:r1
//     row 1  l4:r0   l4:r1   l5:r0   l5:r1
//     row 2  l8:r0   l8:r1   l9:r0   l9:r1
//     row 3  l12:r0  l12:r1  l13:r0  l13:r1
//
//   example  thread 5 of that accumulator: register 0 is (1, 2), register 1 is
//            (1, 3), register 2 is (9, 2), register 3 is (9, 3)
//   invariants
//            every side is a power of two; every basis has one entry a
//            dimension, each in [0, side)
//   why this direction
//            several places may hold one element (a basis of zeros: a free
//            bit), never the reverse, so place -> coordinate is a function and
//            coordinate -> place is not
//   CuTe     a CuTe layout is integer linear (shape : stride) and a swizzle is
//            a second object composed with it; over F2 both are the same thing,
//            at the price of power-of-two sides (see TileLayout for the rest)
//
// See "Linear Layouts: Robust Code Generation of Efficient Tensor Computation
// Using F2", arXiv 2505.23819.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LAYOUT_LINEARLAYOUT_H
#define TILE_LAYOUT_LINEARLAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tile {

class LayoutInverse;

/// Input groups of a layout: the parts of a hardware place.  A distributed
/// tensor uses the first four, a tensor in shared memory only `Offset` (counted
/// in elements).
enum class LayoutIn : uint8_t { Reg, Lane, Warp, Block, Offset };

constexpr unsigned kNumLayoutIns = 5;

/// All groups, in the order in which algebra visits them.
constexpr std::array<LayoutIn, kNumLayoutIns> kLayoutIns = {
    LayoutIn::Reg, LayoutIn::Lane, LayoutIn::Warp, LayoutIn::Block,
    LayoutIn::Offset};

/// The name of a group in the IR: "register", "lane", "warp", "block" or
/// "offset".
llvm::StringRef stringify(LayoutIn group);

/// The group with the given name, if there is one.
std::optional<LayoutIn> symbolizeLayoutIn(llvm::StringRef name);

/// One entry for each tensor dimension.
using Coord = llvm::SmallVector<int64_t, 2>;

/// A hardware place: one index for each group; groups a layout lacks are 0.
struct Place {
  std::array<int64_t, kNumLayoutIns> index = {};

  int64_t &operator[](LayoutIn group) { return index[unsigned(group)]; }
  int64_t operator[](LayoutIn group) const { return index[unsigned(group)]; }
  bool operator==(const Place &other) const { return index == other.index; }
  bool operator!=(const Place &other) const { return index != other.index; }
};

/// A linear map over F2 from the bits of a hardware place to the bits of a
/// tensor coordinate.  A value type; see the head of this file.
class LinearLayout {
public:
  /// The image of each input bit of one group, lowest bit first.
  using Bases = std::vector<Coord>;
  using Group = std::pair<LayoutIn, Bases>;

  /// The layout of a scalar: rank 0, one place.
  LinearLayout() = default;

  /// Builds a layout from the images of its input bits.  Groups may come in any
  /// order, at most once; an absent group has no bits.  Fails with a message
  /// when a side is not a positive power of two, an image has the wrong rank or
  /// lies outside the sides, or more than 62 bits are asked for.
  static llvm::Expected<LinearLayout> create(llvm::ArrayRef<Group> groups,
                                             llvm::ArrayRef<int64_t> sides);

  unsigned rank() const { return tensorSides.size(); }
  llvm::ArrayRef<int64_t> sides() const { return tensorSides; }
  /// Number of coordinates: the product of the sides.
  int64_t numElements() const;

  unsigned numBits(LayoutIn group) const { return bases(group).size(); }
  int64_t size(LayoutIn group) const { return int64_t(1) << numBits(group); }
  const Bases &bases(LayoutIn group) const {
    return groupBases[unsigned(group)];
  }

  /// The coordinate held at a place.  Absent groups are 0.
  Coord apply(llvm::ArrayRef<std::pair<LayoutIn, int64_t>> place) const;
  Coord apply(const Place &place) const;

  /// outer after this: the coordinate that this layout gives, read as one
  /// number (last dimension lowest), is fed to the group `through` of `outer`.
  /// `outer`'s other groups are held at 0.  Fails unless the sizes agree.
  llvm::Expected<LinearLayout> compose(const LinearLayout &outer,
                                       LayoutIn through) const;

  /// Tiling: this layout is the inner tile and `outer` places copies of it.
  /// Sides multiply and outer's input bits come after this layout's in every
  /// group.  The ranks must be equal.
  LinearLayout product(const LinearLayout &outer) const;

  /// The layout M with inner.product(M) == *this, if there is one.
  std::optional<LinearLayout> quotient(const LinearLayout &inner) const;

  /// The map from each coordinate to the place that owns it, if every
  /// coordinate is held somewhere.  Where several places hold an element the
  /// owner has zeros in all redundant bits.
  std::optional<LayoutInverse> rightInverse() const;

  /// Whether every coordinate is held somewhere.
  bool isSurjective() const;
  /// Whether no coordinate is held twice.
  bool isInjective() const;

  /// The bits of a group with a zero image: places that differ only there hold
  /// the same element.
  uint64_t freeBits(LayoutIn group) const;
  /// The bits of a group whose image is already spanned by the bits before
  /// (lower bits, and groups in the order of kLayoutIns).  Places with zeros
  /// there hold each element once.  Contains freeBits.
  uint64_t redundantBits(LayoutIn group) const;

  /// Dimension d of the result is dimension perm[d] of this layout.
  LinearLayout transpose(llvm::ArrayRef<unsigned> perm) const;
  /// Drops a dimension; what only told its elements apart becomes free.
  LinearLayout slice(unsigned dim) const;
  /// Inserts a dimension of side 1 before dimension `dim`.
  LinearLayout expandDims(unsigned dim) const;
  /// Widens a dimension of side 1 to `size`, a power of two, without moving
  /// data: free register, then lane, then warp bits tell the new elements
  /// apart, and new register bits when those do not suffice.
  LinearLayout broadcast(unsigned dim, int64_t size) const;
  /// Deletes the free bits of a group.
  LinearLayout removeFreeBits(LayoutIn group) const;

  bool operator==(const LinearLayout &other) const;
  bool operator!=(const LinearLayout &other) const { return !(*this == other); }

  /// Prints `register = [[0, 1], [8, 0]], lane = [...], sides = [16, 8]`.
  void print(llvm::raw_ostream &os) const;

private:
  friend llvm::hash_code hash_value(const LinearLayout &layout);

  /// Bases of each group, indexed by LayoutIn.
  std::array<Bases, kNumLayoutIns> groupBases;
  llvm::SmallVector<int64_t, 2> tensorSides;
};

llvm::hash_code hash_value(const LinearLayout &layout);
llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                              const LinearLayout &layout);

/// The right inverse of a layout: a linear map from coordinates to the places
/// that own them.
class LayoutInverse {
public:
  Place apply(llvm::ArrayRef<int64_t> coord) const;
  /// The place that owns the coordinate with only bit `bit` of `dim` set.
  const Place &image(unsigned dim, unsigned bit) const {
    return images[dim][bit];
  }

private:
  friend class LinearLayout;
  /// The image of each coordinate bit, for each dimension.
  std::vector<std::vector<Place>> images;
};

} // namespace tile

#endif // TILE_LAYOUT_LINEARLAYOUT_H
