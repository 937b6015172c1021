//===- Constructors.h - The layouts that the compiler uses ------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocked, fragment and shared-memory layouts are not classes of their own:
// each is a function here that returns a TileLayout.  docs/Layouts.md draws
// them.  Below, c1 c2 c4 ... and r1 r2 r4 ... name the bits of the column and
// of the row, k1 n1 m1 likewise, and lists run from the lowest input bit up.
//
// Common rules
// - A shape need not be a power of two: what remains becomes repetitions, and a
//   side that is smaller than the instruction's is padded, so shape() of the
//   result may exceed the argument but never falls short of it.
// - Counts of threads, warps and elements must be powers of two; anything else
//   is an error with a message.
// - Warps of a grid {m, n} are numbered with n fastest: warp = m * grid.n + n.
// - A lane or warp bit that a small shape does not need is free: several
// threads
//   then hold the same element.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LAYOUT_CONSTRUCTORS_H
#define TILE_LAYOUT_CONSTRUCTORS_H

#include "tile/Layout/TileLayout.h"

namespace tile {

/// Threads own boxes of `elementsPerThread`, lanes tile the boxes, warps tile
/// the lanes, and the whole repeats over the shape.  In registers, lanes, warps
/// and repetitions the first dimension of `order` runs fastest.
/// Blocked {1, 8} elements, {4, 8} lanes, {1, 1} warps, order {1, 0} is
/// register c1 c2 c4, lane c8 c16 c32 r1 r2.
/// Registers are never replicated: a thread's box shrinks to the shape.
llvm::Expected<TileLayout> blocked(llvm::ArrayRef<int64_t> shape,
                                   llvm::ArrayRef<int64_t> elementsPerThread,
                                   llvm::ArrayRef<int64_t> threadsPerWarp,
                                   llvm::ArrayRef<int64_t> warps,
                                   llvm::ArrayRef<unsigned> order);

/// The accumulator of mma.m16n8 (PTX ISA 9.7.14, "Matrix fragments"), shape
/// {m, n}: register c1 r8, then the n8 tiles, then the m16 tiles; lane c2 c4 r1
/// r2 r4.  Each warp owns one contiguous block where its number of tiles is a
/// power of two; the odd factor of a side is repeated outside the warps.  It is
/// never padded: where the power of two in a side is less than the
/// instruction's, bits are free, in registers too, and what holds one element
/// computes it several times.
/// With n = 16, of two instructions whose columns alternate, the first's even:
/// register c1 c2 r8, lane c4 c8 r1 r2 r4.
llvm::Expected<TileLayout> mmaAccumulator(llvm::ArrayRef<int64_t> shape,
                                          llvm::ArrayRef<int64_t> warpGrid,
                                          int64_t n = 8);

/// Operand A, shape {m, k}, of mma.m16n8 with k = 256 / elementBits: 16 (f16,
/// bf16), 8 (tf32, elementBits 32) or 32 (int8, fp8).  `warpGrid` is that of
/// the accumulator; the warps along n hold the same elements.  Registers: the
/// instruction's, then the m16 tiles, then the k steps, so that the registers
/// of one k step are contiguous.  For 16 bits: register k1 r8 k8, lane k2 k4 r1
/// r2 r4.
llvm::Expected<TileLayout> mmaOperandA(llvm::ArrayRef<int64_t> shape,
                                       llvm::ArrayRef<int64_t> warpGrid,
                                       unsigned elementBits);

/// Operand B, shape {k, n}; otherwise like mmaOperandA: the instruction's
/// registers, then the n8 tiles, then the k steps.  For 16 bits: register k1
/// k8, lane k2 k4 n1 n2 n4.
llvm::Expected<TileLayout> mmaOperandB(llvm::ArrayRef<int64_t> shape,
                                       llvm::ArrayRef<int64_t> warpGrid,
                                       unsigned elementBits);

/// The accumulator of wgmma m64nN, shape {m, n}, over a grid of warpgroups:
/// register c1 r8 c8 c16 ..., then the m64 tiles; lane c2 c4 r1 r2 r4; warp r16
/// r32, then the warpgroups.  n must be a multiple of 8 for each warpgroup.
llvm::Expected<TileLayout> wgmmaAccumulator(llvm::ArrayRef<int64_t> shape,
                                            llvm::ArrayRef<int64_t> groupGrid);

/// The accumulator of the f32 kernel on plain FMAs, shape {m, n}: every thread
/// owns perThread.m rows and perThread.n columns of its warp's block, `lanes`
/// {m, n} threads make a warp, `warpGrid` {m, n} warps the tile.  What is odd
/// in a side is repeated, and threads that are too many hold the same elements.
///
/// Register: the columns of one vector of 4, then further vectors, then rows;
/// so that register = row * perThread.n + column.  Lane: n first.  With
/// perThread {16, 8} and lanes {4, 8}: register c1 c2 c32 r4 r8 r16 r32, lane
/// c4 c8 c16 r1 r2.  Why:
/// - 8 neighbouring lanes read 128 contiguous bytes of a row of B with LDS.128:
///   no conflict, and a store of the result is coalesced the same way;
/// - the same lanes share their rows of A, so that these reads are broadcast,
///   and the hardware halves their cost only when *neighbouring* lanes share;
/// - rows are spread (lane r1 r2, not r16 r32), so that the 4 rows that a warp
///   reads at once fall into different banks of a swizzled 64-byte row.
llvm::Expected<TileLayout> fmaAccumulator(llvm::ArrayRef<int64_t> shape,
                                          llvm::ArrayRef<int64_t> perThread,
                                          llvm::ArrayRef<int64_t> lanes,
                                          llvm::ArrayRef<int64_t> warpGrid);

/// The bytes of one swizzled row for a contiguous side of `contiguous`
/// elements: the largest of 128, 64 and 32 that divides it, or 0 for no
/// swizzle.
unsigned swizzleBytes(int64_t contiguous, unsigned elementBits);

/// The image in shared memory that TMA and wgmma use: offset (in elements) to
/// (row, column).  The row is cut into blocks of swizzleBytes(); a block is
/// `rows` rows of that many bytes, blocks follow each other.  On the byte
/// offset inside the tile, which must be aligned to 8 rows:
///   128: bits 4 5 6 ^= bits 7 8 9    (16-byte chunk ^= row % 8)
///    64: bits 4 5   ^= bits 7 8      (chunk ^= row / 2 % 4)
///    32: bit 4      ^= bit 7         (chunk ^= row / 4 % 2)
/// Without `rowMajor` the roles of rows and columns are exchanged.  Element
/// sizes are 8, 16, 32 and 64 bits.  Where there is a swizzle, rows must be a
/// multiple of 8, or rows and the number of blocks powers of two.
llvm::Expected<TileLayout> sharedSwizzled(int64_t rows, int64_t cols,
                                          unsigned elementBits, bool rowMajor);

/// Offset = row * cols + column.
llvm::Expected<TileLayout> sharedRowMajor(int64_t rows, int64_t cols);

/// The same for any number of dimensions, the last one fastest.
llvm::Expected<TileLayout> sharedRowMajor(llvm::ArrayRef<int64_t> shape);

/// The image of a tile that threads alone write and read: swizzled where
/// sharedSwizzled takes the sides, else as they come.
llvm::Expected<TileLayout> sharedImage(int64_t rows, int64_t cols,
                                       unsigned elementBits, bool rowMajor);

/// The addresses of ldmatrix.x4 (PTX ISA 9.7.14.5.15) as an access of 16 rows
/// of 32 bytes: lane l reads the 16-byte chunk l / 16 of row l % 16.  Register:
/// the elements of the chunk.
llvm::Expected<TileLayout> ldmatrixAccess(unsigned elementBits);

} // namespace tile

#endif // TILE_LAYOUT_CONSTRUCTORS_H
