//===- PlanLoops.cpp - How deep loops run ahead ---------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Blocks.h"
#include "PlanChecks.h"
#include "PlanShared.h"
#include "Planner.h"
#include "Roles.h"
#include "Schedule.h"

using namespace mlir;
using namespace tile;

/// Stages that the rule gives at most; more bought nothing on an H200.
static constexpr int64_t kMaxStages = 4;
/// The same of a loop that waits for memory, whatever it computes: one of fewer
/// than kBoundOperations operations for each byte that it loads, as with tiles
/// of 16 rows.  The more bytes are on their way, the better.
static constexpr int64_t kMaxBoundStages = 6;
static constexpr int64_t kBoundOperations = 16;
/// Stages of a ring that a producer fills: more than four help small tiles only
/// (hand-written kernels on an H200: 128x256 4, 128x128 6, 64x64 13).
static constexpr int64_t kMaxSplitStages = 12;
/// Copies of so many bytes are so few that masks are not worth a branch.
static constexpr int64_t kWholeCopyBytes = 16;
/// What the hardware keeps of each block's shared memory.
static constexpr int64_t kReservedBytes = 1024;

/// Leaves copies to threads where other loops' rings leave no room for two
/// stages by the copy engine.
LogicalResult Planner::settleCopies(scf::ForOp loop,
                                    ArrayRef<LoadAccess> loads) {
  bool isAlone = engineRingBytes + threadRingBytes == 0;
  if (isSplit || isAlone || llvm::none_of(loads, isTma) ||
      roomFor(loads) >= 2 * turnBytes(loads))
    return success();
  for (const LoadAccess &staged : loads) {
    LoadOp load = staged.load;
    if (!isTma(staged))
      continue;
    std::string reason = "the rings of other loops leave no room";
    whyNotTma[load] = reason;
    FailureOr<CopyAttr> copy = chooseStagedCopy(load, staged.access, reason);
    if (failed(copy))
      return failure();
    load.setPlanAttr(*copy);
  }
  return success();
}

/// Whether the dots of a turn do too little with the bytes that it loads for
/// the loop to be bound by anything but memory.
static bool isBoundByMemory(scf::ForOp loop, int64_t turnBytes) {
  int64_t operations = 0;
  loop.walk([&](DotOp dot) {
    int64_t depth = dot.getA().getType().getShape().back();
    operations += 2 * depth * dot.getAcc().getType().getNumElements();
  });
  return operations > 0 && operations < kBoundOperations * turnBytes;
}

int64_t Planner::chooseStages(scf::ForOp loop, ArrayRef<LoadAccess> loads) {
  std::string reason = reasonAgainstOverlap(loop, loads);
  if (!reason.empty()) {
    log.rejected(loop, "overlap of copies and arithmetic: " + reason);
    whyNotAhead[loop] = reason;
    return 1;
  }
  if (plan.getEntries().contains("stages"))
    return plan.getInt("stages");
  int64_t stageBytes = turnBytes(loads);
  int64_t most = (roomFor(loads) - besideBytes(loop, loads)) / stageBytes;
  if (isSplit)
    return std::clamp<int64_t>(most, 1, kMaxSplitStages);
  if (isBoundByMemory(loop, stageBytes))
    return std::clamp<int64_t>(most, 1, kMaxBoundStages);
  // Two programs on a multiprocessor hide each other's waits.
  int64_t beside = target->sharedBytes - roomFor(loads);
  int64_t half = target->sharedBytesPerSM / 2 - kReservedBytes - beside;
  int64_t stages =
      std::min(kMaxStages, std::max<int64_t>(half / stageBytes, 2));
  return std::max<int64_t>(1, std::min(stages, most));
}

