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
#include "EmittedDoubleOps.h"
#include "KernelLowering.h"
#include "Quadrants.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

namespace {

using F = EmittedDoubleOps::F;
using Functions = DoubleFunctions<EmittedDoubleOps>;
using Quadrant = Functions::Quadrant;

} // namespace

/// The function of two numbers that `op` is.
static F emitBinary(CodeBuilder &code, Operation *op, F x, Value y) {
  EmittedDoubleOps ops(code, x.value.getType());
  Functions functions(ops);
  if (isa<math::FPowIOp>(op))
    return functions.powi(x, ops.exponent(y));
  return isa<math::PowFOp>(op) ? functions.pow(x, {y})
                               : functions.atan2(x, {y});
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
             math::AtanOp, math::Atan2Op, math::PowFOp, math::FPowIOp>(op);
}

LogicalResult tile::lowerDoubleMath(KernelLowering &kernel, Operation *op) {
  SmallVector<Value> results;
  SmallVector<Value> first(kernel.parts(op->getOperand(0)));
  SmallVector<Value> last(
      kernel.parts(op->getOperand(op->getNumOperands() - 1)));
  if (first.size() != last.size())
    return KernelLowering::refuse(op, "expected all tiles to have one layout");
  for (auto [x, y] : llvm::zip_equal(first, last)) {
    F result = op->getNumOperands() == 2 ? emitBinary(kernel.code, op, {x}, y)
                                         : emitUnary(kernel.code, op, {x});
    results.push_back(result.value);
  }
  kernel.setParts(op->getResult(0), results);
  return success();
}
