//===- MemoryOps.cpp - Pointers, loads, stores and atomics ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/IR/TileOps.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tile;

/// The shape of a tile, or nothing for a scalar.
static std::optional<ArrayRef<int64_t>> shapeOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? std::optional(tensor.getShape()) : std::nullopt;
}

/// Checks that a memory access moves elements of its pointer's type.
static LogicalResult verifyElement(Operation *op, PointerType base,
                                   StringRef what, Type moved) {
  Type element = getElementTypeOrSelf(moved);
  if (element == base.getElementType())
    return success();
  return op->emitOpError() << "expected " << what << " of the pointer's "
                           << base.getElementType() << ", got " << element;
}

/// Checks that `part` has the shape of the tile that is moved.
static LogicalResult verifyShape(Operation *op, StringRef what, Type part,
                                 Type moved) {
  if (shapeOf(part) == shapeOf(moved))
    return success();
  return op->emitOpError() << "expected " << what << " of the shape of " << moved
                           << ", got " << part;
}

//===----------------------------------------------------------------------===//
// offset
//===----------------------------------------------------------------------===//

OpFoldResult OffsetOp::fold(FoldAdaptor adaptor) {
  auto elements = dyn_cast_if_present<IntegerAttr>(adaptor.getElements());
  if (elements && elements.getValue().isZero())
    return getPointer();
  return {};
}

//===----------------------------------------------------------------------===//
// load
//===----------------------------------------------------------------------===//

void LoadOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getBaseMutable());
}

LogicalResult LoadOp::verify() {
  Type result = getType();
  // (C1)
  if (failed(verifyElement(*this, getBase().getType(), "a result", result)))
    return failure();
  // (C2)
  if (failed(verifyShape(*this, "offsets", getOffsets().getType(), result)))
    return failure();
  if (getMask() &&
      failed(verifyShape(*this, "a mask", getMask().getType(), result)))
    return failure();
  if (!getOther())
    return success();
  // (C3)
  Type other = getOther().getType();
  if (other != result && other != getElementTypeOrSelf(result))
    return emitOpError() << "expected other to be " << result << " or "
                         << getElementTypeOrSelf(result) << ", got " << other;
  // (C4)
  if (!getMask())
    return emitOpError() << "expected a mask beside other, got none";
  return success();
}

namespace {
/// load mask true -> load; load mask false -> other or zero.
struct FoldLoadMask : OpRewritePattern<LoadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LoadOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getMask())
      return rewriter.notifyMatchFailure(op, "has no mask");
    if (matchPattern(op.getMask(), m_One())) {
      rewriter.modifyOpInPlace(op, [&] {
        op.getMaskMutable().clear();
        op.getOtherMutable().clear();
      });
      return success();
    }
    if (!matchPattern(op.getMask(), m_Zero()))
      return rewriter.notifyMatchFailure(op, "mask is not constant");
    Value other = op.getOther();
    if (!other)
      other = arith::ConstantOp::create(rewriter, op.getLoc(),
                                        rewriter.getZeroAttr(op.getType()));
    else if (other.getType() != op.getType())
      other = SplatOp::create(rewriter, op.getLoc(), op.getType(), other);
    rewriter.replaceOp(op, other);
    return success();
  }
};

/// store mask true -> store; store mask false -> nothing.
struct FoldStoreMask : OpRewritePattern<StoreOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(StoreOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getMask())
      return rewriter.notifyMatchFailure(op, "has no mask");
    if (matchPattern(op.getMask(), m_One())) {
      rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
      return success();
    }
    if (!matchPattern(op.getMask(), m_Zero()))
      return rewriter.notifyMatchFailure(op, "mask is not constant");
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void LoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<FoldLoadMask>(context);
}

//===----------------------------------------------------------------------===//
// store
//===----------------------------------------------------------------------===//

void StoreOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getBaseMutable());
}

LogicalResult StoreOp::verify() {
  Type value = getValue().getType();
  // (C1)
  if (failed(verifyElement(*this, getBase().getType(), "a value", value)))
    return failure();
  // (C2)
  if (failed(verifyShape(*this, "offsets", getOffsets().getType(), value)))
    return failure();
  if (getMask())
    return verifyShape(*this, "a mask", getMask().getType(), value);
  return success();
}

void StoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<FoldStoreMask>(context);
}

//===----------------------------------------------------------------------===//
// atomics
//===----------------------------------------------------------------------===//

void AtomicRmwOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getBaseMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getBaseMutable());
}

LogicalResult AtomicRmwOp::verify() {
  Type value = getValue().getType();
  // (C1)
  if (failed(verifyElement(*this, getBase().getType(), "a value", value)))
    return failure();
  // (C2)
  if (failed(verifyShape(*this, "offsets", getOffsets().getType(), value)))
    return failure();
  if (getMask() &&
      failed(verifyShape(*this, "a mask", getMask().getType(), value)))
    return failure();
  // (C3)
  Type element = getElementTypeOrSelf(value);
  AtomicKind kind = getKind();
  bool fits = kind == AtomicKind::Exchange ||
              (kind == AtomicKind::AddF ? isa<FloatType>(element)
                                        : element.isInteger());
  if (!fits || element.isInteger(1))
    return emitOpError() << "expected elements that " << stringifyAtomicKind(kind)
                         << " takes, got " << element;
  return success();
}

void AtomicCasOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getBaseMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getBaseMutable());
}

LogicalResult AtomicCasOp::verify() {
  Type value = getValue().getType();
  // (C1)
  if (failed(verifyElement(*this, getBase().getType(), "a value", value)))
    return failure();
  // (C2)
  if (failed(verifyShape(*this, "offsets", getOffsets().getType(), value)))
    return failure();
  // (C3)
  unsigned width = getElementTypeOrSelf(value).getIntOrFloatBitWidth();
  if (width < 16)
    return emitOpError() << "expected elements of 16, 32 or 64 bits, got "
                         << getElementTypeOrSelf(value);
  return success();
}
