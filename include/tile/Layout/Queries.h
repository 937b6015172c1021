//===- Queries.h - What passes ask of layouts -------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector width, bank conflicts, kind of conversion and ownership: each derived
// once, by algebra on the layouts.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LAYOUT_QUERIES_H
#define TILE_LAYOUT_QUERIES_H

#include "tile/Layout/TileLayout.h"

namespace tile {

/// The widest vector, in elements and at most `maxElements`, that each thread
/// can move along `dim`: the largest power of two w such that registers v * w,
/// ..., v * w + w - 1 hold w consecutive elements along `dim`, starting at a
/// multiple of w.
int64_t vectorWidth(const TileLayout &layout, unsigned dim,
                    int64_t maxElements);

/// The same for an access to shared memory: registers v * w, ... lie at
/// consecutive offsets from a multiple of w.
int64_t sharedVectorWidth(const TileLayout &shared, const TileLayout &access,
                          int64_t maxElements);

/// How many times longer than without conflicts an access of one warp to shared
/// memory takes: 1 is free of conflicts.  `vectorElements` registers of a
/// thread move at once, so that 4-byte accesses of 32 lanes, 8-byte accesses of
/// 16, or 16-byte accesses of 8 form a wavefront; lanes that touch the same
/// word share it.  The worst register counts.  0 if the access is impossible:
/// vectorElements exceeds sharedVectorWidth or 16 bytes, or the shared layout
/// is too small.
int64_t bankConflicts(const TileLayout &shared, const TileLayout &access,
                      int64_t vectorElements, unsigned elementBits);

/// What it takes to bring a tensor from one layout to another.
enum class ConversionKind : uint8_t {
  /// Every place holds the same element in both.
  Identity,
  /// Every thread has its elements already, in registers that are the same for
  /// all threads: a renaming, free (registerSources gives it).
  RegisterPermute,
  /// Every warp has its elements already.
  Shuffle,
  /// Elements cross warps, or the layouts are too different: through shared
  /// memory.
  Shared
};

llvm::StringRef stringify(ConversionKind kind);

/// Classifies a conversion.  Replicas are used: an element that the thread (or
/// warp) already holds is not fetched from elsewhere.  Layouts of different
/// shapes are Shared.
ConversionKind conversionKind(const TileLayout &from, const TileLayout &to);

/// For an Identity or RegisterPermute conversion, the source register of each
/// destination register.
std::optional<llvm::SmallVector<int64_t>>
registerSources(const TileLayout &from, const TileLayout &to);

/// Who acts, where several places hold one element: the places whose bits under
/// all masks are zero hold each element exactly once.  Used by stores, atomics
/// and counting reductions.
struct OwnerMask {
  uint64_t reg = 0;
  uint64_t lane = 0;
  uint64_t warp = 0;
  uint64_t block = 0;
};

OwnerMask ownerMask(const TileLayout &layout);

} // namespace tile

#endif // TILE_LAYOUT_QUERIES_H
