//===- Constructors.cpp - Blocked and fragment layouts --------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/Constructors.h"
#include "AtomBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace tile {

/// Sides and counts above this are refused, so that no product overflows.
constexpr int64_t kMaxSide = int64_t(1) << 30;
constexpr int64_t kMaxCount = 4096;

/// Dimensions of fragments.
enum : unsigned { kM = 0, kN = 1 };

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static Error checkShape(ArrayRef<int64_t> shape, unsigned rank) {
  if (shape.size() != rank)
    return createStringError("expected a shape of rank " + Twine(rank) +
                             ", got " + Twine(shape.size()));
  for (int64_t side : shape)
    if (side < 1 || side > kMaxSide)
      return createStringError("expected sides from 1 to 2^30, got " +
                               Twine(side));
  return Error::success();
}

static Error checkCounts(StringRef what, ArrayRef<int64_t> counts,
                         unsigned rank) {
  if (counts.size() != rank)
    return createStringError("expected " + Twine(rank) + " counts of " + what +
                             ", got " + Twine(counts.size()));
  for (int64_t count : counts)
    if (count < 1 || count > kMaxCount || !isPowerOf2_64(count))
      return createStringError("expected " + what +
                               " in powers of two up to 4096, got " +
                               Twine(count));
  return Error::success();
}

static Error checkElementBits(unsigned elementBits) {
  if (elementBits == 8 || elementBits == 16 || elementBits == 32)
    return Error::success();
  return createStringError("expected operands of 8, 16 or 32 bits, got " +
                           Twine(elementBits));
}

//===----------------------------------------------------------------------===//
// Blocked
//===----------------------------------------------------------------------===//

