//===- MmaShapes.h - Which dots the hardware has ----------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of matrix instructions, read by the verifier of #tile.mma, the
// planner and the lowering.  Shapes are those of the PTX ISA, section 9.7.14.
// What an instruction does not take as it is (tf32x3, 8-bit floats) has the
// shape of what the lowering makes of it.  So has a pair of instructions whose
// columns alternate, of n = 16: bytes of B that lie side by side along n come
// from shared memory in twos, one for each.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_IR_MMASHAPES_H
#define TILE_IR_MMASHAPES_H

#include "tile/IR/TileAttrs.h"

namespace tile {

/// One matrix instruction: its shape, and the element types it takes.
struct MmaShape {
  Instruction instruction;
  /// Sides; kAnyN for the n of wgmma, see isWgmmaWidth.
  int64_t m, n, k;
  /// Operand element type, as MLIR spells it.
  llvm::StringLiteral operand;
  /// Accumulator element type.
  llvm::StringLiteral accumulator;
  /// How f32 operands are multiplied.
  Precision precision = Precision::Ieee;
};

/// The n of wgmma, which comes in many widths.
inline constexpr int64_t kAnyN = 0;

/// Whether wgmma has this n: the multiples of 8 up to 256; for integers only
/// 8, 16, 24 and the multiples of 16 from 32 (PTX ISA 9.7.15.2).
bool isWgmmaWidth(int64_t n, bool isInteger);
/// The same in words: "columns in multiples of 8 up to 256".
llvm::StringRef describeWgmmaWidths(bool isInteger);

/// k's of tf32x3 that are summed up on their own and then added.
inline constexpr int64_t kTf32x3Run = 8;

/// How many k's of a dot are summed up on their own, from zero, before their
/// sum is added to the accumulator; 0 where every product is added to it.
int64_t runOfDot(Precision precision, std::optional<int64_t> promoteEvery);

/// The precision that wgmma has on these operands.
Precision precisionOfWgmma(mlir::Type operand);

/// Whether the instruction exists with these sides.
bool hasSides(const MmaShape &shape, int64_t m, int64_t n, int64_t k);

/// The n of a pair of mma.sync whose columns alternate.
inline constexpr int64_t kPairN = 16;

/// Whether the table has this instruction for these element types.
bool hasMmaShape(Instruction instruction, mlir::Type operand,
                 mlir::Type accumulator, Precision precision, int64_t m,
                 int64_t n, int64_t k);

/// All instructions that some pass can emit.
llvm::ArrayRef<MmaShape> mmaShapes();

/// The instruction of this kind for these element types, or null.
const MmaShape *findMmaShape(Instruction instruction, mlir::Type operand,
                             mlir::Type accumulator,
                             Precision precision = Precision::Ieee);

/// Checks how many k a dot on these elements may add before it promotes the
/// sum: a positive number, on 8-bit floats only.
mlir::LogicalResult verifyPromotion(mlir::Operation *op, mlir::Type operand,
                                    std::optional<int64_t> promoteEvery);

} // namespace tile

#endif // TILE_IR_MMASHAPES_H
