//===- AsyncState.cpp - Slots, barriers and what roles know ---------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps on barriers and copies; AsyncReads.cpp has reads and products,
// AsyncEnds.cpp what has to hold when roles end or are stuck.
//
//===----------------------------------------------------------------------===//

#include "AsyncState.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// The most bytes that a barrier can wait for in one phase (PTX ISA
/// 9.7.13.15.2).
static constexpr int64_t kMaxBytes = (1 << 20) - 1;

AsyncState::AsyncState(AsyncSchedule &schedule) : schedule(schedule) {
  size_t entries = schedule.roles.size();
  for (BarrierUse &use : schedule.barriers) {
    phaseIndex.push_back(entries);
    entries += use.isFull ? use.slots() : 0;
  }
  Clock start(entries, 0);
  for (BarrierUse &use : schedule.barriers) {
    BarrierSlot slot;
    slot.gathered = slot.known = start;
    slots.emplace_back(use.slots(), slot);
  }
  for (auto &[ring, use] : schedule.rings)
    rings[ring].resize(cast<BufferType>(ring.getType()).getSlots());
  states.resize(schedule.roles.size());
  for (RoleState &state : states)
    state.clock = start;
}

Outcome AsyncState::fail(Operation *op, const Twine &message,
                         ArrayRef<ScheduleFault::Note> notes) {
  fault = {op, message.str(), SmallVector<ScheduleFault::Note, 2>(notes)};
  return Outcome::Fault;
}

std::string AsyncState::place(unsigned number, int64_t turn) {
  return ("turn " + Twine(turn) + " (slot " +
          Twine(turn % use(number).slots()) + ")")
      .str();
}

