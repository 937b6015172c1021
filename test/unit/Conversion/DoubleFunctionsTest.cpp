//===- DoubleFunctionsTest.cpp - Ulps of the functions of f64 -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that the compiler emits, computed on the host and compared with
// long double.  The chip has nothing that IEEE 754 leaves open here, so that it
// gives the same bits.  Operands are random bits and random numbers of the
// interval where the function changes.
//
//===----------------------------------------------------------------------===//

#include "DoubleFunctions.h"
#include "HostOps.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace tile;

namespace {

/// The operations of DoubleFunctions on numbers of the host.
struct HostDoubleOps : HostArithmetic<double, uint64_t> {
  using HostArithmetic::mul;

  F div(F x, F y) { return x / y; }
  F sqrt(F x) { return std::sqrt(x); }
  I mul(I x, I y) { return x * y; }
  I mulHigh(I x, I y) {
    I lowX = uint32_t(x), lowY = uint32_t(y);
    I middle = (x >> 32) * lowY + (lowX * lowY >> 32);
    I other = lowX * (y >> 32) + uint32_t(middle);
    return (x >> 32) * (y >> 32) + (middle >> 32) + (other >> 32);
  }
  I funnel(I high, I low, I count) {
    return count == 0 ? high : high << count | low >> (64 - count);
  }
};

using Functions = DoubleFunctions<HostDoubleOps>;
using Exact = long double;

Functions::Quadrant quadrant(Functions &f, double x) {
  bool isFar = !(std::fabs(x) <= Functions::kFarLimit);
  return isFar ? f.quadrantOfFar(x) : f.quadrantOfNear(x);
}

struct Case {
  const char *name;
  double (*ours)(Functions &, double);
  Exact (*exact)(Exact);
  /// Random operands are of the size of these, too.
  double least, most;
  /// What docs/Numerics.md promises.
  double maxUlps;
};

const Case kCases[] = {
    {"exp", [](Functions &f, double x) { return f.exp(x); }, std::exp, -746,
     710, 0.8},
    {"exp2", [](Functions &f, double x) { return f.exp2(x); }, std::exp2, -1076,
     1024, 0.8},
    {"expm1", [](Functions &f, double x) { return f.expm1(x); }, std::expm1,
     -40, 2, 1.1},
    {"tanh", [](Functions &f, double x) { return f.tanh(x); }, std::tanh, -1,
     20, 1.5},
    {"sinh", [](Functions &f, double x) { return f.sinh(x); }, std::sinh, -3,
     711, 1.75},
    {"cosh", [](Functions &f, double x) { return f.cosh(x); }, std::cosh, -3,
     711, 1.15},
    {"erf", [](Functions &f, double x) { return f.erf(x); }, std::erf, -2, 6,
     1.3},
    {"erfc", [](Functions &f, double x) { return f.erfc(x); }, std::erfc, -1,
     28, 1.3},
    {"log", [](Functions &f, double x) { return f.log(x); }, std::log, 0.3, 3,
     0.7},
    {"log2", [](Functions &f, double x) { return f.log2(x); }, std::log2, 0.3,
     3, 0.7},
    {"log10", [](Functions &f, double x) { return f.log10(x); }, std::log10,
     0.3, 3, 0.7},
    {"log1p", [](Functions &f, double x) { return f.log1p(x); }, std::log1p, -1,
     2, 0.7},
    {"sin", [](Functions &f, double x) { return f.sin(x, quadrant(f, x)); },
     std::sin, -10, 1e5, 0.8},
    {"cos", [](Functions &f, double x) { return f.cos(quadrant(f, x)); },
     std::cos, -10, 1e5, 0.8},
    {"tan", [](Functions &f, double x) { return f.tan(x, quadrant(f, x)); },
     std::tan, -10, 1e5, 0.9},
    {"atan", [](Functions &f, double x) { return f.atan(x); }, std::atan, -3, 3,
     0.9},
    {"asin", [](Functions &f, double x) { return f.asin(x); }, std::asin, -1, 1,
     1.75},
    {"acos", [](Functions &f, double x) { return f.acos(x); }, std::acos, -1, 1,
     1.6},
    {"asinh", [](Functions &f, double x) { return f.asinh(x); }, std::asinh, -3,
     3, 1.1},
    {"acosh", [](Functions &f, double x) { return f.acosh(x); }, std::acosh, 1,
     3, 1.1},
    {"atanh", [](Functions &f, double x) { return f.atanh(x); }, std::atanh, -1,
     1, 1.1},
    {"cbrt", [](Functions &f, double x) { return f.cbrt(x); }, std::cbrt, -8, 8,
     0.6},
};

/// Distance in units of the last place of `exact` in f64; 0 where both are the
/// same special value, and infinite where one alone is.
double ulps(double got, Exact exact) {
  double rounded = double(exact);
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) == std::isnan(got) ? 0.0 : INFINITY;
  if (std::isinf(rounded) || std::isinf(got)) {
    if (got == rounded)
      return 0.0;
    // One is the largest finite number: measured as if the range went on.
    if (std::isinf(exact))
      return INFINITY;
    Exact reach = std::isinf(got) ? std::copysign(0x1p1024L, got) : Exact(got);
    return double(std::fabs(reach - exact) / 0x1p971L);
  }
  int exponent = exact == 0 ? -1022 : std::max(std::ilogb(exact), -1022);
  return double(std::fabs(Exact(got) - exact) /
                std::ldexp(1.0L, exponent - 52));
}

