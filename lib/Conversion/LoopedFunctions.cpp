//===- LoopedFunctions.cpp - Functions that take a loop -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The remainder of floats is exact, so its quotient may have as many digits as
// two exponents differ by: it is divided out digit by digit.  (LLVM computes
// x - trunc(x / y) y, which is wrong where the quotient is rounded up, or has
// more digits than a float.)  An integer power squares as often as its exponent
// has digits.
//
//===----------------------------------------------------------------------===//

#include "EmittedDoubleOps.h"
#include "EmittedOps.h"
#include "KernelLowering.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;

/// `body` on `state` for as long as `condition` holds of it.
static SmallVector<Value>
repeatWhile(CodeBuilder &code, ValueRange state,
            llvm::function_ref<Value(ValueRange)> condition,
            llvm::function_ref<SmallVector<Value>(ValueRange)> body) {
  Block *head = code.appendBlock(), *round = code.appendBlock(),
        *after = code.appendBlock();
  for (Value value : state)
    head->addArgument(value.getType(), code.loc);
  LLVM::BrOp::create(code.builder, code.loc, state, head);
  code.continueAt(head);
  LLVM::CondBrOp::create(code.builder, code.loc,
                         condition(head->getArguments()), round, after);
  code.continueAt(round);
  SmallVector<Value> next = body(head->getArguments());
  auto latch = LLVM::BrOp::create(code.builder, code.loc, next, head);
  latch.setLoopAnnotationAttr(code.unrollForbidden());
  code.continueAt(after);
  return SmallVector<Value>(head->getArguments());
}

//===----------------------------------------------------------------------===//
// Remainders of floats
//===----------------------------------------------------------------------===//

namespace {

/// fmod of f32 or f64, by the operations of either.
template <typename Ops, int numDigits, int exponentBias>
class Remainder {
public:
  using F = typename Ops::F;
  using I = typename Ops::I;
  using B = typename Ops::B;

  Remainder(CodeBuilder &code, Type like) : code(code), ops(code, like) {}

  Value emit(Value x, Value y);

private:
  static constexpr uint64_t kHidden = uint64_t(1) << numDigits;
  static constexpr uint64_t kInfinity = uint64_t(2 * exponentBias + 1)
                                        << numDigits;
  /// Digits that an integer has room for above a mantissa.
  static constexpr int kRound = exponentBias == 127 ? 8 : 11;

  /// |x| = mantissa 2^(exponent - bias - digits).
  struct Parts {
    I mantissa, exponent;
  };
  Parts partsOf(I bits);
  I shiftedRemainder(I x, I y, I count);
  F scaled(I number, I exponent);

  CodeBuilder &code;
  Ops ops;
};

} // namespace

/// The parts of what the bits of a magnitude say; its NaN and infinity have
/// some, too.
template <typename Ops, int numDigits, int exponentBias>
typename Remainder<Ops, numDigits, exponentBias>::Parts
Remainder<Ops, numDigits, exponentBias>::partsOf(I bits) {
  B isSubnormal = ops.below(bits, ops.integer(kHidden));
  I digits = ops.band(bits, ops.integer(kHidden - 1));
  I hidden = ops.select(isSubnormal, ops.integer(0), ops.integer(kHidden));
  I lowest = ops.select(isSubnormal, ops.integer(1), ops.integer(0));
  return {ops.bor(digits, hidden), ops.add(ops.lshr(bits, numDigits), lowest)};
}

/// x 2^count mod y, for mantissas x and y and any count, some digits a round.
template <typename Ops, int numDigits, int exponentBias>
typename Ops::I
Remainder<Ops, numDigits, exponentBias>::shiftedRemainder(I x, I y, I count) {
  I first = ops.urem(x, y);
  I zero = ops.integer(0), most = ops.integer(kRound);
  return {repeatWhile(
      code, {first.value, count.value},
      [&](ValueRange state) { return ops.any(ops.below(zero, I{state[1]})); },
      [&](ValueRange state) -> SmallVector<Value> {
        I left{state[1]};
        I digits = ops.select(ops.below(left, most), left, most);
        I shifted = ops.shl(I{state[0]}, digits);
        return {ops.urem(shifted, y).value, ops.sub(left, digits).value};
      })[0]};
}

/// number 2^(exponent - bias - digits), which is a float.
template <typename Ops, int numDigits, int exponentBias>
typename Ops::F Remainder<Ops, numDigits, exponentBias>::scaled(I number,
                                                                I exponent) {
  I count = ops.sub(exponent, ops.integer(exponentBias + numDigits));
  I half = ops.ashr(count, 1);
  auto twoTo = [&](I n) {
    return ops.fromBits(
        ops.shl(ops.add(n, ops.integer(exponentBias)), numDigits));
  };
  return ops.mul(ops.mul(ops.toFloat(number), twoTo(half)),
                 twoTo(ops.sub(count, half)));
}