std::string AsyncState::nameOf(unsigned role) {
  auto op = dyn_cast<RoleOp>(schedule.roles[role]);
  return op ? ("role \"" + op.getName() + "\"").str() : "the kernel";
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

int64_t AsyncState::lastTurn(unsigned role, unsigned number, Step step) {
  auto &last = states[role].last;
  auto found = last.find({number, static_cast<int>(step)});
  return found == last.end() ? -1 : found->second.turn;
}

Outcome AsyncState::checkOrder(unsigned role, Operation *op, unsigned number,
                               Step step, int64_t turn, bool mayRepeat) {
  auto &last = states[role].last;
  auto found = last.find({number, static_cast<int>(step)});
  int64_t before = found == last.end() ? -1 : found->second.turn;
  if (turn == before + 1 || (mayRepeat && turn == before))
    return Outcome::Done;
  SmallVector<ScheduleFault::Note, 1> notes;
  if (found != last.end())
    notes.push_back({found->second.op, place(number, before) + " is here"});
  return fail(op,
              "expected to go on with " + place(number, before + 1) + ", got " +
                  place(number, turn),
              notes);
}

void AsyncState::note(unsigned role, Operation *op, unsigned number, Step step,
                      int64_t turn) {
  Last &last = states[role].last[{number, static_cast<int>(step)}];
  last.times.resize(use(number).slots(), 0);
  last.times[turn % last.times.size()] = tick(role);
  last.op = op;
  last.turn = turn;
}

bool AsyncState::waitedFor(unsigned role, bool full, int64_t slots,
                           int64_t turn, bool paired) {
  for (size_t number = 0; number < schedule.barriers.size(); ++number)
    if (use(number).isFull == full && use(number).slots() == slots &&
        (use(number).isPaired || !paired) &&
        lastTurn(role, number, Step::Wait) >= turn)
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

/// Takes over what another clock has.
template <typename Clock>
static void join(Clock &into, const Clock &from) {
  for (auto [mine, other] : llvm::zip_equal(into, from))
    mine = std::max(mine, other);
}

Outcome AsyncState::waitFull(unsigned role, WaitFullOp op, int64_t turn) {
  unsigned number = schedule.numberOf(op.getBarriers());
  if (Outcome order = checkOrder(role, op, number, Step::Wait, turn);
      order != Outcome::Done)
    return order;
  BarrierSlot &slot = slotOf(number, turn);
  if (slot.completed <= turn / use(number).slots())
    return Outcome::Blocked;
  join(states[role].clock, slot.known);
  note(role, op, number, Step::Wait, turn);
  return Outcome::Done;
}

Outcome AsyncState::waitFree(unsigned role, WaitFreeOp op, int64_t turn) {
  unsigned number = schedule.numberOf(op.getBarriers());
  if (Outcome order = checkOrder(role, op, number, Step::Wait, turn);
      order != Outcome::Done)
    return order;
  BarrierSlot &slot = slotOf(number, turn);
  if (slot.completed < turn / use(number).slots())
    return Outcome::Blocked;
  join(states[role].clock, slot.known);
  note(role, op, number, Step::Wait, turn);
  return Outcome::Done;
}

//===----------------------------------------------------------------------===//
// Arrivals
//===----------------------------------------------------------------------===//

ScheduleFault::Note AsyncState::noteOfWait(unsigned role, unsigned number) {
  auto found = states[role].last.find({number, int(Step::Wait)});
  if (found == states[role].last.end())
    return {schedule.roles[role], "it has not waited at all"};
  return {found->second.op,
          "it has waited here in " + place(number, found->second.turn)};
}

/// A barrier tells its waiters the parity of its phase alone: it must not go on
/// by two phases while one of them has not looked.
Outcome AsyncState::checkWaiters(unsigned role, Operation *op, unsigned number,
                                 int64_t turn) {
  // Waiting for a free slot looks at the phase before this one.
  int64_t awaited = use(number).isFull ? turn - use(number).slots() : turn;
  if (awaited < 0)
    return Outcome::Done;
  for (unsigned waiter : use(number).waiters) {
    auto found = states[waiter].last.find({number, int(Step::Wait)});
    bool hasWaited =
        found != states[waiter].last.end() && found->second.turn >= awaited;
    const int64_t slot = awaited % use(number).slots();
    // Later turns of the slot are waited for after this one.
    if (hasWaited && found->second.times[slot] <= states[role].clock[waiter])
      continue;
    return fail(op,
                "expected " + nameOf(waiter) +
                    " to be known to have waited in " + place(number, awaited) +
                    " before this arrival",
                {noteOfWait(waiter, number)});
  }
  return Outcome::Done;
}

void AsyncState::gather(unsigned role, unsigned number, BarrierSlot &slot) {
  tick(role);
  join(slot.gathered, states[role].clock);
}

void AsyncState::completeIfDone(unsigned number, int64_t turn) {
  BarrierSlot &slot = slotOf(number, turn);
  if (slot.arrived < use(number).arrivals() || slot.announced != slot.landed)
    return;
  slot.arrived = slot.announced = slot.landed = 0;
  ++slot.completed;
  if (use(number).isFull)
    slot.gathered[phaseIndex[number] + turn % use(number).slots()] =
        slot.completed;
  slot.known = slot.gathered;
}

Outcome AsyncState::release(unsigned role, ReleaseOp op, int64_t turn) {
  unsigned number = schedule.numberOf(op.getBarriers());
  if (Outcome order = checkOrder(role, op, number, Step::Release, turn);
      order != Outcome::Done)
    return order;
  int64_t numSlots = use(number).slots();
  if (!waitedFor(role, /*full=*/true, numSlots, turn))
    return fail(op, "expected a wait_full for " + place(number, turn) +
                        " before its release, got none");
  if (Outcome waiters = checkWaiters(role, op, number, turn);
      waiters != Outcome::Done)
    return waiters;
  BarrierSlot &slot = slotOf(number, turn);
  note(role, op, number, Step::Release, turn);
  states[role].releases.push_back(
      {op, turn, numSlots, states[role].clock[role]});
  gather(role, number, slot);
  // In a cluster the other CTA, which walks the same steps, makes up for the
  // arrivals that go to it.
  slot.arrived += schedule.warpgroupsOf(role) * (op.getPaired() ? 2 : 1);
  completeIfDone(number, turn);
  return Outcome::Done;
}

Outcome AsyncState::expect(unsigned role, ExpectOp op, int64_t turn) {
  unsigned number = schedule.numberOf(op.getBarriers());
  if (Outcome order = checkOrder(role, op, number, Step::Expect, turn,
                                 /*mayRepeat=*/true);
      order != Outcome::Done)
    return order;
  if (Outcome waiters = checkWaiters(role, op, number, turn);
      waiters != Outcome::Done)
    return waiters;
  BarrierSlot &slot = slotOf(number, turn);
  int64_t phase = turn / use(number).slots();
  if (slot.completed != phase || slot.arrived == use(number).arrivals())
    return fail(op,
                "expected " + counted(use(number).arrivals(), "arrival") +
                    " in " + place(number, turn) + ", got one more",
                {{use(number).barriers, "the barriers are made here"}});
  int64_t bytes = op.getBytesAttr().getInt();
  if (bytes > kMaxBytes - slot.announced)
    return fail(op, "expected at most " + Twine(kMaxBytes) +
                        " bytes to be announced in " + place(number, turn) +
                        ", got " + Twine(bytes) + " more than " +
                        Twine(slot.announced));
  note(role, op, number, Step::Expect, turn);
  gather(role, number, slot);
  ++slot.arrived;
  slot.announced += bytes;
  completeIfDone(number, turn);
  return Outcome::Done;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

Outcome AsyncState::checkFilled(unsigned role, TmaLoadOp op, unsigned number,
                                int64_t turn) {
  int64_t numSlots = use(number).slots();
  if (!waitedFor(role, /*full=*/false, numSlots, turn))
    return fail(op, "expected a wait_free for " + place(number, turn) +
                        " before the copy, got none");
  auto found = states[role].last.find({number, int(Step::Expect)});
  if (found == states[role].last.end() || found->second.turn < turn)
    return fail(op, "expected an expect for " + place(number, turn) +
                        " before the copy, got none");
  if (op.getShared() && !waitedFor(role, /*full=*/false, numSlots, turn,
                                   /*paired=*/true))
    return fail(op, "expected paired releases of " + place(number, turn) +
                        ", since the copy goes to both CTAs, got others");
  BarrierSlot &slot = slotOf(number, turn);
  bool isOver = slot.completed > turn / numSlots;
  int64_t bytes = op.getBuffer().getType().getSlotBytes();
  if (isOver || slot.landed + bytes > slot.announced)
    return fail(
        op,
        "expected copies of no more bytes than are announced in " +
            place(number, turn) + ", got " + Twine(bytes) + " bytes and " +
            Twine(isOver ? 0 : slot.announced - slot.landed) + " to come",
        {{found->second.op, "they are announced here"}});
  return Outcome::Done;
}

Outcome AsyncState::load(unsigned role, TmaLoadOp op, int64_t turn) {
  unsigned number = schedule.numberOf(op.getBarriers());
  if (Outcome filled = checkFilled(role, op, number, turn);
      filled != Outcome::Done)
    return filled;
  int64_t numSlots = use(number).slots();
  RingSlot &content = rings[op.getBuffer()][turn % numSlots];
  if (content.load && content.turn == turn)
    return fail(op,
                "expected one copy into the ring in " + place(number, turn) +
                    ", got another",
                {{content.load, "the slot is filled here"}});
  if (content.load) {
    size_t phase = phaseIndex[number] + turn % numSlots;
    bool hasLanded = states[role].clock[phase] > content.turn / numSlots;
    if (!hasLanded)
      return fail(op,
                  "expected the copy of " + place(number, content.turn) +
                      " to be known to have landed before that of " +
                      place(number, turn),
                  {{content.load, "the slot is filled here"}});
    if (Outcome readers = checkReaders(role, op, content);
        readers != Outcome::Done)
      return readers;
  }
  content.load = op;
  content.turn = turn;
  content.reads.clear();
  BarrierSlot &slot = slotOf(number, turn);
  slot.landed += op.getBuffer().getType().getSlotBytes();
  gather(role, number, slot);
  completeIfDone(number, turn);
  return Outcome::Done;
}

bool AsyncState::isReleasedAfter(const Read &read, unsigned number,
                                 int64_t turn) {
  return read.end &&
         llvm::any_of(states[read.role].releases, [&](const Release &release) {
           return release.turn == turn &&
                  release.slots == use(number).slots() &&
                  *read.end <= release.time;
         });
}

/// A role that releases the turn of a read must do so after the read has ended.
Outcome AsyncState::checkReleased(const Read &read, unsigned number,
                                  int64_t turn, Operation *overwrite) {
  Release *early = nullptr;
  for (Release &release : states[read.role].releases) {
    if (release.turn != turn || release.slots != use(number).slots())
      continue;
    if (read.end && *read.end <= release.time)
      return Outcome::Done;
    early = &release;
  }
  if (!early)
    return Outcome::Done;
  bool isBefore = early->time < read.start;
  SmallVector<ScheduleFault::Note, 2> notes = {
      isBefore ? ScheduleFault::Note{early->op, "it is released here"}
               : ScheduleFault::Note{read.op, "it is read here"}};
  if (overwrite)
    notes.push_back({overwrite, "and overwritten here"});
  std::string at = place(number, turn);
  if (isBefore)
    return fail(read.op, "expected to read " + at + " before its release",
                notes);
  return fail(early->op,
              "expected the product that reads " + at +
                  " to be waited for before its release",
              notes);
}

Outcome AsyncState::checkReaders(unsigned role, TmaLoadOp op, RingSlot &slot) {
  unsigned number = schedule.numberOf(op.getBarriers());
  for (size_t index : slot.reads) {
    const Read &read = reads[index];
    bool hasEnded = read.end && *read.end <= states[role].clock[read.role];
    // Of its own role the thread that copies knows only what the barriers say:
    // that it has waited for them has been checked.
    if (read.role == role)
      hasEnded = isReleasedAfter(read, number, slot.turn);
    if (hasEnded)
      continue;
    if (Outcome released = checkReleased(read, number, slot.turn, op);
        released != Outcome::Done)
      return released;
    return fail(op,
                "expected a wait for the release of " +
                    place(number, slot.turn) + " by " + nameOf(read.role) +
                    " before the copy of " +
                    place(number, slot.turn + use(number).slots()),
                {{read.op, "it is read here"}});
  }
  return Outcome::Done;
}
