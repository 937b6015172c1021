//===- FloatFormatTest.cpp - Rounding of narrow floats --------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatFormat.h"
#include "llvm/ADT/APFloat.h"
#include <gtest/gtest.h>
#include <random>

using namespace tile::interpreter;

namespace {
/// LLVM's own conversion, the independent reference.
uint64_t reference(double value, const llvm::fltSemantics &semantics) {
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.bitcastToAPInt().getZExtValue();
}

double decodeByLLVM(unsigned bits, const llvm::fltSemantics &semantics) {
  unsigned width = llvm::APFloat::getSizeInBits(semantics);
  llvm::APFloat number(semantics, llvm::APInt(width, bits));
  bool losesInfo;
  number.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

/// Every value of the format, the middles between neighbours and what lies a
/// little beside them.
template <class Format>
void checkFormat(const llvm::fltSemantics &semantics) {
  unsigned count = 1u << llvm::APFloat::getSizeInBits(semantics);
  for (unsigned bits = 0; bits < count; ++bits) {
    double value = decodeByLLVM(bits, semantics);
    float decoded = Format::decode(bits);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(decoded)) << bits;
      EXPECT_TRUE(std::isnan(Format::decode(Format::encode(value)))) << bits;
      continue;
    }
    ASSERT_EQ(double(decoded), value) << bits;
    ASSERT_EQ(std::signbit(decoded), std::signbit(value)) << bits;
    ASSERT_EQ(Format::encode(value), bits);
    double next = decodeByLLVM(bits + 1 < count ? bits + 1 : bits, semantics);
    if (!std::isfinite(value) || !std::isfinite(next))
      continue;
    double middle = value / 2 + next / 2;
    for (double x :
         {middle, std::nextafter(middle, value), std::nextafter(middle, next)})
      ASSERT_EQ(Format::encode(x), reference(x, semantics)) << x;
  }
}
} // namespace

/// Conversions agree with LLVM's on every value and at every tie.
TEST(FloatFormat, agreesWithLLVM) {
  checkFormat<F16Format>(llvm::APFloat::IEEEhalf());
  checkFormat<BF16Format>(llvm::APFloat::BFloat());
  checkFormat<F8E5M2Format>(llvm::APFloat::Float8E5M2());
  checkFormat<F8E4M3FNFormat>(llvm::APFloat::Float8E4M3FN());
}

/// What f8E4M3FN cannot hold, infinity included, becomes 448; NaN survives.
TEST(FloatFormat, f8E4M3FNSaturates) {
  EXPECT_EQ(F8E4M3FNFormat::decode(F8E4M3FNFormat::encode(1e9)), 448.0f);
  EXPECT_EQ(F8E4M3FNFormat::decode(F8E4M3FNFormat::encode(-INFINITY)), -448.0f);
  EXPECT_EQ(F8E4M3FNFormat::decode(F8E4M3FNFormat::encode(464.5)), 448.0f);
  EXPECT_TRUE(std::isnan(F8E4M3FNFormat::decode(F8E4M3FNFormat::encode(NAN))));
}

/// f16 and f8E5M2 overflow to infinity from half an ulp past the largest value.
TEST(FloatFormat, overflowsToInfinity) {
  EXPECT_EQ(F16Format::encode(65519.99), 0x7bffu);
  EXPECT_EQ(F16Format::encode(65520.0), 0x7c00u);
  EXPECT_EQ(F8E5M2Format::encode(-61440.0), 0xfcu);
}

/// tf32 keeps 10 bits of mantissa, rounded to nearest even: 4097 and
/// 1 + 3 * 2^-12 as in the documentation of dot.
TEST(FloatFormat, tf32RoundsToNearest) {
  EXPECT_EQ(roundToTf32(4097.0f), 4096.0f);
  EXPECT_EQ(roundToTf32(1.0f + 3.0f / 4096), 1.0009765625f);
  EXPECT_EQ(roundToTf32(1.0f + 1.0f / 2048), 1.0f);
  EXPECT_EQ(roundToTf32(1.0f + 3.0f / 2048), 1.001953125f);
}

/// fma of narrow floats rounds once: a tie that a far smaller addend breaks.
TEST(FloatFormat, fmaRoundsOnce) {
  double a = 1 + 1.0 / 128, c = std::ldexp(1.0, -80);
  // 1 + 2^-7 squared is 1 + 2^-6 + 2^-14, no tie; a tie needs 9 bits: 257 * 1.
  EXPECT_EQ(BF16Format::decode(BF16Format::encode(fmaRoundedToOdd(257, 1, c))),
            258.0f);
  EXPECT_EQ(BF16Format::decode(BF16Format::encode(fmaRoundedToOdd(257, 1, 0))),
            256.0f);
  EXPECT_EQ(BF16Format::decode(BF16Format::encode(fmaRoundedToOdd(257, 1, -c))),
            256.0f);
  EXPECT_EQ(fmaRoundedToOdd(a, a, 0), a * a);
}
