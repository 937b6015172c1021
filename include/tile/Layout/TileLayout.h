//===- TileLayout.h - Atom times repetitions --------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layout of a tensor whose sides need not be powers of two: a linear layout
// (the atom), repeated an integer number of times along each dimension.
//
//   map      (register, lane, warp, block) -> coordinate, or offset ->
//   coordinate formula  register = rep * atomRegs + atomReg
//            coordinate[d] = repIndex[d] * atomSide[d] + atom(atomReg, ...)[d]
//   drawn    one row of an atom of 4 registers repeated 3 times (192 = 3 * 64
//            works the same way): register of each column
//
//            r0 r1 r2 r3 | r4 r5 r6 r7 | r8 r9 r10 r11
//
//   example  the wgmma accumulator 64x192: the atom is 64x64 with 32 registers,
//            repeated 1 x 3 times; register 70 is repetition 2, atom register
//            6, so thread 0 holds (8, 136) there
//   invariants
//            repetitions are the slowest part of the register (or offset)
//            index; among them the first dimension of order() runs fastest. The
//            form is canonical: factors of two of the fastest repetitions are
//            moved into the atom, so that equal maps compare equal
//   why      a side of 192 padded to 256 would waste a quarter of the registers
//   padding  the shape of a layout may exceed that of its tensor: the atom
//   pads;
//            elements outside are masked by whoever loads or stores them
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LAYOUT_TILELAYOUT_H
#define TILE_LAYOUT_TILELAYOUT_H

#include "tile/Layout/LinearLayout.h"

namespace tile {

class TileLayoutInverse;

/// A linear layout repeated along each dimension.  A value type; see the head
/// of this file.
class TileLayout {
public:
  /// The layout of a scalar.
  TileLayout() = default;

  /// Builds the canonical form of `atom` repeated `reps` times.  `order` lists
  /// the dimensions, fastest repetition first; empty means last to first.
  /// Fails unless there is one positive count a dimension, `order` is a
  /// permutation, and only one of registers and offsets is used.
  static llvm::Expected<TileLayout> create(LinearLayout atom,
                                           llvm::ArrayRef<int64_t> reps,
                                           llvm::ArrayRef<unsigned> order = {});

  /// A layout without repetitions.
  static TileLayout fromAtom(LinearLayout atom);

  const LinearLayout &atom() const { return linearAtom; }
  llvm::ArrayRef<int64_t> reps() const { return repCounts; }
  /// Dimensions, fastest repetition first.
  llvm::ArrayRef<unsigned> order() const { return repOrder; }
  /// Whether order() is last to first, the default.
  bool hasDefaultOrder() const;

  unsigned rank() const { return linearAtom.rank(); }
  /// Sides of the atom times repetitions.
  Coord shape() const;
  int64_t numReps() const;
  int64_t numRegs() const;
  int64_t numLanes() const { return linearAtom.size(LayoutIn::Lane); }
  int64_t numWarps() const { return linearAtom.size(LayoutIn::Warp); }
  /// Elements of shared memory, for a layout of offsets.
  int64_t numOffsets() const;
  /// Whether places are offsets in shared memory.
  bool isShared() const;

  /// Whether a tensor of this shape fits: equal rank, no side longer.
  bool covers(llvm::ArrayRef<int64_t> tensorShape) const;

  /// The coordinate that a thread holds in a register.
  Coord apply(int64_t reg, int64_t lane, int64_t warp, int64_t block = 0) const;
  /// The coordinate at an offset in shared memory.
  Coord applyOffset(int64_t offset) const;
  Coord apply(const Place &place) const;

  /// The map from coordinates to the places that own them, if every coordinate
  /// is held somewhere.
  std::optional<TileLayoutInverse> rightInverse() const;

  bool isSurjective() const { return linearAtom.isSurjective(); }
  bool isInjective() const { return linearAtom.isInjective(); }
  uint64_t freeBits(LayoutIn group) const { return linearAtom.freeBits(group); }
  uint64_t redundantBits(LayoutIn group) const {
    return linearAtom.redundantBits(group);
  }

  /// Dimension d of the result is dimension perm[d] of this layout.
  TileLayout transpose(llvm::ArrayRef<unsigned> perm) const;
  /// The layout of a reduction over `dim`: drops the dimension, and with it the
  /// registers that only told its elements apart.
  TileLayout slice(unsigned dim) const;
  /// Inserts a dimension of side 1 before dimension `dim`.
  TileLayout expandDims(unsigned dim) const;
  /// Widens a dimension of side 1 to at least `size`; see
  /// LinearLayout::broadcast.
  TileLayout broadcast(unsigned dim, int64_t size) const;

  bool operator==(const TileLayout &other) const;
  bool operator!=(const TileLayout &other) const { return !(*this == other); }

  /// Prints the atom, then `, reps = [1, 3]` and `, order = [0, 1]` where they
  /// are not the default.
  void print(llvm::raw_ostream &os) const;

private:
  friend llvm::hash_code hash_value(const TileLayout &layout);
  friend class TileLayoutInverse;

  TileLayout(LinearLayout atom, llvm::ArrayRef<int64_t> reps,
             llvm::ArrayRef<unsigned> order);
  void canonicalize();
  /// The group whose index repetitions extend.
  LayoutIn repeatedGroup() const;
  Coord repCoord(int64_t rep) const;

  LinearLayout linearAtom;
  llvm::SmallVector<int64_t, 2> repCounts;
  llvm::SmallVector<unsigned, 2> repOrder;
};

llvm::hash_code hash_value(const TileLayout &layout);
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const TileLayout &layout);

/// The right inverse of a tile layout.
class TileLayoutInverse {
public:
  /// The place that owns a coordinate inside the layout's shape().
  Place apply(llvm::ArrayRef<int64_t> coord) const;
  /// The offset of a coordinate, for a layout of shared memory.
  int64_t offset(llvm::ArrayRef<int64_t> coord) const {
    return apply(coord)[LayoutIn::Offset];
  }

private:
  friend class TileLayout;
  TileLayout layout;
  LayoutInverse atomInverse;
};

} // namespace tile

#endif // TILE_LAYOUT_TILELAYOUT_H
