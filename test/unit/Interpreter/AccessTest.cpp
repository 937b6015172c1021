//===- AccessTest.cpp - Loads, stores and their checks --------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

using tile::KernelArgument;

namespace {
class AccessTest : public InterpreterTest {};

/// Copies 4 elements from %a + %from to %c, lanes from %n on masked off.
constexpr const char *kCopy = R"(
tile.kernel @copy(%a: !tile.ptr<f32>, %c: !tile.ptr<f32>, %from: i64, %n: i64) {
  %i = tile.iota : tensor<4xi64>
  %f = tile.splat %from : tensor<4xi64>
  %j = arith.addi %i, %f : tensor<4xi64>
  %nt = tile.splat %n : tensor<4xi64>
  %in = arith.cmpi slt, %i, %nt : tensor<4xi64>
  %x = tile.load %a[%j] mask %in : !tile.ptr<f32>, tensor<4xi64> -> tensor<4xf32>
  tile.store %c[%i], %x : !tile.ptr<f32>, tensor<4xi64>, tensor<4xf32>
  tile.return
}
)";

using Floats = std::vector<float>;
KernelArgument integer(int64_t value) { return KernelArgument::integer(value); }
} // namespace

/// Lanes that are masked off read zero and touch no memory.
TEST_F(AccessTest, maskedLanesReadZero) {
  KernelArgument c = addEmpty<float>("c", 4);
  ASSERT_TRUE(
      run(kCopy, {add<float>("a", {1, 2, 3}), c, integer(1), integer(2)}))
      << diagnostics;
  EXPECT_EQ(get<float>(c), (Floats{2, 3, 0, 0}));
}

/// With an all-false mask even a null pointer is fine.
TEST_F(AccessTest, maskedLanesTouchNothing) {
  KernelArgument c = addEmpty<float>("c", 4);
  EXPECT_TRUE(
      run(kCopy, {KernelArgument::pointer(0), c, integer(0), integer(0)}))
      << diagnostics;
}

/// `other`, scalar or tile, is what masked lanes read.
TEST_F(AccessTest, otherReplacesMaskedLanes) {
  KernelArgument c = addEmpty<float>("c", 4), d = addEmpty<float>("d", 4);
  ASSERT_TRUE(run(R"(
    tile.kernel @k(%a: !tile.ptr<f32>, %c: !tile.ptr<f32>, %d: !tile.ptr<f32>) {
      %i = tile.iota : tensor<4xi32>
      %in = arith.constant dense<[true, false, true, false]> : tensor<4xi1>
      %o = arith.constant -99.0 : f32
      %ot = arith.constant dense<[1.0, 2.0, 3.0, -0.0]> : tensor<4xf32>
      %x = tile.load %a[%i] mask %in other %o : !tile.ptr<f32>, tensor<4xi32>, f32 -> tensor<4xf32>
      %y = tile.load %a[%i] mask %in other %ot : !tile.ptr<f32>, tensor<4xi32>, tensor<4xf32> -> tensor<4xf32>
      tile.store %c[%i], %x : !tile.ptr<f32>, tensor<4xi32>, tensor<4xf32>
      tile.store %d[%i], %y mask %in : !tile.ptr<f32>, tensor<4xi32>, tensor<4xf32>
      tile.return
    })",
                  {add<float>("a", {5, 6, 7, 8}), c, d}))
      << diagnostics;
  EXPECT_EQ(get<float>(c), (Floats{5, -99, 7, -99}));
  EXPECT_EQ(get<float>(d)[0], 5);
}

/// i32 offsets are signed: -1 is the element before the pointer.
TEST_F(AccessTest, offsetsAreSigned) {
  KernelArgument c = addEmpty<float>("c", 1);
  ASSERT_TRUE(run(R"(
    tile.kernel @k(%a: !tile.ptr<f32>, %c: !tile.ptr<f32>, %n: i32) {
      %minus = arith.constant -1 : i32
      %zero = arith.constant 0 : i32
      %p = tile.offset %a, %n : !tile.ptr<f32>, i32
      %x = tile.load %p[%minus] : !tile.ptr<f32>, i32 -> f32
      tile.store %c[%zero], %x : !tile.ptr<f32>, i32, f32
      tile.return
    })",
                  {add<float>("a", {5, 6}), c, integer(2)}))
      << diagnostics;
  EXPECT_EQ(get<float>(c), (Floats{6}));
}

