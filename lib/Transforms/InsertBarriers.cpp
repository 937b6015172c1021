//===- InsertBarriers.cpp - Barriers where threads could meet -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps: where the walk of Hazards.h finds a hazard, put a barrier before its
// second access, outside the loops that the first is not in; then take out each
// barrier that was put in and is not needed, since a later one may serve an
// earlier hazard too.
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

namespace {
/// Puts barriers in until there is no hazard.
class Inserter : public HazardMender {
public:
  bool mendHere(const Hazard &hazard) override {
    if (hazard.missing != Missing::Barrier || placeFor(hazard) != hazard.second)
      return false;
    moved = {};
    insertBefore(hazard.second, hazard);
    return true;
  }

  Operation *mend(const Hazard &hazard) override {
    // The first access may be an asynchronous copy that is waited for only
    // inside the loop: then a barrier before it was too early.
    bool isAgain =
        moved && moved->first == hazard.first && moved->second == hazard.second;
    moved = {};
    if (isAgain) {
      Operation *place = inserted.back()->getNextNode();
      inserted.back()->moveBefore(hazard.second);
      return place;
    }
    if (hazard.missing != Missing::Barrier)
      return nullptr;
    Operation *place = placeFor(hazard);
    if (place != hazard.second)
      moved = hazard;
    insertBefore(place, hazard);
    return place;
  }

  SmallVector<BarrierOp> inserted;

private:
  void insertBefore(Operation *place, const Hazard &hazard) {
    OpBuilder builder(place);
    inserted.push_back(BarrierOp::create(builder, hazard.second->getLoc()));
  }

  /// The hazard for which the last barrier stands before another op than the
  /// second access.
  std::optional<Hazard> moved;
};
} // namespace

/// Takes out the barriers without which there is no hazard either.
static void removeImplied(KernelOp kernel,
                          SmallVectorImpl<BarrierOp> &inserted) {
  BarrierSet candidates(llvm::from_range, inserted);
  BarrierSet needed = neededBarriers(kernel, candidates);
  llvm::erase_if(inserted, [&](BarrierOp barrier) {
    if (needed.contains(barrier))
      return false;
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
    Inserter inserter;
    if (std::optional<Hazard> hazard = mendHazards(getOperation(), inserter)) {
      refuse(*hazard);
      return signalPassFailure();
    }
    removeImplied(getOperation(), inserter.inserted);
    numBarriers += inserter.inserted.size();
  }
};
} // namespace
