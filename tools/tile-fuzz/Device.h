//===- Device.h - Runs a program on a CUDA device ---------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FUZZ_DEVICE_H
#define TILE_FUZZ_DEVICE_H

#include "Launch.h"
#include "tile/Runtime/Launcher.h"
#include "tile/Target/Compile.h"

#include <map>

namespace tile::fuzz {

/// What became of a program on the device.
struct DeviceVerdict {
  /// What is wrong; empty if nothing is.
  std::string text;
  /// Whether the driver reported it: then nothing runs any more.
  bool isBroken = false;
};

/// Runs programs on the first CUDA device, between guards.
class DeviceRunner {
public:
  static runtime::Result<std::unique_ptr<DeviceRunner>> open();

  /// Launches each variant that the arguments allow, twice, unless the device
  /// is another than `code` is for.  The first run is compared with the
  /// evaluation in f64, and with `expected`, the interpreter's bytes: to the
  /// bit if no operation may differ; the second with the first.  What nobody
  /// may write must be as before.
  DeviceVerdict check(const Launch &launch, const CompiledKernel &code,
                      const Memory &expected);
  /// Prints what ran, in one line.
  void print(llvm::raw_ostream &stream) const;

private:
  explicit DeviceRunner(runtime::Device device) : device(device) {}
  runtime::Status runVariant(runtime::Kernel &kernel, const Launch &launch,
                             const runtime::LaunchOptions &options,
                             const Memory &expected, Memory &got,
                             std::string &damage);
  void countFeatures(const std::string &variant, const std::string &ptx);

  runtime::Device device;
  uint64_t numPrograms = 0, numLaunches = 0;
  /// Launches by variant, and by what is in their code.
  std::map<std::string, uint64_t> byVariant, byFeature;
};

} // namespace tile::fuzz

#endif // TILE_FUZZ_DEVICE_H
