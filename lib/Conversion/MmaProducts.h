//===- MmaProducts.h - Products of fragments --------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What mma.sync does not take as it lies in memory is converted in registers:
//   f32 as tf32    rounded to nearest even; the unit itself would cut
//   f32 as tf32x3  split into a large and a small part, three products
//   8-bit floats   to f16, which is exact; the order of k changes, and is the
//                  same in both operands
// An m16n8 tile of f64 is two of the instruction's m8n8, and a step of it two
// of its k4.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_MMAPRODUCTS_H
#define TILE_LIB_CONVERSION_MMAPRODUCTS_H

#include "KernelLowering.h"
#include "NarrowFloats.h"

namespace tile {

/// Registers of a thread for one m16n8 tile of the accumulator.
inline constexpr int64_t kAccRegisters = 4;

/// The products of fragments of one dot.
class MmaProducts {
public:
  MmaProducts(KernelLowering &kernel, gpu::MmaOp op);

  /// Makes operands of the instruction out of the words of either fragment.
  llvm::SmallVector<mlir::Value> prepare(mlir::ArrayRef<mlir::Value> words);
  /// Whether that makes several registers of a word.
  bool wordsGrow() const;
  /// The registers `acc` plus the product of two prepared fragments.
  llvm::SmallVector<mlir::Value> multiply(mlir::ArrayRef<mlir::Value> a,
                                          mlir::ArrayRef<mlir::Value> b,
                                          mlir::ArrayRef<mlir::Value> acc);

private:
  /// Registers of one instruction's accumulator.
  using Registers = llvm::SmallVector<mlir::Value>;

  llvm::SmallVector<mlir::Value> prepareTf32x3(mlir::ArrayRef<mlir::Value>);
  llvm::SmallVector<mlir::Value> prepareF8(mlir::ArrayRef<mlir::Value>);
  Registers multiplyAll(mlir::ArrayRef<mlir::Value> a,
                        mlir::ArrayRef<mlir::Value> b, Registers acc);
  Registers multiplyF64(mlir::ArrayRef<mlir::Value> a,
                        mlir::ArrayRef<mlir::Value> b, Registers acc);
  Registers issue(mlir::ValueRange a, mlir::ValueRange b,
                  mlir::ArrayRef<mlir::Value> acc);

  CodeBuilder &code;
  NarrowFloats narrow;
  /// Elements of the operands in memory, and of the accumulator.
  mlir::Type element, sum;
  Precision precision;
  /// Each step's products are summed up on their own and then added: the unit
  /// cuts sums, and an addition rounds them.
  bool promotes;
};

} // namespace tile

#endif // TILE_LIB_CONVERSION_MMAPRODUCTS_H
