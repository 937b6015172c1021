//===- HostTensor.cpp - A tensor in host memory, between guards -----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostTensor.h"
#include "FillTensor.h"
#include "Number.h"

#include <algorithm>

using namespace tile;
using namespace tile::run;
using runtime::Error;
using runtime::Result;
using runtime::Status;

/// Bytes before and after the extent: more than a tile's rows at most pitches.
static constexpr size_t kGuardBytes = size_t(1) << 16;

/// Differs from byte to byte, so that a guard copied over another shows.
static uint8_t sentinel(size_t position) {
  uint32_t mixed = uint32_t(position) * 2654435761u;
  return uint8_t(0xA5 ^ (mixed >> 24));
}

Status HostTensor::place() {
  // 16 GiB: the checker holds several copies.
  constexpr size_t kMaxBytes = size_t(1) << 34;
  int64_t lowest = 0, highest = 0;
  for (size_t i = 0; i < layout.sides.size(); ++i) {
    int64_t reach =
        std::max<int64_t>(layout.sides[i] - 1, 0) * layout.strides[i];
    (reach < 0 ? lowest : highest) += reach;
  }
  bool isEmpty = layout.numElements() == 0;
  extentSize = isEmpty ? 0 : size_t(highest - lowest + 1) * elementBytes();
  size_t before = isEmpty ? 0 : size_t(-lowest) * elementBytes();
  size_t past = size_t(layout.offset) * elementBytes();
  if (extentSize + past > kMaxBytes)
    return Error("expected a tensor of at most 16 GiB, got " +
                 std::to_string(extentSize + past) + " bytes");
  // The pointer is `offset` elements past a multiple of 256 bytes.
  origin = (kGuardBytes + before + 255) / 256 * 256 + past;
  extentBegin = origin - before;
  return Status::success();
}

void HostTensor::allocate() {
  bytes.resize(extentBegin + extentSize + kGuardBytes);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = sentinel(i);
}

Result<uint64_t> HostTensor::memoryBytes(const TensorShape &shape) {
  HostTensor tensor;
  tensor.layout = shape;
  if (Status status = tensor.place(); !status)
    return status.takeError();
  return uint64_t(tensor.extentBegin + tensor.extentSize + kGuardBytes);
}

Result<HostTensor> HostTensor::create(const TensorShape &shape,
                                      const Fill &fill) {
  HostTensor tensor;
  tensor.layout = shape;
  if (Status status = tensor.place(); !status)
    return status.takeError();
  tensor.allocate();
  tensor.initialised = fill.kind != Fill::Kind::Uninitialised;
  if (!tensor.initialised)
    return tensor;
  if (Status status = fillTensor(tensor, fill); !status)
    return status.takeError();
  return tensor;
}

std::vector<double> HostTensor::values() const {
  std::vector<double> result;
  result.reserve(layout.numElements());
  forEachElement([&](size_t position) {
    result.push_back(load(layout.type, &bytes[position]));
  });
  return result;
}

std::optional<std::string> HostTensor::findDamage() const {
  // What is left after the elements are sentinels again must be all sentinels.
  std::vector<uint8_t> rest = bytes;
  forEachElement([&](size_t position) {
    for (size_t i = position, e = position + elementBytes(); i < e; ++i)
      rest[i] = sentinel(i);
  });
  for (size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == sentinel(i))
      continue;
    if (i < extentBegin)
      return "the byte " + std::to_string(extentBegin - i) +
             " before the tensor was overwritten";
    if (i >= extentBegin + extentSize)
      return "the byte " + std::to_string(i - extentBegin - extentSize + 1) +
             " after the tensor was overwritten";
    return "byte " + std::to_string(i - extentBegin) +
           " of the tensor, between its elements, was overwritten";
  }
  return std::nullopt;
}

std::string run::indexText(const std::vector<int64_t> &sides, int64_t number) {
  std::string text;
  for (size_t dim = sides.size(); dim-- > 0;) {
    text =
        std::to_string(number % sides[dim]) + (text.empty() ? "" : ", ") + text;
    number /= sides[dim];
  }
  return "[" + text + "]";
}
