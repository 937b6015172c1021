//===- EmittedDoubleOps.h - Operations of functions of f64 ------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations that DoubleFunctions.h is written over, as the compiler emits
// them.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_EMITTEDDOUBLEOPS_H
#define TILE_CONVERSION_EMITTEDDOUBLEOPS_H

#include "EmittedArithmetic.h"

namespace tile {

/// Operations of LLVM on scalars or vectors of f64 and i64.
class EmittedDoubleOps : public EmittedArithmetic {
public:
  using EmittedArithmetic::mul;

  /// Operates on values of the shape of `like`.
  EmittedDoubleOps(CodeBuilder &code, mlir::Type like)
      : EmittedArithmetic(code, like, code.builder.getF64Type(), code.i64()) {}

  F number(double value) {
    mlir::FloatAttr attribute = code.builder.getF64FloatAttr(value);
    return {constant(attribute)};
  }
  I integer(uint64_t value) { return integerOf(int64_t(value)); }

  F div(F x, F y) { return {emit<mlir::LLVM::FDivOp>(x, y)}; }
  F sqrt(F x) { return {convert<mlir::LLVM::SqrtOp>(x, floatType)}; }
  I mul(I x, I y) { return {emit<mlir::LLVM::MulOp>(x, y)}; }
  I mulHigh(I x, I y) {
    using Wide = Typed<4>;
    mlir::Type wide = code.builder.getIntegerType(128);
    Wide wideX = {convert<mlir::LLVM::ZExtOp>(x, wide)};
    Wide wideY = {convert<mlir::LLVM::ZExtOp>(y, wide)};
    Wide product = {emit<mlir::LLVM::MulOp>(wideX, wideY)};
    Wide count = {constant(code.builder.getIntegerAttr(wide, 64))};
    Wide upper = {emit<mlir::LLVM::LShrOp>(product, count)};
    return {convert<mlir::LLVM::TruncOp>(upper, code.i64())};
  }
};

} // namespace tile

#endif // TILE_CONVERSION_EMITTEDDOUBLEOPS_H
