//===- Race.h - Contenders on one problem, turn and turn about --*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several ways of computing the same, in the same process, on the same inputs
// and the same stream.  Each is checked first, into a poisoned output between
// guards, against f64 and against the last, which is cuBLAS; then they take
// turns (timing/Turns.h).  After the last turn the output must hold the same
// bits as after the check.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_RACE_H
#define TILE_TOOLS_BENCH_RACE_H

#include "Problem.h"
#include "timing/Turns.h"

#include <functional>

namespace tile::bench {

using RaceOptions = timing::TurnOptions;

/// One way of computing it.
struct Contender {
  std::string name;
  Work work = Work::Plain;
  std::unique_ptr<GuardedBuffer> output;
  /// Launches it on the race's stream, into `output`.
  std::function<runtime::Status()> launch;
};

/// Times in microseconds, and what was seen of the results.
struct Timing {
  double median = 0, min = 0, max = 0;
  /// Norm of the error over the norm of the reference, on the sample.
  double relativeError = 0;
  /// The same bits before and after all repeats.
  bool isReproducible = false;
  bool areGuardsIntact = false;

  bool isClean() const { return isReproducible && areGuardsIntact; }
};

/// Races contenders on one stream of one device.
class Race {
public:
  static runtime::Result<std::unique_ptr<Race>>
  create(const runtime::Device &device, const runtime::Stream &stream,
         RaceOptions options);

  /// Checks and times all contenders.  A wrong value is an error.
  runtime::Result<std::vector<Timing>>
  run(const Problem &problem, const std::vector<Contender> &contenders);

private:
  Race(const runtime::Device &device, const runtime::Stream &stream,
       RaceOptions options, runtime::Buffer flush)
      : device(device), stream(stream), options(options),
        flush(std::move(flush)) {}

  runtime::Result<HostMatrix> runPoisoned(const Problem &problem,
                                          const Contender &contender);
  runtime::Status check(const Problem &problem,
                        const std::vector<Contender> &contenders);
  runtime::Status time(const std::vector<Contender> &contenders);
  runtime::Status inspect(const Contender &contender, size_t index);

  const runtime::Device &device;
  const runtime::Stream &stream;
  RaceOptions options;
  /// Larger than every L2 so far; filling it evicts everything else.
  runtime::Buffer flush;
  /// By contender.
  std::vector<Timing> timings;
  std::vector<uint64_t> hashes;
};

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_RACE_H