template <typename Ops, int numDigits, int exponentBias>
Value Remainder<Ops, numDigits, exponentBias>::emit(Value left, Value right) {
  F x{left}, y{right};
  I infinity = ops.integer(kInfinity), zero = ops.integer(0);
  I width = ops.bits(ops.abs(x)), step = ops.bits(ops.abs(y));
  Parts ofX = partsOf(width), ofY = partsOf(step);
  B isZero = ops.equal(step, zero), isLess = ops.below(width, step);
  // Where the remainder is known, nothing is to be divided.
  I divisor = ops.select(isZero, ops.integer(1), ofY.mantissa);
  I count = ops.select(isLess, zero, ops.sub(ofX.exponent, ofY.exponent));
  I rest = shiftedRemainder(ofX.mantissa, divisor, count);
  F result = ops.copySign(scaled(rest, ofY.exponent), x);
  result = ops.select(isLess, x, result);
  B isNumber = ops.band(ops.below(width, infinity),
                        ops.below(ops.sub(step, ops.integer(1)), infinity));
  F nan = ops.number(std::numeric_limits<float>::quiet_NaN());
  return ops.select(isNumber, result, nan).value;
}

/// The remainder of fragments; narrow floats compute in f32.
static Value emitRemainder(CodeBuilder &code, Value x, Value y) {
  Type type = x.getType(), wide = code.builder.getF32Type();
  if (getElementTypeOrSelf(type).isF64())
    return Remainder<EmittedDoubleOps, 52, 1023>(code, type).emit(x, y);
  if (auto vector = dyn_cast<VectorType>(type))
    wide = VectorType::get(vector.getShape(), wide);
  auto widened = [&](Value value) -> Value {
    if (type == wide)
      return value;
    return LLVM::FPExtOp::create(code.builder, code.loc, wide, value);
  };
  Remainder<EmittedOps, 23, 127> remainder(code, wide);
  Value left = widened(x);
  Value result = remainder.emit(left, widened(y));
  if (type == wide)
    return result;
  return LLVM::FPTruncOp::create(code.builder, code.loc, type, result);
}

//===----------------------------------------------------------------------===//
// Powers of integers
//===----------------------------------------------------------------------===//

namespace {

/// Operations on integers of one type, scalars or vectors.
class IntegerPower {
public:
  IntegerPower(CodeBuilder &code, Type type)
      : code(code), type(type), element(getElementTypeOrSelf(type)) {}

  Value emit(Value base, Value exponent);

private:
  template <typename OpT>
  Value emitOp(Value x, Value y) {
    return OpT::create(code.builder, code.loc, x, y);
  }
  Value compare(LLVM::ICmpPredicate predicate, Value x, Value y) {
    return LLVM::ICmpOp::create(code.builder, code.loc, predicate, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return LLVM::SelectOp::create(code.builder, code.loc, condition, x, y);
  }
  Value number(int64_t value) {
    Attribute attribute = IntegerAttr::get(
        element, APInt(element.getIntOrFloatBitWidth(), value,
                       /*isSigned=*/true, /*implicitTrunc=*/true));
    if (isa<VectorType>(type))
      attribute = DenseElementsAttr::get(cast<ShapedType>(type), attribute);
    return code.constantOf(type, attribute);
  }

  CodeBuilder &code;
  Type type, element;
};

} // namespace

// The digits of a negative exponent, read as unsigned, have its parity, which
// is all that counts for 1 and -1; all other numbers have powers below 1.
Value IntegerPower::emit(Value base, Value exponent) {
  // -1 is the only number but 0 there, and its own inverse.
  if (element.isInteger(1))
    return emitOp<LLVM::OrOp>(base, emitOp<LLVM::XOrOp>(exponent, number(-1)));
  Value zero = number(0), one = number(1);
  EmittedOps ops(code, type);
  Value power = repeatWhile(
      code, {one, base, exponent},
      [&](ValueRange state) {
        return ops.any({compare(LLVM::ICmpPredicate::ne, state[2], zero)});
      },
      [&](ValueRange state) -> SmallVector<Value> {
        Value digit = emitOp<LLVM::AndOp>(state[2], one);
        Value isSet = compare(LLVM::ICmpPredicate::ne, digit, zero);
        Value product = emitOp<LLVM::MulOp>(state[0], state[1]);
        return {select(isSet, product, state[0]),
                emitOp<LLVM::MulOp>(state[1], state[1]),
                emitOp<LLVM::LShrOp>(state[2], one)};
      })[0];
  Value isUnit = compare(LLVM::ICmpPredicate::ult,
                         emitOp<LLVM::AddOp>(base, one), number(3));
  Value isWhole = emitOp<LLVM::OrOp>(
      isUnit, compare(LLVM::ICmpPredicate::sge, exponent, zero));
  return select(isWhole, power, zero);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool tile::isLoopedFunction(Operation *op) {
  if (isa<arith::RemFOp>(op))
    return isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(
        getElementTypeOrSelf(op->getResult(0).getType()));
  return isa<math::IPowIOp>(op);
}

LogicalResult tile::lowerLoopedFunction(KernelLowering &kernel, Operation *op) {
  SmallVector<Value> left(kernel.parts(op->getOperand(0)));
  SmallVector<Value> right(kernel.parts(op->getOperand(1)));
  if (left.size() != right.size())
    return KernelLowering::refuse(op, "expected all tiles to have one layout");
  SmallVector<Value> results;
  for (auto [x, y] : llvm::zip_equal(left, right))
    results.push_back(isa<math::IPowIOp>(op)
                          ? IntegerPower(kernel.code, x.getType()).emit(x, y)
                          : emitRemainder(kernel.code, x, y));
  kernel.setParts(op->getResult(0), results);
  return success();
}
