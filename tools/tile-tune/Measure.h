//===- Measure.h - Choices on the GPU, checked and timed --------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TUNE_MEASURE_H
#define TILE_TOOLS_TUNE_MEASURE_H

#include "Inputs.h"

#include "tile/Runtime/Launcher.h"
#include "timing/Turns.h"

namespace tile::tune {

/// What the GPU says of a candidate.
struct Measurement {
  /// Index into the candidates.
  size_t candidate = 0;
  /// The variant that the launcher took.
  std::string variant;
  timing::Times times;
};

/// Number of the measurement with the least median, the first of equals: the
/// program as it stands, which comes first, is left for something faster only.
size_t findFastest(llvm::ArrayRef<Measurement> measurements);

/// Checks and times candidates on one device.
class Bench {
public:
  /// Opens the first device.
  static runtime::Result<Bench> open();

  const runtime::Device &device() const { return theDevice; }

  /// Launches each candidate that is in once, from fresh inputs, and compares;
  /// a wrong one is an error.  Those that the driver does not load or launch,
  /// or that spill more registers than the program as it stands, are out.  Then
  /// times those that are left.
  run::StepResult measure(std::vector<Candidate> &candidates, Inputs &inputs,
                          timing::TurnOptions turns,
                          std::vector<Measurement> &measurements);

private:
  Bench(runtime::Device device, runtime::Buffer flush)
      : theDevice(std::move(device)), flush(std::move(flush)) {}

  runtime::Device theDevice;
  runtime::Buffer flush;
};

} // namespace tile::tune

#endif // TILE_TOOLS_TUNE_MEASURE_H