class DoubleSweep : public testing::TestWithParam<Case> {
protected:
  void tryOperand(double x) {
    const Case &test = GetParam();
    HostDoubleOps ops;
    Functions functions(ops);
    double error = ulps(test.ours(functions, x), test.exact(Exact(x)));
    if (error > largest) {
      largest = error;
      worst = x;
    }
  }
  void run(int count) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> usual(GetParam().least,
                                                 GetParam().most);
    std::uniform_real_distribution<double> exponents(-8.0, 8.0);
    HostDoubleOps ops;
    for (int i = 0; i < count; ++i) {
      tryOperand(ops.fromBits(random()));
      tryOperand(usual(random));
      // Near zero and one, where there is something to cancel.
      double size = std::exp2(exponents(random));
      tryOperand(random() % 2 ? size : -size);
      tryOperand(1.0 + size / 4096.0);
      tryOperand(1.0 - size / 4096.0);
      // As near to a multiple of pi/2 as there is one.
      tryOperand(double(1.57079632679489661923L * (random() >> 38)));
    }
    EXPECT_LE(largest, GetParam().maxUlps)
        << GetParam().name << "(" << worst << ")";
    printf("%s: %.3f ulp at %a\n", GetParam().name, largest, worst);
  }

  double largest = 0.0, worst = 0.0;
};

// The error stays below what the documentation promises.
TEST_P(DoubleSweep, Sample) { run(40000); }
TEST_P(DoubleSweep, DISABLED_Many) { run(4000000); }

INSTANTIATE_TEST_SUITE_P(Functions, DoubleSweep, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case> &info) {
                           return info.param.name;
                         });

/// The bits of a result; all NaNs are one.
uint64_t bitsOf(double x) {
  if (std::isnan(x))
    return 0x7ff8000000000000;
  return HostDoubleOps().bits(x);
}

// Zeros keep their sign, infinities and NaN give what C99 says, and what
// overflows or vanishes does so at the right place.
TEST(DoubleSpecial, Values) {
  double specials[] = {0.0,
                       -0.0,
                       INFINITY,
                       -INFINITY,
                       NAN,
                       1.0,
                       -1.0,
                       0x1p-1074,
                       -0x1p-1074,
                       0x1p-1022,
                       -0x1p-1022,
                       0x1.8p-1023,
                       0x1p-54,
                       -0x1p-60,
                       0x1.fffffffffffffp1023,
                       -0x1.fffffffffffffp1023};
  HostDoubleOps ops;
  Functions functions(ops);
  for (const Case &test : kCases)
    for (double x : specials) {
      double got = test.ours(functions, x), exact = double(test.exact(x));
      if (!std::isfinite(exact) || exact == 0.0)
        EXPECT_EQ(bitsOf(got), bitsOf(exact)) << test.name << "(" << x << ")";
      else
        EXPECT_LE(ulps(got, test.exact(x)), test.maxUlps)
            << test.name << "(" << x << ")";
    }
}

