//===- DoubleMath.cpp - Elementary functions of f64 on fragments ----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The chip has no function of f64 but the square root: all others become the
// arithmetic of DoubleFunctions.h.  There is nothing for `afn` to choose.
//
//===----------------------------------------------------------------------===//

#include "DoubleFunctions.h"
#include "KernelLowering.h"
#include "Quadrants.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

namespace {

/// A value of one kind, so that operations can be overloaded as on numbers.
template <int kind>
struct Kind {
  Value value;
};

/// The operations of DoubleFunctions as ops on scalars or vectors.
class EmittedDoubleOps {
public:
  using F = Kind<0>;
  using I = Kind<1>;
  using B = Kind<2>;

  /// Operates on values of the shape of `like`.
  EmittedDoubleOps(CodeBuilder &code, Type like)
      : code(code), vector(dyn_cast<VectorType>(like)) {}

  F number(double value) {
    return {constant(code.builder.getF64FloatAttr(value))};
  }
  I integer(uint64_t value) {
    return {constant(code.builder.getI64IntegerAttr(int64_t(value)))};
  }

  F add(F x, F y) { return {emit<LLVM::FAddOp>(x, y)}; }
  F sub(F x, F y) { return {emit<LLVM::FSubOp>(x, y)}; }
  F mul(F x, F y) { return {emit<LLVM::FMulOp>(x, y)}; }
  F div(F x, F y) { return {emit<LLVM::FDivOp>(x, y)}; }
  F sqrt(F x) { return {convert<LLVM::SqrtOp>(x, f64())}; }
  F fma(F x, F y, F z) { return {emit<LLVM::FMAOp>(x, y, z)}; }
  F negate(F x) { return {emit<LLVM::FNegOp>(x)}; }
  F abs(F x) { return {emit<LLVM::FAbsOp>(x)}; }
  F copySign(F x, F sign) { return {emit<LLVM::CopySignOp>(x, sign)}; }

  I bits(F x) { return {convert<LLVM::BitcastOp>(x, code.i64())}; }
  F fromBits(I x) { return {convert<LLVM::BitcastOp>(x, f64())}; }
  F toFloat(I x) { return {convert<LLVM::SIToFPOp>(x, f64())}; }

  I add(I x, I y) { return {emit<LLVM::AddOp>(x, y)}; }
  I sub(I x, I y) { return {emit<LLVM::SubOp>(x, y)}; }
  I mul(I x, I y) { return {emit<LLVM::MulOp>(x, y)}; }
  I mulHigh(I x, I y) {
    Type wide = code.builder.getIntegerType(128);
    Kind<3> wideX = {convert<LLVM::ZExtOp>(x, wide)};
    Kind<3> wideY = {convert<LLVM::ZExtOp>(y, wide)};
    Kind<3> product = {emit<LLVM::MulOp>(wideX, wideY)};
    Kind<3> count = {constant(code.builder.getIntegerAttr(wide, 64))};
    Kind<3> upper = {emit<LLVM::LShrOp>(product, count)};
    return {convert<LLVM::TruncOp>(upper, code.i64())};
  }
  I band(I x, I y) { return {emit<LLVM::AndOp>(x, y)}; }
  I bor(I x, I y) { return {emit<LLVM::OrOp>(x, y)}; }
  I bxor(I x, I y) { return {emit<LLVM::XOrOp>(x, y)}; }
  I shl(I x, int count) { return {emit<LLVM::ShlOp>(x, integer(count))}; }
  I lshr(I x, int count) { return {emit<LLVM::LShrOp>(x, integer(count))}; }
  I ashr(I x, int count) { return {emit<LLVM::AShrOp>(x, integer(count))}; }
  I funnel(I high, I low, I count) {
    return {emit<LLVM::FshlOp>(high, low, count)};
  }

  B less(F x, F y) { return {compareFloats(LLVM::FCmpPredicate::olt, x, y)}; }
  /// Whether x is greater, or one of them NaN.
  B notAtMost(F x, F y) {
    return {compareFloats(LLVM::FCmpPredicate::ugt, x, y)};
  }
  B equal(I x, I y) { return {compare(LLVM::ICmpPredicate::eq, x, y)}; }
  B below(I x, I y) { return {compare(LLVM::ICmpPredicate::ult, x, y)}; }
  template <int kind>
  Kind<kind> select(B condition, Kind<kind> x, Kind<kind> y) {
    return {emit<LLVM::SelectOp>(condition, x, y)};
  }
  /// Whether it holds for any element.
  Value any(B condition) {
    if (!vector)
      return condition.value;
    Value found = code.extract(condition.value, 0);
    for (int64_t i = 1; i < vector.getNumElements(); ++i)
      found = LLVM::OrOp::create(code.builder, code.loc, found,
                                 code.extract(condition.value, i));
    return found;
  }

private:
  Type f64() { return code.builder.getF64Type(); }
  Type shaped(Type element) {
    return vector ? Type(VectorType::get(vector.getShape(), element)) : element;
  }
  Value constant(TypedAttr value) {
    Type type = shaped(value.getType());
    if (vector)
      return code.constantOf(
          type, DenseElementsAttr::get(cast<ShapedType>(type), value));
    return code.constantOf(type, value);
  }
  template <typename OpT, typename... Args>
  Value emit(Args... args) {
    return OpT::create(code.builder, code.loc, args.value...);
  }
  template <typename OpT, int kind>
  Value convert(Kind<kind> x, Type element) {
    return OpT::create(code.builder, code.loc, shaped(element), x.value);
  }
  Value compare(LLVM::ICmpPredicate predicate, I x, I y) {
    return LLVM::ICmpOp::create(code.builder, code.loc, predicate, x.value,
                                y.value);
  }
  Value compareFloats(LLVM::FCmpPredicate predicate, F x, F y) {
    return LLVM::FCmpOp::create(code.builder, code.loc, predicate, x.value,
                                y.value);
  }

