//===- Divisors.h - Arithmetic on divisors ----------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A divisor is positive, or 0 for "always zero"; 1 says nothing.  Where a
// result has no 64-bit value, one of the arguments, which is weaker, stands in.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ANALYSIS_DIVISORS_H
#define TILE_LIB_ANALYSIS_DIVISORS_H

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

namespace tile {

/// The divisor of a known number.
inline int64_t divisorOf(int64_t number) {
  if (number == std::numeric_limits<int64_t>::min())
    return int64_t(1) << 62;
  return number < 0 ? -number : number;
}

/// The divisor of a sum, and of a value that is one or the other.
inline int64_t commonDivisor(int64_t a, int64_t b) { return std::gcd(a, b); }

/// The divisor of a product.
inline int64_t productDivisor(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? std::max(a, b) : product;
}

/// The divisor of a value that has both.
inline int64_t commonMultiple(int64_t a, int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  int64_t multiple;
  return __builtin_mul_overflow(a / std::gcd(a, b), b, &multiple)
             ? std::max(a, b)
             : multiple;
}

/// The greatest power of two that divides `a`, at most 2^62 (also for 0).
inline int64_t powerOfTwoDivisor(int64_t a) {
  return a == 0 ? int64_t(1) << 62 : a & -a;
}

/// What remains of a divisor when the value is taken modulo 2^width.
inline int64_t wrappedDivisor(int64_t a, unsigned width) {
  if (a == 0)
    return 0;
  return std::min(powerOfTwoDivisor(a), int64_t(1) << std::min(width - 1, 62u));
}

} // namespace tile

#endif // TILE_LIB_ANALYSIS_DIVISORS_H
