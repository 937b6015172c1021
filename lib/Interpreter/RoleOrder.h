//===- RoleOrder.h - What one role knows of the others ----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Roles of a program run at the same time and meet only through transaction
// barriers.  What is ordered is found by vector clocks: every role counts its
// arrivals, an arrival hands on all that the role knows, and a wait takes it
// over.  An event that a role does not know of may still lie ahead for it,
// whatever the order in which the interpreter happens to run the roles.
//
// In a program without roles that has such barriers, all threads are one role.
// One of them fills slots for the others, and what those have done it knows
// only from the barriers that it waits for: it has a knowledge of its own.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_INTERPRETER_ROLEORDER_H
#define TILE_LIB_INTERPRETER_ROLEORDER_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tile::interpreter {

/// Something that happened: in a role at a time, or the end of a phase of a
/// barrier.  The default is what was before the roles parted, known to all.
struct Event {
  /// A role, or the number of roles plus that of a barrier.
  int64_t index = -1;
  int64_t time = 0;

  /// What has not ended yet.
  static constexpr int64_t kNever = INT64_MAX;
};

/// The latest known event for each index.
struct Knowledge {
  std::vector<int64_t> times;

  bool knows(Event event) const {
    return event.index < 0 || (size_t(event.index) < times.size() &&
                               times[event.index] >= event.time);
  }
  void learn(Event event) {
    times.resize(std::max(times.size(), size_t(event.index) + 1));
    times[event.index] = std::max(times[event.index], event.time);
  }
  void learn(const Knowledge &other) {
    if (times.size() < other.times.size())
      times.resize(other.times.size());
    for (size_t i = 0; i < other.times.size(); ++i)
      times[i] = std::max(times[i], other.times[i]);
  }
};

/// The knowledge of all roles; empty where there are none, and then everything
/// is known.
class RoleOrder {
public:
  /// The whole program is one role.
  void enterAlone(size_t numBarriers) {
    enter(1, numBarriers);
    isAlone = true;
    filler = {};
  }
  void enter(size_t numRoles, size_t numBarriers) {
    isAlone = false;
    roles.assign(numRoles, {std::vector<int64_t>(numRoles + numBarriers)});
    // Time 0 is before the roles parted.
    for (size_t role = 0; role < numRoles; ++role)
      roles[role].times[role] = 1;
    current = 0;
  }
  void leave() { roles.clear(); }
  bool isActive() const { return !roles.empty(); }
  /// Whether roles have parted.
  bool hasParted() const { return isActive() && !isAlone; }
  size_t numRoles() const { return roles.size(); }

  /// The role that runs now; 0 where there are none.
  size_t current = 0;

  /// An event of the current role, now.
  Event now() const {
    if (!isActive())
      return {};
    return {int64_t(current), roles[current].times[current]};
  }
  bool knows(Event event) const {
    return !isActive() || roles[current].knows(event);
  }
  /// Whether the thread that fills slots knows of it.
  bool fillerKnows(Event event) const {
    return isActive() && isAlone ? filler.knows(event) : knows(event);
  }
  void learn(const Knowledge &knowledge) {
    if (isActive())
      roles[current].learn(knowledge);
    filler.learn(knowledge);
  }
  /// All threads of the role meet.
  void meet() {
    if (isActive() && isAlone)
      filler.learn(publish());
  }
  /// What an arrival hands on; later events of this role are not among it.
  Knowledge publish() {
    if (!isActive())
      return {};
    Knowledge result = roles[current];
    ++roles[current].times[current];
    return result;
  }
  /// What the arrival of the thread that fills slots hands on.
  Knowledge publishFill() { return isActive() && isAlone ? filler : publish(); }
  /// The end of a phase of a barrier.
  Event phaseEnd(size_t barrier, int64_t phase) const {
    if (!isActive())
      return {};
    return {int64_t(roles.size() + barrier), phase + 1};
  }

private:
  std::vector<Knowledge> roles;
  bool isAlone = false;
  Knowledge filler;
};

} // namespace tile::interpreter

#endif // TILE_LIB_INTERPRETER_ROLEORDER_H
