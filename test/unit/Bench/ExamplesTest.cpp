//===- ExamplesTest.cpp - Softmax and attention, right and wrong ----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With the fake driver, whose device memory is host memory.
//
//===----------------------------------------------------------------------===//

#include "ExampleProblem.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <optional>

using namespace tile::bench;
using namespace tile::runtime;

namespace {

using Half = _Float16;

class ExamplesTest : public testing::Test {
protected:
  void SetUp() override {
    auto driver = Driver::open(FAKE_CUDA_LIBRARY);
    ASSERT_TRUE(driver);
    auto opened = Device::open(*driver);
    ASSERT_TRUE(opened);
    device.emplace(std::move(*opened));
  }

  std::unique_ptr<ExampleProblem> make(const ExampleCase &example) {
    auto problem = ExampleProblem::create(*device, example, /*seed=*/1);
    EXPECT_TRUE(problem);
    return std::move(*problem);
  }

  /// A manifest with these arguments: "*" for a pointer to f16.
  static Manifest manifestOf(
      const std::vector<std::pair<std::string, std::string>> &arguments) {
    Manifest manifest;
    for (const auto &[name, type] : arguments) {
      Argument &argument = manifest.arguments.emplace_back();
      argument.name = name;
      argument.type = *symbolizeArgumentType(type);
    }
    return manifest;
  }

  static void set(HostMatrix &matrix, int64_t index, double value) {
    Half half = Half(float(value));
    std::memcpy(matrix.data() + 2 * index, &half, 2);
  }

  std::optional<Device> device;
};

/// Elements of a tensor on the fake device.
const Half *elementsOf(const LaunchValue &value) {
  return reinterpret_cast<const Half *>(value.address);
}

// A softmax that was computed by itself is right; one value that is 1 % off is
// not, nor a row that was never written.
TEST_F(ExamplesTest, Softmax) {
  ExampleCase example;
  example.rows = 4;
  example.columns = 64;
  auto problem = make(example);
  const Half *x =
      reinterpret_cast<const Half *>(problem->firstInput().address());
  HostMatrix y = problem->hostOutput();
  for (int64_t row = 0; row < 4; ++row) {
    double sum = 0;
    for (int64_t column = 0; column < 64; ++column)
      sum += std::exp(double(x[64 * row + column]));
    for (int64_t column = 0; column < 64; ++column)
      set(y, 64 * row + column, std::exp(double(x[64 * row + column])) / sum);
  }
  EXPECT_TRUE(problem->check(y, Work::Plain, "test"));
  double right = y.at(2, 5);
  set(y, 64 * 2 + 5, 1.01 * right);
  EXPECT_FALSE(problem->check(y, Work::Plain, "test"));
  set(y, 64 * 2 + 5, NAN);
  EXPECT_FALSE(problem->check(y, Work::Plain, "test"));
}

// A NaN outside the sampled rows is found too.
TEST_F(ExamplesTest, EveryElementIsANumber) {
  ExampleCase example;
  example.rows = 4096;
  example.columns = 8;
  auto problem = make(example);
  HostMatrix y = problem->hostOutput();
  const Half *x =
      reinterpret_cast<const Half *>(problem->firstInput().address());
  for (int64_t row = 0; row < 4096; ++row) {
    double sum = 0;
    for (int64_t column = 0; column < 8; ++column)
      sum += std::exp(double(x[8 * row + column]));
    for (int64_t column = 0; column < 8; ++column)
      set(y, 8 * row + column, std::exp(double(x[8 * row + column])) / sum);
  }
  ASSERT_TRUE(problem->check(y, Work::Plain, "test"));
  // The sample has 64 rows: of 65 that are spoilt one is outside it.
  int numFound = 0;
  for (int64_t row = 0; row < 65; ++row) {
    double right = y.at(row, 0);
    set(y, 8 * row, NAN);
    numFound += !problem->check(y, Work::Plain, "test");
    set(y, 8 * row, right);
  }
  EXPECT_EQ(numFound, 65);
}

// A copy has the bits of the first input, and no others.
TEST_F(ExamplesTest, Copy) {
  ExampleCase example;
  example.rows = 4;
  example.columns = 64;
  auto problem = make(example);
  HostMatrix y = problem->hostOutput();
  std::memcpy(y.data(),
              reinterpret_cast<const void *>(problem->firstInput().address()),
              y.sizeInBytes());
  EXPECT_TRUE(problem->check(y, Work::Copy, "test"));
  y.data()[17] ^= 1;
  EXPECT_FALSE(problem->check(y, Work::Copy, "test"));
}

// Attention takes its arguments by name, and each head has its own keys.
TEST_F(ExamplesTest, Attention) {
  constexpr int64_t kHeads = 2, kRows = 16, kDepth = 8;
  ExampleCase example;
  example.kind = ExampleCase::Kind::Attention;
  example.batches = kHeads;
  example.rows = kRows;
  example.columns = kDepth;
  auto problem = make(example);
  auto output = problem->makeOutput(*device);
  ASSERT_TRUE(output);
  auto values = problem->values(manifestOf({{"q", "*f16"},
                                            {"k", "*f16"},
                                            {"v", "*f16"},
                                            {"out", "*f16"},
                                            {"scale", "f32"},
                                            {"H", "i32"},
                                            {"S", "i32"},
                                            {"E", "i32"},
                                            {"q_stride0", "i64"},
                                            {"k_stride1", "i64"},
                                            {"out_stride2", "i64"}}),
                                **output);
  ASSERT_TRUE(values);
  EXPECT_EQ((*values)[3].address, (*output)->address());
  EXPECT_DOUBLE_EQ((*values)[4].real, 1 / std::sqrt(8.0));
  int64_t rest[] = {kHeads, kRows, kDepth, kRows * kDepth, kDepth, 1};
  for (int index = 0; index < 6; ++index)
    EXPECT_EQ((*values)[5 + index].integer, rest[index]) << index;

  const Half *q = elementsOf((*values)[0]), *k = elementsOf((*values)[1]),
             *v = elementsOf((*values)[2]);
  auto compute = [&](bool hasOneHead) {
    HostMatrix y = problem->hostOutput();
    for (int64_t row = 0; row < kHeads * kRows; ++row) {
      int64_t first = hasOneHead ? 0 : row / kRows * kRows;
      double sum = 0, result[kDepth] = {};
      for (int64_t key = first; key < first + kRows; ++key) {
        double score = 0;
        for (int64_t d = 0; d < kDepth; ++d)
          score += double(q[row * kDepth + d]) * double(k[key * kDepth + d]);
        double weight = std::exp(score / std::sqrt(8.0));
        sum += weight;
        for (int64_t d = 0; d < kDepth; ++d)
          result[d] += weight * double(v[key * kDepth + d]);
      }
      for (int64_t d = 0; d < kDepth; ++d)
        set(y, row * kDepth + d, result[d] / sum);
    }
    return y;
  };
  EXPECT_TRUE(problem->check(compute(/*hasOneHead=*/false), Work::Plain, "t"));
  EXPECT_FALSE(problem->check(compute(/*hasOneHead=*/true), Work::Plain, "t"));
}

// An argument that is none of the example's is refused by its name.
TEST_F(ExamplesTest, UnknownArgument) {
  ExampleCase example;
  example.rows = example.columns = 8;
  auto problem = make(example);
  auto output = problem->makeOutput(*device);
  ASSERT_TRUE(output);
  auto values = problem->values(manifestOf({{"Q", "i32"}}), **output);
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().text(), "expected the example's arguments, got 'Q'");
}

} // namespace