// The last operands whose result is finite, and not zero.
TEST(DoubleSpecial, EndsOfTheRange) {
  HostDoubleOps ops;
  Functions f(ops);
  EXPECT_LT(f.exp(0x1.62e42fefa39efp+9), INFINITY);
  EXPECT_EQ(f.exp(0x1.62e42fefa39f0p+9), INFINITY);
  EXPECT_EQ(f.exp(-0x1.74910d52d3051p+9), 0x1p-1074);
  EXPECT_EQ(f.exp(-0x1.74910d52d3052p+9), 0.0);
  EXPECT_EQ(f.exp2(0x1.fffffffffffffp+9), 0x1.ffffffffffd3ap+1023);
  EXPECT_EQ(f.exp2(1024.0), INFINITY);
  EXPECT_EQ(f.exp2(-1074.0), 0x1p-1074);
  EXPECT_EQ(f.exp2(-1075.0), 0.0);
  EXPECT_LT(f.sinh(0x1.633ce8fb9f87dp+9), INFINITY);
  EXPECT_EQ(f.sinh(0x1.633ce8fb9f87ep+9), INFINITY);
}

// Of all numbers, 6381956970095103 * 2^797 is the nearest to a multiple of
// pi/2, and the 192 digits suffice for it.
TEST(DoubleSpecial, WorstReduction) {
  HostDoubleOps ops;
  Functions f(ops);
  double x = std::ldexp(6381956970095103.0, 797);
  EXPECT_LE(ulps(f.cos(quadrant(f, x)), std::cos(Exact(x))), 0.8);
  EXPECT_LE(ulps(f.sin(x, quadrant(f, x)), std::sin(Exact(x))), 0.8);
}

struct BinaryCase {
  const char *name;
  double (*ours)(Functions &, double, double);
  Exact (*exact)(Exact, Exact);
  double maxUlps;
};

const BinaryCase kBinaryCases[] = {
    {"pow", [](Functions &f, double x, double y) { return f.pow(x, y); },
     std::pow, 0.8},
    {"atan2", [](Functions &f, double x, double y) { return f.atan2(x, y); },
     std::atan2, 1.3},
};

class DoublePairs : public testing::TestWithParam<BinaryCase> {
protected:
  void tryOperands(double x, double y) {
    const BinaryCase &test = GetParam();
    HostDoubleOps ops;
    Functions functions(ops);
    double error = ulps(test.ours(functions, x, y), test.exact(x, y));
    if (error > largest) {
      largest = error;
      worst[0] = x;
      worst[1] = y;
    }
  }
  void run(int count) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> exponents(-20.0, 20.0);
    HostDoubleOps ops;
    for (int i = 0; i < count; ++i) {
      double any = ops.fromBits(random()), other = ops.fromBits(random());
      double x = std::exp2(exponents(random)), y = std::exp2(exponents(random));
      tryOperands(any, other);
      tryOperands(any, y);
      tryOperands(x, random() % 2 ? y : -y);
      tryOperands(-x, std::floor(y));
      // Two close numbers, a power near 1, and one near the end of the range.
      tryOperands(x, x * (1.0 + y / 0x1p30));
      tryOperands(1.0 + y / 0x1p26, x);
      tryOperands(y, exponents(random) * 53.0 / std::log2(y));
    }
    EXPECT_LE(largest, GetParam().maxUlps)
        << GetParam().name << "(" << worst[0] << ", " << worst[1] << ")";
    printf("%s: %.3f ulp at %a, %a\n", GetParam().name, largest, worst[0],
           worst[1]);
  }

  double largest = 0.0, worst[2] = {};
};

// The error of functions of two numbers stays below it, too.
TEST_P(DoublePairs, Sample) { run(40000); }
TEST_P(DoublePairs, DISABLED_Many) { run(4000000); }

