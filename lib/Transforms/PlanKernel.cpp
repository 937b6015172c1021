//===- PlanKernel.cpp - Decisions about the whole kernel ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planner.h"
#include "Roles.h"
#include "WarpGrid.h"
#include "tile/Transforms/PlanSettings.h"

using namespace mlir;
using namespace tile;

LogicalResult Planner::settleKernel() {
  if (failed(applySettings()))
    return failure();
  target = findTarget(plan.getString("target"));
  Builder builder(kernel.getContext());
  plan = plan.with("target", builder.getStringAttr(target->name));
  bool isGiven = plan.getEntries().contains("warps");
  if (failed(settleWgmma(isGiven)))
    return failure();
  if (!useWgmma)
    settleWarps(isGiven);
  return settleRoles();
}

LogicalResult Planner::settleWgmma(bool isGiven) {
  StringRef wanted = plan.getString("instruction");
  int64_t warps = 0;
  if (!target->isHopper)
    whyNotWgmma = target->name.str() + " has none";
  else if (wanted != "auto" && wanted != "wgmma")
    whyNotWgmma = "plan.instruction is " + wanted.str();
  else
    kernel.walk([&](DotOp dot) {
      std::string reason;
      std::optional<std::pair<int64_t, int64_t>> grid =
          wgmmaGrid(dot, analysis, reason);
      int64_t needed = grid ? 4 * grid->first * grid->second : 0;
      if (dot.getPlan() &&
          dot.getPlan()->getInstruction() != Instruction::Wgmma)
        reason = ("a dot's own plan is " +
                  stringifyInstruction(dot.getPlan()->getInstruction()))
                     .str();
      if (grid && warps != 0 && needed != warps)
        reason = "dots of one kernel want different numbers of warpgroups";
      // wgmma cuts what it reads off to tf32.
      if (grid && dot.getPrecision() == Precision::Tf32)
        if (std::string why = reasonAgainstRoles(); !why.empty())
          reason = "only a producer's copies round operands to tf32: " + why;
      if (grid && isGiven && needed != plan.getInt("warps"))
        reason = ("it takes " + Twine(needed) + " warps, and plan.warps is " +
                  Twine(plan.getInt("warps")))
                     .str();
      warps = needed;
      if (whyNotWgmma.empty())
        whyNotWgmma = reason;
    });
  useWgmma = whyNotWgmma.empty() && warps > 0;
  if (useWgmma)
    plan = plan.with("warps",
                     Builder(kernel.getContext()).getI64IntegerAttr(warps));
  else if (wanted == "wgmma")
    return kernel.emitOpError()
           << "cannot use wgmma, which plan.instruction asks for: "
           << (whyNotWgmma.empty() ? "there is no dot" : whyNotWgmma);
  return success();
}

/// Fails where a plan asks for what only wgmma or a split kernel has.
static LogicalResult checkNotSplit(KernelOp kernel, PlanAttr plan,
                                   bool useWgmma, const std::string &reason) {
  if (!useWgmma && plan.getString("copy") == "tma")
    return kernel.emitOpError()
           << "cannot load by tma, which plan.copy asks for: " << reason;
  if (plan.getString("grid") == "persistent")
    return kernel.emitOpError()
           << "cannot be persistent, which plan.grid asks for: the kernel is "
              "not split into roles: "
           << reason;
  return success();
}

std::string Planner::reasonAgainstRoles() {
  if (plan.getString("roles") == "single")
    return "plan.roles is single";
  if (StringRef copy = plan.getString("copy"); copy != "auto" && copy != "tma")
    return "plan.copy is " + copy.str();
  if (std::string reason = reasonAgainstSplit(kernel, analysis);
      !reason.empty())
    return reason;
  return reasonAgainstTwoStages();
}

