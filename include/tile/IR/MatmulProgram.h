//===- MatmulProgram.h - Builds the reference matmul ------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The blocked matrix product C[M, N] = A[M, K] * B[K, N] as a producer of tile
// IR would write it.  test/e2e/matmul.mlir is what this makes for f16 and tiles
// of 128 x 128 x 64, with names and comments for people; a test compares them.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_IR_MATMULPROGRAM_H
#define TILE_IR_MATMULPROGRAM_H

#include "mlir/IR/Builders.h"
#include "tile/IR/TileOps.h"

#include <string>

namespace tile {

/// Elementwise work on the product.
struct MatmulEpilogue {
  /// Add bias[n], of the elements of C.
  bool bias = false;
  /// Apply GELU in its tanh form, 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715
  /// x^3))).  Where the output has 16 bits the tanh is the chip's, off by 2^-11
  /// of its value.
  bool gelu = false;
  /// Add residual[m, n], which lies in memory as C does.
  bool residual = false;

  bool isEmpty() const { return !bias && !gelu && !residual; }
};

/// What may differ between two blocked matrix products.
struct MatmulProgram {
  /// Symbol of the kernel.
  std::string name = "matmul";
  /// Elements of A and B: a float of at most 64 bits, or i8.
  mlir::Type elementType;
  /// Elements of C; null for those of A and B, or i32 where these are i8.
  mlir::Type outputType = {};
  /// How f32 is multiplied.
  Precision precision = Precision::Ieee;
  /// How many products of 8-bit floats may be summed inside the tensor core; 0
  /// for no bound.
  int64_t promoteEvery = 0;
  /// How many k's are summed at a time, each such sum being added to C in turn;
  /// 0 for all at once.  The rounding error of a sum of K products grows with
  /// K, that of K / partialSum sums of partialSum with partialSum.  A multiple
  /// of the tile's k; C must hold sums as they are, and the epilogue be empty.
  int64_t partialSum = 0;
  /// Sides of the tiles: m x k of A, k x n of B, m x n of C.
  int64_t m = 128, n = 128, k = 64;
  /// Rows of tiles whose programs have neighbouring ids, so that they meet in
  /// the L2 cache.
  int64_t group = 8;
  /// How A and B mostly lie in memory.  It changes no value: strides are
  /// arguments.  It marks the stride that variants assume to be 1.
  bool isAColumnMajor = false, isBColumnMajor = false;
  /// What happens to the sum before it is narrowed and stored, in this order
  /// and in the accumulator's type, which must be a float.
  MatmulEpilogue epilogue = {};
};

/// The type in which the products of `elementType` are summed; null if no dot
/// takes it.
mlir::Type matmulAccumulatorType(mlir::Type elementType);

/// Creates the kernel at the builder's insertion point.
///
///   NAME(a, b, c, M, N, K, sam, sak, sbk, sbn, scm, scn[, bias][, residual])
///
/// takes three pointers, the sizes as i32 and each matrix's strides, in
/// elements, as i64; pointers to the bias and the residual follow where the
/// epilogue has them.  Program (pid_m, pid_n) of a one-dimensional grid in
/// grouped order owns a tile of C.  Every value of the body has a NameLoc, with
/// which OpPrintingFlags::printNameLocAsPrefix prints readable text.
///
/// Null, after an error at `loc`, if the program has no such kernel: a side or
/// group that is not positive, a type or precision that `dot` does not take, an
/// epilogue on integers, or partial sums that C cannot hold.
KernelOp buildMatmul(mlir::OpBuilder &builder, mlir::Location loc,
                     const MatmulProgram &program);

} // namespace tile

#endif // TILE_IR_MATMULPROGRAM_H
