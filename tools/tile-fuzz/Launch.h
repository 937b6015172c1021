//===- Launch.h - A program, its arguments and its memory -------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FUZZ_LAUNCH_H
#define TILE_FUZZ_LAUNCH_H

#include "Build.h"
#include "tile/IR/TileOps.h"

namespace tile::fuzz {

/// Bytes of the arrays, and which of them hold something.
struct Memory {
  std::vector<std::vector<uint8_t>> bytes, initialised;
};

/// A program and the launches of it.
class Launch {
public:
  Launch(const Recipe &recipe, const std::vector<Argument> &arguments)
      : recipe(recipe), arguments(arguments) {
    for (size_t i = 0; i < recipe.arrays.size(); ++i)
      addContents(static_cast<int>(i));
  }

  /// Runs `kernel` on the interpreter; nothing if that reports an error.  Of a
  /// program as it was written, poison is one.
  std::optional<Memory> run(KernelOp kernel, bool asWritten = false) const;
  /// Whether the launch fulfils what the kernel assumes.
  bool fulfils(KernelOp kernel) const;

  const Recipe &recipe;
  const std::vector<Argument> &arguments;
  /// Before a run.
  Memory start;

private:
  void addContents(int index);
};

/// Where the two differ in more than which NaN it is; empty if nowhere.
std::string findDifference(const Recipe &recipe, const Memory &expected,
                           const Memory &got);

/// Compares what was stored with the evaluation in f64; empty if it is within
/// the bounds of rounding, on the interpreter or on a device.
std::string findError(const Recipe &recipe, const Memory &got, bool onDevice);

} // namespace tile::fuzz

#endif // TILE_FUZZ_LAUNCH_H
