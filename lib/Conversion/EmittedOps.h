//===- EmittedOps.h - Operations of functions as LLVM ops -------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations that MathFunctions.h is written over, as the compiler emits
// them.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_EMITTEDOPS_H
#define TILE_CONVERSION_EMITTEDOPS_H

#include "CodeBuilder.h"

namespace tile {

/// A value of one kind, so that operations can be overloaded as on numbers.
template <int kind>
struct Typed {
  mlir::Value value;
};

/// Operations of LLVM on scalars or vectors.
class EmittedOps {
public:
  using F = Typed<0>;
  using I = Typed<1>;
  using L = Typed<2>;
  using B = Typed<3>;

  /// Operates on values of the shape of `like`.
  EmittedOps(CodeBuilder &code, mlir::Type like)
      : code(code), vector(llvm::dyn_cast<mlir::VectorType>(like)) {}

  F number(float value) {
    mlir::FloatAttr attribute = code.builder.getF32FloatAttr(value);
    return {constant(attribute)};
  }
  I integer(uint32_t value) {
    return {constant(code.builder.getI32IntegerAttr(int32_t(value)))};
  }
  L wide(uint64_t value) {
    return {constant(code.builder.getI64IntegerAttr(int64_t(value)))};
  }

  F add(F x, F y) { return {emit<mlir::LLVM::FAddOp>(x, y)}; }
  F sub(F x, F y) { return {emit<mlir::LLVM::FSubOp>(x, y)}; }
  F mul(F x, F y) { return {emit<mlir::LLVM::FMulOp>(x, y)}; }
  F fma(F x, F y, F z) { return {emit<mlir::LLVM::FMAOp>(x, y, z)}; }
  F negate(F x) { return {emit<mlir::LLVM::FNegOp>(x)}; }
  F abs(F x) { return {emit<mlir::LLVM::FAbsOp>(x)}; }
  F copySign(F x, F sign) { return {emit<mlir::LLVM::CopySignOp>(x, sign)}; }
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

  I bits(F x) { return {convert<mlir::LLVM::BitcastOp>(x, code.i32())}; }
  F fromBits(I x) { return {convert<mlir::LLVM::BitcastOp>(x, f32())}; }
  F toFloat(I x) { return {convert<mlir::LLVM::SIToFPOp>(x, f32())}; }
  F toFloat(L x) { return {convert<mlir::LLVM::SIToFPOp>(x, f32())}; }
  L extend(I x) { return {convert<mlir::LLVM::ZExtOp>(x, code.i64())}; }
  I truncate(L x) { return {convert<mlir::LLVM::TruncOp>(x, code.i32())}; }

  template <int kind>
  Typed<kind> add(Typed<kind> x, Typed<kind> y) {
    return {emit<mlir::LLVM::AddOp>(x, y)};
  }
  I sub(I x, I y) { return {emit<mlir::LLVM::SubOp>(x, y)}; }
  I band(I x, I y) { return {emit<mlir::LLVM::AndOp>(x, y)}; }
  I bor(I x, I y) { return {emit<mlir::LLVM::OrOp>(x, y)}; }
  I bxor(I x, I y) { return {emit<mlir::LLVM::XOrOp>(x, y)}; }
  B bor(B x, B y) { return {emit<mlir::LLVM::OrOp>(x, y)}; }
  B band(B x, B y) { return {emit<mlir::LLVM::AndOp>(x, y)}; }
  I shl(I x, int count) { return {emit<mlir::LLVM::ShlOp>(x, integer(count))}; }
  I lshr(I x, int count) {
    return {emit<mlir::LLVM::LShrOp>(x, integer(count))};
  }
  I ashr(I x, int count) {
    return {emit<mlir::LLVM::AShrOp>(x, integer(count))};
  }
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
  I funnel(I high, I low, I count) {
    return {emit<mlir::LLVM::FshlOp>(high, low, count)};
  }

  B less(F x, F y) {
    return {compareFloats(mlir::LLVM::FCmpPredicate::olt, x, y)};
  }
  /// Whether x is greater, or one of them NaN.
  B notAtMost(F x, F y) {
    return {compareFloats(mlir::LLVM::FCmpPredicate::ugt, x, y)};
  }
  B equal(I x, I y) { return {compare(mlir::LLVM::ICmpPredicate::eq, x, y)}; }
  B below(I x, I y) { return {compare(mlir::LLVM::ICmpPredicate::ult, x, y)}; }
  template <int kind>
  Typed<kind> select(B condition, Typed<kind> x, Typed<kind> y) {
    return {mlir::LLVM::SelectOp::create(code.builder, code.loc,
                                         condition.value, x.value, y.value)};
  }
  /// Whether it holds for any element.
  mlir::Value any(B condition) {
    if (!vector)
      return condition.value;
    mlir::Value found = code.extract(condition.value, 0);
    for (int64_t i = 1; i < vector.getNumElements(); ++i)
      found = mlir::LLVM::OrOp::create(code.builder, code.loc, found,
                                       code.extract(condition.value, i));
    return found;
  }

private:
  mlir::Type f32() { return code.builder.getF32Type(); }
  mlir::Type shaped(mlir::Type element) {
    return vector
               ? mlir::Type(mlir::VectorType::get(vector.getShape(), element))
               : element;
  }
  mlir::Value constant(mlir::TypedAttr value) {
    mlir::Type type = shaped(value.getType());
    if (vector)
      return code.constantOf(
          type, mlir::DenseElementsAttr::get(llvm::cast<mlir::ShapedType>(type),
                                             value));
    return code.constantOf(type, value);
  }
  template <typename OpT, typename... Args>
  mlir::Value emit(Args... args) {
    return OpT::create(code.builder, code.loc, args.value...);
  }
  template <typename OpT, int kind>
  mlir::Value convert(Typed<kind> x, mlir::Type element) {
    return OpT::create(code.builder, code.loc, shaped(element), x.value);
  }
  mlir::Value compare(mlir::LLVM::ICmpPredicate predicate, I x, I y) {
    return mlir::LLVM::ICmpOp::create(code.builder, code.loc, predicate,
                                      x.value, y.value);
  }
  mlir::Value compareFloats(mlir::LLVM::FCmpPredicate predicate, F x, F y) {
    return mlir::LLVM::FCmpOp::create(code.builder, code.loc, predicate,
                                      x.value, y.value);
  }
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
          code.builder, code.loc, f32(), code.builder.getStringAttr(intrinsic),
          element);
      return call.getResult(0);
    };
    return {eachElement(x.value.getType(), x.value, one)};
  }

  CodeBuilder &code;
  /// Null for scalars.
  mlir::VectorType vector;
};

} // namespace tile

#endif // TILE_CONVERSION_EMITTEDOPS_H
