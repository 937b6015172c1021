//===- AsyncEnds.cpp - Roles that end or are stuck ------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsyncState.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

Outcome AsyncState::endRole(unsigned role) {
  RoleState &state = states[role];
  if (!state.running.empty())
    return fail(state.running.front().first,
                "expected the product to be waited for before the role ends",
                {{schedule.roles[role], "the role is here"}});
  if (state.store)
    return fail(state.store,
                "expected a tma_store_wait before the role ends, got none",
                {{schedule.roles[role], "the role is here"}});
  return Outcome::Done;
}

/// What is filled must be waited for: by its turn at the latest the roles have
/// made a different number of steps.
Outcome AsyncState::endFull(unsigned number) {
  int64_t filled = -1;
  Operation *announcement = nullptr;
  for (size_t role = 0; role < states.size(); ++role) {
    auto found = states[role].last.find({number, int(Step::Expect)});
    if (found == states[role].last.end() || found->second.turn <= filled)
      continue;
    filled = found->second.turn;
    announcement = found->second.op;
  }
  if (filled >= 0 && use(number).waiters.empty())
    return fail(announcement, "expected a role to wait for " +
                                  place(number, filled) + ", got none");
  for (unsigned role : use(number).waiters) {
    int64_t waited = lastTurn(role, number, Step::Wait);
    if (waited >= filled)
      continue;
    return fail(announcement,
                "expected " + nameOf(role) + " to wait for " +
                    place(number, waited + 1) +
                    ", which is filled, before it ends",
                {noteOfWait(role, number)});
  }
  return Outcome::Done;
}

/// What is taken must be released.
Outcome AsyncState::endFree(unsigned number) {
  int64_t numSlots = use(number).slots();
  for (unsigned role : use(number).waiters) {
    int64_t last = lastTurn(role, number, Step::Wait);
    for (int64_t turn = std::max<int64_t>(0, last - numSlots + 1); turn <= last;
         ++turn) {
      BarrierSlot &slot = slotOf(number, turn);
      if (slot.completed > turn / numSlots)
        continue;
      Operation *wait =
          states[role].last.find({number, int(Step::Wait)})->second.op;
      return fail(wait,
                  "expected " + place(number, turn) + " to be released by " +
                      counted(use(number).arrivals(), "warpgroup") +
                      " before the roles end, got " + Twine(slot.arrived),
                  {{use(number).barriers, "the barriers are made here"}});
    }
  }
  return Outcome::Done;
}

Outcome AsyncState::endAll() {
  for (bool isFull : {true, false})
    for (size_t number = 0; number < schedule.barriers.size(); ++number) {
      if (use(number).isFull != isFull)
        continue;
      Outcome outcome = isFull ? endFull(number) : endFree(number);
      if (outcome != Outcome::Done)
        return outcome;
    }
  for (auto &[ring, use] : schedule.rings)
    for (RingSlot &slot : rings[ring])
      for (size_t read : slot.reads)
        if (Outcome outcome =
                checkReleased(reads[read], use.full, slot.turn, nullptr);
            outcome != Outcome::Done)
          return outcome;
  return Outcome::Done;
}

/// The barriers behind a wait.
static Value barriersOf(Operation *wait) {
  if (auto full = dyn_cast<WaitFullOp>(wait))
    return full.getBarriers();
  return cast<WaitFreeOp>(wait).getBarriers();
}

std::string AsyncState::describe(unsigned role, const Wait &wait) {
  if (!wait.op)
    return nameOf(role) + " has ended";
  return nameOf(role) + " waits here in " +
         place(schedule.numberOf(barriersOf(wait.op)), wait.turn);
}

bool AsyncState::missesBytes(const Wait &wait) {
  if (!isa_and_present<WaitFullOp>(wait.op))
    return false;
  unsigned number = schedule.numberOf(barriersOf(wait.op));
  BarrierSlot &slot = slotOf(number, wait.turn);
  if (slot.arrived < use(number).arrivals())
    return false;
  for (RoleState &state : states) {
    auto found = state.last.find({number, int(Step::Expect)});
    if (found == state.last.end())
      continue;
    fail(found->second.op,
         "expected copies of " + Twine(slot.announced) + " bytes in " +
             place(number, wait.turn) + ", as announced, got " +
             Twine(slot.landed),
         {{wait.op, "they are waited for here"}});
    return true;
  }
  return false;
}

void AsyncState::deadlock(ArrayRef<Wait> waits) {
  for (const Wait &wait : waits)
    if (missesBytes(wait))
      return;
  unsigned first = 0;
  while (!waits[first].op)
    ++first;
  SmallVector<ScheduleFault::Note> notes;
  for (auto [role, wait] : llvm::enumerate(waits))
    if (role != first)
      notes.push_back(
          {wait.op ? wait.op : schedule.roles[role], describe(role, wait)});
  const Wait &wait = waits[first];
  unsigned number = schedule.numberOf(barriersOf(wait.op));
  BarrierSlot &slot = slotOf(number, wait.turn);
  std::string what = "the data";
  if (!use(number).isFull)
    what = "the release of " + place(number, wait.turn - use(number).slots());
  fail(wait.op,
       "waits for ever: " + describe(first, wait) + " for " + what +
           ", expected " + counted(use(number).arrivals(), "arrival") +
           ", got " + Twine(slot.arrived),
       notes);
}
