//===- HostTensor.h - A tensor in host memory, between guards ---*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes of a tensor as a kernel finds them: a guard zone, the extent from
// the lowest to the highest element, another guard zone.  Every byte that
// belongs to no element, in the zones and in the gaps that strides leave, holds
// a sentinel, which a correct kernel does not change.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_HOSTTENSOR_H
#define TILE_RUN_HOSTTENSOR_H

#include "ArgumentSpec.h"

#include <optional>

namespace tile::run {

/// Memory for one pointer argument.
class HostTensor {
public:
  /// Allocates, fills with sentinels, then with `fill`.
  static runtime::Result<HostTensor> create(const TensorShape &shape,
                                            const Fill &fill);

  /// Bytes that create() allocates, guards included; an error where one tensor
  /// is never so large.
  static runtime::Result<uint64_t> memoryBytes(const TensorShape &shape);

  const TensorShape &shape() const { return layout; }
  /// Whether the elements had values before the run.
  bool isInitialised() const { return initialised; }
  int64_t elementBytes() const { return runtime::sizeInBytes(layout.type); }

  /// Everything, guards included.
  std::vector<uint8_t> &memory() { return bytes; }
  const std::vector<uint8_t> &memory() const { return bytes; }
  /// Position in memory() of the element with all indices 0: the pointer.
  size_t pointerPosition() const { return origin; }
  /// First byte of the extent, and its length; empty for no elements.
  size_t extentPosition() const { return extentBegin; }
  size_t extentBytes() const { return extentSize; }

  /// Calls `visit(position)` for each element in row-major order; the position
  /// is that of its first byte in memory().
  template <typename Visit>
  void forEachElement(Visit visit) const;

  /// The elements in row-major order.
  std::vector<double> values() const;

  /// Where a byte outside the elements no longer holds its sentinel, in words;
  /// nothing where all do.
  std::optional<std::string> findDamage() const;

private:
  HostTensor() = default;
  void allocate();
  runtime::Status place();

  TensorShape layout;
  bool initialised = false;
  std::vector<uint8_t> bytes;
  size_t origin = 0, extentBegin = 0, extentSize = 0;
};

template <typename Visit>
void HostTensor::forEachElement(Visit visit) const {
  size_t rank = layout.sides.size();
  std::vector<int64_t> index(rank, 0);
  auto position = static_cast<int64_t>(origin);
  for (int64_t i = 0, e = layout.numElements(); i < e; ++i) {
    visit(static_cast<size_t>(position));
    for (size_t dim = rank; dim-- > 0;) {
      position += layout.strides[dim] * elementBytes();
      if (++index[dim] < layout.sides[dim])
        break;
      position -= layout.strides[dim] * elementBytes() * layout.sides[dim];
      index[dim] = 0;
    }
  }
}

/// "[3, 5]" for the element with this row-major number.
std::string indexText(const std::vector<int64_t> &sides, int64_t number);

} // namespace tile::run

#endif // TILE_RUN_HOSTTENSOR_H
