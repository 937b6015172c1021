//===- AsyncReads.cpp - Reads of slots, products, accumulators ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsyncState.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

Outcome AsyncState::startRead(unsigned role, Operation *op, Value ring,
                              int64_t turn, std::optional<size_t> &read) {
  auto found = schedule.rings.find(ring);
  // Other buffers are written by threads, which barriers keep apart.
  if (found == schedule.rings.end())
    return Outcome::Done;
  RingUse &use = found->second;
  int64_t numSlots = schedule.barriers[use.full].slots();
  RingSlot &slot = rings[ring][turn % numSlots];
  if (lastTurn(role, use.full, Step::Wait) < turn)
    return fail(op,
                "expected a wait_full for " + place(use.full, turn) +
                    " before the read, got none",
                {{use.load, "the slot is filled here"}});
  if (slot.turn == turn) {
    slot.reads.push_back(reads.size());
    read = reads.size();
    reads.push_back({op, role, tick(role), std::nullopt});
    return Outcome::Done;
  }
  if (slot.turn < turn)
    return fail(op,
                "expected a copy into the ring that signals " +
                    place(use.full, turn) + ", got none",
                {{use.load, "the ring is filled here"}});
  // The walk has gone on to another turn before the read.
  SmallVector<ScheduleFault::Note, 2> notes;
  for (Release &release : states[role].releases)
    if (release.turn == turn && release.slots == numSlots)
      notes.push_back({release.op, "it is released here"});
  notes.push_back({slot.load, "it is overwritten here"});
  return fail(op,
              "expected " + place(use.full, turn) +
                  " to be kept until it is read, got " +
                  place(use.full, slot.turn),
              notes);
}

Outcome AsyncState::read(unsigned role, Operation *op, Value ring,
                         int64_t turn) {
  std::optional<size_t> started;
  Outcome outcome = startRead(role, op, ring, turn, started);
  if (started)
    reads[*started].end = tick(role);
  return outcome;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

Outcome AsyncState::checkPending(unsigned role, Operation *op,
                                 PendingVersion pending) {
  Accumulator &acc = states[role].accumulators[pending.accumulator];
  if (acc.products == pending.products)
    return Outcome::Done;
  return fail(op, "expected the newest state of the accumulator",
              {{acc.last, "it has been added to here"}});
}

Outcome AsyncState::startProduct(unsigned role, WgmmaOp op,
                                 ArrayRef<std::pair<Value, int64_t>> operands,
                                 std::optional<PendingVersion> acc,
                                 PendingVersion &result) {
  RoleState &state = states[role];
  SmallVector<size_t, 2> started;
  for (auto [ring, turn] : operands) {
    std::optional<size_t> read;
    if (Outcome outcome = startRead(role, op, ring, turn, read);
        outcome != Outcome::Done)
      return outcome;
    if (read)
      started.push_back(*read);
  }
  if (acc)
    if (Outcome outcome = checkPending(role, op, *acc);
        outcome != Outcome::Done)
      return outcome;
  state.running.push_back({op, started});
  if (!acc) {
    acc = {static_cast<int64_t>(state.accumulators.size()), 0};
    state.accumulators.push_back({op, 0});
  }
  Accumulator &entry = state.accumulators[acc->accumulator];
  entry.last = op;
  result = {acc->accumulator, ++entry.products};
  return Outcome::Done;
}

void AsyncState::waitProducts(unsigned role, int64_t running) {
  RoleState &state = states[role];
  while (static_cast<int64_t>(state.running.size()) > running) {
    for (size_t read : state.running.front().second)
      reads[read].end = tick(role);
    state.running.pop_front();
  }
}

Outcome AsyncState::finish(unsigned role, WgmmaFinishOp op,
                           PendingVersion pending) {
  waitProducts(role, 0);
  return checkPending(role, op, pending);
}
