//===- Reshape.cpp - Layouts of reshaped tensors --------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/Reshape.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace tile {

Coord unflatten(int64_t number, ArrayRef<int64_t> shape) {
  Coord coord(shape.size(), 0);
  for (unsigned dim = shape.size(); dim-- > 0;) {
    coord[dim] = number % shape[dim];
    number /= shape[dim];
  }
  return coord;
}

int64_t flatten(ArrayRef<int64_t> coord, ArrayRef<int64_t> shape) {
  int64_t number = 0;
  for (auto [entry, side] : zip_equal(coord, shape))
    number = number * side + entry;
  return number;
}

namespace {
/// A run of dimensions, [begin, end).
struct DimRange {
  unsigned begin, end;
};
/// Dimensions of two shapes that hold the same part of an element's number.
struct DimGroup {
  DimRange from, to;
};
} // namespace

/// Extends a range by the next dimension; false at the end of the shape.
static bool extend(DimRange &range, int64_t &count, ArrayRef<int64_t> shape) {
  if (range.end == shape.size())
    return false;
  count *= shape[range.end++];
  return true;
}

/// Matches the dimensions of both shapes, first to last.
static std::optional<SmallVector<DimGroup>> matchDims(ArrayRef<int64_t> from,
                                                      ArrayRef<int64_t> to) {
  SmallVector<DimGroup> groups;
  DimGroup group = {{0, 0}, {0, 0}};
  while (group.from.end < from.size() || group.to.end < to.size()) {
    group = {{group.from.end, group.from.end}, {group.to.end, group.to.end}};
    int64_t fromCount = 1, toCount = 1;
    extend(group.from, fromCount, from);
    extend(group.to, toCount, to);
    while (fromCount != toCount)
      if (!(fromCount < toCount ? extend(group.from, fromCount, from)
                                : extend(group.to, toCount, to)))
        return std::nullopt;
    groups.push_back(group);
  }
  return groups;
}

/// The dimension of a range that may be no power of two: its first that is not
/// 1.  Nothing if another one is not.
static std::optional<unsigned> leadingDim(DimRange range,
                                          ArrayRef<int64_t> shape) {
  unsigned leading = range.begin;
  while (leading + 1 < range.end && shape[leading] == 1)
    ++leading;
  for (unsigned dim = leading + 1; dim < range.end; ++dim)
    if (!isPowerOf2_64(shape[dim]))
      return std::nullopt;
  return leading;
}

std::optional<TileLayout> reshapeLayout(const TileLayout &layout,
                                        ArrayRef<int64_t> from,
                                        ArrayRef<int64_t> to) {
  if (ArrayRef<int64_t>(layout.shape()) != from || layout.isShared())
    return std::nullopt;
  std::optional<SmallVector<DimGroup>> groups = matchDims(from, to);
  if (!groups)
    return std::nullopt;
  // Powers of two are the atom's but for what repeats.
  SmallVector<int64_t> sides(to), reps(to.size(), 1);
  SmallVector<int> leadingOf(from.size(), -1);
  for (const DimGroup &group : *groups) {
    if (group.from.begin == group.from.end || group.to.begin == group.to.end)
      continue;
    std::optional<unsigned> source = leadingDim(group.from, from);
    std::optional<unsigned> target = leadingDim(group.to, to);
    if (!source || !target)
      return std::nullopt;
    for (unsigned dim = group.from.begin; dim < group.from.end; ++dim)
      if (dim != *source && layout.reps()[dim] != 1)
        return std::nullopt;
    int64_t count = layout.reps()[*source];
    if (to[*target] % count != 0 || !isPowerOf2_64(to[*target] / count))
      return std::nullopt;
    reps[*target] = count;
    sides[*target] = to[*target] / count;
    leadingOf[*source] = *target;
  }
  SmallVector<LinearLayout::Group> bases;
  for (LayoutIn group : ArrayRef(kLayoutIns).drop_back()) {
    LinearLayout::Bases images;
    for (const Coord &image : layout.atom().bases(group))
      images.push_back(unflatten(flatten(image, from), to));
    bases.push_back({group, images});
  }
  SmallVector<unsigned> order;
  for (unsigned dim : layout.order())
    if (leadingOf[dim] >= 0)
      order.push_back(leadingOf[dim]);
  for (unsigned dim = to.size(); dim-- > 0;)
    if (!is_contained(order, dim))
      order.push_back(dim);
  Expected<LinearLayout> atom = LinearLayout::create(bases, sides);
  Expected<TileLayout> result =
      atom ? TileLayout::create(std::move(*atom), reps, order)
           : Expected<TileLayout>(atom.takeError());
  if (result)
    return *result;
  consumeError(result.takeError());
  return std::nullopt;
}

} // namespace tile
