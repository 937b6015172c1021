//===- FloatFormat.h - Narrow floats and their rounding ---------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_INTERPRETER_FLOATFORMAT_H
#define TILE_LIB_INTERPRETER_FLOATFORMAT_H

#include <cmath>
#include <cstdint>
#include <cstring>

namespace tile::interpreter {

template <class To, class From>
inline To bitsAs(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result;
  std::memcpy(&result, &value, sizeof(To));
  return result;
}

/// A binary float of 8 or 16 bits.  `kFinite` formats have no infinity: what
/// would round past the largest value, infinity included, becomes that value,
/// and all ones is the only NaN (f8E4M3FN).
template <unsigned ExponentBits, unsigned MantissaBits, bool kFinite>
struct FloatFormat {
  static constexpr int kBias = (1 << (ExponentBits - 1)) - 1;
  static constexpr unsigned kSignBit = ExponentBits + MantissaBits;
  static constexpr uint32_t kMantissaMask = (1u << MantissaBits) - 1;
  static constexpr uint32_t kExponentMask = (1u << ExponentBits) - 1;
  /// The bits of infinity, or of the only NaN of a finite format.
  static constexpr uint32_t kTop =
      kFinite ? (1u << kSignBit) - 1 : kExponentMask << MantissaBits;

  /// The value of these bits; exact.
  static float decode(uint32_t bits) {
    uint32_t sign = (bits >> kSignBit) << 31;
    uint32_t magnitude = bits & ((1u << kSignBit) - 1);
    uint32_t exponent = magnitude >> MantissaBits;
    // Scaling by a power of two also makes subnormals right: bf16 has those of
    // f32, and every other format's are normal in f32.
    uint32_t shifted = magnitude << (23 - MantissaBits);
    if constexpr (kBias == 127)
      return bitsAs<float>(sign | shifted);
    bool special = kFinite ? magnitude == kTop : exponent == kExponentMask;
    if (special)
      return bitsAs<float>(
          sign | 0x7f800000u |
          ((magnitude & kMantissaMask) << (23 - MantissaBits)));
    float scaled = bitsAs<float>(shifted) *
                   bitsAs<float>(uint32_t(127 + 127 - kBias) << 23);
    return bitsAs<float>(bitsAs<uint32_t>(scaled) | sign);
  }

  /// The bits of the nearest value, ties to even; NaN stays NaN.
  static uint32_t encode(double value) {
    uint64_t bits = bitsAs<uint64_t>(value);
    uint32_t sign = uint32_t(bits >> 63) << kSignBit;
    uint64_t magnitude = bits & ~(1ull << 63);
    if (magnitude > 0x7ff0000000000000ull)
      return sign | kTop | (kFinite ? 0 : 1u << (MantissaBits - 1));
    // The value is significand * 2^(exponent - 1075), the leading bit included.
    int exponent = int(magnitude >> 52);
    if (exponent == 0)
      return sign; // below half of every format's least value
    uint64_t significand = (magnitude & ((1ull << 52) - 1)) | (1ull << 52);
    int target = exponent - 1023 + kBias;
    // Bits to drop; subnormal results drop more.
    int drop = 52 - int(MantissaBits) + (target < 1 ? 1 - target : 0);
    if (drop > 54)
      return sign;
    uint64_t kept = significand >> drop;
    uint64_t rest = significand & ((1ull << drop) - 1);
    uint64_t half = 1ull << (drop - 1);
    kept += rest > half || (rest == half && (kept & 1));
    // A carry out of the mantissa moves on to the next exponent by itself.
    uint64_t result =
        target < 1 ? kept : (uint64_t(target - 1) << MantissaBits) + kept;
    uint32_t largest = kFinite ? kTop - 1 : kTop;
    return sign | (result > largest ? largest : uint32_t(result));
  }
};

using F8E4M3FNFormat = FloatFormat<4, 3, true>;
using F8E5M2Format = FloatFormat<5, 2, false>;
using F16Format = FloatFormat<5, 10, false>;
using BF16Format = FloatFormat<8, 7, false>;

/// a * b + c, rounded so that a later rounding to at most 11 bits is as if
/// there had been only one: inexact results get an odd last bit.  For operands
/// of at most 11 bits, whose product is exact.
inline double fmaRoundedToOdd(double a, double b, double c) {
  double product = a * b;
  double sum = product + c;
  if (!std::isfinite(sum))
    return sum;
  // The exact error of the addition (Knuth's two-sum).
  double other = sum - product;
  double error = (product - (sum - other)) + (c - other);
  uint64_t bits = bitsAs<uint64_t>(sum);
  if (error != 0 && !(bits & 1))
    bits += (error > 0) == (sum > 0) ? 1 : -1;
  return bitsAs<double>(bits);
}

/// The nearest value with 10 bits of mantissa, ties to even.
inline float roundToTf32(float value) {
  uint32_t bits = bitsAs<uint32_t>(value);
  if ((bits & 0x7f800000u) == 0x7f800000u)
    return value;
  bits += 0xfffu + ((bits >> 13) & 1);
  return bitsAs<float>(bits & ~0x1fffu);
}

/// The value without the bits of the mantissa that tf32 lacks.
inline float cutToTf32(float value) {
  return bitsAs<float>(bitsAs<uint32_t>(value) & ~0x1fffu);
}

} // namespace tile::interpreter

#endif // TILE_LIB_INTERPRETER_FLOATFORMAT_H
