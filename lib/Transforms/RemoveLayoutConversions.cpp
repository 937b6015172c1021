//===- RemoveLayoutConversions.cpp - Remove conversions -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Transforms/Passes.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#define DEBUG_TYPE "tile-remove-layout-conversions"

namespace tile {
#define GEN_PASS_DEF_TILEREMOVELAYOUTCONVERSIONSPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

namespace {

/// convert_layout(constant splat) -> constant splat.
struct FoldConvertOfConstant : OpRewritePattern<ConvertLayoutOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvertLayoutOp op,
                                PatternRewriter &rewriter) const override {
    DenseElementsAttr elements;
    if (!matchPattern(op.getSource(), m_Constant(&elements)) ||
        !elements.isSplat())
      return rewriter.notifyMatchFailure(op, "source is not a splat constant");
    auto type = cast<RankedTensorType>(op.getType());
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, type,
        DenseElementsAttr::get(type, elements.getSplatValue<Attribute>()));
    return success();
  }
};

/// convert_layout(splat x) -> splat x.
struct FoldConvertOfSplat : OpRewritePattern<ConvertLayoutOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvertLayoutOp op,
                                PatternRewriter &rewriter) const override {
    auto splat = op.getSource().getDefiningOp<SplatOp>();
    if (!splat)
      return rewriter.notifyMatchFailure(op, "source is not a splat");
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getValue());
    return success();
  }
};

/// convert(truncf x) is cheaper than truncf(convert x): fewer bytes move.
struct SinkTruncation : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    auto convert = op.getIn().getDefiningOp<ConvertLayoutOp>();
    if (!convert || !convert->hasOneUse())
      return rewriter.notifyMatchFailure(op,
                                         "operand is no conversion of its own");
    auto result = cast<RankedTensorType>(op.getType());
    auto source = cast<RankedTensorType>(convert.getSource().getType());
    auto narrow = RankedTensorType::get(
        result.getShape(), result.getElementType(), source.getEncoding());
    Value truncated = arith::TruncFOp::create(
        rewriter, op.getLoc(), narrow, convert.getSource(),
        op.getRoundingmodeAttr(), op.getFastmathAttr());
    rewriter.replaceOpWithNewOp<ConvertLayoutOp>(op, result, truncated);
    return success();
  }
};

struct RemoveLayoutConversions
    : public tile::impl::TileRemoveLayoutConversionsPassBase<
          RemoveLayoutConversions> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldConvertOfConstant, FoldConvertOfSplat, SinkTruncation>(
        &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
