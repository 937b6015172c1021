//===- LowerArithmetic.cpp - Arithmetic that no chip has ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops of two results or of an unusual kind become those that every chip has,
// and then arithmetic of 8-bit floats becomes arithmetic of wider ones between
// two conversions.  (arith-emulate-unsupported-floats of MLIR lets these
// conversions be folded away between two ops, which leaves a rounding out.)
//
// A result is rounded twice, to p digits in the end.  That is once where the
// first rounding is to 2p + 2 digits or more, of a sum, product, quotient or
// square root (S. A. Figueroa, When is double rounding innocuous?, SIGNUM
// Newsletter 30(3), 1995), or is exact.  That of a fused product and sum need
// be neither: of f8E5M2 in f32, 2^-16 on top of 1.125 * 2^15 decides a tie.  Of
// f8E4M3FN f32 decides all as they should be; all triples have been tried.
//
//===----------------------------------------------------------------------===//

#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"

namespace tile {
#define GEN_PASS_DEF_TILELOWERARITHMETICPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// A scalar, or a tile of it.
static Value constantOf(OpBuilder &builder, Location loc, Type type,
                        TypedAttr value) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    value = DenseElementsAttr::get(shaped, value);
  return arith::ConstantOp::create(builder, loc, value);
}

/// `type` with another type of elements.
static Type withElement(Type type, Type element) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? Type(shaped.clone(element)) : element;
}

//===----------------------------------------------------------------------===//
// Ops that are others together
//===----------------------------------------------------------------------===//

static void lowerSinCos(math::SincosOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value x = op.getOperand();
  op.replaceAllUsesWith(ValueRange{
      math::SinOp::create(builder, loc, x, op.getFastmath()).getResult(),
      math::CosOp::create(builder, loc, x, op.getFastmath()).getResult()});
  op.erase();
}

static void lowerClamp(math::ClampFOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value above = arith::MaximumFOp::create(builder, loc, op.getValue(),
                                          op.getMin(), op.getFastmath());
  Value held = arith::MinimumFOp::create(builder, loc, above, op.getMax(),
                                         op.getFastmath());
  op.replaceAllUsesWith(held);
  op.erase();
}

/// |x| lies between the least and the largest normal number.
static void lowerIsNormal(math::IsNormalOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value size = math::AbsFOp::create(builder, loc, op.getOperand());
  Type type = size.getType();
  const llvm::fltSemantics &semantics =
      cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
  auto holds = [&](arith::CmpFPredicate predicate, const APFloat &number) {
    Value limit = constantOf(
        builder, loc, type, FloatAttr::get(getElementTypeOrSelf(type), number));
    return arith::CmpFOp::create(builder, loc, predicate, size, limit);
  };
  Value isLarge = holds(arith::CmpFPredicate::OGE,
                        APFloat::getSmallestNormalized(semantics));
  Value isFinite =
      holds(arith::CmpFPredicate::OLE, APFloat::getLargest(semantics));
  op.replaceAllUsesWith(
      arith::AndIOp::create(builder, loc, isLarge, isFinite).getResult());
  op.erase();
}

/// A float cast to one bit goes through an integer: LLVM 22 takes 0.0 to 1 and
/// all else to 0 (NVPTXInstrInfo.td compares the bits with 0).
template <typename OpT>
static void lowerToBit(OpT op) {
  if (!getElementTypeOrSelf(op.getType()).isInteger(1))
    return;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type wide = withElement(op.getType(), builder.getI32Type());
  Value integer = OpT::create(builder, loc, wide, op.getIn());
  op.replaceAllUsesWith(
      arith::TruncIOp::create(builder, loc, op.getType(), integer).getResult());
  op.erase();
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

namespace {

/// A number rounded to nearest even, and then to the neighbour that another
/// mode takes.
class Truncation {
public:
  explicit Truncation(arith::TruncFOp op)
      : builder(op), loc(op.getLoc()), type(op.getType()), x(op.getIn()) {
    Type element = getElementTypeOrSelf(type);
    integer = withElement(
        type, builder.getIntegerType(element.getIntOrFloatBitWidth()));
  }

  Value emit(arith::RoundingMode mode);

private:
  using P = arith::CmpFPredicate;
  Value compare(P predicate, Value left, Value right) {
    return arith::CmpFOp::create(builder, loc, predicate, left, right);
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(builder, loc, condition, yes, no);
  }
  Value size(Value value) { return math::AbsFOp::create(builder, loc, value); }
  Value number(int64_t value) {
    return constantOf(
        builder, loc, integer,
        builder.getIntegerAttr(getElementTypeOrSelf(integer), value));
  }
  /// The number with these bits, as wide as x.
  Value widened(Value bits) {
    Value narrow = arith::BitcastOp::create(builder, loc, type, bits);
    return arith::ExtFOp::create(builder, loc, x.getType(), narrow);
  }

  OpBuilder builder;
  Location loc;
  Type type, integer;
  Value x;
};

} // namespace

// The bits of a float, without its sign, are in the order of the numbers: one
// more is the next one away from zero, of the largest infinity, or NaN where
// the format has none: then the largest stays.
Value Truncation::emit(arith::RoundingMode mode) {
  Value near = arith::TruncFOp::create(builder, loc, type, x);
  Value bits = arith::BitcastOp::create(builder, loc, integer, near);
  Value inside = arith::SubIOp::create(builder, loc, bits, number(1));
  Value outside = arith::AddIOp::create(builder, loc, bits, number(1));
  Value back = widened(bits), next = widened(outside);
  outside = select(compare(P::UNO, next, next), bits, outside);
  Value zero = number(0);
  Value isNegative = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, bits, zero);
  Value chosen;
  switch (mode) {
  case arith::RoundingMode::toward_zero:
    chosen = select(compare(P::OGT, size(back), size(x)), inside, bits);
    break;
  case arith::RoundingMode::upward:
    chosen = select(compare(P::OLT, back, x),
                    select(isNegative, inside, outside), bits);
    break;
  case arith::RoundingMode::downward:
    chosen = select(compare(P::OGT, back, x),
                    select(isNegative, outside, inside), bits);
    break;
  case arith::RoundingMode::to_nearest_away: {
    // Both differences are exact.  Where x is the nearest, none is infinite.
    Value below = size(arith::SubFOp::create(builder, loc, x, back));
    Value above = size(arith::SubFOp::create(builder, loc, next, x));
    Value isInside = compare(P::OLT, size(back), size(x));
    Value isTie = arith::AndIOp::create(builder, loc, isInside,
                                        compare(P::OEQ, below, above));
    chosen = select(isTie, outside, bits);
    break;
  }
  case arith::RoundingMode::to_nearest_even:
    return near;
  }
  return arith::BitcastOp::create(builder, loc, type, chosen);
}

