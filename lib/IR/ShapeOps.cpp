//===- ShapeOps.cpp - Ops that make and reshape tiles ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/IR/TileOps.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tile;

/// The splat constant that `value` is, recast to `type`, or null.
static Attribute foldSplat(Attribute value, RankedTensorType type) {
  auto splat = dyn_cast_if_present<SplatElementsAttr>(value);
  return splat ? Attribute(SplatElementsAttr::get(
                     type, splat.getSplatValue<Attribute>()))
               : Attribute();
}

/// Reads the shape of a tile value.
static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static InFlightDiagnostic emitShapeError(Operation *op, ArrayRef<int64_t> want,
                                         ArrayRef<int64_t> got) {
  InFlightDiagnostic error = op->emitOpError() << "expected a result of shape ";
  llvm::interleave(want, error, "x");
  error << ", got ";
  llvm::interleave(got, error, "x");
  return error;
}

//===----------------------------------------------------------------------===//
// iota, splat
//===----------------------------------------------------------------------===//

LogicalResult IotaOp::verify() {
  RankedTensorType type = getType();
  // (C1)
  if (type.getRank() != 1)
    return emitOpError() << "expected a result of one dimension, got " << type;
  return success();
}

void IotaOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                               SetIntRangeFn setResultRange) {
  unsigned width = getType().getElementTypeBitWidth();
  APInt last(width, getType().getDimSize(0) - 1);
  setResultRange(getResult(),
                 ConstantIntRanges::fromUnsigned(APInt(width, 0), last));
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  Attribute value = adaptor.getValue();
  if (isa_and_present<IntegerAttr, FloatAttr>(value))
    return SplatElementsAttr::get(getType(), value);
  return {};
}

void SplatOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                                SetIntRangeFn setResultRange) {
  if (getValue().getType().isInteger())
    setResultRange(getResult(), ranges[0]);
}

/// A reshaping keeps the values, and with them their range.
static void passRange(ArrayRef<ConstantIntRanges> ranges, Value result,
                      SetIntRangeFn setResultRange) {
  if (getElementTypeOrSelf(result.getType()).isInteger())
    setResultRange(result, ranges[0]);
}

namespace {
/// shape_op(splat(x)) -> splat(x) of the result's type.
template <typename ShapeOp>
struct FoldSplatSource : OpRewritePattern<ShapeOp> {
  using OpRewritePattern<ShapeOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto splat = op.getSource().template getDefiningOp<SplatOp>();
    if (!splat)
      return rewriter.notifyMatchFailure(op, "source is not a splat");
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getValue());
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// expand_dims
//===----------------------------------------------------------------------===//

LogicalResult ExpandDimsOp::verify() {
  ArrayRef<int64_t> source = shapeOf(getSource());
  auto axis = static_cast<int32_t>(getAxis());
  // (C1)
  if (axis < 0 || axis > static_cast<int32_t>(source.size()))
    return emitOpError() << "expected an axis from 0 to " << source.size()
                         << ", got " << axis;
  // (C2)
  SmallVector<int64_t> want(source);
  want.insert(want.begin() + axis, 1);
  if (ArrayRef<int64_t>(want) != getType().getShape())
    return emitShapeError(*this, want, getType().getShape());
  return success();
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) {
  return foldSplat(adaptor.getSource(), getType());
}

namespace {
/// expand_dims(broadcast(x)) -> broadcast(expand_dims(x)): the smaller tile is
/// reshaped, and all broadcasts meet at the end of the chain.
struct SinkExpandDimsSource : OpRewritePattern<ExpandDimsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ExpandDimsOp op,
                                PatternRewriter &rewriter) const override {
    auto broadcast = op.getSource().getDefiningOp<BroadcastOp>();
    if (!broadcast)
      return rewriter.notifyMatchFailure(op, "source is not a broadcast");
    auto small = cast<RankedTensorType>(broadcast.getSource().getType());
    if (small.getEncoding() || op.getType().getEncoding())
      return rewriter.notifyMatchFailure(op, "layouts are assigned");
    SmallVector<int64_t> shape(small.getShape());
    shape.insert(shape.begin() + op.getAxis(), 1);
    auto expanded = ExpandDimsOp::create(
        rewriter, op.getLoc(),
        RankedTensorType::get(shape, small.getElementType()),
        broadcast.getSource(), op.getAxis());
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), expanded);
    return success();
  }
};
} // namespace

void ExpandDimsOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                               MLIRContext *context) {
  patterns.add<FoldSplatSource<ExpandDimsOp>, SinkExpandDimsSource>(context);
}

void ExpandDimsOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                                     SetIntRangeFn setResultRange) {
  passRange(ranges, getResult(), setResultRange);
}

//===----------------------------------------------------------------------===//
// broadcast
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> source = shapeOf(getSource());
  ArrayRef<int64_t> result = getType().getShape();
  // (C1)
  if (source.size() != result.size())
    return emitOpError() << "expected source and result of one rank, got "
                         << source.size() << " and " << result.size();
  // (C2)
  for (auto [dim, from, to] : llvm::enumerate(source, result))
    if (from != 1 && from != to)
      return emitOpError() << "expected side " << dim
                           << " of the source to be 1"
                           << " or " << to << ", got " << from;
  return success();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  return foldSplat(adaptor.getSource(), getType());
}

namespace {
/// broadcast(broadcast(x)) -> broadcast(x).
struct FoldBroadcastSource : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getSource().getDefiningOp<BroadcastOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "source is not a broadcast");
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(),
                                             inner.getSource());
    return success();
  }
};
} // namespace

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<FoldBroadcastSource, FoldSplatSource<BroadcastOp>>(context);
}

void BroadcastOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                                    SetIntRangeFn setResultRange) {
  passRange(ranges, getResult(), setResultRange);
}

//===----------------------------------------------------------------------===//
// reshape, transpose
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  // (C1)
  if (source.getNumElements() != getType().getNumElements())
    return emitOpError() << "expected as many elements as the source's "
                         << source.getNumElements() << ", got "
                         << getType().getNumElements();
  return success();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  // Neither a reshape nor a side of 1 changes the row-major order.
  Operation *inner = getSource().getDefiningOp();
  if (isa_and_present<ReshapeOp, ExpandDimsOp>(inner)) {
    getSourceMutable().assign(inner->getOperand(0));
    return getResult();
  }
  return foldSplat(adaptor.getSource(), getType());
}

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<FoldSplatSource<ReshapeOp>>(context);
}

void ReshapeOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                                  SetIntRangeFn setResultRange) {
  passRange(ranges, getResult(), setResultRange);
}

LogicalResult TransposeOp::verify() {
  ArrayRef<int64_t> source = shapeOf(getSource());
  SmallVector<int64_t> sorted(getOrder());
  llvm::sort(sorted);
  // (C1)
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, source.size())))
    return emitOpError() << "expected order to be a permutation of "
                         << source.size() << " dimensions, got [" << getOrder()
                         << "]";
  SmallVector<int64_t> want;
  for (int64_t dim : getOrder())
    want.push_back(source[dim]);
  // (C2)
  if (ArrayRef<int64_t>(want) != getType().getShape())
    return emitShapeError(*this, want, getType().getShape());
  return success();
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  bool identity =
      llvm::equal(getOrder(), llvm::seq<int64_t>(0, getType().getRank()));
  if (identity && getSource().getType() == getType())
    return getSource();
  if (auto inner = getSource().getDefiningOp<TransposeOp>()) {
    SmallVector<int64_t> order;
    for (int64_t dim : getOrder())
      order.push_back(inner.getOrder()[dim]);
    setOrder(order);
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return foldSplat(adaptor.getSource(), getType());
}

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<FoldSplatSource<TransposeOp>>(context);
}

void TransposeOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                                    SetIntRangeFn setResultRange) {
  passRange(ranges, getResult(), setResultRange);
}
