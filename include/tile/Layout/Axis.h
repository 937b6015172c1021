//===- Axis.h - Lines of a layout along one dimension -----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reductions and scans combine the elements of a line, the coordinates that
// differ along one dimension only.  A line lies where the place bits that stand
// for that dimension lead: in registers, in lanes, in warps.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LAYOUT_AXIS_H
#define TILE_LAYOUT_AXIS_H

#include "tile/Layout/TileLayout.h"

namespace tile {

/// One bit of the number of a register, lane, warp or block.
struct PlaceBit {
  LayoutIn group;
  unsigned bit;
};

/// For each bit of a coordinate inside the atom's side along `dim`, low to
/// high, the place bit whose image is that bit alone.  Nothing where a bit has
/// none, or where another place bit's image contains it too: then places that
/// differ in one bit are no neighbours in a line.
std::optional<llvm::SmallVector<PlaceBit>> axisBits(const TileLayout &layout,
                                                    unsigned dim);

/// The layout in which warps tell apart the highest bits of the atom along
/// `dim`: registers that did take the bits below, in their order.  So a line is
/// cut into one piece for each warp.
TileLayout raiseWarps(const TileLayout &layout, unsigned dim);

/// The layout in which what warps and lanes tell apart along `dim` is told
/// apart by lanes that are free, the high bits of the coordinate first, and by
/// registers: every warp has all of its lines.  Without `dim`, both layouts are
/// the same.
TileLayout gatherAxis(const TileLayout &layout, unsigned dim);

/// A layout of which each warp holds whole lines along `dim`: the low bits of
/// the coordinate in registers, the next ones in lanes, what remains in
/// repetitions.  Lanes that other dimensions leave free take part in a line,
/// and more do where a thread would hold more than 64 elements of it.
llvm::Expected<TileLayout> lineLayout(llvm::ArrayRef<int64_t> shape,
                                      unsigned dim, int64_t numWarps);

} // namespace tile

#endif // TILE_LAYOUT_AXIS_H
