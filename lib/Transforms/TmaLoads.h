//===- TmaLoads.h - Loads by the copy engine without roles ------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_TMALOADS_H
#define TILE_TRANSFORMS_TMALOADS_H

#include "tile/Analysis/AccessAnalysis.h"

namespace tile {

/// Rows of the boxes that fill a slot with `access`'s tile; 0 if whole boxes
/// don't.
int64_t boxRows(const Access &access);

/// Why a loop's load cannot go through the copy engine in a kernel whose warps
/// all do the same; empty if it can.
std::string reasonAgainstTmaLoad(LoadOp load, const Access &access,
                                 const AccessAnalysis &analysis);

} // namespace tile

#endif // TILE_TRANSFORMS_TMALOADS_H