Expected<TileLayout> blocked(ArrayRef<int64_t> shape,
                             ArrayRef<int64_t> elementsPerThread,
                             ArrayRef<int64_t> threadsPerWarp,
                             ArrayRef<int64_t> warps,
                             ArrayRef<unsigned> order) {
  unsigned rank = shape.size();
  if (Error error = checkShape(shape, rank))
    return std::move(error);
  if (Error error = checkCounts("elements per thread", elementsPerThread, rank))
    return std::move(error);
  if (Error error = checkCounts("threads per warp", threadsPerWarp, rank))
    return std::move(error);
  if (Error error = checkCounts("warps", warps, rank))
    return std::move(error);
  SmallVector<unsigned> sorted(order);
  llvm::sort(sorted);
  if (!equal(sorted, seq(rank)))
    return createStringError("expected an order that lists each of " +
                             Twine(rank) + " dimensions once");

  SmallVector<int64_t, 2> limits;
  for (int64_t side : shape)
    limits.push_back(PowerOf2Ceil(side));
  AtomBuilder builder(limits);
  for (unsigned dim : order)
    builder.append(LayoutIn::Reg, dim, elementsPerThread[dim]);
  for (unsigned dim : order)
    builder.append(LayoutIn::Lane, dim, threadsPerWarp[dim]);
  for (unsigned dim : order)
    builder.append(LayoutIn::Warp, dim, warps[dim]);
  return builder.finish(shape, order);
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

namespace {

/// How one dimension of a shape is shared out in tiles of an instruction.
struct TileSplit {
  /// Warps with tiles of their own; the others repeat them.
  int64_t warps;
  /// Neighbouring tiles of a warp inside the atom: a power of two.
  int64_t tiles;

  /// Each warp gets as many tiles as the busiest one needs.  What makes that
  /// number odd is left to repetitions.
  TileSplit(int64_t side, int64_t instructionSide, int64_t numWarps) {
    int64_t numTiles = divideCeil(side, instructionSide);
    warps = std::min<int64_t>(numWarps, PowerOf2Ceil(numTiles));
    int64_t perWarp = divideCeil(numTiles, warps);
    tiles = perWarp & -perWarp;
  }
};

} // namespace

static Error checkFragment(ArrayRef<int64_t> shape,
                           ArrayRef<int64_t> warpGrid) {
  if (Error error = checkShape(shape, 2))
    return error;
  return checkCounts("warps", warpGrid, 2);
}

/// Numbers the warps of a grid, n fastest, where the warps along one dimension
/// of the grid may be unknown to the fragment.
static void appendWarps(AtomBuilder &builder, ArrayRef<int64_t> warpGrid,
                        std::optional<unsigned> dimOfM,
                        std::optional<unsigned> dimOfN) {
  auto append = [&](std::optional<unsigned> dim, int64_t count) {
    if (dim)
      builder.append(LayoutIn::Warp, *dim, count);
    else
      builder.appendFree(LayoutIn::Warp, count);
  };
  append(dimOfN, warpGrid[kN]);
  append(dimOfM, warpGrid[kM]);
}

Expected<TileLayout> mmaAccumulator(ArrayRef<int64_t> shape,
                                    ArrayRef<int64_t> warpGrid, int64_t sideN) {
  if (Error error = checkFragment(shape, warpGrid))
    return std::move(error);
  // What is odd in a side is repeated; what is left of a side may be less than
  // the instruction's.
  int64_t powerM = shape[kM] & -shape[kM], powerN = shape[kN] & -shape[kN];
  TileSplit m(powerM, 16, warpGrid[kM]), n(powerN, sideN, warpGrid[kN]);
  AtomBuilder builder({powerM, powerN});
  builder.appendFixed(LayoutIn::Reg, kN, sideN / 4);
  builder.append(LayoutIn::Lane, kN, 4);
  builder.append(LayoutIn::Lane, kM, 8);
  builder.appendFixed(LayoutIn::Reg, kM, 2);
  builder.append(LayoutIn::Reg, kN, n.tiles);
  builder.append(LayoutIn::Reg, kM, m.tiles);
  appendWarps(builder, warpGrid, kM, kN);
  return builder.finish(shape);
}

Expected<TileLayout> mmaOperandA(ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> warpGrid,
                                 unsigned elementBits) {
  constexpr unsigned kK = 1;
  if (Error error = checkFragment(shape, warpGrid))
    return std::move(error);
  if (Error error = checkElementBits(elementBits))
    return std::move(error);
  TileSplit m(shape[kM], 16, warpGrid[kM]);
  AtomBuilder builder({16 * m.tiles * m.warps, 256 / elementBits});
  builder.append(LayoutIn::Reg, kK, 32 / elementBits);
  builder.append(LayoutIn::Lane, kK, 4);
  builder.append(LayoutIn::Lane, kM, 8);
  builder.append(LayoutIn::Reg, kM, 2);
  builder.append(LayoutIn::Reg, kK, 2);
  builder.append(LayoutIn::Reg, kM, m.tiles);
  appendWarps(builder, warpGrid, kM, std::nullopt);
  return builder.finish(shape, {kM, kK});
}

Expected<TileLayout> mmaOperandB(ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> warpGrid,
                                 unsigned elementBits) {
  constexpr unsigned kK = 0;
  if (Error error = checkFragment(shape, warpGrid))
    return std::move(error);
  if (Error error = checkElementBits(elementBits))
    return std::move(error);
  TileSplit n(shape[kN], 8, warpGrid[kN]);
  AtomBuilder builder({256 / elementBits, 8 * n.tiles * n.warps});
  builder.append(LayoutIn::Reg, kK, 32 / elementBits);
  builder.append(LayoutIn::Lane, kK, 4);
  builder.append(LayoutIn::Lane, kN, 8);
  builder.append(LayoutIn::Reg, kK, 2);
  builder.append(LayoutIn::Reg, kN, n.tiles);
  appendWarps(builder, warpGrid, std::nullopt, kN);
  return builder.finish(shape, {kN, kK});
}

Expected<TileLayout> wgmmaAccumulator(ArrayRef<int64_t> shape,
                                      ArrayRef<int64_t> groupGrid) {
  if (Error error = checkShape(shape, 2))
    return std::move(error);
  if (Error error = checkCounts("warpgroups", groupGrid, 2))
    return std::move(error);
  if (shape[kN] % (8 * groupGrid[kN]) != 0)
    return createStringError("expected n to be a multiple of 8 for each of " +
                             Twine(groupGrid[kN]) + " warpgroups, got " +
                             Twine(shape[kN]));
  TileSplit m(shape[kM], 64, groupGrid[kM]), n(shape[kN], 8, groupGrid[kN]);
  // The columns of one warpgroup are one operand of the instruction.
  if (n.warps > 1 && n.tiles * 8 * n.warps != shape[kN])
    return createStringError("expected a power of two of columns for each of " +
                             Twine(groupGrid[kN]) + " warpgroups, got " +
                             Twine(shape[kN] / groupGrid[kN]));
  AtomBuilder builder({64 * m.warps, 8 * n.tiles * n.warps});
  builder.append(LayoutIn::Reg, kN, 2);
  builder.append(LayoutIn::Lane, kN, 4);
  builder.append(LayoutIn::Lane, kM, 8);
  builder.append(LayoutIn::Reg, kM, 2);
  builder.append(LayoutIn::Warp, kM, 4);
  builder.append(LayoutIn::Reg, kN, n.tiles);
  appendWarps(builder, groupGrid, kM, kN);
  return builder.finish(shape);
}

Expected<TileLayout> fmaAccumulator(ArrayRef<int64_t> shape,
                                    ArrayRef<int64_t> perThread,
                                    ArrayRef<int64_t> lanes,
                                    ArrayRef<int64_t> warpGrid) {
  if (Error error = checkFragment(shape, warpGrid))
    return std::move(error);
  if (Error error = checkCounts("elements per thread", perThread, 2))
    return std::move(error);
  if (Error error = checkCounts("threads per warp", lanes, 2))
    return std::move(error);
  int64_t vector = std::min<int64_t>(perThread[kN], 4);
  AtomBuilder builder({shape[kM] & -shape[kM], shape[kN] & -shape[kN]});
  builder.append(LayoutIn::Reg, kN, vector);
  builder.append(LayoutIn::Lane, kN, lanes[kN]);
  builder.append(LayoutIn::Lane, kM, lanes[kM]);
  builder.append(LayoutIn::Reg, kN, perThread[kN] / vector);
  builder.append(LayoutIn::Reg, kM, perThread[kM]);
  appendWarps(builder, warpGrid, kM, kN);
  return builder.finish(shape);
}

} // namespace tile
