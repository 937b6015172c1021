//===- GlobalMemory.cpp - Checked access to allocations -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GlobalMemory.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;

namespace tile::interpreter {

GlobalMemory::GlobalMemory(std::deque<Allocation> &allocations,
                           unsigned granuleBytes,
                           const InterpreterOptions &options)
    : allocations(allocations), granuleBytes(granuleBytes),
      checkUninitialised(options.checkUninitialised) {
  for (const Allocation &allocation : allocations) {
    hasHoles.push_back(llvm::is_contained(allocation.initialised, 0));
    if (options.checkRaces)
      // Both ends may lie inside a granule.
      shadows.emplace_back(allocation.bytes.size() / granuleBytes + 2);
  }
}

std::optional<Race> GlobalMemory::findFirstRace() const {
  std::optional<Race> best;
  for (size_t i = 0; i < shadows.size(); ++i) {
    std::optional<Race> race = shadows[i].findFirst(i);
    if (race && (!best || race->before(*best)))
      best = race;
  }
  return best;
}

void GlobalMemory::markWritten() {
  for (size_t i = 0; i < shadows.size(); ++i) {
    if (!hasHoles[i])
      continue;
    std::vector<uint8_t> &flags = allocations[i].initialised;
    // Granules are counted from a multiple of their size.
    uint64_t skew = allocations[i].address % granuleBytes;
    shadows[i].forEachWritten([&](uint64_t granule) {
      uint64_t begin = granule * granuleBytes;
      for (uint64_t b = begin; b < begin + granuleBytes; ++b)
        if (b >= skew && b - skew < flags.size())
          flags[b - skew] = 1;
    });
  }
}

/// a / b rounded down; b is positive.
static int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

Access::Access(Program &program, const Step &step, SlotIndex base,
               LaneOffsets offsets, unsigned elementBytes)
    : program(program), step(step), offsets(offsets), bytes(elementBytes),
      pointer(*program.data<PointerValue>(base)) {
  if (pointer.allocation < 0)
    return;
  GlobalMemory &memory = program.launch.memory;
  allocation = &memory.allocations[pointer.allocation];
  int64_t from = int64_t(pointer.address - allocation->address);
  // A misaligned pointer reaches no element at all.
  if (pointer.address % bytes == 0) {
    lowest = -floorDivide(from, bytes);
    highest = floorDivide(int64_t(allocation->bytes.size()) - from, bytes) - 1;
  }
  host = reinterpret_cast<uintptr_t>(allocation->bytes.data()) + from;
  if (!memory.shadows.empty())
    shadow = &memory.shadows[pointer.allocation];
  checkHoles = memory.checkUninitialised && memory.hasHoles[pointer.allocation];
}

std::string Access::describe(const uint8_t *element) const {
  int64_t index = (element - allocation->bytes.data()) / int64_t(bytes);
  return "element " + std::to_string(index) + " of '" + allocation->name + "'";
}

uint8_t *Access::reportOutside(int64_t lane, const char *what) {
  std::string where = describeLane(lane);
  std::string address = "0x" + llvm::utohexstr(pointer.address, true);
  if (!allocation) {
    (void)program.fail(step, Twine(what) +
                                 " through a pointer outside every "
                                 "allocation, " +
                                 address + ", in " + where);
    return nullptr;
  }
  if (pointer.address % bytes != 0) {
    (void)program.fail(
        step, "misaligned " + Twine(what) + " of '" + allocation->name +
                  "': expected an address "
                  "divisible by " +
                  Twine(bytes) + ", got " + address + " in " + where);
    return nullptr;
  }
  int64_t size = allocation->bytes.size();
  int64_t first =
      floorDivide(int64_t(pointer.address - allocation->address), bytes);
  std::string allowed =
      size < int64_t(bytes)
          ? "which is empty"
          : "which ends with element " + std::to_string(size / bytes - 1);
  __int128 index = __int128(first) + offset(lane);
  std::string got = index >= INT64_MIN && index <= INT64_MAX
                        ? std::to_string(int64_t(index))
                        : std::to_string(offset(lane)) + " and more";
  (void)program.fail(step, "out-of-bounds " + Twine(what) + " of element " +
                               got + " of '" + allocation->name + "', " +
                               allowed + ", in " + where);
  return nullptr;
}

LogicalResult Access::checkInitialised(const uint8_t *element, int64_t lane) {
  if (LLVM_LIKELY(!checkHoles))
    return success();
  uint64_t begin = element - allocation->bytes.data();
  uint64_t skew = allocation->address % program.launch.memory.granuleBytes;
  for (uint64_t b = begin; b < begin + bytes; ++b) {
    if (__atomic_load_n(&allocation->initialised[b], __ATOMIC_RELAXED))
      continue;
    uint64_t granule = (b + skew) / program.launch.memory.granuleBytes;
    if (shadow && shadow->hasWritten(granule, program.number))
      continue;
    return program.fail(step, "read of " + describe(element) +
                                  ", which nobody has written, in " +
                                  describeLane(lane));
  }
  return success();
}

void Access::touch(const uint8_t *element, Touch kind) {
  uint64_t begin = element - allocation->bytes.data();
  if (!shadow) {
    if (kind != Touch::Read && checkHoles)
      for (uint64_t b = begin; b < begin + bytes; ++b)
        __atomic_store_n(&allocation->initialised[b], 1, __ATOMIC_RELAXED);
    return;
  }
  unsigned granuleBytes = program.launch.memory.granuleBytes;
  uint64_t granule =
      (begin + allocation->address % granuleBytes) / granuleBytes;
  uint64_t last = granule + std::max(1u, bytes / granuleBytes);
  for (; granule < last; ++granule)
    shadow->record(granule, kind, Toucher(program.number, step.opIndex));
}

} // namespace tile::interpreter
