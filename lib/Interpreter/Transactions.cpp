//===- Transactions.cpp - Transaction barriers ----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "Rings.h"
#include "Roles.h"

using namespace mlir;

namespace tile::interpreter {

namespace {
/// The barrier that an op's first two operands name.
struct NamedBarrier {
  NamedBarrier(Program &program, const Step &step)
      : shared(program.shared), set(*program.data<int64_t>(step.operands[0])) {
    int64_t position = *program.data<int64_t>(step.operands[1]);
    slot = shared.barriers.slotAt(set, position);
    turn = shared.barriers.turnAt(set, position);
  }

  SharedMemory &shared;
  size_t set;
  int64_t slot, turn;
};
} // namespace

/// numbers: [the set's number, slots, arrivals].
static LogicalResult runBarriers(Program &program, const Step &step) {
  program.shared.barriers.allocate(step.numbers[0], step.numbers[1],
                                   step.numbers[2]);
  *program.data<int64_t>(step.results[0]) = step.numbers[0];
  return success();
}

/// Arrives so often; an empty phase may end with it.
static LogicalResult arrive(Program &program, const Step &step, int64_t count,
                            int64_t bytes, const Knowledge &knowledge) {
  NamedBarrier barrier(program, step);
  auto problem = barrier.shared.barriers.arrive(barrier.set, barrier.slot,
                                                count, bytes, knowledge);
  if (problem)
    return program.fail(step, *problem + " at barrier " + Twine(barrier.slot) +
                                  " in " + program.describe());
  // Copies land when somebody waits for them, not before.
  if (bytes == 0)
    barrier.shared.endPhase(barrier.set, barrier.slot);
  return success();
}

/// numbers[0]: the bytes announced.
static LogicalResult runExpect(Program &program, const Step &step) {
  return arrive(program, step, 1, step.numbers[0],
                program.shared.order.publishFill());
}

/// numbers[0]: the warpgroups of the role.
static LogicalResult runRelease(Program &program, const Step &step) {
  return arrive(program, step, step.numbers[0], 0,
                program.shared.order.publish());
}

/// Waits until `phases` phases are over.
static LogicalResult waitFor(Program &program, const Step &step,
                             NamedBarrier barrier, int64_t phases) {
  auto over = [&] {
    return barrier.shared.barriers.phasesOver(barrier.set, barrier.slot);
  };
  auto isReady = [&] {
    barrier.shared.endPhase(barrier.set, barrier.slot);
    return over() >= phases;
  };
  auto message = [&] {
    return "waits for ever for turn " + std::to_string(barrier.turn) +
           " of barrier " + std::to_string(barrier.slot) + ", which has " +
           barrier.shared.barriers.describe(barrier.set, barrier.slot);
  };
  if (!program.roles && !isReady())
    return program.fail(step, message() + ", in " + program.describe());
  if (program.roles && failed(program.roles->waitUntil(step, isReady, message)))
    return failure();
  // A wait tells phases apart by their parity only.
  if (over() > phases)
    return program.fail(step, "waits for turn " + Twine(barrier.turn) +
                                  " of barrier " + Twine(barrier.slot) +
                                  ", which is " + Twine(over() - phases) +
                                  " further, in " + program.describe());
  barrier.shared.order.learn(
      barrier.shared.barriers.handedOn(barrier.set, barrier.slot));
  return success();
}

static LogicalResult runWaitFull(Program &program, const Step &step) {
  NamedBarrier barrier(program, step);
  return waitFor(program, step, barrier, barrier.turn + 1);
}

/// The first turn of a ring passes at once.
static LogicalResult runWaitFree(Program &program, const Step &step) {
  NamedBarrier barrier(program, step);
  if (barrier.turn == 0)
    return success();
  return waitFor(program, step, barrier, barrier.turn);
}

/// The warpgroups that an op is executed by.
static int64_t warpgroupsOf(Operation *op) {
  if (auto role = op->getParentOfType<gpu::RoleOp>())
    return std::max<int64_t>(1, role.getWarps() / 4);
  auto plan = op->getParentOfType<KernelOp>().getPlan();
  return plan ? std::max<int64_t>(1, plan->getInt("warps") / 4) : 1;
}

Decoded decodeTransaction(Decoder &decoder, Operation *op, Step &step) {
  step.handler = llvm::TypeSwitch<Operation *, Handler>(op)
                     .Case([&](gpu::BarriersOp barriers) {
                       step.numbers = {int64_t(decoder.code.numBarrierSets++),
                                       barriers.getType().getSlots(),
                                       int64_t(barriers.getArrivals())};
                       return runBarriers;
                     })
                     .Case([&](gpu::ExpectOp expect) {
                       step.numbers.push_back(expect.getBytes());
                       return runExpect;
                     })
                     .Case([&](gpu::ReleaseOp release) {
                       // CTAs run one by one here: what would arrive from the
                       // other one of a cluster arrives from this one.
                       int64_t turns = release.getPaired() ? 2 : 1;
                       step.numbers.push_back(turns * warpgroupsOf(op));
                       return runRelease;
                     })
                     .Case([](gpu::WaitFullOp) { return runWaitFull; })
                     .Case([](gpu::WaitFreeOp) { return runWaitFree; })
                     .Default([](Operation *) -> Handler { return nullptr; });
  return step.handler ? Decoded::Step : Decoded::Unknown;
}

} // namespace tile::interpreter
