//===- Math.cpp - Elementary functions on fragments -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that the chip lacks become the arithmetic of MathFunctions.h and
// the headers that it names, in f32; f16 and bf16 are widened for it and
// rounded once.  An op with `afn` takes the chip's approximation where there is
// one.
//
//===----------------------------------------------------------------------===//

#include "ArcFunctions.h"
#include "EmittedOps.h"
#include "HyperbolicFunctions.h"
#include "KernelLowering.h"
#include "Quadrants.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

namespace {

using F = EmittedOps::F;
using Functions = MathFunctions<EmittedOps>;
using Quadrant = Functions::Quadrant;

} // namespace

/// Whether an op may be approximated.
static bool isApproximate(Operation *op) {
  auto flags = dyn_cast<arith::ArithFastMathInterface>(op);
  return flags && bitEnumContainsAll(flags.getFastMathFlagsAttr().getValue(),
                                     arith::FastMathFlags::afn);
}

/// The chip's approximation of `op` at x in f32, or null.
static Value emitApproximation(CodeBuilder &code, EmittedOps &ops,
                               Operation *op, F x) {
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) {
        return ops.exp2(ops.mul(x, ops.number(0x1.715476p+0f))).value;
      })
      .Case([&](math::LogOp) {
        return ops.mul(ops.log2(x), ops.number(0x1.62e43p-1f)).value;
      })
      .Case([&](math::Log2Op) { return ops.log2(x).value; })
      .Case([&](math::Log10Op) {
        return ops.mul(ops.log2(x), ops.number(0x1.344136p-2f)).value;
      })
      .Case([&](math::SinOp) { return ops.sine(x).value; })
      .Case([&](math::CosOp) { return ops.cosine(x).value; })
      .Case([&](math::TanhOp) {
        return LLVM::TanhOp::create(code.builder, code.loc, x.value.getType(),
                                    x.value, LLVM::FastmathFlags::afn);
      })
      .Default([](Operation *) { return Value(); });
}

/// `op` at x in f32, or null.
static Value emitFunction(CodeBuilder &code, EmittedOps &ops, Operation *op,
                          F x) {
  Functions functions(ops);
  Type type = x.value.getType();
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) { return functions.exp(x).value; })
      .Case([&](math::Exp2Op) {
        return LLVM::Exp2Op::create(code.builder, code.loc, type, x.value);
      })
      .Case([&](math::LogOp) { return functions.log(x).value; })
      .Case([&](math::Log2Op) { return functions.log2(x).value; })
      .Case([&](math::Log10Op) { return functions.log10(x).value; })
      .Case([&](math::TanhOp) { return functions.tanh(x).value; })
      .Case([&](math::ErfOp) { return functions.erf(x).value; })
      .Case([&](math::SinOp) {
        return emitOfQuadrant(code, ops, functions, x,
                              [&](const Quadrant &turned) {
                                return functions.sin(x, turned);
                              })
            .value;
      })
      .Case([&](math::CosOp) {
        return emitOfQuadrant(code, ops, functions, x,
                              [&](const Quadrant &turned) {
                                return functions.cos(turned);
                              })
            .value;
      })
      .Case([&](math::SqrtOp) {
        return LLVM::SqrtOp::create(code.builder, code.loc, type, x.value);
      })
      .Case([&](math::RsqrtOp) { return ops.reciprocalSqrt(x).value; })
      .Default([](Operation *) { return Value(); });
}

