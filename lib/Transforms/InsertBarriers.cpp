//===- InsertBarriers.cpp - Barriers where threads could meet -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps: as long as the walk of Hazards.h finds a hazard, put a barrier before
// its second access, outside the loops that the first is not in; then take out
// each barrier that was put in and is not needed, since a later one may serve
// an earlier hazard too.
//
//===----------------------------------------------------------------------===//

#include "Hazards.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#define DEBUG_TYPE "tile-gpu-insert-barriers"

namespace tile {
#define GEN_PASS_DEF_TILEGPUINSERTBARRIERSPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// The op before which a barrier stands between the accesses and costs least: a
/// loop around the second alone, or the second itself.  Before a store by the
/// copy engine, where its slots are waited for: there products still run.
static Operation *placeFor(const Hazard &hazard) {
  Operation *place = hazard.second;
  if (isa<TmaStoreOp>(place))
    for (Operation *op = place->getPrevNode(); op && op != hazard.first;
         op = op->getPrevNode())
      if (isa<TmaStoreWaitOp>(op))
        return op->getNextNode();
  for (Operation *outer = place->getParentOp();
       !isa<KernelOp>(outer) && !outer->isAncestor(hazard.first);
       outer = outer->getParentOp())
    if (isa<LoopLikeOpInterface>(outer))
      place = outer;
  return place;
}

/// Puts a barrier between two accesses.
static BarrierOp separate(KernelOp kernel, const Hazard &hazard) {
  Operation *place = placeFor(hazard);
  OpBuilder builder(place);
  auto barrier = BarrierOp::create(builder, hazard.second->getLoc());
  if (place == hazard.second)
    return barrier;
  // The first access may be an asynchronous copy that is waited for only inside
  // the loop: then a barrier before it is too early.
  std::optional<Hazard> next = findHazard(kernel);
  if (next && next->first == hazard.first && next->second == hazard.second)
    barrier->moveBefore(hazard.second);
  return barrier;
}

/// Puts barriers in until there is no hazard.
static LogicalResult insertBarriers(KernelOp kernel,
                                    SmallVectorImpl<BarrierOp> &inserted) {
  while (std::optional<Hazard> hazard = findHazard(kernel)) {
    if (hazard->missing != Missing::Barrier)
      return refuse(*hazard);
    inserted.push_back(separate(kernel, *hazard));
  }
  return success();
}

/// Takes out the barriers without which there is no hazard either.
static void removeImplied(KernelOp kernel,
                          SmallVectorImpl<BarrierOp> &inserted) {
  llvm::erase_if(inserted, [&](BarrierOp barrier) {
    Operation *next = barrier->getNextNode();
    barrier->remove();
    if (!findHazard(kernel)) {
      barrier->destroy();
      return true;
    }
    next->getBlock()->getOperations().insert(Block::iterator(next), barrier);
    return false;
  });
}

namespace {
struct InsertBarriers
    : public tile::impl::TileGPUInsertBarriersPassBase<InsertBarriers> {
  void runOnOperation() override {
    SmallVector<BarrierOp> inserted;
    if (failed(insertBarriers(getOperation(), inserted)))
      return signalPassFailure();
    removeImplied(getOperation(), inserted);
    numBarriers += inserted.size();
  }
};
} // namespace
