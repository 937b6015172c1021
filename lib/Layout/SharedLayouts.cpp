//===- SharedLayouts.cpp - Layouts of shared memory -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/Constructors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace tile {

/// Sides above this are refused, so that no product overflows.
constexpr int64_t kMaxSide = int64_t(1) << 30;

/// Hardware facts: a chunk of 16 bytes is moved whole, and the chunk number is
/// xored with bits of the byte offset from bit 7 up.
constexpr unsigned kChunkBit = 4;
constexpr unsigned kRowBit = 7;
/// Rows after which each of the swizzles repeats.
constexpr int64_t kSwizzleRows = 8;

static Error checkSides(ArrayRef<int64_t> shape) {
  for (int64_t side : shape)
    if (side < 1 || side > kMaxSide)
      return createStringError("expected sides from 1 to 2^30, got " +
                               Twine(side));
  return Error::success();
}

static bool isElementSize(unsigned elementBits) {
  return elementBits == 8 || elementBits == 16 || elementBits == 32 ||
         elementBits == 64;
}

static int64_t largestPowerOf2Divisor(int64_t value) { return value & -value; }

unsigned swizzleBytes(int64_t contiguous, unsigned elementBits) {
  int64_t bytes = contiguous * elementBits / 8;
  for (unsigned width : {128, 64, 32})
    if (bytes % width == 0)
      return width;
  return 0;
}

/// Applies the swizzle to a byte offset; it is its own inverse.
static int64_t swizzleByteOffset(int64_t offset, unsigned width) {
  int64_t numChunks = width >> kChunkBit;
  return offset ^ ((offset >> kRowBit & (numChunks - 1)) << kChunkBit);
}

/// An atom of whole blocks: the offset runs through the columns of a block,
/// then the rows, then the blocks.  `swizzle` is 0 or the width of a block in
/// bytes.
static LinearLayout blockedImage(int64_t blockCols, int64_t rows,
                                 int64_t numBlocks, unsigned elementBytes,
                                 unsigned swizzle) {
  int64_t size = blockCols * rows * numBlocks;
  LinearLayout::Bases bases;
  for (int64_t offset = 1; offset < size; offset *= 2) {
    int64_t logical = offset;
    if (swizzle)
      logical =
          swizzleByteOffset(offset * elementBytes, swizzle) / elementBytes;
    int64_t col = logical % blockCols;
    int64_t row = logical / blockCols % rows;
    int64_t block = logical / blockCols / rows;
    bases.push_back({row, block * blockCols + col});
  }
  return cantFail(LinearLayout::create({{LayoutIn::Offset, bases}},
                                       {rows, blockCols * numBlocks}));
}

Expected<TileLayout> sharedSwizzled(int64_t rows, int64_t cols,
                                    unsigned elementBits, bool rowMajor) {
  if (!rowMajor) {
    Expected<TileLayout> transposed =
        sharedSwizzled(cols, rows, elementBits, /*rowMajor=*/true);
    if (!transposed)
      return transposed.takeError();
    return transposed->transpose({1, 0});
  }
  if (Error error = checkSides({rows, cols}))
    return std::move(error);
  if (!isElementSize(elementBits))
    return createStringError("expected elements of 8, 16, 32 or 64 bits, got " +
                             Twine(elementBits));
  unsigned elementBytes = elementBits / 8;
  unsigned swizzle = swizzleBytes(cols, elementBits);
  int64_t blockCols =
      swizzle ? swizzle / elementBytes : largestPowerOf2Divisor(cols);
  int64_t numBlocks = cols / blockCols;
  int64_t atomRows = largestPowerOf2Divisor(rows);
  // Blocks follow whole columns of rows, so they fit into the atom only if all
  // rows do.
  int64_t atomBlocks = atomRows == rows ? largestPowerOf2Divisor(numBlocks) : 1;
  bool repeats = atomRows != rows || atomBlocks != numBlocks;
  if (swizzle && repeats && atomRows * atomBlocks < kSwizzleRows)
    return createStringError(
        "expected a multiple of 8 rows, or powers of two of rows and of " +
        Twine(swizzle) + "-byte blocks, under a swizzle, got " + Twine(rows) +
        " rows and " + Twine(numBlocks) + " blocks");
  return TileLayout::create(
      blockedImage(blockCols, atomRows, atomBlocks, elementBytes, swizzle),
      {rows / atomRows, numBlocks / atomBlocks}, {0, 1});
}

Expected<TileLayout> sharedRowMajor(int64_t rows, int64_t cols) {
  return sharedRowMajor({rows, cols});
}

Expected<TileLayout> sharedRowMajor(ArrayRef<int64_t> shape) {
  if (Error error = checkSides(shape))
    return std::move(error);
  // The atom ends in the first dimension, from the last, that is no power of
  // two: what is slower than its odd factor repeats.
  SmallVector<int64_t> atomSides(shape.size(), 1), reps(shape);
  LinearLayout::Bases bases;
  for (unsigned dim = shape.size(); dim-- > 0;) {
    atomSides[dim] = largestPowerOf2Divisor(shape[dim]);
    reps[dim] = shape[dim] / atomSides[dim];
    for (int64_t bit = 1; bit < atomSides[dim]; bit *= 2) {
      bases.push_back(Coord(shape.size(), 0));
      bases.back()[dim] = bit;
    }
    if (reps[dim] != 1)
      break;
  }
  Expected<LinearLayout> atom =
      LinearLayout::create({{LayoutIn::Offset, bases}}, atomSides);
  if (!atom)
    return atom.takeError();
  return TileLayout::create(std::move(*atom), reps);
}

Expected<TileLayout> sharedImage(int64_t rows, int64_t cols,
                                 unsigned elementBits, bool rowMajor) {
  if (Error error = checkSides({rows, cols}))
    return std::move(error);
  if (!isElementSize(elementBits))
    return sharedSwizzled(rows, cols, elementBits, rowMajor);
  Expected<TileLayout> swizzled =
      sharedSwizzled(rows, cols, elementBits, rowMajor);
  if (swizzled)
    return swizzled;
  consumeError(swizzled.takeError());
  if (rowMajor)
    return sharedRowMajor(rows, cols);
  Expected<TileLayout> transposed = sharedRowMajor(cols, rows);
  if (!transposed)
    return transposed;
  return transposed->transpose({1, 0});
}

Expected<TileLayout> ldmatrixAccess(unsigned elementBits) {
  if (!isElementSize(elementBits))
    return createStringError("expected elements of 8, 16, 32 or 64 bits, got " +
                             Twine(elementBits));
  int64_t chunk = 128 / elementBits;
  LinearLayout::Bases reg;
  for (int64_t col = 1; col < chunk; col *= 2)
    reg.push_back({0, col});
  LinearLayout::Bases lane = {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {0, chunk}};
  Expected<LinearLayout> atom = LinearLayout::create(
      {{LayoutIn::Reg, reg}, {LayoutIn::Lane, lane}}, {16, 2 * chunk});
  if (!atom)
    return atom.takeError();
  return TileLayout::fromAtom(std::move(*atom));
}

} // namespace tile
