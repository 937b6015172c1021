//===- TransactionBarriers.h - Phases of barriers ---------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_INTERPRETER_TRANSACTIONBARRIERS_H
#define TILE_LIB_INTERPRETER_TRANSACTIONBARRIERS_H

#include "RoleOrder.h"
#include <cstddef>
#include <optional>
#include <string>

namespace tile::interpreter {

/// A copy that counts against a barrier.
struct SignalledCopy {
  size_t ring;
  int64_t slot, bytes;
};

/// The transaction barriers of one program.  A phase is over when enough
/// threads have arrived and the bytes that they announced have landed.  Copies
/// land when somebody waits for them, not before.
class TransactionBarriers {
public:
  void reset(size_t numSets) { sets.assign(numSets, {}); }
  void allocate(size_t set, int64_t slots, int64_t arrivals);

  int64_t slotAt(size_t set, int64_t position) const {
    return position % int64_t(sets[set].size());
  }
  /// How often the ring had been walked before this position.
  int64_t turnAt(size_t set, int64_t position) const {
    return position / int64_t(sets[set].size());
  }

  /// Arrives `count` times and announces bytes; the reason where a phase gets
  /// more arrivals than it has.
  std::optional<std::string> arrive(size_t set, int64_t slot, int64_t count,
                                    int64_t bytes, const Knowledge &knowledge);

  void addCopy(size_t set, int64_t slot, SignalledCopy copy) {
    sets[set][slot].copies.push_back(copy);
  }

  /// Ends the phase that is going on if nothing is missing; returns the copies
  /// that have landed with it.
  std::vector<SignalledCopy> endPhase(size_t set, int64_t slot);

  /// How many phases are over, and what those who arrived knew.
  int64_t phasesOver(size_t set, int64_t slot) const {
    return sets[set][slot].over;
  }
  Knowledge &handedOn(size_t set, int64_t slot) {
    return sets[set][slot].handedOn;
  }

  /// "1 of 2 arrivals, 0 of 49152 bytes".
  std::string describe(size_t set, int64_t slot) const;

  /// The number of one barrier among all.
  size_t numberOf(size_t set, int64_t slot) const;
  size_t size() const { return numberOf(sets.size(), 0); }

private:
  struct Barrier {
    int64_t arrivals = 1, over = 0, arrived = 0, announced = 0;
    std::vector<SignalledCopy> copies;
    Knowledge gathered, handedOn;
  };

  std::vector<std::vector<Barrier>> sets;
};

} // namespace tile::interpreter

#endif // TILE_LIB_INTERPRETER_TRANSACTIONBARRIERS_H
