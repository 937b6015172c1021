//===- Canonicalize.cpp - Canonicalization that changes no bit ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/GPU/TileGPUOps.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/CommonFolders.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>

namespace tile {
#define GEN_PASS_DEF_TILECANONICALIZEPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// A constant of floats in another type of floats; null for anything else.
static TypedAttr convert(Attribute value, FloatType type) {
  auto round = [&](APFloat number) {
    bool losesInfo;
    number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return number;
  };
  if (auto number = dyn_cast_or_null<FloatAttr>(value))
    return FloatAttr::get(type, round(number.getValue()));
  auto dense = dyn_cast_or_null<DenseFPElementsAttr>(value);
  if (!dense)
    return nullptr;
  DenseElementsAttr converted =
      dense.mapValues(type, [&](const APFloat &number) {
        return round(number).bitcastToAPInt();
      });
  return cast<TypedAttr>(Attribute(converted));
}

/// What an op makes of constants of f64, or as they are.
static Attribute foldOp(Operation *op, ArrayRef<Attribute> operands) {
  // MLIR's own is NaN where both are zero.
  if (isa<math::Atan2Op>(op))
    return constFoldBinaryOp<FloatAttr>(
        operands, [](const APFloat &y, const APFloat &x) {
          return APFloat(std::atan2(y.convertToDouble(), x.convertToDouble()));
        });
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return nullptr;
  return dyn_cast<Attribute>(results.front());
}

/// What an op makes of constants; nothing where one of its operands is none.
static TypedAttr foldConstants(Operation *op) {
  Builder builder(op->getContext());
  bool isFunction = isa<math::MathDialect>(op->getDialect()) &&
                    getElementTypeOrSelf(op->getResult(0).getType()).isF32();
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    Attribute value;
    if (!matchPattern(operand, m_Constant(&value)))
      return nullptr;
    operands.push_back(isFunction ? convert(value, builder.getF64Type())
                                  : value);
    if (!operands.back())
      return nullptr;
  }
  Attribute result = foldOp(op, operands);
  return isFunction ? convert(result, builder.getF32Type())
                    : dyn_cast_or_null<TypedAttr>(result);
}

/// Folds what computes constants.  Functions of f32 are computed in f64 and
/// rounded, as the interpreter does; their own folds call the host's functions
/// of f32, which differ from host to host.
static void foldAll(KernelOp kernel) {
  kernel.walk([](Operation *op) {
    if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
        op->getNumRegions() != 0 ||
        !isa<arith::ArithDialect, math::MathDialect, TileDialect>(
            op->getDialect()))
      return;
    TypedAttr value = foldConstants(op);
    if (!value || value.getType() != op->getResult(0).getType())
      return;
    OpBuilder builder(op);
    Value constant =
        arith::ConstantOp::create(builder, op->getLoc(), value).getResult();
    op->getResult(0).replaceAllUsesWith(constant);
  });
}

/// Drops copies into slots that are never made: those ahead of a loop that has
/// turned out to be empty, whose ring nobody reads.
static void dropDeadCopies(KernelOp kernel) {
  kernel.walk([](Operation *op) {
    Value live;
    if (auto copy = dyn_cast<tile::gpu::CopyAsyncOp>(op))
      live = copy.getLive();
    else if (auto copy = dyn_cast<tile::gpu::CopyOp>(op))
      live = copy.getLive();
    if (live && matchPattern(live, m_Zero()))
      op->erase();
  });
}

namespace {
struct Canonicalize
    : public tile::impl::TileCanonicalizePassBase<Canonicalize> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet all(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(all);
    // What is left of arith.truncf are its folds, which are exact.
    for (RegisteredOperationName op : context->getRegisteredOperations())
      if (op.getStringRef() != arith::TruncFOp::getOperationName())
        op.getCanonicalizationPatterns(all, context);
    patterns = FrozenRewritePatternSet(std::move(all));
    return success();
  }

  void runOnOperation() override {
    // Where it stops short of a fixed point the IR is as valid, as upstream.
    foldAll(getOperation());
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal().setRegionSimplificationLevel(
        GreedySimplifyRegionLevel::Normal);
    (void)applyPatternsGreedily(getOperation(), patterns, config);
    dropDeadCopies(getOperation());
  }

private:
  FrozenRewritePatternSet patterns;
};
} // namespace
