//===- HostMatrix.cpp - Matrices of what kernels take ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostMatrix.h"

#include "llvm/ADT/APFloat.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

using namespace tile::bench;
using namespace tile::runtime;

HostMatrix::HostMatrix(ElementType type, int64_t rows, int64_t columns,
                       bool isTransposed)
    : type(type), numRows(rows), numColumns(columns),
      isTransposed(isTransposed),
      bytes(size_t(rows * columns) * tile::runtime::sizeInBytes(type)) {}

void tile::bench::parallelFor(
    int64_t size, const std::function<void(int64_t, int64_t)> &work) {
  int64_t numThreads =
      std::max<int64_t>(std::thread::hardware_concurrency(), 1);
  int64_t part = (size + numThreads - 1) / numThreads;
  std::vector<std::thread> threads;
  for (int64_t begin = 0; begin < size; begin += part)
    threads.emplace_back(work, begin, std::min(begin + part, size));
  for (std::thread &thread : threads)
    thread.join();
}

static uint16_t roundToBF16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// Value of an f8E4M3FN: sign, 4 bits of exponent, 3 of fraction; no infinity.
static double decodeE4M3(uint8_t bits) {
  int exponent = bits >> 3 & 15, fraction = bits & 7;
  double magnitude = exponent == 0 ? std::ldexp(fraction, -9)
                                   : std::ldexp(8 + fraction, exponent - 10);
  if (exponent == 15 && fraction == 7)
    magnitude = std::numeric_limits<double>::quiet_NaN();
  return bits & 0x80 ? -magnitude : magnitude;
}

double HostMatrix::at(int64_t row, int64_t column) const {
  size_t index = size_t(row * rowStride() + column * columnStride());
  switch (type) {
  case ElementType::F16: {
    _Float16 value;
    std::memcpy(&value, &bytes[2 * index], sizeof(value));
    return double(float(value));
  }
  case ElementType::BF16: {
    uint32_t bits = 0;
    std::memcpy(reinterpret_cast<uint8_t *>(&bits) + 2, &bytes[2 * index], 2);
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  case ElementType::F8E4M3FN:
    return decodeE4M3(bytes[index]);
  case ElementType::I8:
    return static_cast<int8_t>(bytes[index]);
  case ElementType::I32: {
    int32_t value;
    std::memcpy(&value, &bytes[4 * index], sizeof(value));
    return value;
  }
  default: {
    float value;
    std::memcpy(&value, &bytes[4 * index], sizeof(value));
    return value;
  }
  }
}

/// SplitMix64 of a counter: every element has its own number, so that the order
/// of computation does not matter.
static uint64_t hash(uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

/// Normal values that elements of 8 and 16 bits are drawn from.
static constexpr size_t kNumDrawn = size_t(1) << 16;

/// Box and Muller's normal value number `index`.
static float normalAt(uint64_t seed, uint64_t index) {
  uint64_t bits = hash(hash(seed) + index);
  double first = (double(bits >> 32) + 0.5) * 0x1p-32;
  double second = double(bits & 0xffffffff) * 0x1p-32;
  return float(std::sqrt(-2 * std::log(first)) *
               std::cos(6.283185307179586 * second));
}

/// Bits of the element nearest to `value`, of which an i8 is 32 times.
static uint16_t encode(ElementType type, float value) {
  switch (type) {
  case ElementType::F16: {
    _Float16 half = _Float16(value);
    uint16_t bits;
    std::memcpy(&bits, &half, sizeof(bits));
    return bits;
  }
  case ElementType::F8E4M3FN: {
    llvm::APFloat wide(value);
    bool losesInfo;
    wide.convert(llvm::APFloat::Float8E4M3FN(),
                 llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return uint16_t(wide.bitcastToAPInt().getZExtValue());
  }
  case ElementType::I8: {
    float scaled = std::clamp(std::nearbyint(32 * value), -127.0f, 127.0f);
    return static_cast<uint8_t>(static_cast<int8_t>(scaled));
  }
  default:
    return roundToBF16(value);
  }
}

void HostMatrix::fillNormal(uint64_t seed) {
  if (type == ElementType::F32) {
    parallelFor(numRows * numColumns, [&](int64_t begin, int64_t end) {
      for (int64_t index = begin; index < end; ++index) {
        float value = normalAt(seed, uint64_t(index));
        std::memcpy(&bytes[4 * index], &value, 4);
      }
    });
    return;
  }
  // Few bits hold few normal values: drawing from a sample of them is as good
  // and much faster.
  std::vector<uint16_t> drawn(kNumDrawn);
  for (size_t index = 0; index < kNumDrawn; ++index)
    drawn[index] = encode(type, normalAt(/*seed=*/0, index));
  uint64_t start = hash(seed);
  size_t size = tile::runtime::sizeInBytes(type);
  parallelFor(numRows * numColumns, [&](int64_t begin, int64_t end) {
    for (int64_t index = begin; index < end; ++index)
      std::memcpy(&bytes[size * index],
                  &drawn[hash(start + uint64_t(index)) % kNumDrawn], size);
  });
}
