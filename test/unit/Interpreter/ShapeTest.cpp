//===- ShapeTest.cpp - Ops that move elements -----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

using tile::KernelArgument;

namespace {
class ShapeTest : public InterpreterTest {
protected:
  /// The text that `body`, printing once, prints.
  std::string print(const std::string &body) {
    EXPECT_TRUE(run("tile.kernel @k(%n: i32) {\n" + body + "\ntile.return\n}\n",
                    {KernelArgument::integer(7)}))
        << diagnostics;
    return printed;
  }
  std::string result(const std::string &text) {
    return "program (0, 0, 0): r " + text + "\n";
  }
};
constexpr const char *kMatrix =
    "%x = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>\n";
} // namespace

/// iota and splat.
TEST_F(ShapeTest, makes) {
  EXPECT_EQ(print("%a = tile.iota : tensor<3xi64>\n"
                  "%b = tile.splat %n : tensor<2xi32>\n"
                  "tile.print \"r\", %a, %b : tensor<3xi64>, tensor<2xi32>"),
            result("[0, 1, 2] [7, 7]"));
}

/// expand_dims and broadcast along either axis.
TEST_F(ShapeTest, broadcasts) {
  EXPECT_EQ(
      print(
          "%i = tile.iota : tensor<2xi32>\n"
          "%c = tile.expand_dims %i axis 1 : tensor<2xi32> -> tensor<2x1xi32>\n"
          "%r = tile.expand_dims %i axis 0 : tensor<2xi32> -> tensor<1x2xi32>\n"
          "%cb = tile.broadcast %c : tensor<2x1xi32> -> tensor<2x3xi32>\n"
          "%rb = tile.broadcast %r : tensor<1x2xi32> -> tensor<3x2xi32>\n"
          "tile.print \"r\", %cb, %rb : tensor<2x3xi32>, tensor<3x2xi32>"),
      result("[[0, 0, 0], [1, 1, 1]] [[0, 1], [0, 1], [0, 1]]"));
}

/// reshape keeps the row-major order.
TEST_F(ShapeTest, reshapes) {
  EXPECT_EQ(print(std::string(kMatrix) +
                  "%r = tile.reshape %x : tensor<2x3xi32> -> tensor<3x2xi32>\n"
                  "tile.print \"r\", %r : tensor<3x2xi32>"),
            result("[[1, 2], [3, 4], [5, 6]]"));
}

/// transpose permutes two and three dimensions.
TEST_F(ShapeTest, transposes) {
  EXPECT_EQ(print(std::string(kMatrix) +
                  "%r = tile.transpose %x order [1, 0] : tensor<2x3xi32> -> "
                  "tensor<3x2xi32>\n"
                  "tile.print \"r\", %r : tensor<3x2xi32>"),
            result("[[1, 4], [2, 5], [3, 6]]"));
  printed.clear();
  EXPECT_EQ(
      print(std::string(kMatrix) +
            "%y = tile.reshape %x : tensor<2x3xi32> -> tensor<2x1x3xi32>\n"
            "%r = tile.transpose %y order [2, 0, 1] : tensor<2x1x3xi32> -> "
            "tensor<3x2x1xi32>\n"
            "tile.print \"r\", %r : tensor<3x2x1xi32>"),
      result("[[[1], [4]], [[2], [5]], [[3], [6]]]"));
}

/// select by a scalar and by a tile.
TEST_F(ShapeTest, selects) {
  EXPECT_EQ(
      print("%a = arith.constant dense<[1.0, 2.0]> : tensor<2xf16>\n"
            "%b = arith.constant dense<[3.0, 4.0]> : tensor<2xf16>\n"
            "%t = arith.constant dense<[false, true]> : tensor<2xi1>\n"
            "%s = arith.constant false\n"
            "%r1 = arith.select %t, %a, %b : tensor<2xi1>, tensor<2xf16>\n"
            "%r2 = arith.select %s, %a, %b : tensor<2xf16>\n"
            "tile.print \"r\", %r1, %r2 : tensor<2xf16>, tensor<2xf16>"),
      result("[3, 2] [3, 4]"));
}

/// A constant keeps the sign of zero, infinity and NaN; bitcast keeps bits.
TEST_F(ShapeTest, constantsKeepBits) {
  EXPECT_EQ(print("%a = arith.constant dense<[-0.0, 0x7F800000, 0xFFC00000]> : "
                  "tensor<3xf32>\n"
                  "%r = arith.bitcast %a : tensor<3xf32> to tensor<3xi32>\n"
                  "tile.print \"r\", %r : tensor<3xi32>"),
            result("[-2147483648, 2139095040, -4194304]"));
}

/// A view of a carried value does not change when the value moves on.
TEST_F(ShapeTest, viewOfCarriedValue) {
  EXPECT_EQ(print(R"(
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %x = arith.constant dense<[1, 2]> : tensor<2xi32>
    %y = arith.constant dense<[[3, 4]]> : tensor<1x2xi32>
    %a, %b = scf.for %i = %zero to %three step %one iter_args(%p = %x, %q = %y)
        -> (tensor<2xi32>, tensor<1x2xi32>) : i32 {
      %pv = tile.reshape %p : tensor<2xi32> -> tensor<1x2xi32>
      %qv = tile.reshape %q : tensor<1x2xi32> -> tensor<2xi32>
      scf.yield %qv, %pv : tensor<2xi32>, tensor<1x2xi32>
    }
    tile.print "r", %a, %b : tensor<2xi32>, tensor<1x2xi32>)"),
            result("[3, 4] [[1, 2]]"));
}
