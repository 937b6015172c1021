//===- GuardedBuffer.cpp - Device memory between guard bytes --------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuardedBuffer.h"

#include <algorithm>
#include <vector>

using namespace tile::bench;
using namespace tile::runtime;

/// Bytes of each guard; a multiple of every alignment that a kernel asks for.
static constexpr size_t kGuardBytes = 4096;
static constexpr uint8_t kGuardByte = 0xa5;

Result<std::unique_ptr<GuardedBuffer>>
GuardedBuffer::allocate(const Device &device, size_t sizeInBytes) {
  Result<Buffer> buffer =
      Buffer::allocate(device, sizeInBytes + 2 * kGuardBytes);
  if (!buffer)
    return buffer.takeError();
  return std::unique_ptr<GuardedBuffer>(
      new GuardedBuffer(std::move(*buffer), sizeInBytes));
}

uint64_t GuardedBuffer::address() const {
  return buffer.address() + kGuardBytes;
}

Status GuardedBuffer::poison(const Stream &stream) const {
  if (Status status = buffer.fill(0xff, stream.handle()); !status)
    return status;
  if (Status status = stream.synchronize(); !status)
    return status;
  std::vector<uint8_t> guard(kGuardBytes, kGuardByte);
  if (Status status = buffer.write(guard.data(), kGuardBytes); !status)
    return status;
  return buffer.write(guard.data(), kGuardBytes, kGuardBytes + sizeInBytes);
}

Status GuardedBuffer::read(void *target) const {
  return buffer.read(target, sizeInBytes, kGuardBytes);
}

Result<bool> GuardedBuffer::areGuardsIntact() const {
  std::vector<uint8_t> guard(kGuardBytes);
  for (size_t offset : {size_t(0), kGuardBytes + sizeInBytes}) {
    if (Status status = buffer.read(guard.data(), kGuardBytes, offset); !status)
      return status.takeError();
    bool isIntact = std::all_of(guard.begin(), guard.end(), [](uint8_t byte) {
      return byte == kGuardByte;
    });
    if (!isIntact)
      return false;
  }
  return true;
}