  CodeBuilder &code;
  /// Null for scalars.
  VectorType vector;
};

using F = EmittedDoubleOps::F;
using Functions = DoubleFunctions<EmittedDoubleOps>;
using Quadrant = Functions::Quadrant;

} // namespace

/// The function of two numbers that `op` is.
static F emitBinary(CodeBuilder &code, Operation *op, F x, F y) {
  EmittedDoubleOps ops(code, x.value.getType());
  Functions functions(ops);
  return isa<math::PowFOp>(op) ? functions.pow(x, y) : functions.atan2(x, y);
}

/// The function of one number that `op` is.
static F emitUnary(CodeBuilder &code, Operation *op, F x) {
  EmittedDoubleOps ops(code, x.value.getType());
  Functions functions(ops);
  auto ofQuadrant = [&](llvm::function_ref<F(const Quadrant &)> function) {
    return emitOfQuadrant(code, ops, functions, x, function);
  };
  return TypeSwitch<Operation *, F>(op)
      .Case([&](math::ExpOp) { return functions.exp(x); })
      .Case([&](math::Exp2Op) { return functions.exp2(x); })
      .Case([&](math::ExpM1Op) { return functions.expm1(x); })
      .Case([&](math::LogOp) { return functions.log(x); })
      .Case([&](math::Log2Op) { return functions.log2(x); })
      .Case([&](math::Log10Op) { return functions.log10(x); })
      .Case([&](math::Log1pOp) { return functions.log1p(x); })
      .Case([&](math::TanhOp) { return functions.tanh(x); })
      .Case([&](math::SinhOp) { return functions.sinh(x); })
      .Case([&](math::CoshOp) { return functions.cosh(x); })
      .Case([&](math::AtanhOp) { return functions.atanh(x); })
      .Case([&](math::AsinhOp) { return functions.asinh(x); })
      .Case([&](math::AcoshOp) { return functions.acosh(x); })
      .Case([&](math::ErfOp) { return functions.erf(x); })
      .Case([&](math::ErfcOp) { return functions.erfc(x); })
      .Case([&](math::CbrtOp) { return functions.cbrt(x); })
      .Case([&](math::SinOp) {
        return ofQuadrant(
            [&](const Quadrant &q) { return functions.sin(x, q); });
      })
      .Case([&](math::CosOp) {
        return ofQuadrant([&](const Quadrant &q) { return functions.cos(q); });
      })
      .Case([&](math::TanOp) {
        return ofQuadrant(
            [&](const Quadrant &q) { return functions.tan(x, q); });
      })
      .Case([&](math::AsinOp) { return functions.asin(x); })
      .Case([&](math::AcosOp) { return functions.acos(x); })
      .Case([&](math::AtanOp) { return functions.atan(x); });
}

bool tile::isDoubleFunction(Operation *op) {
  return isa<math::ExpOp, math::Exp2Op, math::ExpM1Op, math::LogOp,
             math::Log2Op, math::Log10Op, math::Log1pOp, math::TanhOp,
             math::SinhOp, math::CoshOp, math::AtanhOp, math::AsinhOp,
             math::AcoshOp, math::ErfOp, math::ErfcOp, math::CbrtOp,
             math::SinOp, math::CosOp, math::TanOp, math::AsinOp, math::AcosOp,
             math::AtanOp, math::Atan2Op, math::PowFOp>(op);
}

LogicalResult tile::lowerDoubleMath(KernelLowering &kernel, Operation *op) {
  SmallVector<Value> results;
  SmallVector<Value> first(kernel.parts(op->getOperand(0)));
  SmallVector<Value> last(
      kernel.parts(op->getOperand(op->getNumOperands() - 1)));
  for (auto [x, y] : llvm::zip_equal(first, last)) {
    F result = op->getNumOperands() == 2 ? emitBinary(kernel.code, op, {x}, {y})
                                         : emitUnary(kernel.code, op, {x});
    results.push_back(result.value);
  }
  kernel.setParts(op->getResult(0), results);
  return success();
}