/// A pointer may leave its allocation as long as no access does.
TEST_F(AccessTest, pointerMayLeaveAndReturn) {
  KernelArgument a = add<float>("a", {5, 6});
  ASSERT_TRUE(run(R"(
    tile.kernel @k(%a: !tile.ptr<f32>, %n: i64) {
      %p = tile.offset %a, %n : !tile.ptr<f32>, i64
      %zero = arith.constant 0 : i64
      %m = arith.subi %zero, %n : i64
      %x = tile.load %p[%m] : !tile.ptr<f32>, i64 -> f32
      tile.store %a[%zero], %x : !tile.ptr<f32>, i64, f32
      tile.return
    })",
                  {a, integer(100000)}))
      << diagnostics;
}

/// A store is seen by a later load of the same program.
TEST_F(AccessTest, storeIsSeenByLaterLoad) {
  KernelArgument a = addEmpty<int32_t>("a", 1);
  ASSERT_TRUE(run(R"(
    tile.kernel @k(%a: !tile.ptr<i32>, %x: i32) {
      %zero = arith.constant 0 : i32
      tile.store %a[%zero], %x : !tile.ptr<i32>, i32, i32
      %y = tile.load %a[%zero] : !tile.ptr<i32>, i32 -> i32
      %z = arith.addi %y, %y : i32
      tile.store %a[%zero], %z : !tile.ptr<i32>, i32, i32
      tile.return
    })",
                  {a, integer(21)}))
      << diagnostics;
  EXPECT_EQ(get<int32_t>(a)[0], 42);
}

/// A read past the end names element, allocation, lane and program.
TEST_F(AccessTest, outOfBoundsReadIsReported) {
  EXPECT_FALSE(run(kCopy, {add<float>("a", {1, 2, 3}), addEmpty<float>("c", 4),
                           integer(1), integer(4)}));
  EXPECT_EQ(diagnostics,
            "8: error: out-of-bounds read of element 3 of 'a', which "
            "ends with element 2, in lane [2] of program (0, 0, 0) "
            "of kernel 'copy'\n");
}

/// A read before the start is out of bounds as well.
TEST_F(AccessTest, negativeElementIsReported) {
  EXPECT_FALSE(run(kCopy, {add<float>("a", {1, 2, 3}), addEmpty<float>("c", 4),
                           integer(-1), integer(4)}));
  EXPECT_EQ(diagnostics,
            "8: error: out-of-bounds read of element -1 of 'a', which "
            "ends with element 2, in lane [0] of program (0, 0, 0) "
            "of kernel 'copy'\n");
}

/// Offsets that overflow an address do not wrap back into the allocation.
TEST_F(AccessTest, hugeOffsetIsReported) {
  EXPECT_FALSE(run(kCopy, {add<float>("a", {1, 2, 3}), addEmpty<float>("c", 4),
                           integer(int64_t(1) << 62), integer(1)}));
  EXPECT_NE(
      diagnostics.find("out-of-bounds read of element 4611686018427387904"),
      std::string::npos)
      << diagnostics;
}

/// An element whose last byte lies outside is out of bounds.
TEST_F(AccessTest, partOfAnElementIsOutOfBounds) {
  EXPECT_FALSE(run(kCopy, {add<uint8_t>("a", {1, 2, 3, 4, 5, 6}),
                           addEmpty<float>("c", 4), integer(0), integer(2)}));
  EXPECT_NE(
      diagnostics.find("out-of-bounds read of element 1 of 'a', which ends "
                       "with element 0"),
      std::string::npos)
      << diagnostics;
}

/// A write past the end is an error at the store; nothing else is written
/// there.
TEST_F(AccessTest, outOfBoundsWriteIsReported) {
  EXPECT_FALSE(run(kCopy, {add<float>("a", {1, 2, 3, 4}),
                           addEmpty<float>("c", 3), integer(0), integer(4)}));
  EXPECT_EQ(diagnostics,
            "9: error: out-of-bounds write of element 3 of 'c', which "
            "ends with element 2, in lane [3] of program (0, 0, 0) "
            "of kernel 'copy'\n");
}

/// A pointer that does not fit its element's size is reported when it is used.
TEST_F(AccessTest, misalignedAccessIsReported) {
  KernelArgument a = add<float>("a", {1, 2, 3});
  a.bits += 2;
  EXPECT_FALSE(
      run(kCopy, {a, addEmpty<float>("c", 4), integer(0), integer(1)}));
  EXPECT_EQ(diagnostics,
            "8: error: misaligned read of 'a': expected an address "
            "divisible by 4, got 0x100000002 in lane [0] of program "
            "(0, 0, 0) of kernel 'copy'\n");
}

