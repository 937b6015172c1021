//===- NarrowFloats.h - tf32 and 8-bit floats in registers ------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_NARROWFLOATS_H
#define TILE_LIB_CONVERSION_NARROWFLOATS_H

#include "CodeBuilder.h"

namespace tile {

/// Whether the chip that an op's kernel is planned for converts to bf16 and
/// 8-bit floats by instructions.
bool hasNarrowConversions(mlir::Operation *op);

/// Conversions of the narrow floats that operands of products have: by the
/// chip's instruction where there is one that does the same (sm_90 and up),
/// else on bits.
class NarrowFloats {
public:
  /// For the chip that the kernel of `op` is planned for.
  NarrowFloats(CodeBuilder &code, mlir::Operation *op);

  /// An f32 rounded to tf32, to nearest even, as an f32.
  mlir::Value roundToTf32(mlir::Value value);
  /// A number as the sum of two of tf32.  Infinity and NaN leave nothing, and
  /// are zero beside small parts.
  struct Parts {
    mlir::Value large, small, largeBesideSmall;
  };
  Parts splitTf32(mlir::Value value);
  /// Two of the four 8-bit floats in an i32, the low or the high ones, as a
  /// vector of f16, which is exact.
  mlir::Value widenPair(mlir::Value word, bool high, mlir::Type from);
  /// An f32 rounded to an 8-bit float, to nearest even, as a byte.  Past the
  /// largest value f8E4M3FN saturates and f8E5M2 becomes infinity.
  mlir::Value roundToFloat8(mlir::Value value, mlir::Type to);

private:
  mlir::Value widenPairOnBits(mlir::Value word, bool high, mlir::Type from);

  CodeBuilder &code;
  bool hasInstructions;
};

} // namespace tile

#endif // TILE_LIB_CONVERSION_NARROWFLOATS_H
