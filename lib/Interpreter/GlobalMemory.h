//===- GlobalMemory.h - Checked access to allocations -----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_INTERPRETER_GLOBALMEMORY_H
#define TILE_LIB_INTERPRETER_GLOBALMEMORY_H

#include "Program.h"
#include "RaceDetector.h"
#include "tile/Interpreter/Interpreter.h"

namespace tile::interpreter {

/// The allocations of an interpreter during one launch.
class GlobalMemory {
public:
  GlobalMemory(std::deque<Allocation> &allocations, unsigned granuleBytes,
               const InterpreterOptions &options);

  /// The first race of the launch, in the order of the programs.
  std::optional<Race> findFirstRace() const;

  /// Marks what the launch has written as initialised.
  void markWritten();

  std::deque<Allocation> &allocations;
  const unsigned granuleBytes;
  const bool checkUninitialised;
  /// One for each allocation; empty where races are not looked for.
  std::vector<RaceShadow> shadows;
  /// Whether some byte of an allocation is not initialised at the start.
  std::vector<bool> hasHoles;
};

/// Where the lanes of an access lie, in elements from its pointer.
struct LaneOffsets {
  /// One of them is set, for offsets of 32 or of 64 bits.
  const int32_t *narrow = nullptr;
  const int64_t *wide = nullptr;
  /// The shape of the tile that the lanes make up.
  llvm::ArrayRef<int64_t> shape;
};

/// The elements that one op reaches through one pointer.  Every access checks
/// bounds, alignment and initialisation and tells the race detector.
class Access {
public:
  /// `base` is the slot of the pointer.
  Access(Program &program, const Step &step, SlotIndex base,
         LaneOffsets offsets, unsigned elementBytes);

  int64_t offset(int64_t lane) const {
    return offsets.wide ? offsets.wide[lane] : offsets.narrow[lane];
  }

  /// The host address of the element of this lane, or null and an error of the
  /// program.  `what` is "read", "write" or "update".
  uint8_t *element(int64_t lane, const char *what) {
    int64_t index = offset(lane);
    if (LLVM_UNLIKELY(index < lowest || index > highest))
      return reportOutside(lane, what);
    return reinterpret_cast<uint8_t *>(host + index * int64_t(bytes));
  }

  /// Whether the element may be read; if not, an error of the program.
  llvm::LogicalResult checkInitialised(const uint8_t *element, int64_t lane);

  /// Tells the race detector.
  void touch(const uint8_t *element, Touch kind);

  /// The address of this lane's element, whether it is one or not.
  uint64_t address(int64_t lane) const {
    return pointer.address + uint64_t(offset(lane)) * bytes;
  }

  /// Whether threads of this program may meet in this memory.
  bool needsBarriers() const {
    return program.launch.checkBarriers && pointer.allocation >= 0 &&
           program.launch.isStored[pointer.allocation];
  }

  /// "lane [3, 5] of program (1, 0, 0)".
  std::string describeLane(int64_t lane) const {
    return program.describeLane(offsets.shape, lane);
  }

  /// "element 5 of 'a'".
  std::string describe(const uint8_t *element) const;

private:
  uint8_t *reportOutside(int64_t lane, const char *what);

  Program &program;
  const Step &step;
  LaneOffsets offsets;
  unsigned bytes;
  PointerValue pointer;
  Allocation *allocation = nullptr;
  /// Where the pointer points to, as a host address: a number, since that may
  /// be outside of the allocation, where no pointer may be.  Offsets from
  /// `lowest` to `highest` lead inside.
  uintptr_t host = 0;
  int64_t lowest = 0, highest = -1;
  RaceShadow *shadow = nullptr;
  bool checkHoles = false;
};

} // namespace tile::interpreter

#endif // TILE_LIB_INTERPRETER_GLOBALMEMORY_H
