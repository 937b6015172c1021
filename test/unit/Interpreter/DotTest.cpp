//===- DotTest.cpp - Matrix products --------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DotKernel.h"
#include "FloatFormat.h"
#include "InterpreterTest.h"
#include <chrono>
#include <cmath>
#include <random>

using tile::KernelArgument;
using namespace tile::interpreter;

namespace {
class DotTest : public InterpreterTest {
protected:
  /// c + a b for tiles of the sides m, n, k that stand in memory row by row.
  template <class In, class Out>
  std::vector<Out> dot(std::array<int64_t, 3> sides, std::string in,
                       std::string out, std::vector<In> a, std::vector<In> b,
                       std::vector<Out> c, std::string precision = "") {
    auto [m, n, k] = sides;
    auto load = [&](std::string name, std::string type, int64_t rows,
                    int64_t columns) {
      std::string flat = std::to_string(rows * columns);
      std::string shape = std::to_string(rows) + "x" + std::to_string(columns);
      return "%" + name + "i = tile.iota : tensor<" + flat + "xi32>\n%" + name +
             "f = tile.load %" + name + "p[%" + name + "i] : !tile.ptr<" +
             type + ">, tensor<" + flat + "xi32> -> tensor<" + flat + "x" +
             type + ">\n%" + name + " = tile.reshape %" + name + "f : tensor<" +
             flat + "x" + type + "> -> tensor<" + shape + "x" + type + ">\n";
    };
    auto tensor = [](int64_t rows, int64_t columns, std::string type) {
      return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) +
             "x" + type + ">";
    };
    std::string flat = std::to_string(m * n);
    std::string text =
        "tile.kernel @k(%ap: !tile.ptr<" + in + ">, %bp: !tile.ptr<" + in +
        ">, %cp: !tile.ptr<" + out + ">) {\n" + load("a", in, m, k) +
        load("b", in, k, n) + load("c", out, m, n) +
        "%d = tile.dot %a, %b, %c " + precision + " : " + tensor(m, k, in) +
        ", " + tensor(k, n, in) + " -> " + tensor(m, n, out) +
        "\n%df = tile.reshape %d : " + tensor(m, n, out) + " -> tensor<" +
        flat + "x" + out + ">\ntile.store %cp[%ci], %df : !tile.ptr<" + out +
        ">, tensor<" + flat + "xi32>, tensor<" + flat + "x" + out +
        ">\ntile.return\n}\n";
    KernelArgument result = add("c", c);
    EXPECT_TRUE(run(text, {add("a", a), add("b", b), result})) << diagnostics;
    return get<Out>(result);
  }

  std::vector<float> random(size_t count) {
    std::normal_distribution<float> distribution;
    std::vector<float> values(count);
    for (float &value : values)
      value = distribution(generator);
    return values;
  }

  std::mt19937 generator{7};
};
} // namespace

/// An f32 product is a chain of fma in ascending k from the accumulator, bit by
/// bit, for sides that fill blocks and for those that do not.
TEST_F(DotTest, f32IsAChainOfFma) {
  for (std::array<int64_t, 3> sides :
       {std::array<int64_t, 3>{8, 32, 5}, {7, 19, 33}, {1, 1, 1}, {5, 16, 3}}) {
    auto [m, n, k] = sides;
    auto a = random(m * k), b = random(k * n), c = random(m * n);
    auto got = dot(sides, "f32", "f32", a, b, c);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        float sum = c[i * n + j];
        for (int64_t l = 0; l < k; ++l)
          sum = std::fma(a[i * k + l], b[l * n + j], sum);
        ASSERT_EQ(got[i * n + j], sum) << i << ", " << j;
      }
  }
}

/// f16 products are exact and summed in f32: 64 times 40 * 40.
TEST_F(DotTest, f16IntoF32) {
  std::vector<uint16_t> x(64 * 4, F16Format::encode(40));
  auto got = dot<uint16_t, float>({4, 4, 64}, "f16", "f32", x, x,
                                  std::vector<float>(16));
  for (float value : got)
    EXPECT_EQ(value, 102400.0f);
}

/// An f16 accumulator rounds at each k: 2048 + 1 + 1 is 2048.
TEST_F(DotTest, f16AccumulatorRoundsEachStep) {
  std::vector<uint16_t> ones(2, F16Format::encode(1));
  auto got = dot<uint16_t, uint16_t>({1, 1, 2}, "f16", "f16", ones, ones,
                                     {uint16_t(F16Format::encode(2048))});
  EXPECT_EQ(F16Format::decode(got[0]), 2048.0f);
}

