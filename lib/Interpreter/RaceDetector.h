//===- RaceDetector.h - Who touched which memory ----------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two programs race where they touch the same memory, one of them writing, and
// not both by atomics.  Programs run at the same time, so what is found must
// not depend on who comes first: for each granule of memory and each kind of
// access the two lowest programs are kept, and the races are looked for
// afterwards. Among all pairs of racing programs the one that a run in the
// order of the programs would meet first is always among those kept.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_INTERPRETER_RACEDETECTOR_H
#define TILE_LIB_INTERPRETER_RACEDETECTOR_H

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tile::interpreter {

enum class Touch { Read, Write, Atomic };

/// A program and the op by which it touched memory, in one number whose order
/// is that of the programs.
struct Toucher {
  static constexpr uint64_t kNobody = ~0ull;
  static constexpr unsigned kOpBits = 24;

  uint64_t bits = kNobody;

  Toucher() = default;
  explicit Toucher(uint64_t bits) : bits(bits) {}
  Toucher(int64_t program, uint32_t op)
      : bits(uint64_t(program) << kOpBits | op) {}
  bool isNobody() const { return bits == kNobody; }
  int64_t program() const { return int64_t(bits >> kOpBits); }
  uint32_t op() const { return bits & ((1u << kOpBits) - 1); }
};

/// Two programs at one place; `first` has the lower id.
struct Race {
  Toucher first, second;
  Touch firstTouch = Touch::Read, secondTouch = Touch::Read;
  /// Index of the allocation and of the granule in it.
  size_t allocation = 0;
  uint64_t granule = 0;

  /// Whether a run in order would meet this race before `other`.
  bool before(const Race &other) const;
};

/// The touchers of one allocation.
class RaceShadow {
public:
  explicit RaceShadow(uint64_t granules);
  ~RaceShadow();
  RaceShadow(RaceShadow &&) = default;

  /// Safe from several threads.
  void record(uint64_t granule, Touch touch, Toucher toucher);

  /// Whether the program has written this granule.
  bool hasWritten(uint64_t granule, int64_t program) const;

  /// The race here that comes first, if there is one.  `allocation` is copied
  /// into it.
  std::optional<Race> findFirst(size_t allocation) const;

  /// Calls `function` with each granule that was written or updated.
  template <class Function>
  void forEachWritten(Function function) const {
    for (uint64_t granule = 0; granule < granules; ++granule) {
      if (granule % kPageGranules == 0 && !hasPage(granule, Touch::Write) &&
          !hasPage(granule, Touch::Atomic)) {
        granule += kPageGranules - 1;
        continue;
      }
      if (!lowest(granule, Touch::Write)[0].isNobody() ||
          !lowest(granule, Touch::Atomic)[0].isNobody())
        function(granule);
    }
  }

private:
  static constexpr uint64_t kPageGranules = 4096;
  using Pair = std::array<std::atomic<uint64_t>, 2>;
  using Page = std::array<Pair, kPageGranules>;

  bool hasPage(uint64_t granule, Touch touch) const {
    return pages[size_t(touch)][granule / kPageGranules].load() != nullptr;
  }
  /// The two lowest touchers, of different programs.
  std::array<Toucher, 2> lowest(uint64_t granule, Touch touch) const;
  Pair &pairOf(uint64_t granule, Touch touch);

  uint64_t granules;
  /// Pages by kind of access, made when first needed.
  std::array<std::vector<std::atomic<Page *>>, 3> pages;
};

} // namespace tile::interpreter

#endif // TILE_LIB_INTERPRETER_RACEDETECTOR_H
