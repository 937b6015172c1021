//===- FillTensor.cpp - Deterministic contents of a tensor ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FillTensor.h"
#include "Npy.h"
#include "Number.h"

#include <cmath>
#include <limits>

using namespace tile;
using namespace tile::run;
using runtime::Error;
using runtime::Result;
using runtime::Status;

/// The output function of splitmix64 at state number `j` of stream `seed`.
static uint64_t randomBits(uint64_t seed, uint64_t j) {
  uint64_t z = ((seed << 32) + j + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

/// In [0, 1), a multiple of 2^-53.
static double randomReal(uint64_t seed, uint64_t j) {
  return double(randomBits(seed, j) >> 11) * 0x1p-53;
}

static double randomNormal(uint64_t seed, uint64_t i) {
  constexpr double kTwoPi = 6.283185307179586476925;
  double radius = std::sqrt(-2 * std::log(1 - randomReal(seed, 2 * i)));
  return radius * std::cos(kTwoPi * randomReal(seed, 2 * i + 1));
}

static double valueAt(const Fill &fill, uint64_t i) {
  switch (fill.kind) {
  case Fill::Kind::Ones:
    return 1;
  case Fill::Kind::NaN:
    return std::numeric_limits<double>::quiet_NaN();
  case Fill::Kind::Iota:
    return double(i);
  case Fill::Kind::Randn:
    return randomNormal(fill.seed, i);
  case Fill::Kind::Uniform:
    return fill.low + (fill.high - fill.low) * randomReal(fill.seed, i);
  case Fill::Kind::Int: {
    double sides = fill.high - fill.low + 1;
    return fill.low + std::floor(sides * randomReal(fill.seed, i));
  }
  default:
    return 0;
  }
}

static Status fillFromFile(HostTensor &tensor, const std::string &file) {
  Result<NpyArray> array = readNpy(file);
  if (!array)
    return array.takeError();
  if (array->sides != tensor.shape().sides)
    return Error("expected sides " + sidesText(tensor.shape().sides) + " in '" +
                 file + "', got " + sidesText(array->sides));
  ElementType type = tensor.shape().type;
  // Floats are rounded, integers are not.
  if (array->type != type && runtime::isInteger(type))
    for (size_t i = 0, e = tensor.shape().numElements(); i < e; ++i)
      if (double value = array->value(i); !holds(type, value))
        return Error("'" + file + "': expected values that " +
                     std::string(runtime::stringify(type)) + " holds, got " +
                     numberText(value) + " at " +
                     indexText(array->sides, int64_t(i)));
  size_t i = 0;
  tensor.forEachElement([&](size_t position) {
    uint8_t *element = &tensor.memory()[position];
    // Without a detour where there is none: an i64 may not fit into a double.
    if (array->type == type)
      array->copyElement(i++, element);
    else
      store(type, element, array->value(i++));
  });
  return Status::success();
}

Status run::fillTensor(HostTensor &tensor, const Fill &fill) {
  if (fill.kind == Fill::Kind::File)
    return fillFromFile(tensor, fill.file);
  ElementType type = tensor.shape().type;
  bool needsFloat = fill.kind == Fill::Kind::Randn ||
                    fill.kind == Fill::Kind::Uniform ||
                    fill.kind == Fill::Kind::NaN;
  if (needsFloat && runtime::isInteger(type))
    return Error("expected zeros, ones, iota or int(LOW,HIGH,SEED) for " +
                 std::string(runtime::stringify(type)) +
                 ", got a fill for floats");
  double last = double(tensor.shape().numElements()) - 1;
  if (fill.kind == Fill::Kind::Iota && last > 0 && !holds(type, last))
    return Error("iota: expected at most as many elements as " +
                 std::string(runtime::stringify(type)) + " counts, got " +
                 std::to_string(tensor.shape().numElements()));
  uint64_t i = 0;
  tensor.forEachElement([&](size_t position) {
    store(type, &tensor.memory()[position], valueAt(fill, i++));
  });
  return Status::success();
}
