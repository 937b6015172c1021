//===- ProgramScalars.cpp - A kernel's scalars, program by program --------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramScalars.h"

#include "tile/GPU/TileGPUOps.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// Arithmetic for one result of a kernel's grid.
static Value materializeGrid(OpBuilder &builder, Location loc, AffineExpr expr,
                             ArrayRef<BlockArgument> symbols) {
  Type i32 = builder.getI32Type();
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return arith::ConstantOp::create(
        builder, loc, builder.getI32IntegerAttr(constant.getValue()));
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return ScalarExpr::value(symbols[symbol.getPosition()])
        .materialize(builder, loc, i32);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = materializeGrid(builder, loc, binary.getLHS(), symbols);
  Value rhs = materializeGrid(builder, loc, binary.getRHS(), symbols);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::Mul:
    return arith::MulIOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::CeilDiv:
    return arith::CeilDivSIOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::FloorDiv:
    return arith::FloorDivSIOp::create(builder, loc, lhs, rhs);
  default:
    return arith::RemSIOp::create(builder, loc, lhs, rhs);
  }
}

Value tile::materializeNumPrograms(OpBuilder &builder, KernelOp kernel) {
  return materializeGrid(builder, kernel.getLoc(),
                         kernel.getGrid()->getResult(0),
                         kernel.getIntegerArguments());
}

void tile::hoistProgram(KernelOp kernel) {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    if (isa<ProgramIdOp, NumProgramsOp>(op))
      ops.push_back(op);
  });
  Block &body = kernel.getBody().front();
  for (Operation *op : llvm::reverse(ops))
    op->moveBefore(&body, body.begin());
}

void tile::mapProgram(IRMapping &scalars, KernelOp kernel, Value program,
                      Value programs) {
  for (Operation &op : kernel.getBody().front()) {
    // The other axes have one program, also where CTAs are fewer.
    if (auto id = dyn_cast<ProgramIdOp>(op); id && id.getAxis() == Axis::X)
      scalars.map(id, program);
    if (auto count = dyn_cast<NumProgramsOp>(op);
        count && count.getAxis() == Axis::X)
      scalars.map(count, programs);
  }
}

void tile::cloneScalars(OpBuilder &builder, scf::ForOp loop,
                        IRMapping &scalars) {
  for (Operation &op : *loop->getBlock()) {
    if (&op == loop)
      return;
    bool isMapped = isa<ProgramIdOp, NumProgramsOp>(op) &&
                    scalars.contains(op.getResult(0));
    // The roles share their rings, barriers and maps.
    bool isShared = isa<TileGPUDialect>(op.getDialect());
    if (!isMemoryEffectFree(&op) || isShared || isMapped)
      continue;
    if (op.getNumRegions() == 0) {
      builder.clone(op, scalars);
      continue;
    }
    // What is inside is mapped for this clone only: another one would lack the
    // arguments that it finds mapped.
    IRMapping inside = scalars;
    scalars.map(op.getResults(), builder.clone(op, inside)->getResults());
  }
}

Value tile::materializeScalar(OpBuilder &builder, scf::ForOp loop,
                              const ScalarExpr &expr, const IRMapping &scalars,
                              Value iteration) {
  ScalarExpr result = expr;
  for (Value atom : expr.values()) {
    Value to = atom == loop.getInductionVar() ? iteration
                                              : scalars.lookupOrDefault(atom);
    if (to != atom)
      result = result.substitute(atom, ScalarExpr::value(to));
  }
  return result.materialize(builder, loop.getLoc(), builder.getI32Type());
}
