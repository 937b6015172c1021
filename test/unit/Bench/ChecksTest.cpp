//===- ChecksTest.cpp - Does tile-bench tell right from wrong? ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gemm.h"

#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace tile::bench;
using namespace tile::runtime;
using tile::Precision;

namespace {

/// A product of random factors on the host.
struct Product {
  Product(GemmCase gemm)
      : gemm(gemm), a(gemm.input, gemm.shape.m, gemm.shape.k),
        b(gemm.input, gemm.shape.k, gemm.shape.n),
        c(gemm.output, gemm.shape.m, gemm.shape.n) {
    a.fillNormal(1);
    b.fillNormal(2);
  }

  /// Computes C of factors that went through `change`, the last `skipped` k's
  /// left out, and checks it.
  template <typename ChangeT>
  bool isAccepted(ChangeT change, int64_t skipped = 0, double offset = 0) {
    for (int64_t row = 0; row < gemm.shape.m; ++row)
      for (int64_t column = 0; column < gemm.shape.n; ++column) {
        double sum = offset;
        for (int64_t k = 0; k < gemm.shape.k - skipped; ++k)
          sum += change(a.at(row, k)) * change(b.at(k, column));
        store(row * gemm.shape.n + column, sum);
      }
    GemmReference reference(a, b, /*seed=*/3);
    return bool(reference.compare(c, gemm.tolerance(), "test"));
  }

  void store(int64_t index, double value) {
    if (gemm.output == ElementType::I32) {
      auto integer = static_cast<int32_t>(value);
      std::memcpy(c.data() + 4 * index, &integer, 4);
    } else if (gemm.output == ElementType::F16) {
      _Float16 half = _Float16(float(value));
      std::memcpy(c.data() + 2 * index, &half, 2);
    } else {
      auto single = static_cast<float>(value);
      std::memcpy(c.data() + 4 * index, &single, 4);
    }
  }

  GemmCase gemm;
  HostMatrix a, b, c;
};

GemmCase caseOf(ElementType input, ElementType output,
                Precision precision = Precision::Ieee) {
  GemmCase gemm;
  gemm.shape = {32, 32, 1024};
  gemm.input = input;
  gemm.output = output;
  gemm.precision = precision;
  return gemm;
}

double same(double value) { return value; }

/// f32 with `extra` of its last 13 bits added, then those cut: tf32.
double toTf32(double value, uint32_t extra) {
  auto single = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &single, sizeof(bits));
  bits = (bits + extra) & ~uint32_t(0x1fff);
  std::memcpy(&single, &bits, sizeof(bits));
  return single;
}
double roundToTf32(double value) { return toTf32(value, 0x1000); }
double cutToTf32(double value) { return toTf32(value, 0); }

// Each of the 256 patterns of an f8E4M3FN has the value that LLVM gives it.
TEST(HostMatrixTest, DecodesE4M3) {
  HostMatrix matrix(ElementType::F8E4M3FN, 1, 256);
  for (int bits = 0; bits < 256; ++bits) {
    matrix.data()[bits] = uint8_t(bits);
    llvm::APFloat right(llvm::APFloat::Float8E4M3FN(), llvm::APInt(8, bits));
    double value = matrix.at(0, bits);
    if (right.isNaN())
      EXPECT_TRUE(std::isnan(value)) << bits;
    else
      EXPECT_EQ(value, right.convertToDouble()) << bits;
  }
}

// Random values have the deviation that is said: 1, and 32 of i8.
TEST(HostMatrixTest, FillsWithNormalValues) {
  for (auto [type, deviation] :
       {std::pair(ElementType::F16, 1.0), std::pair(ElementType::BF16, 1.0),
        std::pair(ElementType::F32, 1.0), std::pair(ElementType::F8E4M3FN, 1.0),
        std::pair(ElementType::I8, 32.0)}) {
    HostMatrix matrix(type, 128, 128);
    matrix.fillNormal(5);
    double squares = 0;
    for (int64_t row = 0; row < 128; ++row)
      for (int64_t column = 0; column < 128; ++column)
        squares += matrix.at(row, column) * matrix.at(row, column);
    EXPECT_NEAR(std::sqrt(squares / (128 * 128)), deviation, 0.03 * deviation)
        << std::string(stringify(type));
  }
}

// A tf32 product has to round its factors: cutting them is refused, and so is a
// product without its last k.
TEST(GemmCheckTest, Tf32RoundsItsFactors) {
  Product product(caseOf(ElementType::F32, ElementType::F32, Precision::Tf32));
  EXPECT_TRUE(product.isAccepted(same));
  EXPECT_TRUE(product.isAccepted(roundToTf32));
  EXPECT_FALSE(product.isAccepted(cutToTf32));
  EXPECT_FALSE(product.isAccepted(roundToTf32, /*skipped=*/1));
}

// Three tf32 products have f32's accuracy; one alone is refused.
TEST(GemmCheckTest, Tf32x3IsMoreThanTf32) {
  Product product(
      caseOf(ElementType::F32, ElementType::F32, Precision::Tf32x3));
  EXPECT_TRUE(product.isAccepted(same));
  EXPECT_FALSE(product.isAccepted(roundToTf32));
}

// Products of i8 are exact: one more is wrong.
TEST(GemmCheckTest, IntegersAreExact) {
  Product product(caseOf(ElementType::I8, ElementType::I32));
  EXPECT_TRUE(product.isAccepted(same));
  EXPECT_FALSE(product.isAccepted(same, /*skipped=*/0, /*offset=*/1));
}

// Sums of f8 are accepted as f16 holds them, and refused without their last
// k's.
TEST(GemmCheckTest, EightBitFloatsMissNoStep) {
  Product product(caseOf(ElementType::F8E4M3FN, ElementType::F16));
  EXPECT_TRUE(product.isAccepted(same));
  EXPECT_FALSE(product.isAccepted(same, /*skipped=*/32));
  EXPECT_FALSE(product.isAccepted(same, /*skipped=*/1));
}

} // namespace
