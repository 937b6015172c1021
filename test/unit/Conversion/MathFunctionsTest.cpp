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

#include "ArcFunctions.h"
#include "HostOps.h"
#include "HyperbolicFunctions.h"

#include "gtest/gtest.h"

#include <random>
#include <vector>

using namespace tile;

namespace {

/// The functions of all headers.
class Functions : public MathFunctions<HostOps> {
public:
  explicit Functions(HostOps &ops)
      : MathFunctions(ops), powers(ops), arcs(ops) {}
  HyperbolicFunctions<HostOps> powers;
  ArcFunctions<HostOps> arcs;
};

float sine(Functions &f, float x) {
  bool isFar = !(std::fabs(x) <= Functions::kFarLimit);
  return f.sin(x, isFar ? f.quadrantOfFar(x) : f.quadrantOfNear(x));
}
float cosine(Functions &f, float x) {
  bool isFar = !(std::fabs(x) <= Functions::kFarLimit);
  return f.cos(isFar ? f.quadrantOfFar(x) : f.quadrantOfNear(x));
}

float tangent(Functions &f, float x) {
  bool isFar = !(std::fabs(x) <= Functions::kFarLimit);
  return f.arcs.tan(x, isFar ? f.quadrantOfFar(x) : f.quadrantOfNear(x));
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
    {"expm1", [](Functions &f, float x) { return f.powers.expm1(x); },
     std::expm1, 2.0},
    {"sinh", [](Functions &f, float x) { return f.powers.sinh(x); }, std::sinh,
     2.5},
    {"cosh", [](Functions &f, float x) { return f.powers.cosh(x); }, std::cosh,
     2.0},
    {"log1p", [](Functions &f, float x) { return f.powers.log1p(x); },
     std::log1p, 2.0},
    {"asinh", [](Functions &f, float x) { return f.powers.asinh(x); },
     std::asinh, 1.5},
    {"acosh", [](Functions &f, float x) { return f.powers.acosh(x); },
     std::acosh, 2.0},
    {"atanh", [](Functions &f, float x) { return f.powers.atanh(x); },
     std::atanh, 1.5},
    {"cbrt", [](Functions &f, float x) { return f.powers.cbrt(x); }, std::cbrt,
     1.0},
    {"erfc", [](Functions &f, float x) { return f.powers.erfc(x); }, std::erfc,
     4.0},
    {"tan", tangent, std::tan, 3.5},
    {"asin", [](Functions &f, float x) { return f.arcs.asin(x); }, std::asin,
     2.5},
    {"acos", [](Functions &f, float x) { return f.arcs.acos(x); }, std::acos,
     1.5},
    {"atan", [](Functions &f, float x) { return f.arcs.atan(x); }, std::atan,
     3.0},
};

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

struct BinaryCase {
  const char *name;
  float (*ours)(Functions &, float, float);
  double (*exact)(double, double);
  double maxUlps;
};

const BinaryCase kBinaryCases[] = {
    {"pow", [](Functions &f, float x, float y) { return f.powers.pow(x, y); },
     std::pow, 2.0},
    {"atan2", [](Functions &f, float y, float x) { return f.arcs.atan2(y, x); },
     std::atan2, 2.0},
};

class BinarySweep : public testing::TestWithParam<BinaryCase> {};

// Operands of all sizes, and pairs whose power or quotient is an f32.
TEST_P(BinarySweep, Sample) {
  const BinaryCase &test = GetParam();
  HostOps ops;
  std::mt19937 random(1);
  for (int deviation : {-2, 0, 2}) {
    ops.deviation = deviation;
    Functions functions(ops);
    double largest = 0.0;
    float worstX = 0.0f, worstY = 0.0f;
    for (int i = 0; i < 1000000; ++i) {
      float x = ops.fromBits(random()), y = ops.fromBits(random());
      if (i % 4 == 1)
        y = std::ldexp(float(random()) / 0x1p31f, -std::ilogb(x) / 16) - 1.0f;
      if (i % 4 == 2) // A base near 1 and its powers of all sizes.
        x = 1.0f + std::ldexp(float(random()) / 0x1p32f - 0.5f, -(i % 23)),
        y = float(int32_t(random())) / 0x1p24f / std::log(x);
      if (i % 4 == 3) // Results of all sizes of a base of any.
        y = float(int32_t(random())) / 0x1p24f / std::log(std::fabs(x));
      double error = ulps(test.ours(functions, x, y), test.exact(x, y));
      if (error > largest)
        largest = error, worstX = x, worstY = y;
    }
    EXPECT_LE(largest, test.maxUlps);
    printf("%s, approximations off by %d: %.3f ulp at %a, %a\n", test.name,
           deviation, largest, worstX, worstY);
  }
}

INSTANTIATE_TEST_SUITE_P(Functions, BinarySweep,
                         testing::ValuesIn(kBinaryCases),
                         [](const testing::TestParamInfo<BinaryCase> &info) {
                           return info.param.name;
                         });

// All pairs of special operands give what C99 says, with its sign.
TEST(Special, Pairs) {
  std::vector<float> specials = {0.0f,
                                 1.0f,
                                 0.5f,
                                 2.0f,
                                 3.0f,
                                 2.5f,
                                 8.0f,
                                 0x1p-149f,
                                 0x1p-126f,
                                 INFINITY,
                                 0x1.fffffep127f,
                                 0x1p24f,
                                 NAN,
                                 1e30f,
                                 0x1p23f,
                                 8388609.0f,
                                 0x1.fffffep-1f,
                                 0x1.000002p0f};
  for (size_t i = 0, count = specials.size(); i < count; ++i)
    specials.push_back(-specials[i]);
  HostOps ops;
  Functions functions(ops);
  for (const BinaryCase &test : kBinaryCases)
    for (float x : specials)
      for (float y : specials) {
        float got = test.ours(functions, x, y);
        float exact = float(test.exact(x, y));
        bool isSpecial = !std::isfinite(exact) || exact == 0.0f;
        if (isSpecial)
          EXPECT_EQ(bitsOf(got), bitsOf(exact))
              << test.name << "(" << x << ", " << y << ")";
        else
          EXPECT_LE(ulps(got, test.exact(x, y)), test.maxUlps)
              << test.name << "(" << x << ", " << y << ")";
      }
}

// An integer power has all digits of its exponent, and its parity.
TEST(Special, IntegerPowers) {
  HostOps ops;
  Functions functions(ops);
  for (int32_t n : {0, 1, -1, 2, -2, 3, 7, 100, -100, 16777217, -16777219,
                    2147483647, -2147483647 - 1})
    for (float x : {0.0f, -0.0f, 1.0f, -1.0f, 1.5f, -1.5f, 0x1.000002p0f,
                    -0x1.000002p0f, 0x1.fffffep-1f, -0x1.fffffep-1f, 0x1p-149f,
                    -0x1p-149f, INFINITY, -INFINITY, NAN}) {
      float got = functions.powers.powi(x, uint32_t(n));
      double exact = std::pow(double(x), double(n));
      if (!std::isfinite(float(exact)) || float(exact) == 0.0f)
        EXPECT_EQ(bitsOf(got), bitsOf(float(exact))) << x << ", " << n;
      else
        EXPECT_LE(ulps(got, exact), 2.0) << x << ", " << n;
    }
}

} // namespace