static void lowerTruncation(arith::TruncFOp op) {
  std::optional<arith::RoundingMode> mode = op.getRoundingmode();
  if (!mode)
    return;
  Value value = Truncation(op).emit(*mode);
  op.replaceAllUsesWith(value);
  op.erase();
}

//===----------------------------------------------------------------------===//
// 8-bit floats
//===----------------------------------------------------------------------===//

/// Whether an op takes 8-bit floats for numbers.  Others move them or convert
/// them.
static bool computesWithFloat8(Operation *op) {
  if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
      isa<CastOpInterface>(op) || isa<arith::SelectOp>(op))
    return false;
  return llvm::any_of(op->getOperandTypes(), isFloat8);
}

/// An op that is of signs, and exact of NaN, too.
static void lowerSign(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Type type = op->getResult(0).getType();
  Type bytes = withElement(type, builder.getI8Type());
  auto constant = [&](int64_t value) {
    return constantOf(builder, loc, bytes, builder.getI8IntegerAttr(value));
  };
  auto bitsOf = [&](Value value) -> Value {
    return arith::BitcastOp::create(builder, loc, bytes, value);
  };
  Value bits = bitsOf(op->getOperand(0));
  if (isa<arith::NegFOp>(op)) {
    bits = arith::XOrIOp::create(builder, loc, bits, constant(-128));
  } else {
    bits = arith::AndIOp::create(builder, loc, bits, constant(127));
    if (isa<math::CopySignOp>(op)) {
      Value sign = arith::AndIOp::create(
          builder, loc, bitsOf(op->getOperand(1)), constant(-128));
      bits = arith::OrIOp::create(builder, loc, bits, sign);
    }
  }
  op->getResult(0).replaceAllUsesWith(
      arith::BitcastOp::create(builder, loc, type, bits));
  op->erase();
}

/// The narrowest type in which the result of an op, rounded to it and then to
/// 8 bits, is rounded as if once, or which the chip has functions of.
static Type computingType(Operation *op) {
  Builder builder(op->getContext());
  if (isa<math::FmaOp>(op) &&
      isa<Float8E5M2Type>(getElementTypeOrSelf(op->getResult(0).getType())))
    return builder.getF64Type();
  return builder.getF32Type();
}

/// The same op between conversions.
static void lowerInWider(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Type element = computingType(op);
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (isFloat8(operand.getType()) && !mapping.contains(operand))
      mapping.map(operand, arith::ExtFOp::create(
                               builder, loc,
                               withElement(operand.getType(), element), operand)
                               .getResult());
  Operation *wide = builder.clone(*op, mapping);
  for (auto [result, computed] :
       llvm::zip_equal(op->getResults(), wide->getResults())) {
    Type type = result.getType();
    Value value = computed;
    if (isFloat8(type)) {
      computed.setType(withElement(type, element));
      value = arith::TruncFOp::create(builder, loc, type, computed);
    }
    result.replaceAllUsesWith(value);
  }
  op->erase();
}

namespace {
struct LowerArithmetic
    : public tile::impl::TileLowerArithmeticPassBase<LowerArithmetic> {
  void runOnOperation() override {
    // Before the second walk, which does not see what it makes.
    getOperation().walk([](Operation *op) {
      if (auto both = dyn_cast<math::SincosOp>(op))
        lowerSinCos(both);
      else if (auto clamp = dyn_cast<math::ClampFOp>(op))
        lowerClamp(clamp);
      else if (auto isNormal = dyn_cast<math::IsNormalOp>(op))
        lowerIsNormal(isNormal);
      else if (auto truncation = dyn_cast<arith::TruncFOp>(op))
        lowerTruncation(truncation);
      else if (auto cast = dyn_cast<arith::FPToSIOp>(op))
        lowerToBit(cast);
      else if (auto cast = dyn_cast<arith::FPToUIOp>(op))
        lowerToBit(cast);
    });
    getOperation().walk([](Operation *op) {
      if (!computesWithFloat8(op))
        return;
      if (isa<arith::NegFOp, math::AbsFOp, math::CopySignOp>(op))
        lowerSign(op);
      else
        lowerInWider(op);
    });
  }
};
} // namespace
