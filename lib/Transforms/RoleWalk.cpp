//===- RoleWalk.cpp - One role of a schedule, step by step ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoleWalk.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// Turns beyond this are not followed; no ring of a kernel gets there in the
/// steps of a walk.
static constexpr int64_t kMaxTurn = int64_t(1) << 40;

RoleWalk::RoleWalk(AsyncSchedule &schedule, AsyncState &state,
                   TripCounts &trips, unsigned role, int64_t &stepsLeft)
    : schedule(schedule), state(state), trips(trips), role(role),
      stepsLeft(stepsLeft) {
  enter(&schedule.roles[role]->getRegion(0).front(), /*trips=*/1);
}

void RoleWalk::enter(Block *block, int64_t trips) {
  frames.push_back({block, 0, 0, trips});
}

Outcome RoleWalk::run() {
  moved = false;
  while (!frames.empty()) {
    Frame &frame = frames.back();
    ArrayRef<Operation *> ops = schedule.opsOf(frame.block);
    Outcome outcome;
    if (frame.next == ops.size()) {
      outcome = leave();
    } else {
      // A loop or branch pushes a frame of its own.
      size_t depth = frames.size() - 1;
      outcome = step(ops[frame.next]);
      if (outcome == Outcome::Done)
        ++frames[depth].next;
    }
    if (outcome != Outcome::Done)
      return outcome;
    moved = true;
    if (--stepsLeft < 0)
      return state.fail(schedule.roles[role],
                        "expected a schedule that can be walked in a few "
                        "million steps");
  }
  return Outcome::Done;
}

