//===- SplitConsumer.cpp - The role that multiplies -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramScalars.h"
#include "SplitRoles.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

Value RoleSplitter::startProduct(OpBuilder &builder, Value cursor, Value acc) {
  WaitFullOp::create(builder, loop.getLoc(), full, cursor);
  auto type = PendingType::get(kernel.getContext(),
                               cast<RankedTensorType>(dot.getType()));
  return WgmmaOp::create(builder, dot.getLoc(), type, operands[0].ring, cursor,
                         operands[1].ring, cursor, acc, *dot.getPlan());
}

/// The loop over the products, each a sum of its own that is waited for and
/// added to what the loop carries beside the cursor.
scf::ForOp RoleSplitter::addProducts(OpBuilder &builder,
                                     const IRMapping &scalars, Value cursor,
                                     const ClusterPair &pair) {
  Location loc = loop.getLoc();
  auto type = cast<RankedTensorType>(dot.getType());
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  auto walk = scf::ForOp::create(
      builder, loc, scalars.lookupOrDefault(loop.getLowerBound()),
      scalars.lookupOrDefault(loop.getUpperBound()),
      scalars.lookupOrDefault(loop.getStep()),
      ValueRange{scalars.lookupOrDefault(loop.getInitArgs()[accIndex]),
                 cursor});
  OpBuilder inside = OpBuilder::atBlockBegin(walk.getBody());
  Value slot = walk.getRegionIterArg(1);
  Value product = startProduct(inside, slot, zero);
  Value sum = WgmmaFinishOp::create(inside, loc, type, product);
  ReleaseOp::create(inside, loc, empty, slot, pair.paired);
  Value acc = arith::AddFOp::create(inside, dot.getLoc(),
                                    walk.getRegionIterArg(0), sum);
  Value next = AdvanceOp::create(inside, loc, slot.getType(), slot, 1);
  scf::YieldOp::create(inside, loc, ValueRange{acc, next});
  return walk;
}

/// The loop over all products but the first, one of which is always running: it
/// carries the pending sum, the next cursor, and that of the running product.
scf::ForOp RoleSplitter::chainProducts(OpBuilder &builder,
                                       const IRMapping &scalars, Value cursor,
                                       const ClusterPair &pair) {
  Location loc = loop.getLoc();
  Value lower = scalars.lookupOrDefault(loop.getLowerBound());
  Value upper = scalars.lookupOrDefault(loop.getUpperBound());
  Value step = scalars.lookupOrDefault(loop.getStep());
  Value init = scalars.lookupOrDefault(loop.getInitArgs()[accIndex]);

  // The planner has shown that there is a first one.
  Value first = startProduct(builder, cursor, init);
  Value second = AdvanceOp::create(builder, loc, cursor.getType(), cursor, 1);
  Value from = arith::AddIOp::create(builder, loc, lower, step);
  auto walk = scf::ForOp::create(builder, loc, from, upper, step,
                                 ValueRange{first, second, cursor});
  OpBuilder inside = OpBuilder::atBlockBegin(walk.getBody());
  Value acc = walk.getRegionIterArg(0), slot = walk.getRegionIterArg(1),
        before = walk.getRegionIterArg(2);
  Value product = startProduct(inside, slot, acc);
  WgmmaWaitOp::create(inside, loc, 1);
  ReleaseOp::create(inside, loc, empty, before, pair.paired);
  Value next = AdvanceOp::create(inside, loc, slot.getType(), slot, 1);
  scf::YieldOp::create(inside, loc, ValueRange{product, next, slot});
  return walk;
}

/// Computes what the epilogue needs while the last products run, rather than
/// before the first ones: where the tile lies takes two divisions.  What the
/// products need, too, stays where it was, by the elimination of duplicates.
void RoleSplitter::prepareEpilogue(OpBuilder &builder, IRMapping &scalars) {
  cloneScalars(builder, loop, scalars);
  if (storesByEngine())
    TmaStoreWaitOp::create(builder, loop.getLoc());
}

Value RoleSplitter::consumeTile(OpBuilder &builder, IRMapping &scalars,
                                Value cursor, const ClusterPair &pair) {
  Location loc = loop.getLoc();
  scf::ForOp walk;
  Value sum;
  if (dot.getPromoteEvery()) {
    walk = addProducts(builder, scalars, cursor, pair);
    sum = walk.getResult(0);
  } else {
    walk = chainProducts(builder, scalars, cursor, pair);
    prepareEpilogue(builder, scalars);
    sum = WgmmaFinishOp::create(builder, loc, dot.getType(), walk.getResult(0));
    ReleaseOp::create(builder, loc, empty, walk.getResult(2), pair.paired);
  }

  // The epilogue is what followed the loop.
  scalars.map(loop.getResult(accIndex), sum);
  for (Operation *op = loop->getNextNode(); !isa<ReturnOp>(op);
       op = op->getNextNode())
    if (!isa<RolesOp>(op))
      builder.clone(*op, scalars);
  return walk.getResult(1);
}
