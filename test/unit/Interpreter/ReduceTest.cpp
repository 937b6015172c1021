//===- ReduceTest.cpp - Reductions and scans ------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"
#include <cmath>

using tile::KernelArgument;

namespace {
class ReduceTest : public InterpreterTest {
protected:
  std::string print(const std::string &body) {
    EXPECT_TRUE(run("tile.kernel @k() {\n" + body + "\ntile.return\n}\n"))
        << diagnostics;
    return printed;
  }
  std::string result(const std::string &text) {
    return "program (0, 0, 0): r " + text + "\n";
  }
};
constexpr const char *kMatrix =
    "%x = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>\n";
constexpr const char *kSum = R"({
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  })";
} // namespace

/// Sums along either axis, and a scalar where nothing is left.
TEST_F(ReduceTest, sums) {
  EXPECT_EQ(
      print(std::string(kMatrix) + "%a = tile.reduce %x axis 0 " + kSum +
            " : tensor<2x3xi32> -> tensor<3xi32>\n"
            "%b = tile.reduce %x axis 1 " +
            kSum +
            " : tensor<2x3xi32> -> tensor<2xi32>\n"
            "%c = tile.reduce %a axis 0 " +
            kSum +
            " : tensor<3xi32> -> i32\n"
            "tile.print \"r\", %a, %b, %c : tensor<3xi32>, tensor<2xi32>, i32"),
      result("[5, 7, 9] [6, 15] 21"));
}

/// The order is a tree: neighbours first, then pairs; the odd one passes
/// through.
TEST_F(ReduceTest, orderIsATree) {
  std::vector<float> x{1e8f, 1, -1e8f, 1, 1, 3, 7};
  float tree = ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + x[6]);
  float chain = 0;
  for (float value : x)
    chain += value;
  ASSERT_NE(tree, chain);
  KernelArgument c = addEmpty<float>("c", 1);
  ASSERT_TRUE(run(R"(tile.kernel @k(%a: !tile.ptr<f32>, %c: !tile.ptr<f32>) {
    %i = tile.iota : tensor<7xi32>
    %zero = arith.constant 0 : i32
    %x = tile.load %a[%i] : !tile.ptr<f32>, tensor<7xi32> -> tensor<7xf32>
    %s = tile.reduce %x axis 0 {
    ^bb0(%l: f32, %r: f32):
      %sum = arith.addf %l, %r : f32
      tile.yield %sum : f32
    } : tensor<7xf32> -> f32
    tile.store %c[%zero], %s : !tile.ptr<f32>, i32, f32
    tile.return
  })",
                  {add("a", x), c}))
      << diagnostics;
  EXPECT_EQ(get<float>(c)[0], tree);
}

/// maximumf propagates NaN from every place, maxnumf ignores it.
TEST_F(ReduceTest, nanRuleIsTheRegions) {
  EXPECT_EQ(print(R"(
    %x = arith.constant dense<[[0x7FC00000, 6.0, 8.0], [6.0, 0x7FC00000, 8.0]]> : tensor<2x3xf32>
    %a = tile.reduce %x axis 1 {
    ^bb0(%l: f32, %r: f32):
      %m = arith.maximumf %l, %r : f32
      tile.yield %m : f32
    } : tensor<2x3xf32> -> tensor<2xf32>
    %b = tile.reduce %x axis 1 {
    ^bb0(%l: f32, %r: f32):
      %m = arith.maxnumf %l, %r : f32
      tile.yield %m : f32
    } : tensor<2x3xf32> -> tensor<2xf32>
    tile.print "r", %a, %b : tensor<2xf32>, tensor<2xf32>)"),
            result("[nan, nan] [8, 8]"));
}

/// Several operands go together: the greatest value and its place.
TEST_F(ReduceTest, severalOperands) {
  EXPECT_EQ(print(R"(
    %x = arith.constant dense<[3, 9, 4, 9, 1]> : tensor<5xi32>
    %i = tile.iota : tensor<5xi32>
    %m, %p = tile.reduce %x, %i axis 0 {
    ^bb0(%lv: i32, %li: i32, %rv: i32, %ri: i32):
      %less = arith.cmpi slt, %lv, %rv : i32
      %v = arith.select %less, %rv, %lv : i32
      %n = arith.select %less, %ri, %li : i32
      tile.yield %v, %n : i32, i32
    } : tensor<5xi32>, tensor<5xi32> -> i32, i32
    tile.print "r", %m, %p : i32, i32)"),
            result("9 1"));
}

/// Scans are sequential, along either axis, from either end.
TEST_F(ReduceTest, scans) {
  EXPECT_EQ(print(std::string(kMatrix) + "%a = tile.scan %x axis 0 " + kSum +
                  " : tensor<2x3xi32> -> tensor<2x3xi32>\n"
                  "%b = tile.scan %x axis 1 " +
                  kSum +
                  " : tensor<2x3xi32> -> tensor<2x3xi32>\n"
                  "%c = tile.scan %x axis 1 reverse " +
                  kSum +
                  " : tensor<2x3xi32> -> tensor<2x3xi32>\n"
                  "tile.print \"r\", %a, %b, %c : tensor<2x3xi32>, "
                  "tensor<2x3xi32>, tensor<2x3xi32>"),
            result("[[1, 2, 3], [5, 7, 9]] [[1, 3, 6], [4, 9, 15]] "
                   "[[6, 5, 3], [15, 11, 6]]"));
}