/// bf16, f8 and f64.
TEST_F(DotTest, otherFloats) {
  std::vector<uint16_t> x(4, BF16Format::encode(1.5));
  EXPECT_EQ((dot<uint16_t, float>({1, 1, 4}, "bf16", "f32", x, x, {1.0f})[0]),
            10);
  std::vector<uint8_t> y(4, F8E4M3FNFormat::encode(-2.5));
  EXPECT_EQ(
      (dot<uint8_t, float>({1, 1, 4}, "f8E4M3FN", "f32", y, y, {0.0f})[0]), 25);
  double third = 1.0 / 3;
  EXPECT_EQ((dot<double, double>({1, 1, 1}, "f64", "f64", {third}, {third},
                                 {1.0})[0]),
            std::fma(third, third, 1.0));
}

/// i8 is signed and i32 wraps.
TEST_F(DotTest, i8IntoI32) {
  EXPECT_EQ((dot<int8_t, int32_t>({1, 1, 2}, "i8", "i32", {-128, 127},
                                  {-128, -1}, {0})[0]),
            16384 - 127);
  EXPECT_EQ((dot<int8_t, int32_t>({1, 1, 1}, "i8", "i32", {1}, {1},
                                  {std::numeric_limits<int32_t>::max()})[0]),
            std::numeric_limits<int32_t>::min());
}

/// tf32 rounds both operands to nearest, ieee does not.
TEST_F(DotTest, tf32RoundsOperands) {
  std::vector<float> a{4097.0f}, b{1.0f}, c{0.0f};
  EXPECT_EQ((dot({1, 1, 1}, "f32", "f32", a, b, c)[0]), 4097.0f);
  EXPECT_EQ((dot({1, 1, 1}, "f32", "f32", a, b, c, "precision tf32")[0]),
            4096.0f);
  EXPECT_EQ((dot({1, 1, 1}, "f32", "f32", {1 + 3.0f / 4096}, b, c,
                 "precision tf32")[0]),
            1.0009765625f);
}

/// tf32x3 is as good as ieee.
TEST_F(DotTest, tf32x3IsAccurate) {
  int64_t k = 512;
  auto a = random(k), b = random(k);
  double exact = 0, bound = 0;
  for (int64_t i = 0; i < k; ++i) {
    exact += double(a[i]) * b[i];
    bound += std::fabs(double(a[i]) * b[i]);
  }
  auto error = [&](std::string precision) {
    auto got =
        dot({1, 1, k}, "f32", "f32", a, b, std::vector<float>{0.0f}, precision);
    return std::fabs(got[0] - exact) / bound;
  };
  EXPECT_LT(error("precision tf32x3"), 1e-7);
  EXPECT_GT(error("precision tf32"), 1e-6);
}

/// Ones on 2^24 are lost one by one; in runs their sums are added.
TEST_F(DotTest, runsAreSummedUpOnTheirOwn) {
  std::vector<float> ones(20, 1.0f), c{16777216.0f};
  EXPECT_EQ((dot({1, 1, 20}, "f32", "f32", ones, ones, c)[0]), 16777216.0f);
  EXPECT_EQ(
      (dot({1, 1, 20}, "f32", "f32", ones, ones, c, "precision tf32x3")[0]),
      16777236.0f);
  // 0x3c is 1 in f8E5M2.  9 becomes 8 and 2 stays.
  std::vector<uint8_t> bytes(20, 0x3c);
  auto promoted = [&](std::string every) {
    return dot({1, 1, 20}, "f8E5M2", "f32", bytes, bytes, c,
               every.empty() ? "" : "promote_every " + every)[0];
  };
  EXPECT_EQ(promoted(""), 16777216.0f);
  EXPECT_EQ(promoted("9"), 16777216.0f + 8 + 8 + 2);
  EXPECT_EQ(promoted("64"), 16777236.0f);
}

/// tf32x3 keeps infinity and NaN where ieee has them.
TEST_F(DotTest, tf32x3KeepsInfinity) {
  float inf = INFINITY;
  auto product = [&](std::vector<float> a, std::vector<float> b) {
    return dot({1, 1, int64_t(a.size())}, "f32", "f32", a, b,
               std::vector<float>{1.0f}, "precision tf32x3")[0];
  };
  EXPECT_EQ(product({inf}, {1.0f}), inf);
  EXPECT_EQ(product({-3.1f}, {inf}), -inf);
  EXPECT_EQ(product({inf}, {-inf}), -inf);
  EXPECT_EQ(product({inf, 1.1f}, {1.3f, 2.7f}), inf);
  // The small part of the other has the other sign.
  EXPECT_EQ(product({inf}, {4097.0f}), inf);
  EXPECT_EQ(product({inf}, {4095.5f}), inf);
  EXPECT_TRUE(std::isnan(product({inf}, {0.0f})));
  EXPECT_TRUE(std::isnan(product({inf, inf}, {1.0f, -1.0f})));
  EXPECT_TRUE(std::isnan(product({NAN, 1.0f}, {1.0f, 1.0f})));
}

/// NaN times a zero lane is NaN: nothing is skipped.
TEST_F(DotTest, nanSpreads) {
  EXPECT_TRUE(std::isnan(
      dot<float, float>({1, 1, 2}, "f32", "f32", {NAN, 1}, {0, 1}, {0})[0]));
}
