//===- F2Span.h - The span of some vectors over F2 --------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gaussian elimination, one vector at a time.  Vectors are words of 64 bits;
// all algebra on layouts comes down to membership in a span.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_LAYOUT_F2SPAN_H
#define TILE_LIB_LAYOUT_F2SPAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace tile {

/// Concatenates the bits of a coordinate, the last dimension lowest.  `sides`
/// are powers of two and bound the coordinate.
inline uint64_t packCoord(llvm::ArrayRef<int64_t> coord,
                          llvm::ArrayRef<int64_t> sides) {
  uint64_t packed = 0;
  for (size_t dim = 0; dim < sides.size(); ++dim)
    packed = packed * uint64_t(sides[dim]) + uint64_t(coord[dim]);
  return packed;
}

/// A subspace of F2^64, spanned by the vectors inserted so far.
class F2Span {
public:
  /// Adds a vector under a name (a set of bits, usually one).  Returns false,
  /// and changes nothing, if the span contains the vector already.
  bool insert(uint64_t vector, uint64_t name = 0) {
    Row row = reduceRow({vector, name});
    if (row.vector == 0)
      return false;
    rows.push_back(row);
    return true;
  }

  /// The representative of the vector's coset: 0 exactly for members.  The same
  /// for all members of a coset.
  uint64_t reduce(uint64_t vector) const {
    return reduceRow({vector, 0}).vector;
  }

  bool contains(uint64_t vector) const { return reduce(vector) == 0; }

  /// The names of the inserted vectors whose sum is `vector`, if there are any.
  std::optional<uint64_t> solve(uint64_t vector) const {
    Row row = reduceRow({vector, 0});
    if (row.vector != 0)
      return std::nullopt;
    return row.name;
  }

  unsigned rank() const { return rows.size(); }

private:
  struct Row {
    uint64_t vector;
    uint64_t name;
  };

  static uint64_t leadingBit(uint64_t vector) {
    return uint64_t(1) << (63 - __builtin_clzll(vector));
  }

  /// Clears the leading bit of every row.  A row is reduced by the rows before
  /// it, so it holds none of their leading bits, but an earlier row may hold a
  /// later one's: going in order of insertion clears all of them.
  Row reduceRow(Row row) const {
    for (const Row &pivot : rows) {
      if (row.vector & leadingBit(pivot.vector)) {
        row.vector ^= pivot.vector;
        row.name ^= pivot.name;
      }
    }
    return row;
  }

  llvm::SmallVector<Row> rows;
};

} // namespace tile

#endif // TILE_LIB_LAYOUT_F2SPAN_H
