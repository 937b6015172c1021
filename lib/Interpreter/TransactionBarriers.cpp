//===- TransactionBarriers.cpp - Phases of barriers -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransactionBarriers.h"

#include <utility>

namespace tile::interpreter {

void TransactionBarriers::allocate(size_t set, int64_t slots,
                                   int64_t arrivals) {
  sets[set].assign(slots, {});
  for (Barrier &barrier : sets[set])
    barrier.arrivals = arrivals;
}

std::optional<std::string>
TransactionBarriers::arrive(size_t set, int64_t slot, int64_t count,
                            int64_t bytes, const Knowledge &knowledge) {
  Barrier &barrier = sets[set][slot];
  if (barrier.arrived + count > barrier.arrivals)
    return "expected at most " + std::to_string(barrier.arrivals) +
           " arrivals in a phase, got " +
           std::to_string(barrier.arrived + count);
  barrier.arrived += count;
  barrier.announced += bytes;
  barrier.gathered.learn(knowledge);
  return std::nullopt;
}

static int64_t bytesOf(const std::vector<SignalledCopy> &copies) {
  int64_t bytes = 0;
  for (const SignalledCopy &copy : copies)
    bytes += copy.bytes;
  return bytes;
}

std::vector<SignalledCopy> TransactionBarriers::endPhase(size_t set,
                                                         int64_t slot) {
  Barrier &barrier = sets[set][slot];
  if (barrier.arrived < barrier.arrivals ||
      bytesOf(barrier.copies) != barrier.announced)
    return {};
  barrier.arrived = 0;
  barrier.announced = 0;
  ++barrier.over;
  barrier.handedOn = std::exchange(barrier.gathered, {});
  return std::exchange(barrier.copies, {});
}

std::string TransactionBarriers::describe(size_t set, int64_t slot) const {
  const Barrier &barrier = sets[set][slot];
  return std::to_string(barrier.arrived) + " of " +
         std::to_string(barrier.arrivals) + " arrivals and copies of " +
         std::to_string(bytesOf(barrier.copies)) + " of " +
         std::to_string(barrier.announced) + " bytes announced";
}

size_t TransactionBarriers::numberOf(size_t set, int64_t slot) const {
  size_t number = size_t(slot);
  for (size_t i = 0; i < set; ++i)
    number += sets[i].size();
  return number;
}

} // namespace tile::interpreter
