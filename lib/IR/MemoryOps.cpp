//===- MemoryOps.cpp - Pointers, loads, stores and atomics ----------------===//
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

/// Checks (C1) and (C2) of every access: it moves elements of its pointer's
/// type, and its offsets have the shape of the tile that is moved.
template <typename OpT>
static LogicalResult verifyAccess(OpT op, StringRef what, Type moved) {
  // (C1)
  Type element = getElementTypeOrSelf(moved);
  Type pointee = op.getBase().getType().getElementType();
  if (element != pointee)
    return op.emitOpError() << "expected " << what << " of the pointer's "
                            << pointee << ", got " << element;
  // (C2)
  Type offsets = op.getOffsets().getType();
  if (shapeOf(offsets) != shapeOf(moved))
    return op.emitOpError() << "expected offsets of the shape of " << moved
                            << ", got " << offsets;
  return success();
}

/// Checks that a mask, if any, goes with the tile that is moved.  Its type is
/// not written in the text, so it must follow from the tile's altogether.
static LogicalResult verifyMask(Operation *op, Value mask, Type moved) {
  if (!mask || mask.getType() == getMaskType(moved))
    return success();
  return op->emitOpError() << "expected a mask of " << getMaskType(moved)
                           << ", got " << mask.getType();
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

/// The constant that an offset is, sign-extended, or nothing.
static std::optional<int64_t> constantElements(Value elements) {
  APInt value;
  if (matchPattern(elements, m_ConstantInt(&value)))
    return value.getSExtValue();
  return std::nullopt;
}

/// offset(offset(p, a), b) -> offset(p, a + b), where the sum is the same
/// number: of two constants, or of two i64, whose wrap is the address's own.
LogicalResult OffsetOp::canonicalize(OffsetOp op, PatternRewriter &rewriter) {
  auto inner = op.getPointer().getDefiningOp<OffsetOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "pointer is not an offset");
  std::optional<int64_t> first = constantElements(inner.getElements());
  std::optional<int64_t> second = constantElements(op.getElements());
  int64_t constant;
  Value sum;
  if (first && second && !llvm::AddOverflow(*first, *second, constant))
    sum = arith::ConstantOp::create(rewriter, op.getLoc(),
                                    rewriter.getI64IntegerAttr(constant));
  else if (inner.getElements().getType().isInteger(64) &&
           op.getElements().getType().isInteger(64))
    sum = arith::AddIOp::create(rewriter, op.getLoc(), inner.getElements(),
                                op.getElements());
  else
    return rewriter.notifyMatchFailure(op, "the sum could overflow");
  rewriter.replaceOpWithNewOp<OffsetOp>(op, op.getType(), inner.getPointer(),
                                        sum);
  return success();
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
  if (failed(verifyAccess(*this, "a result", result)))
    return failure();
  if (failed(verifyMask(*this, getMask(), result)))
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

/// load mask false -> other or zero.
static void foldMaskedOff(LoadOp op, PatternRewriter &rewriter) {
  Value other = op.getOther();
  if (!other)
    other = arith::ConstantOp::create(rewriter, op.getLoc(),
                                      rewriter.getZeroAttr(op.getType()));
  else if (other.getType() != op.getType())
    other = SplatOp::create(rewriter, op.getLoc(), op.getType(), other);
  rewriter.replaceOp(op, other);
}

/// atomic_rmw mask false -> zero.
static void foldMaskedOff(AtomicRmwOp op, PatternRewriter &rewriter) {
  rewriter.replaceOpWithNewOp<arith::ConstantOp>(
      op, rewriter.getZeroAttr(op.getType()));
}

/// store mask false -> nothing.
static void foldMaskedOff(StoreOp op, PatternRewriter &rewriter) {
  rewriter.eraseOp(op);
}

namespace {
/// access mask true -> access; access mask false -> what foldMaskedOff makes.
template <typename OpT>
struct FoldMask : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!op.getMask())
      return rewriter.notifyMatchFailure(op, "has no mask");
    if (matchPattern(op.getMask(), m_One())) {
      rewriter.modifyOpInPlace(op, [&] {
        op.getMaskMutable().clear();
        if constexpr (std::is_same_v<OpT, LoadOp>)
          op.getOtherMutable().clear();
      });
      return success();
    }
    if (!matchPattern(op.getMask(), m_Zero()))
      return rewriter.notifyMatchFailure(op, "mask is not constant");
    foldMaskedOff(op, rewriter);
    return success();
  }
};
} // namespace

void LoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<FoldMask<LoadOp>>(context);
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
  if (failed(verifyAccess(*this, "a value", value)))
    return failure();
  return verifyMask(*this, getMask(), value);
}

void StoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<FoldMask<StoreOp>>(context);
}

//===----------------------------------------------------------------------===//
// atomics
//===----------------------------------------------------------------------===//

/// Checks that `what` has the type of the value that an atomic op writes, which
/// is the only one written in its text.
static LogicalResult verifySame(Operation *op, StringRef what, Type type,
                                Type value) {
  if (type == value)
    return success();
  return op->emitOpError() << "expected " << what << " of " << value << ", got "
                           << type;
}

void AtomicRmwOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getBaseMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getBaseMutable());
}

LogicalResult AtomicRmwOp::verify() {
  Type value = getValue().getType();
  if (failed(verifyAccess(*this, "a value", value)))
    return failure();
  if (failed(verifyMask(*this, getMask(), value)))
    return failure();
  // (C3)
  Type element = getElementTypeOrSelf(value);
  AtomicKind kind = getKind();
  bool fits = kind == AtomicKind::Exchange ||
              (kind == AtomicKind::AddF ? isa<FloatType>(element)
                                        : element.isInteger());
  if (!fits || element.isInteger(1))
    return emitOpError() << "expected elements that "
                         << stringifyAtomicKind(kind) << " takes, got "
                         << element;
  // (C4)
  return verifySame(*this, "a result", getType(), value);
}

void AtomicRmwOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<FoldMask<AtomicRmwOp>>(context);
}

void AtomicCasOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getBaseMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getBaseMutable());
}

LogicalResult AtomicCasOp::verify() {
  Type value = getValue().getType();
  if (failed(verifyAccess(*this, "a value", value)))
    return failure();
  // (C3)
  unsigned width = getElementTypeOrSelf(value).getIntOrFloatBitWidth();
  if (width < 16)
    return emitOpError() << "expected elements of 16, 32 or 64 bits, got "
                         << getElementTypeOrSelf(value);
  // (C4)
  if (failed(verifySame(*this, "a comparison value", getExpected().getType(),
                        value)))
    return failure();
  return verifySame(*this, "a result", getType(), value);
}