// All pairs of special values and of integers, odd and even, give what C99
// says.
TEST_P(DoublePairs, Special) {
  double specials[] = {0.0,
                       INFINITY,
                       NAN,
                       1.0,
                       2.0,
                       3.0,
                       0.5,
                       1.5,
                       0x1p-1074,
                       0x1p-1022,
                       0x1p52,
                       0x1p53,
                       0x1.fffffffffffffp51,
                       0x1.fffffffffffffp52,
                       0x1.fffffffffffffp1023,
                       0x1.fffffffffffffp-1,
                       0x1.0000000000001p0};
  HostDoubleOps ops;
  Functions functions(ops);
  for (double x : specials)
    for (double y : specials)
      for (int signs = 0; signs < 4; ++signs) {
        double a = signs & 1 ? -x : x, b = signs & 2 ? -y : y;
        double got = GetParam().ours(functions, a, b);
        Exact exact = GetParam().exact(a, b);
        if (!std::isfinite(double(exact)) || double(exact) == 0.0)
          EXPECT_EQ(bitsOf(got), bitsOf(double(exact))) << a << ", " << b;
        else
          EXPECT_LE(ulps(got, exact), GetParam().maxUlps) << a << ", " << b;
      }
}

INSTANTIATE_TEST_SUITE_P(Functions, DoublePairs,
                         testing::ValuesIn(kBinaryCases),
                         [](const testing::TestParamInfo<BinaryCase> &info) {
                           return info.param.name;
                         });

// Powers of integers, of those that no f64 holds as well, keep the same bound;
// the exponent's parity is that of its last bit.
class DoublePowers : public testing::Test {
protected:
  void tryOperands(double x, int64_t n) {
    HostDoubleOps ops;
    Functions functions(ops);
    double got = functions.powi(x, uint64_t(n));
    Exact exact = std::pow(Exact(std::fabs(x)), Exact(n));
    if (n & 1)
      exact = std::copysign(exact, Exact(x));
    if (!std::isfinite(double(exact)) || double(exact) == 0.0)
      EXPECT_EQ(bitsOf(got), bitsOf(double(exact))) << x << ", " << n;
    double error = ulps(got, exact);
    if (error > largest) {
      largest = error;
      worst = x;
      worstPower = n;
    }
  }
  void run(int count) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> exponents(-1.0, 1.0);
    HostDoubleOps ops;
    for (int i = 0; i < count; ++i) {
      tryOperands(ops.fromBits(random()), int64_t(random()) >> random() % 64);
      tryOperands(std::exp2(exponents(random) * 20), int64_t(random()) >> 58);
      // A power inside the range, of every size of exponents.
      int64_t n = int64_t(random()) >> random() % 64;
      double x = std::exp2(exponents(random) * 1070.0 / double(n | 1));
      tryOperands(random() % 2 ? x : -x, n);
    }
    EXPECT_LE(largest, 0.8) << worst << ", " << worstPower;
    printf("powi: %.3f ulp at %a, %ld\n", largest, worst, long(worstPower));
  }

  double largest = 0.0, worst = 0.0;
  int64_t worstPower = 0;
};

TEST_F(DoublePowers, Sample) { run(40000); }
TEST_F(DoublePowers, DISABLED_Many) { run(4000000); }

TEST_F(DoublePowers, Special) {
  for (int64_t n :
       {int64_t(0), int64_t(1), int64_t(-1), int64_t(2), int64_t(-2),
        int64_t(3), int64_t(7), int64_t(100), int64_t(-100), int64_t(1) << 53,
        (int64_t(1) << 53) + 1, -(int64_t(1) << 53) - 1, INT64_MAX, INT64_MIN})
    for (double x : {0.0, -0.0, 1.0, -1.0, 1.5, -1.5, 0x1.0000000000001p0,
                     -0x1.0000000000001p0, 0x1.fffffffffffffp-1,
                     -0x1.fffffffffffffp-1, 0x1p-1074, -0x1p-1074,
                     double(INFINITY), -double(INFINITY), double(NAN)})
      tryOperands(x, n);
  EXPECT_LE(largest, 0.8) << worst << ", " << worstPower;
}

} // namespace
