//===- RaceDetector.cpp - Who touched which memory ------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaceDetector.h"

#include <algorithm>
#include <tuple>

namespace tile::interpreter {

static constexpr auto kRelaxed = std::memory_order_relaxed;

bool Race::before(const Race &other) const {
  return std::make_tuple(second.program(), first.program(), second.op(),
                         first.op(), allocation, granule) <
         std::make_tuple(other.second.program(), other.first.program(),
                         other.second.op(), other.first.op(), other.allocation,
                         other.granule);
}

RaceShadow::RaceShadow(uint64_t granules) : granules(granules) {
  for (auto &list : pages)
    list = std::vector<std::atomic<Page *>>(granules / kPageGranules + 1);
}

RaceShadow::~RaceShadow() {
  for (auto &list : pages)
    for (std::atomic<Page *> &page : list)
      delete page.load();
}

RaceShadow::Pair &RaceShadow::pairOf(uint64_t granule, Touch touch) {
  std::atomic<Page *> &slot = pages[size_t(touch)][granule / kPageGranules];
  Page *page = slot.load(std::memory_order_acquire);
  if (!page) {
    auto fresh = std::make_unique<Page>();
    for (Pair &pair : *fresh)
      for (std::atomic<uint64_t> &entry : pair)
        entry.store(Toucher::kNobody, kRelaxed);
    // Another thread may have made the page in the meantime: then use that.
    if (slot.compare_exchange_strong(page, fresh.get()))
      page = fresh.release();
  }
  return (*page)[granule % kPageGranules];
}

void RaceShadow::record(uint64_t granule, Touch touch, Toucher toucher) {
  Pair &pair = pairOf(granule, touch);
  // The first entry only ever falls.  What it loses goes on to the second one,
  // unless it is of the same program, which needs but one.
  bool displaced = false;
  uint64_t lowest = pair[0].load(kRelaxed);
  while (!displaced && toucher.bits < lowest) {
    if (!pair[0].compare_exchange_weak(lowest, toucher.bits, kRelaxed))
      continue;
    if (lowest == Toucher::kNobody ||
        Toucher(lowest).program() == toucher.program())
      return;
    toucher = Toucher(lowest);
    displaced = true;
  }
  if (!displaced && Toucher(lowest).program() == toucher.program())
    return;
  uint64_t second = pair[1].load(kRelaxed);
  while (toucher.bits < second)
    if (pair[1].compare_exchange_weak(second, toucher.bits, kRelaxed))
      return;
}

std::array<Toucher, 2> RaceShadow::lowest(uint64_t granule, Touch touch) const {
  Page *page = pages[size_t(touch)][granule / kPageGranules].load(
      std::memory_order_acquire);
  if (!page)
    return {};
  const Pair &pair = (*page)[granule % kPageGranules];
  return {Toucher(pair[0].load(kRelaxed)), Toucher(pair[1].load(kRelaxed))};
}

bool RaceShadow::hasWritten(uint64_t granule, int64_t program) const {
  for (Toucher toucher : lowest(granule, Touch::Write))
    if (!toucher.isNobody() && toucher.program() == program)
      return true;
  return false;
}

std::optional<Race> RaceShadow::findFirst(size_t allocation) const {
  static constexpr std::pair<Touch, Touch> kConflicts[] = {
      {Touch::Write, Touch::Write},
      {Touch::Write, Touch::Read},
      {Touch::Write, Touch::Atomic},
      {Touch::Atomic, Touch::Read}};
  std::optional<Race> best;
  auto consider = [&](Race race) {
    if (race.first.isNobody() || race.second.isNobody() ||
        race.first.program() == race.second.program())
      return;
    if (race.second.program() < race.first.program()) {
      std::swap(race.first, race.second);
      std::swap(race.firstTouch, race.secondTouch);
    }
    if (!best || race.before(*best))
      best = race;
  };
  forEachWritten([&](uint64_t granule) {
    for (auto [one, other] : kConflicts)
      for (Toucher a : lowest(granule, one))
        for (Toucher b : lowest(granule, other))
          consider({a, b, one, other, allocation, granule});
  });
  return best;
}

} // namespace tile::interpreter