LogicalResult Planner::checkShared(scf::ForOp loop, ArrayRef<LoadAccess> loads,
                                   int64_t stages) {
  int64_t stageBytes = turnBytes(loads);
  int64_t largest = roomFor(loads) / stageBytes;
  if (stages <= largest)
    return success();
  int64_t needed = stages * stageBytes + target->sharedBytes - roomFor(loads);
  InFlightDiagnostic error = loop.emitOpError()
                             << "needs " << needed
                             << " bytes of shared memory for " << stages
                             << (stages == 1 ? " stage" : " stages") << ", and "
                             << target->name << " has " << target->sharedBytes;
  if (largest > 0)
    error << "; " << largest << (largest == 1 ? " stage fits" : " stages fit");
  else
    error << "; smaller tiles are needed";
  for (const LoadAccess &staged : loads)
    error.attachNote(LoadOp(staged.load).getLoc())
        << "this tile takes " << slotBytes(staged) << " bytes a stage";
  return failure();
}

/// Bytes that a load's copies by threads move at a time, if they are masked.
static std::optional<int64_t> maskedBytes(const LoadAccess &staged) {
  LoadOp load = staged.load;
  bool isMasked = !staged.access.conditions.empty() ||
                  llvm::any_of(staged.access.dims, [](const AccessDim &dim) {
                    return dim.bound.has_value();
                  });
  if (!isMasked || isTma(staged))
    return std::nullopt;
  return load.getPlan()->getVector() * elementBytes(staged.access.elementType);
}

void Planner::settleTail() {
  StringRef wanted = plan.getString("tail");
  bool isWanted = wanted == "split";
  if (isWanted && maskedCopyBytes == 0)
    log.rejected(kernel, "copies of whole tiles without masks: threads make no "
                         "copies under a mask in a loop");
  // With loads into registers the branch was slower, though it executes less.
  if (wanted == "auto")
    isWanted = !hasMaskedLoads && maskedCopyBytes < kWholeCopyBytes;
  if (!isWanted || maskedCopyBytes == 0)
    return;
  plan = plan.with("tail", StringAttr::get(kernel.getContext(), "split"));
  log.chosen(kernel, "copies of whole tiles have no masks");
}

LogicalResult Planner::planLoop(scf::ForOp loop) {
  std::vector<LoadAccess> loads = stagedLoads(loop);
  int64_t stages = numStages(loop);
  if (loads.empty() && stages > 1)
    return loop.emitOpError()
           << "is to run in " << stages
           << " stages, which cannot be had: none of its loads goes through "
              "shared memory";
  if (loads.empty())
    return success();
  if (std::string reason = reasonAgainstOverlap(loop, loads);
      stages > 1 && !reason.empty())
    return loop.emitOpError() << "is to run in " << stages
                              << " stages, which cannot be had: " << reason;
  if (failed(settleCopies(loop, loads)))
    return failure();
  if (stages == 0)
    stages = chooseStages(loop, loads);
  // One slot would make the producer and its consumers wait for ever.
  if (isSplit && stages < 2 && failed(checkShared(loop, loads, 2)))
    return failure();
  if (isSplit && stages < 2)
    return loop.emitOpError()
           << "expected at least 2 stages between a producer "
              "and its consumers, got "
           << stages;
  if (failed(checkShared(loop, loads, stages)))
    return failure();
  loop->setAttr(kPipelineName, PipelineAttr::get(loop.getContext(), stages));
  for (const LoadAccess &staged : loads)
    if (std::optional<int64_t> masked = maskedBytes(staged)) {
      maskedCopyBytes =
          maskedCopyBytes == 0 ? *masked : std::min(maskedCopyBytes, *masked);
      LoadOp load = staged.load;
      hasMaskedLoads |= load.getPlan()->getMechanism() == CopyMechanism::Plain;
    }
  int64_t bytes = turnBytes(loads);
  if (llvm::any_of(loads, isTma))
    engineRingBytes += stages * bytes;
  else
    threadRingBytes = std::max(threadRingBytes, stages * bytes);
  log.chosen(loop, "loop: " + Twine(stages) +
                       (stages == 1 ? " stage of " : " stages of ") +
                       Twine(bytes) + " bytes = " + Twine(stages * bytes) +
                       " of " + Twine(target->sharedBytes));
  return success();
}
