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

using F = EmittedOps::F;
using I = EmittedOps::I;
using B = EmittedOps::B;

/// |x| = mantissa 2^(exponent - 150).
struct Parts {
  I mantissa, exponent;
};

} // namespace

/// The parts of what the bits of a magnitude say; its NaN and infinity have
/// some, too.
static Parts partsOf(EmittedOps &ops, I bits) {
  B isSubnormal = ops.below(bits, ops.integer(0x800000));
  I digits = ops.band(bits, ops.integer(0x7fffff));
  I hidden = ops.select(isSubnormal, ops.integer(0), ops.integer(0x800000));
  I lowest = ops.select(isSubnormal, ops.integer(1), ops.integer(0));
  return {ops.bor(digits, hidden), ops.add(ops.lshr(bits, 23), lowest)};
}

static I remainderOf(CodeBuilder &code, I x, I y) {
  return {LLVM::URemOp::create(code.builder, code.loc, x.value, y.value)};
}

/// x 2^count mod y, for x and y below 2^24 and any count, 8 digits a round.
static I shiftedRemainder(CodeBuilder &code, EmittedOps &ops, I x, I y,
                          I count) {
  I first = remainderOf(code, x, y);
  I zero = ops.integer(0), most = ops.integer(8);
  return {repeatWhile(
      code, {first.value, count.value},
      [&](ValueRange state) { return ops.any(ops.below(zero, I{state[1]})); },
      [&](ValueRange state) -> SmallVector<Value> {
        I left{state[1]};
        I digits = ops.select(ops.below(left, most), left, most);
        Value shifted =
            LLVM::ShlOp::create(code.builder, code.loc, state[0], digits.value);
        return {remainderOf(code, {shifted}, y).value,
                ops.sub(left, digits).value};
      })[0]};
}

/// number 2^(exponent - 150), which is an f32.
static F scaled(EmittedOps &ops, I number, I exponent) {
  I count = ops.sub(exponent, ops.integer(150));
  I half = ops.ashr(count, 1);
  auto twoTo = [&](I n) {
    return ops.fromBits(ops.shl(ops.add(n, ops.integer(127)), 23));
  };
  return ops.mul(ops.mul(ops.toFloat(number), twoTo(half)),
                 twoTo(ops.sub(count, half)));
}

/// fmod(x, y) in f32.
static F emitRemainder(CodeBuilder &code, EmittedOps &ops, F x, F y) {
  I infinity = ops.integer(0x7f800000), zero = ops.integer(0);
  I width = ops.bits(ops.abs(x)), step = ops.bits(ops.abs(y));
  Parts ofX = partsOf(ops, width), ofY = partsOf(ops, step);
  B isZero = ops.equal(step, zero), isLess = ops.below(width, step);
  // Where the remainder is known, nothing is to be divided.
  I divisor = ops.select(isZero, ops.integer(1), ofY.mantissa);
  I count = ops.select(isLess, zero, ops.sub(ofX.exponent, ofY.exponent));
  I rest = shiftedRemainder(code, ops, ofX.mantissa, divisor, count);
  F result = ops.copySign(scaled(ops, rest, ofY.exponent), x);
  result = ops.select(isLess, x, result);
  B isNumber = ops.band(ops.below(width, infinity),
                        ops.below(ops.sub(step, ops.integer(1)), infinity));
  F nan = ops.number(std::numeric_limits<float>::quiet_NaN());
  return ops.select(isNumber, result, nan);
}

/// The same on fragments of f32 or narrower floats.
static Value emitRemainderPart(CodeBuilder &code, Value x, Value y) {
  Type type = x.getType(), wide = code.builder.getF32Type();
  if (auto vector = dyn_cast<VectorType>(type))
    wide = VectorType::get(vector.getShape(), wide);
  auto widened = [&](Value value) -> Value {
    if (type == wide)
      return value;
    return LLVM::FPExtOp::create(code.builder, code.loc, wide, value);
  };
  EmittedOps ops(code, wide);
  Value result = emitRemainder(code, ops, {widened(x)}, {widened(y)}).value;
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
    return isa<Float32Type, Float16Type, BFloat16Type>(
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
                          : emitRemainderPart(kernel.code, x, y));
  kernel.setParts(op->getResult(0), results);
  return success();
}