AsyncState::Wait RoleWalk::wait() {
  if (frames.empty())
    return {nullptr, 0};
  Operation *op = schedule.opsOf(frames.back().block)[frames.back().next];
  auto full = dyn_cast<WaitFullOp>(op);
  Value cursor = full ? full.getCursor() : cast<WaitFreeOp>(op).getCursor();
  return {op, *turnOf(cursor)};
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<int64_t> RoleWalk::turnOf(Value cursor) {
  // Back to what is known, over advances outside of the role.
  int64_t steps = 0;
  while (true) {
    auto found = cursors.find(cursor);
    if (found != cursors.end())
      return found->second + steps;
    if (cursor.getDefiningOp<CursorOp>())
      return steps;
    auto advance = cursor.getDefiningOp<AdvanceOp>();
    if (!advance)
      return std::nullopt;
    int64_t by = advance.getStepsAttr().getInt();
    if (by > kMaxTurn || steps + by > kMaxTurn)
      return std::nullopt;
    steps += by;
    cursor = advance.getCursor();
  }
}

void RoleWalk::hand(ValueRange from, ValueRange to) {
  struct Handed {
    std::optional<int64_t> turn;
    std::optional<PendingVersion> pending;
    std::optional<ScalarExpr> scalar;
  };
  // All at once: a loop may yield its arguments in another order.
  SmallVector<Handed> handed(from.size());
  for (auto [value, entry] : llvm::zip_equal(from, handed)) {
    if (isa<CursorType>(value.getType()))
      entry.turn = turnOf(value);
    else if (auto found = pending.find(value); found != pending.end())
      entry.pending = found->second;
    else if (value.getType().isIntOrIndex())
      entry.scalar = trips.exprOf(value, scalars);
  }
  for (auto [value, entry] : llvm::zip_equal(to, handed)) {
    cursors.erase(value);
    pending.erase(value);
    scalars.carried.erase(value);
    if (entry.turn)
      cursors[value] = *entry.turn;
    if (entry.pending)
      pending[value] = *entry.pending;
    if (entry.scalar)
      scalars.carried[value] = *entry.scalar;
  }
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

Outcome RoleWalk::enterLoop(scf::ForOp loop) {
  int64_t count = trips.tripsOf(loop, scalars);
  if (count == 0) {
    hand(loop.getInitArgs(), loop.getResults());
    return Outcome::Done;
  }
  hand(loop.getInitArgs(), loop.getRegionIterArgs());
  scalars.turns[loop.getInductionVar()] = 0;
  enter(loop.getBody(), count);
  return Outcome::Done;
}

Outcome RoleWalk::enterBranch(scf::IfOp branch) {
  bool isTaken = trips.takesThen(branch, scalars);
  Region &region = isTaken ? branch.getThenRegion() : branch.getElseRegion();
  if (!region.empty())
    enter(&region.front(), /*trips=*/1);
  return Outcome::Done;
}

Outcome RoleWalk::leave() {
  Frame &frame = frames.back();
  Operation *parent = frame.block->getParentOp();
  if (isa<RoleOp, KernelOp>(parent)) {
    frames.pop_back();
    return state.endRole(role);
  }
  Operation *yield = frame.block->getTerminator();
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (loop && ++frame.turn < frame.trips) {
    hand(yield->getOperands(), loop.getRegionIterArgs());
    scalars.turns[loop.getInductionVar()] = frame.turn;
    frame.next = 0;
    return Outcome::Done;
  }
  hand(yield->getOperands(), parent->getResults());
  if (loop)
    scalars.turns.erase(loop.getInductionVar());
  frames.pop_back();
  return Outcome::Done;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// The cursor of an op that has one.
static Value cursorOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<WaitFullOp, WaitFreeOp, ReleaseOp, ExpectOp, TmaLoadOp,
            LocalLoadOp>([](auto step) { return step.getCursor(); })
      .Case<WgmmaOp>([](WgmmaOp product) { return product.getBCursor(); })
      .Case<MmaOp>([](MmaOp product) { return product.getACursor(); })
      .Default([](Operation *) { return Value(); });
}

Outcome RoleWalk::step(Operation *op) {
  if (Value cursor = cursorOf(op))
    return stepOn(op, cursor);
  return llvm::TypeSwitch<Operation *, Outcome>(op)
      .Case<scf::ForOp>([&](scf::ForOp loop) { return enterLoop(loop); })
      .Case<scf::IfOp>([&](scf::IfOp branch) { return enterBranch(branch); })
      .Case<CursorOp>([&](CursorOp cursor) {
        cursors[cursor] = 0;
        return Outcome::Done;
      })
      .Case<AdvanceOp>([&](AdvanceOp advance) {
        // Not yet known in this turn: a walk may pass here again.
        cursors.erase(advance);
        if (std::optional<int64_t> turn = turnOf(advance))
          cursors[advance] = *turn;
        return Outcome::Done;
      })
      .Case<WgmmaWaitOp>([&](WgmmaWaitOp wait) {
        state.waitProducts(role, wait.getGroupsAttr().getInt());
        return Outcome::Done;
      })
      .Case<WgmmaFinishOp>([&](WgmmaFinishOp finish) {
        auto found = pending.find(finish.getPending());
        if (found == pending.end())
          return state.fail(op, "expected an accumulator of this role");
        return state.finish(role, finish, found->second);
      })
      .Case<TmaStoreOp>([&](TmaStoreOp store) {
        state.store(role, store);
        return Outcome::Done;
      })
      .Case<TmaStoreWaitOp>([&](TmaStoreWaitOp) {
        state.waitStores(role);
        return Outcome::Done;
      })
      .Default([](Operation *) { return Outcome::Done; });
}

Outcome RoleWalk::product(WgmmaOp op) {
  SmallVector<std::pair<Value, int64_t>, 2> slots;
  for (auto [buffer, cursor] :
       {std::pair<Value, Value>(op.getA(), op.getACursor()),
        std::pair<Value, Value>(op.getB(), op.getBCursor())}) {
    if (!cursor)
      continue;
    std::optional<int64_t> turn = turnOf(cursor);
    if (!turn)
      return state.fail(op, "expected cursors whose turn is known");
    slots.push_back({buffer, *turn});
  }
  std::optional<PendingVersion> acc;
  if (isa<PendingType>(op.getAcc().getType())) {
    auto found = pending.find(op.getAcc());
    if (found == pending.end())
      return state.fail(op, "expected an accumulator of this role");
    acc = found->second;
  }
  return state.startProduct(role, op, slots, acc, pending[op]);
}

Outcome RoleWalk::stepOn(Operation *op, Value cursor) {
  if (auto wgmma = dyn_cast<WgmmaOp>(op))
    return product(wgmma);
  std::optional<int64_t> turn = turnOf(cursor);
  if (!turn)
    return state.fail(op, "expected a cursor whose turn is known");
  return llvm::TypeSwitch<Operation *, Outcome>(op)
      .Case<WaitFullOp>(
          [&](auto op) { return state.waitFull(role, op, *turn); })
      .Case<WaitFreeOp>(
          [&](auto op) { return state.waitFree(role, op, *turn); })
      .Case<ReleaseOp>([&](auto op) { return state.release(role, op, *turn); })
      .Case<ExpectOp>([&](auto op) { return state.expect(role, op, *turn); })
      .Case<TmaLoadOp>([&](auto op) { return state.load(role, op, *turn); })
      .Case<LocalLoadOp>([&](LocalLoadOp load) {
        return state.read(role, op, load.getBuffer(), *turn);
      })
      .Case<MmaOp>([&](MmaOp mma) {
        std::optional<int64_t> bTurn = turnOf(mma.getBCursor());
        if (!bTurn)
          return state.fail(op, "expected a cursor whose turn is known");
        Outcome a = state.read(role, op, mma.getA(), *turn);
        return a == Outcome::Done ? state.read(role, op, mma.getB(), *bTurn)
                                  : a;
      })
      .Default([](Operation *) { return Outcome::Done; });
}
