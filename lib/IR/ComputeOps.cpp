//===- ComputeOps.cpp - dot, reduce, scan ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/IR/TileOps.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// dot
//===----------------------------------------------------------------------===//

/// Whether a dot of these elements may add into that accumulator: (C3).
static bool accumulates(Type operand, Type acc) {
  if (operand.isF16())
    return acc.isF16() || acc.isF32();
  if (isa<BFloat16Type, Float32Type, Float8E4M3FNType, Float8E5M2Type>(operand))
    return acc.isF32();
  if (operand.isF64())
    return acc.isF64();
  return operand.isInteger(8) && acc.isInteger(32);
}

LogicalResult DotOp::verify() {
  auto a = cast<RankedTensorType>(getA().getType());
  auto b = cast<RankedTensorType>(getB().getType());
  auto acc = cast<RankedTensorType>(getAcc().getType());
  // (C1)
  if (a.getRank() != 2 || b.getRank() != 2 || acc.getRank() != 2)
    return emitOpError() << "expected matrices, got " << a << ", " << b
                         << " and " << acc;
  if (a.getDimSize(1) != b.getDimSize(0))
    return emitOpError() << "expected the columns of a to be the rows of b, got "
                         << a << " and " << b;
  if (acc.getDimSize(0) != a.getDimSize(0) ||
      acc.getDimSize(1) != b.getDimSize(1))
    return emitOpError() << "expected an accumulator of " << a.getDimSize(0)
                         << "x" << b.getDimSize(1) << ", got " << acc;
  // (C2)
  Type element = a.getElementType();
  if (element != b.getElementType())
    return emitOpError() << "expected a and b of one element type, got "
                         << element << " and " << b.getElementType();
  // (C3)
  if (!accumulates(element, acc.getElementType()))
    return emitOpError() << "expected an accumulator type that goes with "
                         << element << ", got " << acc.getElementType();
  // (C4)
  if (getPrecision() != Precision::Ieee && !element.isF32())
    return emitOpError() << "expected precision ieee for " << element
                         << " operands, got "
                         << stringifyPrecision(getPrecision());
  // (C5)
  if (std::optional<int64_t> every = getPromoteEvery()) {
    if (*every < 1)
      return emitOpError() << "expected promote_every of at least 1, got "
                           << *every;
    if (!isa<Float8E4M3FNType, Float8E5M2Type>(element))
      return emitOpError() << "expected promote_every on 8-bit floats, got it on "
                           << element;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// reduce, scan
//===----------------------------------------------------------------------===//

/// Checks (C1), (C2) and (C4), which reduce and scan share.
static LogicalResult verifyCombination(Operation *op, ValueRange operands,
                                       int64_t axis, Region &combine) {
  if (operands.empty())
    return op->emitOpError() << "expected at least one operand, got none";
  auto first = cast<RankedTensorType>(operands.front().getType());
  // (C1)
  for (Value operand : operands)
    if (cast<RankedTensorType>(operand.getType()).getShape() !=
        first.getShape())
      return op->emitOpError() << "expected operands of one shape, got " << first
                               << " and " << operand.getType();
  // (C2)
  if (axis < 0 || axis >= first.getRank())
    return op->emitOpError() << "expected an axis from 0 to "
                             << first.getRank() - 1 << ", got " << axis;
  // (C4)
  SmallVector<Type> elements;
  for (Value operand : operands)
    elements.push_back(getElementTypeOrSelf(operand));
  SmallVector<Type> both(elements);
  llvm::append_range(both, elements);
  if (combine.getArgumentTypes() != TypeRange(both))
    return op->emitOpError() << "expected a region over two groups of the "
                                "operands' elements, got "
                             << combine.getArgumentTypes();
  auto yield = dyn_cast<YieldOp>(combine.front().getTerminator());
  if (!yield || yield.getOperandTypes() != TypeRange(elements))
    return op->emitOpError() << "expected a region that yields the operands' "
                                "elements";
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyCombination(*this, getOperands(), getAxis(), getCombine())))
    return failure();
  // (C3)
  for (auto [operand, result] : llvm::zip(getOperands(), getResults())) {
    auto type = cast<RankedTensorType>(operand.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + getAxis());
    Type want = shape.empty()
                    ? type.getElementType()
                    : Type(RankedTensorType::get(shape, type.getElementType(),
                                                 type.getEncoding()));
    auto got = dyn_cast<RankedTensorType>(result.getType());
    bool same = got ? got.getShape() == ArrayRef<int64_t>(shape) &&
                          got.getElementType() == type.getElementType()
                    : result.getType() == want;
    if (!same)
      return emitOpError() << "expected a result of " << want << ", got "
                           << result.getType();
  }
  return success();
}

LogicalResult ScanOp::verify() {
  if (failed(verifyCombination(*this, getOperands(), getAxis(), getCombine())))
    return failure();
  // (C3)
  for (auto [operand, result] : llvm::zip(getOperands(), getResults()))
    if (operand.getType() != result.getType())
      return emitOpError() << "expected a result of " << operand.getType()
                           << ", got " << result.getType();
  return success();
}