LogicalResult Planner::settleRoles() {
  StringRef wanted = plan.getString("roles");
  if (useWgmma)
    whyNotSplit = reasonAgainstRoles();
  else
    whyNotSplit =
        "no dot is wgmma" + (whyNotWgmma.empty() ? "" : ": " + whyNotWgmma);
  isSplit = whyNotSplit.empty();
  if (!isSplit && wanted == "split")
    return kernel.emitOpError()
           << "cannot be split into roles, which plan.roles asks for: "
           << whyNotSplit;
  if (!isSplit) {
    if (useWgmma)
      log.rejected(kernel, "producer and consumer roles: " + whyNotSplit);
    if (failed(checkNotSplit(kernel, plan, useWgmma, whyNotSplit)))
      return failure();
    return checkNoCluster("the kernel is not split into roles: " + whyNotSplit);
  }
  Builder builder(kernel.getContext());
  plan = plan.with("roles", builder.getStringAttr("split"));
  log.chosen(kernel,
             "a producer warp loads for " + Twine(plan.getInt("warps") / 4) +
                 (plan.getInt("warps") == 4 ? " warpgroup" : " warpgroups"));
  std::string reason = plan.getString("grid") == "program"
                           ? "plan.grid is program"
                           : reasonAgainstPersistence(kernel);
  if (reason.empty()) {
    plan = plan.with("grid", builder.getStringAttr("persistent"));
    log.chosen(kernel, "a CTA walks several programs");
    return settleCluster();
  }
  if (plan.getString("grid") == "persistent")
    return kernel.emitOpError()
           << "cannot be persistent, which plan.grid asks for: " << reason;
  log.rejected(kernel, "a persistent grid: " + reason);
  return checkNoCluster("the grid is not persistent: " + reason);
}

/// Why a producer cannot run ahead.  Consumers keep a product in flight and
/// free its slot a turn later, so that with one slot all would wait for ever.
std::string Planner::reasonAgainstTwoStages() {
  if (plan.getEntries().contains("stages") && plan.getInt("stages") < 2)
    return "plan.stages is 1";
  int64_t bytes = 0;
  kernel.walk([&](DotOp dot) {
    for (Value operand : {dot.getA(), dot.getB()}) {
      auto tile = cast<RankedTensorType>(operand.getType());
      bytes += tile.getNumElements() * elementBytes(tile.getElementType());
    }
  });
  if (2 * bytes <= target->sharedBytes)
    return "";
  return ("two stages of " + Twine(bytes) + " bytes do not fit into the " +
          Twine(target->sharedBytes) + " of shared memory")
      .str();
}

/// Fails where the user asks for the clusters that this kernel cannot have.
LogicalResult Planner::checkNoCluster(const Twine &reason) {
  if (!plan.getEntries().contains("cluster") || plan.getInt("cluster") == 1)
    return success();
  return kernel.emitOpError()
         << "cannot use clusters of two, which plan.cluster asks for: "
         << reason;
}

LogicalResult Planner::settleCluster() {
  bool isGiven = plan.getEntries().contains("cluster");
  if (isGiven && plan.getInt("cluster") == 1)
    return success();
  std::string reason = reasonAgainstCluster(kernel, analysis);
  // One warpgroup means a tile for small problems, of which one wave is run:
  // a pair waits for the slower of two.
  if (reason.empty() && !isGiven && plan.getInt("warps") == 4)
    reason = "the tile is small";
  if (!reason.empty() && isGiven)
    return kernel.emitOpError()
           << "cannot use clusters of two, which plan.cluster asks for: "
           << reason;
  if (!reason.empty()) {
    log.rejected(kernel, "clusters of two: " + reason);
    return success();
  }
  plan =
      plan.with("cluster", Builder(kernel.getContext()).getI64IntegerAttr(2));
  log.chosen(kernel, "clusters of two CTAs share tiles of the second operand");
  return success();
}

LogicalResult Planner::applySettings() {
  plan = kernel.getPlanAttr();
  if (!plan)
    plan = PlanAttr::get(kernel.getContext(),
                         DictionaryAttr::get(kernel.getContext()));
  auto emitError = [&] { return kernel.emitOpError(); };
  // What names the chip of all kernels gives way to what is set for these.
  SmallVector<std::string, 1> chip;
  if (!targetName.empty())
    chip.push_back(("target=" + targetName).str());
  for (ArrayRef<std::string> list : {ArrayRef<std::string>(chip), settings}) {
    FailureOr<PlanAttr> changed = withSettings(plan, list, emitError);
    if (failed(changed))
      return failure();
    plan = *changed;
  }
  return success();
}
