//===- ParameterEncoding.cpp - Argument values as bytes -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/LaunchPlan.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace tile::runtime;

/// The bits of `value` in an IEEE format of `exponentBits` and `fractionBits`,
/// rounded to nearest even straight from f64 (going through f32 would round
/// twice).
static uint64_t encodeFloat(double value, int exponentBits, int fractionBits) {
  uint64_t sign = std::signbit(value) ? 1 : 0;
  uint64_t maxExponent = (uint64_t(1) << exponentBits) - 1;
  uint64_t top = sign << (exponentBits + fractionBits);
  uint64_t infinity = maxExponent << fractionBits;
  if (std::isnan(value))
    return top | infinity | (uint64_t(1) << (fractionBits - 1));
  double magnitude = std::fabs(value);
  if (std::isinf(value))
    return top | infinity;
  if (magnitude == 0)
    return top;
  int bias = (1 << (exponentBits - 1)) - 1;
  // Below the least normal number all values share one quantum.
  int exponent = std::max(std::ilogb(magnitude), 1 - bias);
  // Exact in f64: a scaling by a power of two and a rounding of a number of at
  // most fractionBits + 1 bits before the point.
  uint64_t quanta = static_cast<uint64_t>(
      std::nearbyint(std::ldexp(magnitude, fractionBits - exponent)));
  // Quanta carry the implicit bit, which raises the exponent field by one; a
  // carry out of the rounding raises it once more.  Both are what adding does.
  uint64_t bits =
      (static_cast<uint64_t>(exponent + bias - 1) << fractionBits) + quanta;
  return top | std::min(bits, infinity);
}

uint64_t tile::runtime::encodeParameter(ArgumentType type,
                                        const LaunchValue &value) {
  if (type.isPointer)
    return value.address;
  if (isInteger(type.element)) {
    uint64_t bits = static_cast<uint64_t>(value.integer);
    unsigned width = 8 * sizeInBytes(type.element);
    return width == 64 ? bits : bits & ((uint64_t(1) << width) - 1);
  }
  switch (type.element) {
  case ElementType::F16:
    return encodeFloat(value.real, /*exponentBits=*/5, /*fractionBits=*/10);
  case ElementType::BF16:
    return encodeFloat(value.real, /*exponentBits=*/8, /*fractionBits=*/7);
  case ElementType::F32:
    return encodeFloat(value.real, /*exponentBits=*/8, /*fractionBits=*/23);
  default: {
    uint64_t bits;
    std::memcpy(&bits, &value.real, sizeof(bits));
    return bits;
  }
  }
}
