//===- WgmmaTiles.h - The accumulator of wgmma ------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_WGMMATILES_H
#define TILE_CONVERSION_WGMMATILES_H

#include "KernelLowering.h"

namespace tile {

/// How the accumulator of wgmma lies in the registers of a warpgroup: tiles of
/// 64 rows, one for each instruction.
///
/// Register j of an instruction holds row 8 * (j / 2 % 2) and column
/// 8 * (j / 4) + j % 2 of thread 0 (PTX ISA 9.7.15.5.1.1, matrix D); which
/// register of the tensor that is, the layout says.
struct WgmmaTiles {
  struct Tile {
    /// First coordinate in warpgroup 0.
    Coord origin;
    /// Registers of the tensor in the order of the instruction.
    llvm::SmallVector<int64_t> registers;
  };

  /// Columns of a warpgroup.
  int64_t n = 0;
  llvm::SmallVector<Tile> tiles;
  /// The row and column that each bit of the warpgroup's number contributes.
  llvm::SmallVector<int64_t> groupRows, groupColumns;

  /// Those of a tensor type, or a diagnostic at `op`.
  static mlir::FailureOr<WgmmaTiles> of(mlir::Operation *op,
                                        mlir::RankedTensorType type);
  /// The registers of one instruction.
  mlir::Type structType(mlir::Type element) const;
};

} // namespace tile

#endif // TILE_CONVERSION_WGMMATILES_H
