//===- Roles.cpp - Roles that take turns ----------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Roles.h"

#include "Decode.h"
#include "Rings.h"
#include <thread>

using namespace mlir;

namespace tile::interpreter {

RoleScheduler::RoleScheduler(Program &program, const Step &step)
    : program(program), step(step), ended(step.blocks.size()),
      waiting(step.blocks.size()) {}

LogicalResult RoleScheduler::run() {
  program.roles = this;
  program.shared.enterRoles(step.blocks.size());
  std::vector<std::thread> threads;
  for (size_t role = 0; role < step.blocks.size(); ++role)
    threads.emplace_back([this, role] { runRole(role); });
  for (std::thread &thread : threads)
    thread.join();
  program.shared.leaveRoles();
  program.roles = nullptr;
  return failure(hasFailed);
}

void RoleScheduler::runRole(size_t role) {
  std::unique_lock<std::mutex> lock(mutex);
  awaitTurn(role, lock);
  if (!hasFailed && failed(program.runBlock(step.blocks[role])))
    hasFailed = true;
  Operation *store = program.shared.pendingStore();
  if (!hasFailed && store) {
    Step end = step;
    end.op = store;
    (void)program.fail(end, "expected a wait for this store before its role "
                            "ends, in " +
                                program.describe());
    hasFailed = true;
  }
  ended[role] = true;
  stalled = 0;
  passTurn(role);
}

void RoleScheduler::passTurn(size_t role) {
  for (size_t i = 1; i <= ended.size(); ++i) {
    turn = (role + i) % ended.size();
    if (!ended[turn])
      break;
  }
  program.shared.order.current = turn;
  turnChanged.notify_all();
}

void RoleScheduler::awaitTurn(size_t role, std::unique_lock<std::mutex> &lock) {
  turnChanged.wait(lock, [&] { return turn == role; });
}

LogicalResult RoleScheduler::reportDeadlock() {
  hasFailed = true;
  const Waiting *first = nullptr, *second = nullptr;
  for (size_t role = 0; role < ended.size(); ++role) {
    if (ended[role])
      continue;
    if (!first)
      first = &waiting[role];
    else if (!second)
      second = &waiting[role];
  }
  return program.fail(*first->step,
                      first->message + ", in " + program.describe(),
                      second ? second->step->op : nullptr,
                      second ? "and the next role " + second->message : "");
}

LogicalResult
RoleScheduler::waitUntil(const Step &waitStep,
                         llvm::function_ref<bool()> isReady,
                         llvm::function_ref<std::string()> message) {
  size_t role = turn;
  while (!hasFailed) {
    if (isReady()) {
      stalled = 0;
      return success();
    }
    size_t running = llvm::count(ended, false);
    waiting[role] = {&waitStep, message()};
    if (stalled == running)
      return reportDeadlock();
    ++stalled;
    passTurn(role);
    // The mutex is held by whoever's turn it is; runRole has locked it.
    std::unique_lock<std::mutex> lock(mutex, std::adopt_lock);
    awaitTurn(role, lock);
    lock.release();
  }
  return failure();
}

static LogicalResult runRoles(Program &program, const Step &step) {
  return RoleScheduler(program, step).run();
}

static LogicalResult runCta(Program &program, const Step &step) {
  *program.data<int32_t>(step.results[0]) = int32_t(program.number);
  return success();
}

static LogicalResult runNumCtas(Program &program, const Step &step) {
  *program.data<int32_t>(step.results[0]) = int32_t(program.launch.runGrid[0]);
  return success();
}

Decoded decodeRole(Decoder &decoder, Operation *op, Step &step) {
  if (isa<gpu::CtaOp, gpu::NumCtasOp>(op)) {
    decoder.code.isPersistent = true;
    step.handler = isa<gpu::CtaOp>(op) ? runCta : runNumCtas;
    return Decoded::Step;
  }
  auto roles = dyn_cast<gpu::RolesOp>(op);
  if (!roles)
    return Decoded::Unknown;
  for (auto role : roles.getBody().getOps<gpu::RoleOp>()) {
    FailureOr<uint32_t> block = decoder.decodeBlock(role.getBody().front());
    if (failed(block))
      return Decoded::Failed;
    step.blocks.push_back(*block);
  }
  step.handler = runRoles;
  return Decoded::Step;
}

} // namespace tile::interpreter
