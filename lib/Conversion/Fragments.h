//===- Fragments.h - Operands of mma.sync in registers ----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fragments of mma.m16n8 look alike for all element types when they are
// counted in words (PTX ISA 9.7.14.5): lane l holds words of row l / 4, and a
// step along k is eight words, of which the lane has numbers l % 4 and
// l % 4 + 4.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_FRAGMENTS_H
#define TILE_LIB_CONVERSION_FRAGMENTS_H

#include "AddressMap.h"

namespace tile {

/// Rows of an 8x8 matrix, of which fragments are made.
inline constexpr int64_t kMatrixRows = 8;

/// How elements of one type fill words: 32 bits, or one f64.
struct WordShape {
  explicit WordShape(mlir::Type element);

  int64_t elementBits;
  /// Elements of a word.
  int64_t elements;
  /// k's of a step: eight words.
  int64_t sideK;
};

/// Reads fragments of one operand from a slot: by ldmatrix where rows of 16
/// bytes lie whole in memory, by element otherwise.  Rows that the tile lacks
/// repeat others, k's that it lacks are zero.
///
/// ldmatrix transposes halves of words only: of bytes that lie side by side
/// along n, a lane gets two neighbours in twos along k.  One is for the first,
/// one for the second of a pair of instructions whose columns alternate, and
/// four k's of either are a word.
class FragmentReader {
public:
  /// `mnDim` is the dimension of the buffer that is m or n; the other is k.
  /// `warps` are the coordinates of the bits of the warp's number.
  FragmentReader(KernelLowering &kernel, gpu::BufferType type, unsigned mnDim,
                 mlir::Value buffer, mlir::Value cursor,
                 const ThreadBits &warps, mlir::Value round,
                 const KRounds &rounds, bool inPairs = false);

  /// Whether operand B can be read for pairs of instructions.
  static bool hasPairs(gpu::BufferType type);

  /// `count` words at (mn, k), as i32 or i64: of A four, rows before k; of B
  /// two for each tile of columns, of which there may be two, and are in pairs.
  llvm::SmallVector<mlir::Value> read(int64_t mn, int64_t k, unsigned count);

private:
  Coord coord(int64_t mn, int64_t k) const {
    return mnDim == 0 ? Coord{mn, k} : Coord{k, mn};
  }
  /// A bit of m or n, or nothing where that is beyond the power of two that
  /// the tile has.
  int64_t rowBit(int64_t bit) const { return bit < rowPower ? bit : 0; }
  int64_t sideOfK() const { return type.getShape()[1 - mnDim]; }
  static bool isRun(gpu::BufferType type, unsigned dim, int64_t elements);
  ThreadBits matrixThreads() const;
  ThreadBits pairThreads() const;
  ThreadBits elementThreads(bool withK) const;
  llvm::SmallVector<mlir::Value> readMatrices(int64_t mn, int64_t k,
                                              unsigned count);
  llvm::SmallVector<mlir::Value> readPair(int64_t mn, int64_t k);
  mlir::Value readWord(int64_t mn, int64_t k);
  mlir::Value readElements(int64_t mn, int64_t k, int64_t width);

  KernelLowering &kernel;
  gpu::BufferType type;
  unsigned mnDim;
  WordShape words;
  /// The power of two in the side of m or n.
  int64_t rowPower;
  bool usesLdmatrix = false, inPairs;
  /// Whether rows in memory run along m or n: ldmatrix transposes then.
  bool transposed = false;
  /// Elements of one access along k, where there is no ldmatrix.
  int64_t width = 1;
  std::unique_ptr<SharedAddresses> addresses;
  /// Addresses that are inside the slot for every lane, and the k of the lane's
  /// first word: what a lane reads beyond k is not read.
  std::unique_ptr<SharedAddresses> inside;
  mlir::Value laneK;
};

} // namespace tile

#endif // TILE_LIB_CONVERSION_FRAGMENTS_H
