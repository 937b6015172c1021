//===- SharedMemory.cpp - Rings of one program -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"

using namespace mlir;

namespace tile::interpreter {

void SharedMemory::reset(size_t numRings, bool check) {
  rings.resize(numRings);
  for (Ring &ring : rings)
    ring.slots.clear();
  checkBarriers = check;
  epoch = 0;
  groups = 0;
}

void SharedMemory::allocate(size_t index, RingPlace place) {
  Ring &ring = rings[index];
  ring.place = place;
  ring.bytes.resize(place.slots * place.slotBytes);
  ring.slots.assign(place.slots, {});
}

/// "slot 2 of the ring".
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

/// What stands between an earlier access of the same bytes and one now.
std::optional<SlotProblem>
SharedMemory::meet(const SlotState &earlier, int64_t slot, bool isWrite) const {
  std::string now = isWrite ? "write to " : "read of ";
  if (earlier.status == Status::OnItsWay)
    return SlotProblem{now + describe(slot) +
                           " while an asynchronous copy to it is on its way",
                       earlier.writer, "the copy starts here"};
  if (!checkBarriers)
    return std::nullopt;
  if (earlier.writtenAt == epoch && earlier.status == Status::Filled)
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
                                              int64_t slot) {
  SlotState &state = rings[index].slots[slot];
  if (state.status == Status::Empty)
    return SlotProblem{"read of " + describe(slot) +
                           ", which nobody has written",
                       nullptr, ""};
  if (state.status == Status::Overwritten)
    return SlotProblem{"read of " + describe(slot) +
                           ", whose bytes another ring has overwritten",
                       state.writer, "overwritten here"};
  if (auto problem = meet(state, slot, /*isWrite=*/false))
    return problem;
  state.reader = op;
  state.readAt = epoch;
  return std::nullopt;
}

std::optional<SlotProblem> SharedMemory::write(Operation *op, size_t index,
                                               int64_t slot, bool isAsync) {
  Ring &ring = rings[index];
  for (Ring &other : rings)
    for (size_t i = 0; i < other.slots.size(); ++i) {
      SlotState &state = other.slots[i];
      if (!overlap(ring, slot, other, int64_t(i)))
        continue;
      if (auto problem = meet(state, slot, /*isWrite=*/true))
        return problem;
      if (&other != &ring && state.status == Status::Filled) {
        state.status = Status::Overwritten;
        state.writer = op;
      }
    }
  SlotState &state = ring.slots[slot];
  state.status = isAsync ? Status::OnItsWay : Status::Filled;
  state.writer = op;
  state.writtenAt = epoch;
  state.group = groups;
  return std::nullopt;
}

void SharedMemory::wait(int64_t groupsAhead) {
  // A copy that no commit has followed yet belongs to no group.
  for (Ring &ring : rings)
    for (SlotState &state : ring.slots)
      if (state.status == Status::OnItsWay &&
          state.group < groups - groupsAhead) {
        state.status = Status::Filled;
        state.writtenAt = epoch;
      }
}

} // namespace tile::interpreter
