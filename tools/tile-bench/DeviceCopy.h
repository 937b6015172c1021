//===- DeviceCopy.h - The driver's copy on the device --------------*- C++
//-*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_DEVICECOPY_H
#define TILE_TOOLS_BENCH_DEVICECOPY_H

#include "tile/Runtime/Device.h"

namespace tile::bench {

/// cuMemcpyDtoDAsync, which the runtime itself has no use for.
class DeviceCopy {
public:
  static runtime::Result<DeviceCopy> open();

  /// Copies `bytes` bytes, in order with the work on `stream`.
  runtime::Status run(uint64_t target, uint64_t source, size_t bytes,
                      runtime::cuda::StreamHandle stream) const;

private:
  DeviceCopy() = default;
  int (*copy)(uint64_t, uint64_t, size_t, runtime::cuda::StreamHandle);
};

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_DEVICECOPY_H