/// A pointer to nothing is reported when it is used.
TEST_F(AccessTest, pointerOutsideIsReported) {
  EXPECT_FALSE(run(kCopy, {KernelArgument::pointer(64), addEmpty<float>("c", 4),
                           integer(0), integer(1)}));
  EXPECT_EQ(diagnostics,
            "8: error: read through a pointer outside every "
            "allocation, 0x40, in lane [0] of program (0, 0, 0) of "
            "kernel 'copy'\n");
}

/// A read of bytes that nobody wrote is an error; options can allow it.
TEST_F(AccessTest, uninitialisedReadIsReported) {
  KernelArgument a = addEmpty<float>("a", 4), c = addEmpty<float>("c", 4);
  EXPECT_FALSE(run(kCopy, {a, c, integer(0), integer(4)}));
  EXPECT_EQ(diagnostics, "8: error: read of element 0 of 'a', which nobody has "
                         "written, in lane [0] of program (0, 0, 0) of kernel "
                         "'copy'\n");
  options.checkUninitialised = false;
  EXPECT_TRUE(run(kCopy, {a, c, integer(0), integer(4)}));
}

/// What one launch writes the next one may read, with and without race checks.
TEST_F(AccessTest, writesInitialise) {
  for (bool races : {true, false}) {
    options.checkRaces = races;
    KernelArgument c = addEmpty<float>("c", 4), d = addEmpty<float>("d", 4);
    EXPECT_TRUE(
        run(kCopy, {add<float>("a", {1, 2, 3, 4}), c, integer(0), integer(4)}));
    EXPECT_TRUE(run(kCopy, {c, d, integer(0), integer(4)})) << diagnostics;
    EXPECT_EQ(get<float>(d), (Floats{1, 2, 3, 4}));
  }
}

/// Two lanes that write different values to one address are reported.
TEST_F(AccessTest, conflictingLanesAreReported) {
  EXPECT_FALSE(run(R"(
    tile.kernel @k(%c: !tile.ptr<i32>) {
      %x = arith.constant dense<[7, 8, 9]> : tensor<3xi32>
      %i = arith.constant dense<[0, 1, 0]> : tensor<3xi32>
      tile.store %c[%i], %x : !tile.ptr<i32>, tensor<3xi32>, tensor<3xi32>
      tile.return
    })",
                   {addEmpty<int32_t>("c", 2)}));
  EXPECT_EQ(diagnostics,
            "5: error: lanes [0] and [2] write the different values 7 "
            "and 9 to element 0 of 'c' in program (0, 0, 0) of kernel "
            "'k'\n");
}

/// Two lanes may write the same value to one address.
TEST_F(AccessTest, agreeingLanesAreFine) {
  KernelArgument c = addEmpty<int32_t>("c", 2);
  EXPECT_TRUE(run(R"(
    tile.kernel @k(%c: !tile.ptr<i32>) {
      %x = arith.constant dense<[7, 8, 7]> : tensor<3xi32>
      %i = arith.constant dense<[0, 1, 0]> : tensor<3xi32>
      tile.store %c[%i], %x : !tile.ptr<i32>, tensor<3xi32>, tensor<3xi32>
      tile.return
    })",
                  {c}))
      << diagnostics;
  EXPECT_EQ(get<int32_t>(c), (std::vector<int32_t>{7, 8}));
}

/// i1 in memory is 0 or 1; another byte is an error.
TEST_F(AccessTest, otherBytesAreNoBool) {
  EXPECT_FALSE(run(R"(
    tile.kernel @k(%a: !tile.ptr<i1>) {
      %i = tile.iota : tensor<2xi32>
      %x = tile.load %a[%i] : !tile.ptr<i1>, tensor<2xi32> -> tensor<2xi1>
      tile.return
    })",
                   {add<uint8_t>("a", {1, 2})}));
  EXPECT_EQ(diagnostics,
            "4: error: expected element 1 of 'a' of type i1 to be 0 or "
            "1 in memory, got 2 in lane [1] of program (0, 0, 0) of "
            "kernel 'k'\n");
}

/// The wrong number of arguments is an error at the kernel.
TEST_F(AccessTest, missingArgumentIsReported) {
  EXPECT_FALSE(run(kCopy, {integer(1)}));
  EXPECT_EQ(diagnostics, "2: error: expected 4 arguments, got 1\n");
}

