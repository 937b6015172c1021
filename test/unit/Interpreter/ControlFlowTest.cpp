//===- ControlFlowTest.cpp - Loops and branches ---------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

using tile::KernelArgument;

namespace {
class ControlFlowTest : public InterpreterTest {
protected:
  /// Runs `body`, which makes %r : i32 from %n : i32, and returns it.
  int32_t evaluate(const std::string &body, int32_t n) {
    KernelArgument c = addEmpty<int32_t>("c", 1);
    EXPECT_TRUE(
        run("tile.kernel @k(%c: !tile.ptr<i32>, %n: i32) {\n"
            "%zero = arith.constant 0 : i32\n"
            "%one = arith.constant 1 : i32\n" +
                body +
                "\ntile.store %c[%zero], %r : !tile.ptr<i32>, i32, i32\n"
                "tile.return\n}\n",
            {c, KernelArgument::integer(n)}))
        << diagnostics;
    return get<int32_t>(c)[0];
  }
};
} // namespace

/// A loop runs from its lower bound to below its upper one; an empty one leaves
/// the carried values as they were.
TEST_F(ControlFlowTest, forLoop) {
  const char *sum = R"(
    %r = scf.for %i = %zero to %n step %one iter_args(%s = %one) -> (i32) : i32 {
      %t = arith.addi %s, %i : i32
      scf.yield %t : i32
    })";
  EXPECT_EQ(evaluate(sum, 5), 11);
  EXPECT_EQ(evaluate(sum, 0), 1);
  EXPECT_EQ(evaluate(sum, -3), 1);
}

/// The inner loop of the outer one's program runs 0, 0 and 4 times in all.
TEST_F(ControlFlowTest, nestedEmptyLoop) {
  const char *count = R"(
    %four = arith.constant 4 : i32
    %five = arith.constant 5 : i32
    %r = scf.for %a = %zero to %four step %one iter_args(%s = %zero) -> (i32) : i32 {
      %inner = scf.for %b = %five to %n step %one iter_args(%t = %s) -> (i32) : i32 {
        %u = arith.addi %t, %one : i32
        scf.yield %u : i32
      }
      scf.yield %inner : i32
    })";
  EXPECT_EQ(evaluate(count, 3), 0);
  EXPECT_EQ(evaluate(count, 5), 0);
  EXPECT_EQ(evaluate(count, 6), 4);
}

/// Carried values change all at once: Fibonacci numbers by swapping.
TEST_F(ControlFlowTest, carriedValuesChangeAtOnce) {
  const char *fibonacci = R"(
    %r, %next = scf.for %i = %zero to %n step %one
        iter_args(%a = %zero, %b = %one) -> (i32, i32) : i32 {
      %c2 = arith.addi %a, %b : i32
      scf.yield %b, %c2 : i32, i32
    })";
  EXPECT_EQ(evaluate(fibonacci, 10), 55);
  const char *swap = R"(
    %two = arith.constant 2 : i32
    %r, %other = scf.for %i = %zero to %n step %one
        iter_args(%a = %one, %b = %two) -> (i32, i32) : i32 {
      scf.yield %b, %a : i32, i32
    })";
  EXPECT_EQ(evaluate(swap, 3), 2);
  EXPECT_EQ(evaluate(swap, 4), 1);
}

/// The loop's last step may pass the largest value without wrapping.
TEST_F(ControlFlowTest, loopDoesNotWrap) {
  EXPECT_EQ(evaluate(R"(
    %hi = arith.constant 2147483647 : i32
    %lo = arith.constant 2147483640 : i32
    %st = arith.constant 5 : i32
    %r = scf.for %i = %lo to %hi step %st iter_args(%s = %zero) -> (i32) : i32 {
      %t = arith.addi %s, %one : i32
      scf.yield %t : i32
    })",
                     0),
            2);
}

/// With `unsigned` the bounds are unsigned: -1 is large.
TEST_F(ControlFlowTest, unsignedLoop) {
  EXPECT_EQ(evaluate(R"(
    %st = arith.constant 1073741824 : i32
    %r = scf.for unsigned %i = %zero to %n step %st iter_args(%s = %zero) -> (i32) : i32 {
      %t = arith.addi %s, %one : i32
      scf.yield %t : i32
    })",
                     -1),
            4);
}

/// A branch yields the values of the side that is taken.
TEST_F(ControlFlowTest, ifElse) {
  const char *text = R"(
    %is = arith.cmpi sgt, %n, %zero : i32
    %r = scf.if %is -> (i32) {
      %x = arith.addi %n, %one : i32
      scf.yield %x : i32
    } else {
      scf.yield %n : i32
    })";
  EXPECT_EQ(evaluate(text, 5), 6);
  EXPECT_EQ(evaluate(text, -5), -5);
}

/// while runs its first region once more than its second.
TEST_F(ControlFlowTest, whileLoop) {
  // The number of bits of n.
  EXPECT_EQ(evaluate(R"(
    %x, %r = scf.while (%a = %n, %k = %zero) : (i32, i32) -> (i32, i32) {
      %go = arith.cmpi ne, %a, %zero : i32
      scf.condition(%go) %a, %k : i32, i32
    } do {
    ^bb0(%a: i32, %k: i32):
      %half = arith.shrui %a, %one : i32
      %more = arith.addi %k, %one : i32
      scf.yield %half, %more : i32, i32
    })",
                     37),
            6);
}

/// A step of zero is an error, not an endless loop.
TEST_F(ControlFlowTest, zeroStepIsReported) {
  EXPECT_FALSE(run(R"(tile.kernel @k(%n: i32) {
    %c1 = arith.constant 1 : i32
    scf.for %i = %n to %c1 step %n : i32 {
    }
    tile.return
  })",
                   {KernelArgument::integer(0)}));
  EXPECT_EQ(diagnostics, "3: error: expected a positive step, got 0 in program "
                         "(0, 0, 0) of kernel 'k'\n");
}

/// A grid without programs is a success that does nothing.
TEST_F(ControlFlowTest, emptyGrid) {
  EXPECT_TRUE(run(R"(tile.kernel @k() {
    %no = arith.constant false
    tile.assert %no, "runs" : i1
    tile.return
  })",
                  {}, {0, 1, 1}))
      << diagnostics;
}

/// Every point of the grid runs once and knows its place.
TEST_F(ControlFlowTest, everyProgramRunsOnce) {
  KernelArgument c = add<int32_t>("c", std::vector<int32_t>(24));
  ASSERT_TRUE(run(R"(tile.kernel @k(%c: !tile.ptr<i32>) {
    %x = tile.program_id x
    %y = tile.program_id y
    %z = tile.program_id z
    %nx = tile.num_programs x
    %ny = tile.num_programs y
    %zy = arith.muli %z, %ny : i32
    %row = arith.addi %zy, %y : i32
    %rx = arith.muli %row, %nx : i32
    %i = arith.addi %rx, %x : i32
    %old = tile.load %c[%i] : !tile.ptr<i32>, i32 -> i32
    %new = arith.addi %old, %i : i32
    tile.store %c[%i], %new : !tile.ptr<i32>, i32, i32
    tile.return
  })",
                  {c}, {2, 3, 4}))
      << diagnostics;
  for (int32_t i = 0; i < 24; ++i)
    EXPECT_EQ(get<int32_t>(c)[i], i);
}
