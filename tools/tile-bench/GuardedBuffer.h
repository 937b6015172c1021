//===- GuardedBuffer.h - Device memory between guard bytes ------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_GUARDEDBUFFER_H
#define TILE_TOOLS_BENCH_GUARDEDBUFFER_H

#include "tile/Runtime/Device.h"

#include <memory>

namespace tile::bench {

/// The output of a kernel, between two zones of known bytes.
class GuardedBuffer {
public:
  static runtime::Result<std::unique_ptr<GuardedBuffer>>
  allocate(const runtime::Device &device, size_t sizeInBytes);

  uint64_t address() const;
  size_t size() const { return sizeInBytes; }

  /// Sets every byte of the output to 0xff, which is NaN in f16, bf16 and f32
  /// and -1 in i32, and writes the guards.
  runtime::Status poison(const runtime::Stream &stream) const;
  /// Copies the output to the host.
  runtime::Status read(void *target) const;
  /// Whether both guards are as they were written.
  runtime::Result<bool> areGuardsIntact() const;

private:
  GuardedBuffer(runtime::Buffer buffer, size_t sizeInBytes)
      : buffer(std::move(buffer)), sizeInBytes(sizeInBytes) {}

  runtime::Buffer buffer;
  size_t sizeInBytes;
};

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_GUARDEDBUFFER_H
