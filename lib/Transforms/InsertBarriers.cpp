//===- InsertBarriers.cpp - Barriers where threads could meet ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps: as long as the walk of Hazards.h finds a hazard, put a barrier before
// its second access; then take out each barrier that was put in and is not
// needed, since a later one may serve an earlier hazard too.
//
//===----------------------------------------------------------------------===//

#include "Hazards.h"
#include "tile/Transforms/Passes.h"

#define DEBUG_TYPE "tile-gpu-insert-barriers"

namespace tile {
#define GEN_PASS_DEF_TILEGPUINSERTBARRIERSPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// Puts barriers in until there is no hazard.
static LogicalResult insertBarriers(KernelOp kernel,
                                    SmallVectorImpl<BarrierOp> &inserted) {
  while (std::optional<Hazard> hazard = findHazard(kernel)) {
    if (hazard->needsWait) {
      InFlightDiagnostic error = hazard->second->emitOpError()
                                 << "expected the asynchronous copy into this "
                                    "slot to have been waited for";
      error.attachNote(hazard->first->getLoc()) << "the copy starts here";
      return error;
    }
    OpBuilder builder(hazard->second);
    inserted.push_back(
        BarrierOp::create(builder, hazard->second->getLoc()));
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
