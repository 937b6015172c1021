//===- Reductions.cpp - How an op becomes simpler -------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Reducer/ReductionPatternInterface.h"
#include "mlir/Reducer/Tester.h"
#include "tile/IR/TileOps.h"

using namespace mlir;

/// Drops what makes nothing, such as a store; puts an operand of the result's
/// type in the place of what computes; else a zero.
static LogicalResult simplify(Operation *op, RewriterBase &rewriter) {
  if (op->getNumRegions() > 0 || op->hasTrait<OpTrait::IsTerminator>() ||
      op->hasTrait<OpTrait::ConstantLike>())
    return failure();
  if (op->getNumResults() == 0) {
    rewriter.eraseOp(op);
    return success();
  }
  if (op->getNumResults() != 1)
    return failure();
  Type type = op->getResult(0).getType();
  for (Value operand : op->getOperands()) {
    if (operand.getType() != type)
      continue;
    rewriter.replaceOp(op, operand);
    return success();
  }
  TypedAttr zero = rewriter.getZeroAttr(type);
  if (!zero)
    return failure();
  rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, zero);
  return success();
}

namespace {
/// Simplifies an op where the program stays interesting without it.
///
/// The reducer would apply a pattern to all ops at once and give up where that
/// goes too far; so each op is tried on a copy of its module first.
struct Simplify : RewritePattern {
  Simplify(MLIRContext *context, const Tester &tester)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context),
        tester(tester) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!staysInteresting(op))
      return rewriter.notifyMatchFailure(op, "expected an op of no interest");
    return simplify(op, rewriter);
  }

private:
  bool staysInteresting(Operation *op) const;

  const Tester &tester;
};

/// Gives the pattern to the reducer, which asks the dialects for them.
struct Reductions : DialectReductionPatternInterface {
  Reductions(Dialect *dialect) : DialectReductionPatternInterface(dialect) {}

  void populateReductionPatterns(RewritePatternSet &) const override {}
  void populateReductionPatternsWithTester(RewritePatternSet &patterns,
                                           Tester &tester) const override {
    patterns.add<Simplify>(patterns.getContext(), tester);
  }
};
} // namespace

bool Simplify::staysInteresting(Operation *op) const {
  auto module = op->getParentOfType<ModuleOp>();
  if (!module)
    return false;
  IRMapping mapping;
  OwningOpRef<Operation *> copy = module->clone(mapping);
  IRRewriter rewriter(op->getContext());
  Operation *twin = mapping.lookup(op);
  rewriter.setInsertionPoint(twin);
  return succeeded(simplify(twin, rewriter)) &&
         tester.isInteresting(cast<ModuleOp>(*copy)).first ==
             Tester::Interestingness::True;
}

void tile::reduce::registerReductions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, TileDialect *dialect) {
    dialect->addInterfaces<Reductions>();
  });
}
