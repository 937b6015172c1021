//===- Plan.cpp - Decide instructions, copies, warps and stages -----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps: settle the kernel's own decisions (what the plan says, then what the
// command line says); choose the instruction of each dot and how warps share
// it; choose how each load and store travels; choose how deep each loop runs
// ahead, within the shared memory of the chip.  Nothing but attributes changes.
//
//===----------------------------------------------------------------------===//

#include "PlanChecks.h"
#include "Planner.h"
#include "Schedule.h"
#include "tile/Transforms/Passes.h"

#include "llvm/ADT/TypeSwitch.h"

#define DEBUG_TYPE "tile-plan"

namespace tile {
#define GEN_PASS_DEF_TILEPLANPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

LogicalResult Planner::run() {
  if (failed(settleKernel()))
    return failure();
  // Loops after the loads that they stage.
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    if (auto dot = dyn_cast<DotOp>(op))
      return planDot(dot);
    if (auto load = dyn_cast<LoadOp>(op))
      return planLoad(load);
    if (auto store = dyn_cast<StoreOp>(op))
      return planStore(store);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  result = kernel.walk(
      [&](scf::ForOp loop) -> WalkResult { return planLoop(loop); });
  if (result.wasInterrupted())
    return failure();
  settleTail();
  result = kernel.walk([&](Operation *op) -> WalkResult {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<DotOp, LoadOp, StoreOp>(
            [&](auto typed) { return checkRequire(typed); })
        .Default(success());
  });
  if (result.wasInterrupted())
    return failure();
  kernel.setPlanAttr(plan);
  log.finish();
  return success();
}

//===----------------------------------------------------------------------===//
// Requirements
//===----------------------------------------------------------------------===//

std::string Planner::reasonAgainst(Feature feature, Operation *op) {
  auto dot = dyn_cast<DotOp>(op);
  auto load = dyn_cast<LoadOp>(op);
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  switch (feature) {
  case Feature::MmaSync:
    if (!dot)
      return "only a dot has it";
    if (dot.getPlan()->getInstruction() == Instruction::MmaSync)
      return "";
    if (auto why = whyNotMma.find(dot); why != whyNotMma.end())
      return why->second;
    return "the plan is " +
           stringifyInstruction(dot.getPlan()->getInstruction()).str();
  case Feature::CpAsync:
    if (!load)
      return "only a load has it";
    if (load.getPlan()->getMechanism() == CopyMechanism::CpAsync)
      return "";
    if (auto why = whyNotAsync.find(op); why != whyNotAsync.end())
      return why->second;
    return "the plan is " +
           stringifyCopyMechanism(load.getPlan()->getMechanism()).str();
  case Feature::Pipelined:
    if (!loop || numStages(loop) == 0)
      return "no loop around it is pipelined";
    if (numStages(loop) > 1)
      return "";
    if (auto why = whyNotAhead.find(loop); why != whyNotAhead.end())
      return why->second;
    return "the plan is one stage";
  case Feature::Wgmma:
    if (!dot)
      return "only a dot has it";
    return useWgmma ? "" : whyNotWgmma;
  case Feature::Tma:
    if (auto store = dyn_cast<StoreOp>(op))
      return store.getPlan()->getMechanism() == CopyMechanism::Tma
                 ? ""
                 : "the plan is " +
                       stringifyCopyMechanism(store.getPlan()->getMechanism())
                           .str();
    if (!load)
      return "only a load or a store has it";
    return load.getPlan()->getMechanism() == CopyMechanism::Tma
               ? ""
               : whyNotTma.lookup(op);
  }
  llvm_unreachable("all features are covered");
}

template <typename OpT>
LogicalResult Planner::checkRequire(OpT op) {
  std::optional<RequireAttr> require = op.getRequire();
  if (!require)
    return success();
  for (Feature feature : require->getFeatures()) {
    std::string reason = reasonAgainst(feature, op);
    if (!reason.empty())
      return op.emitOpError() << "requires " << stringifyFeature(feature)
                              << ", which cannot be had: " << reason;
  }
  return success();
}

namespace {
struct Plan : public tile::impl::TilePlanPassBase<Plan> {
  using TilePlanPassBase::TilePlanPassBase;

  void runOnOperation() override {
    SmallVector<std::string> given(settings.begin(), settings.end());
    if (failed(checkConstants(getOperation())) ||
        failed(Planner(getOperation(), target, given).run()))
      signalPassFailure();
  }
};
} // namespace
