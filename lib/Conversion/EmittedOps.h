//===- EmittedOps.h - Operations of functions as LLVM ops -------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations that MathFunctions.h is written over, as the compiler emits
// them: in f32.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_EMITTEDOPS_H
#define TILE_CONVERSION_EMITTEDOPS_H

#include "EmittedArithmetic.h"

namespace tile {

/// Operations of LLVM on scalars or vectors of f32 and i32, and on i64.
class EmittedOps : public EmittedArithmetic {
public:
  using L = Typed<2>;
  using EmittedArithmetic::lshr, EmittedArithmetic::mul, EmittedArithmetic::shl,
      EmittedArithmetic::toFloat;

  /// Operates on values of the shape of `like`.
  EmittedOps(CodeBuilder &code, mlir::Type like)
      : EmittedArithmetic(code, like, code.builder.getF32Type(), code.i32()) {}

  F number(float value) {
    mlir::FloatAttr attribute = code.builder.getF32FloatAttr(value);
    return {constant(attribute)};
  }
  I integer(uint32_t value) { return integerOf(int32_t(value)); }
  L wide(uint64_t value) {
    return {constant(code.builder.getI64IntegerAttr(int64_t(value)))};
  }

  F floor(F x) { return {emit<mlir::LLVM::FFloorOp>(x)}; }
  F minNumber(F x, F y) { return {emit<mlir::LLVM::MinNumOp>(x, y)}; }
  F maxNumber(F x, F y) { return {emit<mlir::LLVM::MaxNumOp>(x, y)}; }
  F minimum(F x, F y) { return {emit<mlir::LLVM::MinimumOp>(x, y)}; }
  F maximum(F x, F y) { return {emit<mlir::LLVM::MaximumOp>(x, y)}; }

  F exp2(F x) { return eachElement("llvm.nvvm.ex2.approx.ftz.f32", x); }
  // Not .ftz: the logarithm of a negative subnormal number is NaN.
  F log2(F x) { return eachElement("llvm.nvvm.lg2.approx.f", x); }
  F reciprocal(F x) { return eachElement("llvm.nvvm.rcp.approx.ftz.f", x); }
  F reciprocalSqrt(F x) { return eachElement("llvm.nvvm.rsqrt.approx.f", x); }
  F sine(F x) { return eachElement("llvm.nvvm.sin.approx.f", x); }
  F cosine(F x) { return eachElement("llvm.nvvm.cos.approx.f", x); }

  F toFloat(L x) { return {convert<mlir::LLVM::SIToFPOp>(x, floatType)}; }
  L extend(I x) { return {convert<mlir::LLVM::ZExtOp>(x, code.i64())}; }
  I truncate(L x) { return {convert<mlir::LLVM::TruncOp>(x, code.i32())}; }

  L shl(L x, int count) { return {emit<mlir::LLVM::ShlOp>(x, wide(count))}; }
  L lshr(L x, int count) { return {emit<mlir::LLVM::LShrOp>(x, wide(count))}; }
  L mul(L x, L y) { return {emit<mlir::LLVM::MulOp>(x, y)}; }
  /// As assembly: LLVM makes a comparison and a select of what has the same
  /// meaning and a mask that is all of a sign.
  I mux(I mask, I x, I y) {
    return {eachElement(x.value.getType(), {mask.value, x.value, y.value},
                        [&](mlir::ValueRange elements) -> mlir::Value {
                          return createAsm(code.builder, code.loc, code.i32(),
                                           elements,
                                           "lop3.b32 $0, $1, $2, $3, 0xCA;",
                                           "=r,r,r,r", /*hasSideEffects=*/false)
                              .getResult(0);
                        })};
  }

private:
  /// What exists for scalars only, on each element.
  mlir::Value
  eachElement(mlir::Type type, mlir::ValueRange operands,
              llvm::function_ref<mlir::Value(mlir::ValueRange)> one) {
    if (!vector)
      return one(operands);
    mlir::Value result = code.poison(type);
    for (int64_t i = 0; i < vector.getNumElements(); ++i) {
      llvm::SmallVector<mlir::Value> elements;
      for (mlir::Value operand : operands)
        elements.push_back(code.extract(operand, i));
      result = code.insert(result, one(elements), i);
    }
    return result;
  }
  F eachElement(llvm::StringRef intrinsic, F x) {
    auto one = [&](mlir::ValueRange element) -> mlir::Value {
      auto call = mlir::LLVM::CallIntrinsicOp::create(
          code.builder, code.loc, floatType,
          code.builder.getStringAttr(intrinsic), element);
      return call.getResult(0);
    };
    return {eachElement(x.value.getType(), x.value, one)};
  }
};

} // namespace tile

#endif // TILE_CONVERSION_EMITTEDOPS_H