/// An argument must fulfil its fact.
TEST_F(AccessTest, brokenFactIsReported) {
  const char *text = R"(
    tile.kernel @k(%a: !tile.ptr<f32> {tile.fact = #tile.fact<divisibility = 16>},
                   %n: i32 {tile.fact = #tile.fact<min = 0>}) {
      tile.return
    })";
  KernelArgument a = add<float>("a", {1, 2});
  EXPECT_TRUE(run(text, {a, integer(0)})) << diagnostics;
  EXPECT_FALSE(run(text, {a, integer(-1)}));
  a.bits += 4;
  EXPECT_FALSE(run(text, {a, integer(0)}));
  EXPECT_EQ(
      diagnostics,
      "2: error: argument 'n' breaks its fact: expected at least 0, got -1\n"
      "2: error: argument 'a' breaks its fact: expected an address divisible "
      "by 16, got 0x100000004\n");
}

/// A violated assumption is an error at the op.
TEST_F(AccessTest, brokenAssumptionIsReported) {
  EXPECT_FALSE(run(R"(
    tile.kernel @k(%n: i64) {
      tile.assume %n, <divisibility = 8> : i64
      tile.return
    })",
                   {integer(12)}));
  EXPECT_EQ(diagnostics,
            "3: error: assumption does not hold: expected a multiple of "
            "8, got 12 in program (0, 0, 0) of kernel 'k'\n");
}

/// A false assertion stops the launch with its message.
TEST_F(AccessTest, assertionIsReported) {
  EXPECT_FALSE(run(R"(
    tile.kernel @k() {
      %ok = arith.constant dense<[true, false]> : tensor<2xi1>
      tile.assert %ok, "index out of range" : tensor<2xi1>
      tile.return
    })"));
  EXPECT_EQ(diagnostics,
            "4: error: assertion failed: index out of range in lane "
            "[1] of program (0, 0, 0) of kernel 'k'\n");
}

/// Programs print in their order, whatever the threads do.
TEST_F(AccessTest, printsInOrder) {
  options.threads = 2;
  EXPECT_TRUE(run(R"(
    tile.kernel @k() {
      %p = tile.program_id x
      %x = arith.constant dense<[[1.5, -0.0], [2.0, 3.0]]> : tensor<2x2xf32>
      tile.print "x", %p, %x : i32, tensor<2x2xf32>
      tile.return
    })",
                  {}, {2, 1, 1}))
      << diagnostics;
  EXPECT_EQ(printed, "program (0, 0, 0): x 0 [[1.5, -0], [2, 3]]\n"
                     "program (1, 0, 0): x 1 [[1.5, -0], [2, 3]]\n");
}

/// Memory that an argument has for itself is not that of another one.
TEST_F(AccessTest, brokenNoaliasIsReported) {
  const char *text = R"(
    tile.kernel @k(%a: !tile.ptr<f32> {tile.fact = #tile.fact<noalias>},
                   %b: !tile.ptr<f32>, %n: i64) {
      tile.return
    })";
  KernelArgument a = add<float>("a", {1}), b = add<float>("b", {2});
  EXPECT_TRUE(run(text, {a, b, integer(a.bits)})) << diagnostics;
  EXPECT_FALSE(run(text, {a, a, integer(0)}));
  EXPECT_EQ(diagnostics,
            "2: error: argument 'a' breaks its fact: expected memory "
            "of its own, got the address of 'b'\n");
}

/// A grid that is too large is an error, not an endless run.
TEST_F(AccessTest, hugeGridIsReported) {
  int64_t side = int64_t(1) << 31;
  EXPECT_FALSE(
      run("tile.kernel @k() {\n  tile.return\n}", {}, {side, side, side}));
  EXPECT_EQ(
      diagnostics,
      "1: error: expected a grid of less than 2^39 programs, got 2147483648 x "
      "2147483648 x 2147483648\n");
}

/// A tile that no machine could hold is an error.
TEST_F(AccessTest, hugeTileIsReported) {
  EXPECT_FALSE(run("tile.kernel @k(%x: f32) {\n"
                   "%t = arith.constant dense<0.0> : "
                   "tensor<4294967296x4294967296xf32>\n"
                   "tile.return\n}",
                   {integer(0)}));
  EXPECT_EQ(diagnostics, "2: error: the interpreter expected at most 67108864 "
                         "elements, got a "
                         "'tensor<4294967296x4294967296xf32>'\n");
}
