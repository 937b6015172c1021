//===- ScheduleLoops.cpp - Assign each op of a loop to a stage ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedule.h"
#include "tile/Transforms/Passes.h"

#define DEBUG_TYPE "tile-schedule-loops"

namespace tile {
#define GEN_PASS_DEF_TILESCHEDULELOOPSPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

LogicalResult tile::verifySchedule(scf::ForOp loop) {
  int64_t stages = numStages(loop);
  for (Operation &op : loop.getBody()->without_terminator()) {
    std::optional<int64_t> stage = stageOf(&op);
    if (!stage)
      continue;
    if (*stage >= stages)
      return op.emitOpError() << "expected a stage below the loop's " << stages
                              << ", got " << *stage;
    if (*stage < stages - 1 && !isStaged(&op))
      return op.emitOpError()
             << "expected stage " << stages - 1
             << ", since only loads with a copy plan run ahead, "
                "got "
             << *stage;
    for (Operation *user : op.getUsers()) {
      std::optional<int64_t> userStage = stageOf(user);
      if (user->getBlock() != op.getBlock() || !userStage ||
          *userStage >= *stage)
        continue;
      InFlightDiagnostic error = op.emitOpError()
                                 << "expected its users in stage " << *stage
                                 << " or later, got " << *userStage;
      error.attachNote(user->getLoc()) << "used here in stage " << *userStage;
      return error;
    }
  }
  return success();
}

/// Whether `op` uses, at any depth, a value that has been given a stage.
static bool needsStage(Operation *op) {
  WalkResult result = op->walk([](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *maker = operand.getDefiningOp())
        if (stageOf(maker))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Writes the schedule of one loop.
static void schedule(scf::ForOp loop) {
  int64_t last = numStages(loop) - 1;
  Builder builder(loop.getContext());
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (stageOf(&op))
      continue;
    if (isStaged(&op))
      op.setAttr(kStageName, builder.getI64IntegerAttr(0));
    else if (needsStage(&op) || !isMemoryEffectFree(&op))
      op.setAttr(kStageName, builder.getI64IntegerAttr(last));
  }
}

namespace {
struct ScheduleLoops
    : public tile::impl::TileScheduleLoopsPassBase<ScheduleLoops> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([](scf::ForOp loop) -> WalkResult {
      if (numStages(loop) == 0)
        return WalkResult::advance();
      schedule(loop);
      return verifySchedule(loop);
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
