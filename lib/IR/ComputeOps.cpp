//===- ComputeOps.cpp - dot, reduce, scan ---------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/IR/MmaShapes.h"
#include "tile/IR/TileOps.h"

#include "mlir/IR/PatternMatch.h"

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
    return emitOpError()
           << "expected the columns of a to be the rows of b, got " << a
           << " and " << b;
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
  return verifyPromotion(*this, element, getPromoteEvery());
}

/// Whether `operand` is a constant tile of integer zeros.
static bool isIntegerZero(Attribute operand) {
  auto splat = dyn_cast_if_present<SplatElementsAttr>(operand);
  return splat && splat.getElementType().isInteger() &&
         splat.getSplatValue<APInt>().isZero();
}

/// dot 0, b, acc -> acc, for integers only: 0 * infinity is NaN, and -0.0 + 0.0
/// is not the accumulator's -0.0.
OpFoldResult DotOp::fold(FoldAdaptor adaptor) {
  if (isIntegerZero(adaptor.getA()) || isIntegerZero(adaptor.getB()))
    return getAcc();
  return {};
}

//===----------------------------------------------------------------------===//
// reduce, scan
//===----------------------------------------------------------------------===//

/// Checks (C1), (C2) and (C4), which reduce and scan share.
static LogicalResult verifyCombination(Operation *op, ValueRange operands,
                                       int32_t axis, Region &combine) {
  if (operands.empty())
    return op->emitOpError() << "expected at least one operand, got none";
  auto first = cast<RankedTensorType>(operands.front().getType());
  // (C1)
  for (Value operand : operands)
    if (cast<RankedTensorType>(operand.getType()).getShape() !=
        first.getShape())
      return op->emitOpError() << "expected operands of one shape, got "
                               << first << " and " << operand.getType();
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

/// Checks the number that (C3) asks for.
static LogicalResult verifyResultCount(Operation *op) {
  if (op->getNumResults() == op->getNumOperands())
    return success();
  return op->emitOpError() << "expected a result for each of "
                           << op->getNumOperands() << " operands, got "
                           << op->getNumResults();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyCombination(*this, getOperands(), getAxis(), getCombine())))
    return failure();
  // (C3)
  if (failed(verifyResultCount(*this)))
    return failure();
  for (auto [operand, result] : llvm::zip(getOperands(), getResults())) {
    auto type = cast<RankedTensorType>(operand.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + getAxis());
    Type element = type.getElementType();
    auto got = dyn_cast<RankedTensorType>(result.getType());
    bool same = got ? got.getShape() == ArrayRef<int64_t>(shape) &&
                          got.getElementType() == element
                    : shape.empty() && result.getType() == element;
    if (!same)
      return emitOpError() << "expected a result of "
                           << (shape.empty()
                                   ? element
                                   : RankedTensorType::get(shape, element))
                           << ", got " << result.getType();
  }
  return success();
}

/// reduce along a side of 1 -> reshape: there is nothing to combine.
LogicalResult ReduceOp::canonicalize(ReduceOp op, PatternRewriter &rewriter) {
  auto first = cast<RankedTensorType>(op.getOperands().front().getType());
  if (first.getDimSize(op.getAxis()) != 1)
    return rewriter.notifyMatchFailure(op, "side is not 1");
  if (first.getRank() == 1)
    return rewriter.notifyMatchFailure(op, "result is a scalar");
  SmallVector<Value> results;
  for (auto [operand, result] : llvm::zip(op.getOperands(), op.getResults()))
    results.push_back(
        ReshapeOp::create(rewriter, op.getLoc(), result.getType(), operand));
  rewriter.replaceOp(op, results);
  return success();
}

LogicalResult ScanOp::verify() {
  if (failed(verifyCombination(*this, getOperands(), getAxis(), getCombine())))
    return failure();
  // (C3)
  if (failed(verifyResultCount(*this)))
    return failure();
  for (auto [operand, result] : llvm::zip(getOperands(), getResults()))
    if (operand.getType() != result.getType())
      return emitOpError() << "expected a result of " << operand.getType()
                           << ", got " << result.getType();
  return success();
}

/// scan along a side of 1 -> its operands.
LogicalResult ScanOp::fold(FoldAdaptor,
                           SmallVectorImpl<OpFoldResult> &results) {
  auto first = cast<RankedTensorType>(getOperands().front().getType());
  if (first.getDimSize(getAxis()) != 1)
    return failure();
  llvm::append_range(results, getOperands());
  return success();
}