/// The same of a function of HyperbolicFunctions.h or what it includes; y is
/// the second operand, or null.
static Value emitPower(EmittedOps &ops, Operation *op, F x, Value y) {
  HyperbolicFunctions<EmittedOps> functions(ops);
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpM1Op) { return functions.expm1(x).value; })
      .Case([&](math::Log1pOp) { return functions.log1p(x).value; })
      .Case([&](math::SinhOp) { return functions.sinh(x).value; })
      .Case([&](math::CoshOp) { return functions.cosh(x).value; })
      .Case([&](math::AsinhOp) { return functions.asinh(x).value; })
      .Case([&](math::AcoshOp) { return functions.acosh(x).value; })
      .Case([&](math::AtanhOp) { return functions.atanh(x).value; })
      .Case([&](math::CbrtOp) { return functions.cbrt(x).value; })
      .Case([&](math::ErfcOp) { return functions.erfc(x).value; })
      .Case([&](math::PowFOp) { return functions.pow(x, {y}).value; })
      .Case([&](math::FPowIOp) { return functions.powi(x, {y}).value; })
      .Default([](Operation *) { return Value(); });
}

/// The same of a function of ArcFunctions.h.
static Value emitArc(CodeBuilder &code, EmittedOps &ops, Operation *op, F x,
                     Value y) {
  ArcFunctions<EmittedOps> functions(ops);
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](math::TanOp) {
        return emitOfQuadrant(code, ops, functions, x,
                              [&](const Quadrant &turned) {
                                return functions.tan(x, turned);
                              })
            .value;
      })
      .Case([&](math::AsinOp) { return functions.asin(x).value; })
      .Case([&](math::AcosOp) { return functions.acos(x).value; })
      .Case([&](math::AtanOp) { return functions.atan(x).value; })
      .Case([&](math::Atan2Op) { return functions.atan2(x, {y}).value; })
      .Default([](Operation *) { return Value(); });
}

bool tile::isExpandedFunction(Operation *op) {
  return isa<math::ExpOp, math::Exp2Op, math::LogOp, math::Log2Op,
             math::Log10Op, math::TanhOp, math::ErfOp, math::SinOp, math::CosOp,
             math::SqrtOp, math::RsqrtOp, math::ExpM1Op, math::Log1pOp,
             math::SinhOp, math::CoshOp, math::AsinhOp, math::AcoshOp,
             math::AtanhOp, math::CbrtOp, math::ErfcOp, math::PowFOp,
             math::FPowIOp, math::TanOp, math::AsinOp, math::AcosOp,
             math::AtanOp, math::Atan2Op>(op);
}

/// `op` on fragments x and y, where y may be null.
static Value emitPart(CodeBuilder &code, Operation *op, Value x, Value y) {
  Type type = x.getType(), wide = code.builder.getF32Type();
  if (auto vector = dyn_cast<VectorType>(type))
    wide = VectorType::get(vector.getShape(), wide);
  bool isNarrow = wide != type;
  if (isNarrow)
    x = LLVM::FPExtOp::create(code.builder, code.loc, wide, x);
  EmittedOps ops(code, wide);
  if (y && isa<math::FPowIOp>(op))
    y = ops.exponent(y).value;
  else if (y && isNarrow)
    y = LLVM::FPExtOp::create(code.builder, code.loc, wide, y);
  Value result;
  if (isApproximate(op))
    result = emitApproximation(code, ops, op, {x});
  if (!result)
    result = emitFunction(code, ops, op, {x});
  if (!result)
    result = emitPower(ops, op, {x}, y);
  if (!result)
    result = emitArc(code, ops, op, {x}, y);
  if (isNarrow)
    result = LLVM::FPTruncOp::create(code.builder, code.loc, type, result);
  return result;
}

LogicalResult tile::lowerMath(KernelLowering &kernel, Operation *op) {
  SmallVector<SmallVector<Value>> operands;
  for (Value operand : op->getOperands())
    operands.push_back(SmallVector<Value>(kernel.parts(operand)));
  if (operands.back().size() != operands.front().size())
    return KernelLowering::refuse(op, "expected all tiles to have one layout");
  SmallVector<Value> results;
  for (size_t index = 0, count = operands[0].size(); index < count; ++index)
    results.push_back(
        emitPart(kernel.code, op, operands[0][index],
                 operands.size() > 1 ? operands[1][index] : Value()));
  kernel.setParts(op->getResult(0), results);
  return success();
}
