//===- Pages.h - Merged runs as a page and as plots -------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_PAGES_H
#define TILE_TOOLS_BENCH_PAGES_H

#include "Merge.h"

namespace tile::bench {

/// Markdown, with the plots beside it as ratios.svg and roofline.svg.
std::string writePage(const MergedRun &run);
/// A bar for each case: ours over the reference, with the floor as a mark.
std::string plotRatios(const MergedRun &run);
/// Speed over operations per byte, with the roof of the card where it is known.
std::string plotRoofline(const MergedRun &run);

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_PAGES_H
