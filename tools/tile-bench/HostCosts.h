//===- HostCosts.h - What launching and compiling take ----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_HOSTCOSTS_H
#define TILE_TOOLS_BENCH_HOSTCOSTS_H

#include "Programs.h"
#include "Results.h"

namespace tile::bench {

/// Time of the calling thread for one warm launch, in microseconds.
struct LaunchTime {
  /// The same arguments again: the launcher remembers them.
  double again = 0;
  /// Arguments that it does not remember: checks, choice of the variant, tensor
  /// maps, the driver's call.
  double fresh = 0;
};
runtime::Result<LaunchTime> measureLaunch(const runtime::Device &device,
                                          const runtime::Stream &stream,
                                          runtime::Kernel &kernel,
                                          const GemmCase &gemm);

/// Milliseconds from a kernel's text to the end of its first launch, the driver
/// loaded before: parsing, compiling one variant, the driver's own compiler,
/// and the launch.  The kernel's name is new each time, so that no cache of the
/// driver has it.
runtime::Result<double> measureCold(const runtime::Device &device,
                                    const runtime::Stream &stream,
                                    const std::string &target,
                                    const GemmCase &gemm);

/// Milliseconds from IR in memory to PTX for one variant, on one thread.
struct CompileTime {
  std::string variant;
  double median = 0, min = 0;
  size_t ptxBytes = 0;
};
runtime::Result<std::vector<CompileTime>>
measureCompile(const std::string &target, const GemmCase &gemm,
               const MatmulConfiguration &configuration, int repeats);

/// Milliseconds that a .tile source takes in one process, on one thread: from
/// the text to IR, and from the text to PTX of the most specialised variant.
struct SourceTime {
  std::string kernel;
  double medianToIR = 0, minToIR = 0, medianToPTX = 0, minToPTX = 0;
  size_t ptxBytes = 0;
};
/// Of each kernel by itself.
runtime::Result<std::vector<SourceTime>>
measureSource(const std::string &target, const std::string &path, int repeats);

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_HOSTCOSTS_H
