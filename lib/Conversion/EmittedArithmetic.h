//===- EmittedArithmetic.h - Operations of any functions --------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations that MathFunctions.h and DoubleFunctions.h are both written
// over, as the compiler emits them.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_EMITTEDARITHMETIC_H
#define TILE_CONVERSION_EMITTEDARITHMETIC_H

#include "CodeBuilder.h"

namespace tile {

/// A value of one kind, so that operations can be overloaded as on numbers.
template <int kind>
struct Typed {
  mlir::Value value;
};

/// Operations of LLVM on scalars or vectors: floats of one type, and integers
/// as wide.
class EmittedArithmetic {
public:
  using F = Typed<0>;
  using I = Typed<1>;
  using B = Typed<3>;

  F add(F x, F y) { return {emit<mlir::LLVM::FAddOp>(x, y)}; }
  F sub(F x, F y) { return {emit<mlir::LLVM::FSubOp>(x, y)}; }
  F mul(F x, F y) { return {emit<mlir::LLVM::FMulOp>(x, y)}; }
  F fma(F x, F y, F z) { return {emit<mlir::LLVM::FMAOp>(x, y, z)}; }
  F negate(F x) { return {emit<mlir::LLVM::FNegOp>(x)}; }
  F abs(F x) { return {emit<mlir::LLVM::FAbsOp>(x)}; }
  F copySign(F x, F sign) { return {emit<mlir::LLVM::CopySignOp>(x, sign)}; }

  I bits(F x) { return {convert<mlir::LLVM::BitcastOp>(x, integerType)}; }
  F fromBits(I x) { return {convert<mlir::LLVM::BitcastOp>(x, floatType)}; }
  F toFloat(I x) { return {convert<mlir::LLVM::SIToFPOp>(x, floatType)}; }
  /// An exponent of any width.  One that does not fit becomes the nearest of
  /// the same parity, whose powers are no others.
  I exponent(mlir::Value value);

  template <int kind>
  Typed<kind> add(Typed<kind> x, Typed<kind> y) {
    return {emit<mlir::LLVM::AddOp>(x, y)};
  }
  I sub(I x, I y) { return {emit<mlir::LLVM::SubOp>(x, y)}; }
  I urem(I x, I y) { return {emit<mlir::LLVM::URemOp>(x, y)}; }
  I band(I x, I y) { return {emit<mlir::LLVM::AndOp>(x, y)}; }
  I bor(I x, I y) { return {emit<mlir::LLVM::OrOp>(x, y)}; }
  I bxor(I x, I y) { return {emit<mlir::LLVM::XOrOp>(x, y)}; }
  B bor(B x, B y) { return {emit<mlir::LLVM::OrOp>(x, y)}; }
  B band(B x, B y) { return {emit<mlir::LLVM::AndOp>(x, y)}; }
  I shl(I x, I count) { return {emit<mlir::LLVM::ShlOp>(x, count)}; }
  I shl(I x, int count) { return shl(x, integerOf(count)); }
  I lshr(I x, int count) {
    return {emit<mlir::LLVM::LShrOp>(x, integerOf(count))};
  }
  I ashr(I x, int count) {
    return {emit<mlir::LLVM::AShrOp>(x, integerOf(count))};
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
    return {emit<mlir::LLVM::SelectOp>(condition, x, y)};
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

protected:
  /// Operates on values of the shape of `like`.
  EmittedArithmetic(CodeBuilder &code, mlir::Type like, mlir::Type floatType,
                    mlir::Type integerType)
      : code(code), vector(llvm::dyn_cast<mlir::VectorType>(like)),
        floatType(floatType), integerType(integerType) {}

  I integerOf(int64_t value) {
    return {constant(code.builder.getIntegerAttr(integerType, value))};
  }
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

  CodeBuilder &code;
  /// Null for scalars.
  mlir::VectorType vector;
  mlir::Type floatType, integerType;
};

inline EmittedArithmetic::I EmittedArithmetic::exponent(mlir::Value value) {
  using Wide = Typed<4>;
  mlir::Type type = mlir::getElementTypeOrSelf(value.getType());
  unsigned from = type.getIntOrFloatBitWidth();
  unsigned to = integerType.getIntOrFloatBitWidth();
  if (from == to)
    return {value};
  if (from < to)
    return {convert<mlir::LLVM::SExtOp>(Wide{value}, integerType)};
  auto number = [&](llvm::APInt bits) -> Wide {
    return {constant(code.builder.getIntegerAttr(type, bits.sext(from)))};
  };
  llvm::APInt largest = llvm::APInt::getSignedMaxValue(to);
  Wide odd = {emit<mlir::LLVM::AndOp>(Wide{value}, number(llvm::APInt(to, 1)))};
  Wide held = {emit<mlir::LLVM::SMaxOp>(
      Wide{value}, number(llvm::APInt::getSignedMinValue(to)))};
  held = {emit<mlir::LLVM::SMinOp>(held, number(largest - 1))};
  held = {emit<mlir::LLVM::OrOp>(held, odd)};
  return {convert<mlir::LLVM::TruncOp>(held, integerType)};
}

} // namespace tile

#endif // TILE_CONVERSION_EMITTEDARITHMETIC_H
