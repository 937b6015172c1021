//===- AtomBuilder.h - Grow an atom bit by bit ------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All constructors of distributed layouts tile a shape from the inside out:
// each step hands the next bits of one dimension to registers, lanes or warps.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_LAYOUT_ATOMBUILDER_H
#define TILE_LIB_LAYOUT_ATOMBUILDER_H

#include "tile/Layout/TileLayout.h"

namespace tile {

/// Grows the atom of a distributed layout, from the fastest bits of each
/// dimension to the slowest.
class AtomBuilder {
public:
  /// `limits` are powers of two: the sides at which dimensions stop to grow.
  explicit AtomBuilder(llvm::ArrayRef<int64_t> limits)
      : limits(limits), sides(limits.size(), 1) {}

  /// Hands the next bits of `dim` to a group that counts to `count`, a power of
  /// two.  Bits beyond the limit become free in lanes and warps, and are left
  /// out in registers.
  void append(LayoutIn group, unsigned dim, int64_t count) {
    for (; count > 1; count /= 2) {
      if (sides[dim] < limits[dim]) {
        Coord basis(sides.size(), 0);
        basis[dim] = sides[dim];
        bases[unsigned(group)].push_back(std::move(basis));
        sides[dim] *= 2;
      } else if (group != LayoutIn::Reg) {
        appendFree(group, 2);
      }
    }
  }

  /// The same, but bits beyond the limit are free in registers, too: for
  /// fragments, whose number of registers an instruction fixes.
  void appendFixed(LayoutIn group, unsigned dim, int64_t count) {
    for (; count > 1; count /= 2) {
      if (sides[dim] < limits[dim])
        append(group, dim, 2);
      else
        appendFree(group, 2);
    }
  }

  /// Hands free bits to a group.
  void appendFree(LayoutIn group, int64_t count) {
    for (; count > 1; count /= 2)
      bases[unsigned(group)].push_back(Coord(sides.size(), 0));
  }

  /// Repeats the atom until it covers the shape.
  llvm::Expected<TileLayout> finish(llvm::ArrayRef<int64_t> shape,
                                    llvm::ArrayRef<unsigned> order = {}) const {
    llvm::SmallVector<LinearLayout::Group> groups;
    for (LayoutIn group : kLayoutIns)
      groups.emplace_back(group, bases[unsigned(group)]);
    llvm::Expected<LinearLayout> atom = LinearLayout::create(groups, sides);
    if (!atom)
      return atom.takeError();
    llvm::SmallVector<int64_t, 2> reps;
    for (size_t dim = 0; dim < shape.size(); ++dim)
      reps.push_back((shape[dim] - 1) / sides[dim] + 1);
    return TileLayout::create(std::move(*atom), reps, order);
  }

private:
  llvm::SmallVector<int64_t, 2> limits, sides;
  std::array<LinearLayout::Bases, kNumLayoutIns> bases;
};

} // namespace tile

#endif // TILE_LIB_LAYOUT_ATOMBUILDER_H
