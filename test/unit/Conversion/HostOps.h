//===- HostOps.h - Operations of functions on the host ----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations that MathFunctions.h is written over, computed on the host,
// what those of DoubleFunctions.h share with them, and how far a result is off.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_UNIT_CONVERSION_HOSTOPS_H
#define TILE_TEST_UNIT_CONVERSION_HOSTOPS_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace tile {

/// The operations that f32 and f64 have in common, on numbers of the host:
/// `Float`, and unsigned integers as wide.
template <typename Float, typename Integer>
struct HostArithmetic {
  using F = Float;
  using I = Integer;
  using B = bool;

  F number(F value) { return value; }
  I integer(I value) { return value; }
  F add(F x, F y) { return x + y; }
  F sub(F x, F y) { return x - y; }
  F mul(F x, F y) { return x * y; }
  F fma(F x, F y, F z) { return std::fma(x, y, z); }
  F negate(F x) { return -x; }
  F abs(F x) { return std::fabs(x); }
  F copySign(F x, F sign) { return std::copysign(x, sign); }
  I bits(F x) {
    I result;
    std::memcpy(&result, &x, sizeof(F));
    return result;
  }
  F fromBits(I x) {
    F result;
    std::memcpy(&result, &x, sizeof(F));
    return result;
  }
  F toFloat(I x) { return F(Signed(x)); }
  I add(I x, I y) { return x + y; }
  I sub(I x, I y) { return x - y; }
  I band(I x, I y) { return x & y; }
  I bor(I x, I y) { return x | y; }
  I bxor(I x, I y) { return x ^ y; }
  I shl(I x, int count) { return x << count; }
  I lshr(I x, int count) { return x >> count; }
  I ashr(I x, int count) { return I(Signed(x) >> count); }
  B less(F x, F y) { return x < y; }
  B equal(I x, I y) { return x == y; }
  B below(I x, I y) { return x < y; }
  template <typename T>
  T select(B condition, T x, T y) {
    return condition ? x : y;
  }

private:
  using Signed = std::make_signed_t<Integer>;
};

/// The operations of MathFunctions on numbers of the host.
struct HostOps : HostArithmetic<float, uint32_t> {
  using L = uint64_t;
  using HostArithmetic::add, HostArithmetic::mul, HostArithmetic::shl,
      HostArithmetic::lshr, HostArithmetic::band, HostArithmetic::bor,
      HostArithmetic::toFloat;

  /// How far the chip's approximations are off, in ulps.
  int deviation = 0;

  F off(double exact) const {
    float value = float(exact);
    if (!std::isfinite(value) || value == 0.0f)
      return value;
    for (int i = 0; i < std::abs(deviation); ++i)
      value = std::nextafter(value, deviation > 0 ? INFINITY : -INFINITY);
    return std::fabs(value) < 0x1p-126f ? 0.0f : value;
  }
  static F flush(F x) { return std::fabs(x) < 0x1p-126f ? x * 0.0f : x; }

  L wide(uint64_t value) { return value; }
  F floor(F x) { return std::floor(x); }
  F minNumber(F x, F y) { return std::fmin(x, y); }
  F maxNumber(F x, F y) { return std::fmax(x, y); }
  F minimum(F x, F y) { return x != x ? x : y != y ? y : std::fmin(x, y); }
  F maximum(F x, F y) { return x != x ? x : y != y ? y : std::fmax(x, y); }
  F exp2(F x) { return off(std::exp2(double(flush(x)))); }
  F log2(F x) { return off(std::log2(double(x))); }
  F reciprocal(F x) { return off(1.0 / double(flush(x))); }
  F reciprocalSqrt(F x) { return off(1.0 / std::sqrt(double(x))); }
  F toFloat(L x) { return float(int64_t(x)); }
  I mux(I mask, I x, I y) { return (mask & x) | (~mask & y); }
  I funnel(I high, I low, I count) {
    return ((L(high) << 32 | low) << count) >> 32;
  }
  L extend(I x) { return x; }
  I truncate(L x) { return I(x); }
  L add(L x, L y) { return x + y; }
  L mul(L x, L y) { return x * y; }
  L shl(L x, int count) { return x << count; }
  L lshr(L x, int count) { return x >> count; }
  B band(B x, B y) { return x && y; }
  B bor(B x, B y) { return x || y; }
};

/// Distance in units of the last place of `exact` in f32; 0 where both are the
/// same special value, and infinite where one alone is.
inline double ulps(float got, double exact) {
  float rounded = float(exact);
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) == std::isnan(got) ? 0.0 : INFINITY;
  if (std::isinf(rounded) || std::isinf(got)) {
    if (got == rounded)
      return 0.0;
    // One is the largest finite number: measured as if the range went on.
    if (std::isinf(exact))
      return INFINITY;
    double reach = std::isinf(got) ? std::copysign(0x1p128, got) : got;
    return std::fabs(reach - exact) / 0x1p104;
  }
  int exponent = exact == 0.0 ? -126 : std::max(std::ilogb(exact), -126);
  return std::fabs(got - exact) / std::ldexp(1.0, exponent - 23);
}

/// The bits of a result; all NaNs are one.
inline uint32_t bitsOf(float x) {
  if (std::isnan(x))
    return 0x7fc00000;
  uint32_t bits;
  std::memcpy(&bits, &x, 4);
  return bits;
}

} // namespace tile

#endif // TILE_TEST_UNIT_CONVERSION_HOSTOPS_H
