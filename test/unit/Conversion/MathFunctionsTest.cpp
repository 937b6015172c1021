//===- MathFunctionsTest.cpp - Ulps of the elementary functions -----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that the compiler emits, computed on the host and compared with
// f64.  The chip's approximations are off by up to two ulps here, as its manual
// allows.  By default one operand in a thousand is tried; the disabled test
// tries all (--gtest_also_run_disabled_tests).
//
//===----------------------------------------------------------------------===//

#include "MathFunctions.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace tile;

namespace {

/// The operations of MathFunctions on numbers of the host.
struct HostOps {
  using F = float;
  using I = uint32_t;
  using L = uint64_t;
  using B = bool;

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

  F number(float value) { return value; }
  I integer(uint32_t value) { return value; }
  L wide(uint64_t value) { return value; }
  F add(F x, F y) { return x + y; }
  F sub(F x, F y) { return x - y; }
  F mul(F x, F y) { return x * y; }
  F fma(F x, F y, F z) { return std::fma(x, y, z); }
  F negate(F x) { return -x; }
  F abs(F x) { return std::fabs(x); }
  F copySign(F x, F sign) { return std::copysign(x, sign); }
  F minNumber(F x, F y) { return std::fmin(x, y); }
  F maxNumber(F x, F y) { return std::fmax(x, y); }
  F exp2(F x) { return off(std::exp2(double(flush(x)))); }
  F log2(F x) { return off(std::log2(double(x))); }
  F reciprocal(F x) { return off(1.0 / double(flush(x))); }
  I bits(F x) {
    I result;
    std::memcpy(&result, &x, 4);
    return result;
  }
  F fromBits(I x) {
    F result;
    std::memcpy(&result, &x, 4);
    return result;
  }
  F toFloat(I x) { return float(int32_t(x)); }
  F toFloat(L x) { return float(int64_t(x)); }
  I add(I x, I y) { return x + y; }
  I sub(I x, I y) { return x - y; }
  I band(I x, I y) { return x & y; }
  I bor(I x, I y) { return x | y; }
  I bxor(I x, I y) { return x ^ y; }
  I shl(I x, int count) { return x << count; }
  I lshr(I x, int count) { return x >> count; }
  I ashr(I x, int count) { return I(int32_t(x) >> count); }
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
  B less(F x, F y) { return x < y; }
  B equal(I x, I y) { return x == y; }
  B below(I x, I y) { return x < y; }
  template <typename T>
  T select(B condition, T x, T y) {
    return condition ? x : y;
  }
};

using Functions = MathFunctions<HostOps>;

float sine(Functions &f, float x) {
  bool isFar = !(std::fabs(x) <= Functions::kFarLimit);
  return f.sin(x, isFar ? f.quadrantOfFar(x) : f.quadrantOfNear(x));
}
float cosine(Functions &f, float x) {
  bool isFar = !(std::fabs(x) <= Functions::kFarLimit);
  return f.cos(isFar ? f.quadrantOfFar(x) : f.quadrantOfNear(x));
}

struct Case {
  const char *name;
  float (*ours)(Functions &, float);
  double (*exact)(double);
  /// What docs/Numerics.md promises.
  double maxUlps;
};

const Case kCases[] = {
    {"exp", [](Functions &f, float x) { return f.exp(x); }, std::exp, 4.6},
    {"log", [](Functions &f, float x) { return f.log(x); }, std::log, 1.0},
    {"log2", [](Functions &f, float x) { return f.log2(x); }, std::log2, 2.0},
    {"log10", [](Functions &f, float x) { return f.log10(x); }, std::log10,
     2.0},
    {"tanh", [](Functions &f, float x) { return f.tanh(x); }, std::tanh, 2.5},
    {"erf", [](Functions &f, float x) { return f.erf(x); }, std::erf, 2.0},
    {"sin", sine, std::sin, 2.5},
    {"cos", cosine, std::cos, 2.5},
};

/// Distance in units of the last place of `exact` in f32; 0 where both are the
/// same special value, and infinite where one alone is.
double ulps(float got, double exact) {
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

/// Tries every `stride`th operand; returns the largest error.
double sweep(const Case &test, int deviation, uint32_t stride, float &worst) {
  HostOps ops;
  ops.deviation = deviation;
  Functions functions(ops);
  double largest = 0.0;
  for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += stride) {
    float x = ops.fromBits(uint32_t(bits));
    double error = ulps(test.ours(functions, x), test.exact(x));
    if (error > largest) {
      largest = error;
      worst = x;
    }
  }
  return largest;
}

class Sweep : public testing::TestWithParam<Case> {
protected:
  void run(uint32_t stride) {
    for (int deviation : {-2, 0, 2}) {
      float worst = 0.0f;
      double error = sweep(GetParam(), deviation, stride, worst);
      EXPECT_LE(error, GetParam().maxUlps)
          << GetParam().name << "(" << worst << ")";
      RecordProperty("deviation" + std::to_string(deviation),
                     std::to_string(error));
      printf("%s, approximations off by %d: %.3f ulp at %a\n", GetParam().name,
             deviation, error, worst);
    }
  }
};

// The error stays below what the documentation promises.
TEST_P(Sweep, Sample) { run(997); }
TEST_P(Sweep, DISABLED_All) { run(1); }

INSTANTIATE_TEST_SUITE_P(Functions, Sweep, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case> &info) {
                           return info.param.name;
                         });

/// The bits of a result; all NaNs are one.
uint32_t bitsOf(float x) {
  if (std::isnan(x))
    return 0x7fc00000;
  uint32_t bits;
  std::memcpy(&bits, &x, 4);
  return bits;
}

// Zeros keep their sign, infinities and NaN give what IEEE 754 recommends, and
// what overflows or vanishes does so at the right place.
TEST(Special, Values) {
  float specials[] = {0.0f,       -0.0f,     INFINITY,        -INFINITY,
                      NAN,        1.0f,      -1.0f,           0x1p-149f,
                      -0x1p-149f, 0x1p-126f, 0x1.fffffep127f, -0x1.fffffep127f};
  HostOps ops;
  Functions functions(ops);
  for (const Case &test : kCases)
    for (float x : specials) {
      float got = test.ours(functions, x), exact = float(test.exact(x));
      bool isSpecial = !std::isfinite(exact) || exact == 0.0f;
      if (isSpecial)
        EXPECT_EQ(bitsOf(got), bitsOf(exact)) << test.name << "(" << x << ")";
      else
        EXPECT_LE(ulps(got, test.exact(x)), test.maxUlps)
            << test.name << "(" << x << ")";
    }
}

// Subnormal results of exp are rounded once.
TEST(Special, SubnormalExp) {
  HostOps ops;
  Functions functions(ops);
  EXPECT_EQ(functions.exp(-103.0f), float(std::exp(-103.0)));
  EXPECT_EQ(functions.exp(-104.0f), 0.0f);
  EXPECT_LT(functions.exp(88.7228f), INFINITY);
  EXPECT_EQ(functions.exp(88.72284f), INFINITY);
}

} // namespace
