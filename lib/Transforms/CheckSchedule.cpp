//===- CheckSchedule.cpp - Prove an asynchronous schedule -----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks all roles of a kernel together, or the kernel where it has none but one
// thread that fills rings, each until it waits, in every combination of trip
// counts that makes a difference (TripCounts.h), and stops at the first rule
// that is broken (AsyncState.h).
//
// Steps:
// 1. what can be seen without walking: who waits, arrives, fills
// (AsyncSchedule)
// 2. for each combination: walk the roles in turns until all have ended
// 3. what must hold at the end: all that was filled has been waited for, all
//    that was taken has been released
// 4. rings that all threads fill (CopyWalk.h), and barriers once they are in
//    place (Hazards.h)
//
//===----------------------------------------------------------------------===//

#include "CopyWalk.h"
#include "Hazards.h"
#include "RoleWalk.h"
#include "tile/Transforms/Passes.h"

#define DEBUG_TYPE "tile-gpu-check-schedule"

namespace tile {
#define GEN_PASS_DEF_TILEGPUCHECKSCHEDULEPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// Steps of all walks of a kernel together; a matmul takes some ten thousand.
static constexpr int64_t kMaxSteps = 4'000'000;

/// Walks the roles to their ends in one combination.
static std::optional<ScheduleFault>
walkOnce(AsyncSchedule &schedule, TripCounts &trips, int64_t &stepsLeft) {
  AsyncState state(schedule);
  std::vector<RoleWalk> walks;
  for (unsigned role = 0; role < schedule.roles.size(); ++role)
    walks.emplace_back(schedule, state, trips, role, stepsLeft);
  bool isRunning = true;
  while (isRunning) {
    isRunning = false;
    bool hasMoved = false;
    for (RoleWalk &walk : walks) {
      if (walk.hasEnded())
        continue;
      if (walk.run() == Outcome::Fault)
        return state.fault;
      hasMoved |= walk.hasMoved();
      isRunning |= !walk.hasEnded();
    }
    if (isRunning && !hasMoved) {
      SmallVector<AsyncState::Wait> waits;
      for (RoleWalk &walk : walks)
        waits.push_back(walk.wait());
      state.deadlock(waits);
      return state.fault;
    }
  }
  state.endAll();
  return state.fault;
}

/// The first fault of a kernel's schedule, if there is one.
static std::optional<ScheduleFault> findFault(KernelOp kernel, RolesOp roles) {
  AsyncSchedule schedule;
  if (std::optional<ScheduleFault> fault = schedule.collect(kernel, roles))
    return fault;
  TripCounts trips(kernel, schedule.maxSlots);
  int64_t stepsLeft = kMaxSteps;
  do {
    std::optional<ScheduleFault> fault = walkOnce(schedule, trips, stepsLeft);
    if (!fault)
      continue;
    trips.describe(fault->notes);
    return fault;
  } while (trips.next());
  return std::nullopt;
}

/// Whether rings have places in shared memory: then barriers are in place, too.
static bool hasPlaces(KernelOp kernel) {
  return kernel
      .walk([](AllocOp ring) {
        return ring.getOffset() ? WalkResult::interrupt()
                                : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct CheckSchedule
    : public tile::impl::TileGPUCheckSchedulePassBase<CheckSchedule> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    auto roles = getOperation().getBody().getOps<RolesOp>();
    bool isAsync = getOperation()
                       .walk([](Operation *op) {
                         return isTransaction(op) ? WalkResult::interrupt()
                                                  : WalkResult::advance();
                       })
                       .wasInterrupted();
    std::optional<ScheduleFault> fault;
    if (!roles.empty() || isAsync)
      fault =
          findFault(getOperation(), roles.empty() ? RolesOp() : *roles.begin());
    if (!fault)
      fault = findCopyFault(getOperation());
    if (fault)
      return refuseSchedule(*fault);
    if (!hasPlaces(getOperation()))
      return;
    if (std::optional<Hazard> hazard = findHazard(getOperation())) {
      refuse(*hazard);
      signalPassFailure();
    }
  }

private:
  void refuseSchedule(const ScheduleFault &fault) {
    InFlightDiagnostic error = fault.op->emitOpError() << fault.message;
    for (const ScheduleFault::Note &note : fault.notes)
      error.attachNote(note.op->getLoc()) << note.text;
    signalPassFailure();
  }
};
} // namespace
