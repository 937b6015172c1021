//===- SharedMemory.cpp - Rings of one program ----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"

using namespace mlir;

namespace tile::interpreter {

void SharedMemory::reset(size_t numRings, size_t numBarrierSets, bool check) {
  rings.resize(numRings);
  for (Ring &ring : rings)
    ring.slots.clear();
  tensorGroups.assign(1, {{}});
  barriers.reset(numBarrierSets);
  order.leave();
  order.current = 0;
  if (numBarrierSets > 0)
    order.enterAlone(/*numBarriers=*/0);
  checkBarriers = check;
  epoch = 0;
  groups = 0;
}

void SharedMemory::allocate(size_t index, RingPlace place) {
  Ring &ring = rings[index];
  ring.place = place;
  if (!ring.slots.empty()) {
    for (SlotState &slot : ring.slots)
      if (slot.status == Status::Filled)
        slot.status = Status::Empty;
    return;
  }
  ring.bytes.resize(place.slots * place.slotBytes);
  ring.slots.assign(place.slots, {});
  for (SlotState &slot : ring.slots)
    slot.reads.resize(std::max<size_t>(1, order.numRoles()));
}

void SharedMemory::enterRoles(size_t numRoles) {
  ++epoch;
  order.enter(numRoles, barriers.size());
  tensorGroups.assign(numRoles, {{}});
  for (Ring &ring : rings)
    for (SlotState &slot : ring.slots) {
      slot.written = {};
      slot.reads.assign(numRoles, {});
    }
}

void SharedMemory::leaveRoles() {
  order.leave();
  order.current = 0;
  ++epoch;
}

/// "slot 2 of its ring".
static std::string describe(int64_t slot) {
  return "slot " + std::to_string(slot) + " of its ring";
}

bool SharedMemory::overlap(const Ring &a, int64_t slotOfA, const Ring &b,
                           int64_t slotOfB) const {
  if (&a == &b)
    return slotOfA == slotOfB;
  if (!a.place.offset || !b.place.offset)
    return false;
  int64_t beginA = *a.place.offset + slotOfA * int64_t(a.place.slotBytes);
  int64_t beginB = *b.place.offset + slotOfB * int64_t(b.place.slotBytes);
  return beginA < beginB + int64_t(b.place.slotBytes) &&
         beginB < beginA + int64_t(a.place.slotBytes);
}

/// What has been started on these bytes and not been waited for.
std::optional<SlotProblem> SharedMemory::meetOnTheWay(const SlotState &earlier,
                                                      int64_t slot,
                                                      bool isWrite) const {
  std::string now = isWrite ? "write to " : "read of ";
  if (earlier.status == Status::OnItsWay)
    return SlotProblem{now + describe(slot) +
                           " while an asynchronous copy to it is on its way",
                       earlier.writer, "the copy starts here"};
  if (!isWrite)
    return std::nullopt;
  for (Event read : earlier.reads)
    if (read.time == Event::kNever)
      return SlotProblem{now + describe(slot) +
                             ", which the tensor cores may still read",
                         earlier.reader, "they start here"};
  if (earlier.store)
    return SlotProblem{now + describe(slot) +
                           ", which the copy engine may still read",
                       earlier.store, "the store starts here"};
  return std::nullopt;
}

/// What stands between an earlier access of the same bytes and one now.
std::optional<SlotProblem> SharedMemory::meet(const SlotState &earlier,
                                              int64_t slot,
                                              Access access) const {
  bool isWrite = access != Access::Read;
  if (auto problem = meetOnTheWay(earlier, slot, isWrite))
    return problem;
  std::string now = isWrite ? "write to " : "read of ";
  bool filled = earlier.status == Status::Filled;
  if (filled && !order.knows(earlier.written))
    return SlotProblem{now + describe(slot) +
                           " that no transaction barrier orders after the "
                           "write before it",
                       earlier.writer, "the write before it"};
  bool isFill = access == Access::Fill;
  if (isWrite)
    for (Event read : earlier.reads)
      if (isFill ? !order.fillerKnows(read) : !order.knows(read))
        return SlotProblem{now + describe(slot) +
                               " that no transaction barrier orders after the "
                               "read before it",
                           earlier.reader, "the read before it"};
  // Who fills by the copy engine has been told by transaction barriers.
  if (!checkBarriers || order.hasParted() || isFill)
    return std::nullopt;
  if (earlier.writtenAt == epoch && filled)
    return SlotProblem{"expected a barrier between this " + now +
                           describe(slot) + " and the write before it",
                       earlier.writer, "the write before it"};
  if (isWrite && earlier.readAt == epoch)
    return SlotProblem{"expected a barrier between this " + now +
                           describe(slot) + " and the read before it",
                       earlier.reader, "the read before it"};
  return std::nullopt;
}

std::optional<SlotProblem> SharedMemory::read(Operation *op, size_t index,
                                              int64_t slot, Reader reader) {
  SlotState &state = rings[index].slots[slot];
  if (state.status == Status::Empty)
    return SlotProblem{"read of " + describe(slot) +
                           ", which nobody has written",
                       nullptr, ""};
  if (state.status == Status::Overwritten)
    return SlotProblem{"read of " + describe(slot) +
                           ", whose bytes another ring has overwritten",
                       state.writer, "overwritten here"};
  if (auto problem = meet(state, slot, Access::Read))
    return problem;
  if (reader == Reader::TensorCores && state.needsFence)
    return SlotProblem{"expected a fence between the write to " +
                           describe(slot) + " and the tensor cores' read of it",
                       state.writer, "written here"};
  bool checksMeeting = checkBarriers && !order.hasParted();
  if (reader == Reader::TensorCores && checksMeeting && state.fencedAt == epoch)
    return SlotProblem{"expected a barrier between the fence for " +
                           describe(slot) + " and the tensor cores' read of it",
                       state.writer, "written here"};
  state.reader = op;
  state.readAt = epoch;
  Event event = order.now();
  if (reader == Reader::TensorCores) {
    event.time = Event::kNever;
    tensorGroups[order.current].back().push_back({index, slot});
  }
  state.reads[order.current] = event;
  return std::nullopt;
}

std::optional<SlotProblem> SharedMemory::write(Operation *op, size_t index,
                                               int64_t slot, Writer writer) {
  Ring &ring = rings[index];
  Access access = writer == Writer::CopyEngine ? Access::Fill : Access::Write;
  for (Ring &other : rings)
    for (size_t i = 0; i < other.slots.size(); ++i) {
      SlotState &state = other.slots[i];
      if (!overlap(ring, slot, other, int64_t(i)))
        continue;
      if (auto problem = meet(state, slot, access))
        return problem;
      if (&other != &ring && state.status == Status::Filled) {
        state.status = Status::Overwritten;
        state.writer = op;
      }
    }
  SlotState &state = ring.slots[slot];
  state.status = writer == Writer::Threads ? Status::Filled : Status::OnItsWay;
  state.writer = op;
  state.written = order.now();
  state.writtenAt = epoch;
  state.group = writer == Writer::AsyncThreads ? groups : -1;
  state.needsFence = writer != Writer::CopyEngine;
  state.fencedAt = -1;
  return std::nullopt;
}

void SharedMemory::wait(int64_t groupsAhead) {
  // A copy that no commit has followed yet belongs to no group.
  for (Ring &ring : rings)
    for (SlotState &state : ring.slots)
      if (state.status == Status::OnItsWay && state.group >= 0 &&
          state.group < groups - groupsAhead) {
        state.status = Status::Filled;
        state.written = order.now();
        state.writtenAt = epoch;
      }
}

void SharedMemory::fence() {
  for (Ring &ring : rings)
    for (SlotState &state : ring.slots)
      if (state.needsFence && state.status == Status::Filled &&
          order.knows(state.written)) {
        state.needsFence = false;
        state.fencedAt = epoch;
      }
}

void SharedMemory::closeTensorGroup() {
  tensorGroups[order.current].emplace_back();
}

void SharedMemory::waitForTensorCores(int64_t groupsAhead) {
  TensorGroups &started = tensorGroups[order.current];
  int64_t ended = int64_t(started.size()) - 1 - groupsAhead;
  if (ended <= 0)
    return;
  // A slot that a group still running reads too is not free yet.
  std::vector<SlotName> over;
  for (int64_t i = 0; i < ended; ++i)
    over.insert(over.end(), started[i].begin(), started[i].end());
  started.erase(started.begin(), started.begin() + ended);
  for (SlotName name : over)
    rings[name.ring].slots[name.slot].reads[order.current] = order.now();
  for (const std::vector<SlotName> &group : started)
    for (SlotName name : group)
      rings[name.ring].slots[name.slot].reads[order.current].time =
          Event::kNever;
}

void SharedMemory::startStore(Operation *op, size_t index) {
  for (SlotState &state : rings[index].slots) {
    state.store = op;
    state.storeRole = order.current;
  }
}

void SharedMemory::waitForStores() {
  for (Ring &ring : rings)
    for (SlotState &state : ring.slots)
      if (state.store && state.storeRole == order.current)
        state.store = nullptr;
}

Operation *SharedMemory::pendingStore() const {
  for (const Ring &ring : rings)
    for (const SlotState &state : ring.slots)
      if (state.store && state.storeRole == order.current)
        return state.store;
  return nullptr;
}

void SharedMemory::endPhase(size_t set, int64_t slot) {
  int64_t phase = barriers.phasesOver(set, slot);
  std::vector<SignalledCopy> landed = barriers.endPhase(set, slot);
  if (barriers.phasesOver(set, slot) == phase)
    return;
  Event end = order.phaseEnd(barriers.numberOf(set, slot), phase);
  if (end.index >= 0)
    barriers.handedOn(set, slot).learn(end);
  for (SignalledCopy copy : landed) {
    SlotState &state = rings[copy.ring].slots[copy.slot];
    state.status = Status::Filled;
    state.written = end;
    // Whoever waits for the phase sees it, whatever barriers there are.
    state.writtenAt = -1;
  }
}

} // namespace tile::interpreter
