//===- Turns.h - Times of launches that take turns --------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one way in which the tools time launches: all contenders take turns, so
// that the clock that boosts and throttles in between is the same for all; the
// one that starts changes, so that none always follows the same; the L2 cache
// is flushed before each launch; events around each launch give its time.
// Nothing waits until the last turn is over, so that the host's time is hidden.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TIMING_TURNS_H
#define TILE_TOOLS_TIMING_TURNS_H

#include "tile/Runtime/Device.h"

#include "llvm/ADT/ArrayRef.h"

#include <functional>
#include <vector>

namespace tile::timing {

/// Starts a contender's work on the stream.
using Contender = std::function<runtime::Status()>;

/// How many turns each contender takes.
struct TurnOptions {
  int repeats = 30;
  /// Turns before, which are not timed.
  int warmUps = 5;
};

/// Microseconds of one contender's launches.
struct Times {
  double median = 0, min = 0, max = 0;
  /// All of them, in order of size.
  std::vector<double> all;
};

/// Memory to flush the device's L2 with.
runtime::Result<runtime::Buffer> makeFlush(const runtime::Device &device);

/// Times the contenders' work on `stream` (null: the default stream).  `flush`
/// is filled before each launch: larger than the L2, it evicts everything else.
runtime::Result<std::vector<Times>>
takeTurns(const runtime::Device &device, runtime::cuda::StreamHandle stream,
          const runtime::Buffer &flush, llvm::ArrayRef<Contender> contenders,
          TurnOptions options);

/// Orders the times and sets the figures; of no times all are 0.
Times summarise(std::vector<double> microseconds);

} // namespace tile::timing

#endif // TILE_TOOLS_TIMING_TURNS_H
