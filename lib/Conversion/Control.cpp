//===- Control.cpp - Loops and branches to blocks -------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelLowering.h"

using namespace mlir;
using namespace tile;

/// Appends a block whose arguments stand for `values`, and records them.
static FailureOr<Block *> blockFor(KernelLowering &kernel, Operation *op,
                                   ValueRange values) {
  CodeBuilder &code = kernel.code;
  OpBuilder::InsertionGuard guard(code.builder);
  Block *block =
      code.builder.createBlock(code.builder.getBlock()->getParent(), {});
  block->moveBefore(block->getParent(), block->getParent()->end());
  for (Value value : values) {
    FailureOr<SmallVector<Type>> types = kernel.partTypes(op, value.getType());
    if (failed(types))
      return failure();
    SmallVector<Value> parts;
    for (Type type : *types)
      parts.push_back(block->addArgument(type, value.getLoc()));
    kernel.setParts(value, parts);
  }
  return block;
}

static void moveToEnd(Block *block) {
  block->moveBefore(block->getParent(), block->getParent()->end());
}

LogicalResult tile::lower(KernelLowering &kernel, scf::ForOp op) {
  CodeBuilder &code = kernel.code;
  SmallVector<Value> bodyValues = {op.getInductionVar()};
  llvm::append_range(bodyValues, op.getRegionIterArgs());
  FailureOr<Block *> body = blockFor(kernel, op, bodyValues);
  FailureOr<Block *> exit = blockFor(kernel, op, op.getResults());
  if (failed(body) || failed(exit))
    return failure();

  Value upper = kernel.part(op.getUpperBound());
  Value step = kernel.part(op.getStep());
  auto predicate =
      op.getUnsignedCmp() ? LLVM::ICmpPredicate::ult : LLVM::ICmpPredicate::slt;
  // The test stands at the bottom, and once before the loop.
  SmallVector<Value> inits = kernel.parts(op.getInitArgs());
  SmallVector<Value> entering = {kernel.part(op.getLowerBound())};
  Value enters = code.compare(predicate, entering.front(), upper);
  llvm::append_range(entering, inits);
  LLVM::CondBrOp::create(code.builder, code.loc, enters, *body, entering, *exit,
                         inits);

  code.builder.setInsertionPointToStart(*body);
  if (failed(kernel.lowerBody(*op.getBody())))
    return failure();
  code.loc = op.getLoc();
  SmallVector<Value> yields =
      kernel.parts(op.getBody()->getTerminator()->getOperands());
  SmallVector<Value> again = {
      code.add(kernel.part(op.getInductionVar()), step)};
  Value repeats = code.compare(predicate, again.front(), upper);
  llvm::append_range(again, yields);
  auto latch = LLVM::CondBrOp::create(code.builder, code.loc, repeats, *body,
                                      again, *exit, yields);
  latch.setLoopAnnotationAttr(code.unrollForbidden());
  moveToEnd(*exit);
  code.builder.setInsertionPointToStart(*exit);
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, scf::IfOp op) {
  CodeBuilder &code = kernel.code;
  FailureOr<Block *> then = blockFor(kernel, op, {});
  FailureOr<Block *> otherwise = blockFor(kernel, op, {});
  FailureOr<Block *> exit = blockFor(kernel, op, op.getResults());
  if (failed(then) || failed(otherwise) || failed(exit))
    return failure();
  LLVM::CondBrOp::create(code.builder, code.loc, kernel.part(op.getCondition()),
                         *then, *otherwise);
  auto emitBranch = [&](Block *block, Region &region) -> LogicalResult {
    moveToEnd(block);
    code.builder.setInsertionPointToStart(block);
    SmallVector<Value> yields;
    if (!region.empty()) {
      if (failed(kernel.lowerBody(region.front())))
        return failure();
      yields = kernel.parts(region.front().getTerminator()->getOperands());
    }
    LLVM::BrOp::create(code.builder, op.getLoc(), yields, *exit);
    return success();
  };
  if (failed(emitBranch(*then, op.getThenRegion())) ||
      failed(emitBranch(*otherwise, op.getElseRegion())))
    return failure();
  moveToEnd(*exit);
  code.builder.setInsertionPointToStart(*exit);
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, scf::WhileOp op) {
  CodeBuilder &code = kernel.code;
  FailureOr<Block *> before =
      blockFor(kernel, op, op.getBefore().getArguments());
  FailureOr<Block *> after = blockFor(kernel, op, op.getAfter().getArguments());
  FailureOr<Block *> exit = blockFor(kernel, op, op.getResults());
  if (failed(before) || failed(after) || failed(exit))
    return failure();
  LLVM::BrOp::create(code.builder, code.loc, kernel.parts(op.getInits()),
                     *before);

  code.builder.setInsertionPointToStart(*before);
  if (failed(kernel.lowerBody(op.getBefore().front())))
    return failure();
  scf::ConditionOp condition = op.getConditionOp();
  SmallVector<Value> forwarded = kernel.parts(condition.getArgs());
  LLVM::CondBrOp::create(code.builder, condition.getLoc(),
                         kernel.part(condition.getCondition()), *after,
                         forwarded, *exit, forwarded);

  moveToEnd(*after);
  code.builder.setInsertionPointToStart(*after);
  if (failed(kernel.lowerBody(op.getAfter().front())))
    return failure();
  SmallVector<Value> yields = kernel.parts(op.getYieldOp()->getOperands());
  auto latch = LLVM::BrOp::create(code.builder, op.getLoc(), yields, *before);
  latch.setLoopAnnotationAttr(code.unrollForbidden());
  moveToEnd(*exit);
  code.builder.setInsertionPointToStart(*exit);
  return success();
}
