//===- RaceTest.cpp - Races between programs and atomics ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"
#include "RaceDetector.h"

using tile::KernelArgument;
using namespace tile::interpreter;

namespace {
class RaceTest : public InterpreterTest {};

/// Program i stores to element i / %d.
constexpr const char *kWrite = R"(
tile.kernel @k(%c: !tile.ptr<i32>, %d: i32) {
  %p = tile.program_id x
  %i = arith.divui %p, %d : i32
  tile.store %c[%i], %p : !tile.ptr<i32>, i32, i32
  tile.return
}
)";

/// Program i copies element i to element i + 1.
constexpr const char *kShift = R"(
tile.kernel @k(%c: !tile.ptr<i16>) {
  %p = tile.program_id x
  %one = arith.constant 1 : i32
  %i = arith.addi %p, %one : i32
  %x = tile.load %c[%p] : !tile.ptr<i16>, i32 -> i16
  tile.store %c[%i], %x : !tile.ptr<i16>, i32, i16
  tile.return
}
)";
} // namespace

/// Programs that write different elements do not race.
TEST_F(RaceTest, disjointWritesAreFine) {
  KernelArgument c = addEmpty<int32_t>("c", 64);
  EXPECT_TRUE(run(kWrite, {c, KernelArgument::integer(1)}, {4, 4, 4}) == false);
  diagnostics.clear();
  EXPECT_TRUE(run(kWrite, {c, KernelArgument::integer(1)}, {64, 1, 1}))
      << diagnostics;
}

/// Two programs that write one byte race: both programs and both ops are named,
/// the same pair for every number of threads.
TEST_F(RaceTest, writeWriteIsReported) {
  for (unsigned threads : {1, 2, 4}) {
    options.threads = threads;
    diagnostics.clear();
    EXPECT_FALSE(run(kWrite,
                     {addEmpty<int32_t>("c", 64), KernelArgument::integer(2)},
                     {100, 1, 1}));
    EXPECT_EQ(
        diagnostics,
        "5: error: race: program (1, 0, 0) writes element 0 of 'c', which "
        "program (0, 0, 0) writes\n"
        "5: note: program (0, 0, 0) writes it here\n");
  }
}

/// A program that reads what another one writes races with it.
TEST_F(RaceTest, readWriteIsReported) {
  for (unsigned threads : {1, 2}) {
    options.threads = threads;
    diagnostics.clear();
    EXPECT_FALSE(
        run(kShift, {add<int16_t>("c", std::vector<int16_t>(9))}, {8, 1, 1}));
    EXPECT_EQ(diagnostics,
              "6: error: race: program (1, 0, 0) reads element 1 of 'c', which "
              "program (0, 0, 0) writes\n"
              "7: note: program (0, 0, 0) writes it here\n");
  }
}

/// The option turns the check off.
TEST_F(RaceTest, checkCanBeTurnedOff) {
  options.checkRaces = false;
  EXPECT_TRUE(run(kWrite,
                  {addEmpty<int32_t>("c", 64), KernelArgument::integer(2)},
                  {100, 1, 1}))
      << diagnostics;
}

/// Atomic updates of one address do not race and none is lost.
TEST_F(RaceTest, atomicsAreFine) {
  KernelArgument c = add<int32_t>("c", {0, 0});
  KernelArgument f = add<float>("f", {0.5f});
  EXPECT_TRUE(run(R"(
    tile.kernel @k(%c: !tile.ptr<i32>, %f: !tile.ptr<f32>) {
      %zeros = arith.constant dense<0> : tensor<4xi32>
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %x = tile.iota : tensor<4xi32>
      %in = arith.constant dense<[true, true, false, true]> : tensor<4xi1>
      %old = tile.atomic_rmw addi %c[%zeros], %x mask %in
        : !tile.ptr<i32>, tensor<4xi32>, tensor<4xi32>
      %p = tile.program_id x
      %m = tile.atomic_rmw maxs %c[%one], %p : !tile.ptr<i32>, i32, i32
      %half = arith.constant 0.5 : f32
      %g = tile.atomic_rmw addf %f[%zero], %half : !tile.ptr<f32>, i32, f32
      tile.return
    })",
                  {c, f}, {10, 1, 1}))
      << diagnostics;
  EXPECT_EQ(get<int32_t>(c), (std::vector<int32_t>{40, 9}));
  EXPECT_EQ(get<float>(f)[0], 5.5f);
}

/// An atomic update races with a plain write.
TEST_F(RaceTest, atomicAndPlainWriteIsReported) {
  EXPECT_FALSE(run(R"(
    tile.kernel @k(%c: !tile.ptr<i32>) {
      %p = tile.program_id x
      %zero = arith.constant 0 : i32
      %first = arith.cmpi eq, %p, %zero : i32
      scf.if %first {
        tile.store %c[%zero], %p : !tile.ptr<i32>, i32, i32
      } else {
        %old = tile.atomic_rmw addi %c[%zero], %p : !tile.ptr<i32>, i32, i32
      }
      tile.return
    })",
                   {add<int32_t>("c", {0})}, {2, 1, 1}));
  EXPECT_EQ(diagnostics,
            "9: error: race: program (1, 0, 0) updates element 0 of 'c', which "
            "program (0, 0, 0) writes\n"
            "7: note: program (0, 0, 0) writes it here\n");
}

/// Compare and swap returns the old value and stores where it was expected.
TEST_F(RaceTest, compareAndSwap) {
  KernelArgument c = add<int32_t>("c", {5, 6});
  EXPECT_TRUE(run(R"(
    tile.kernel @k(%c: !tile.ptr<i32>) {
      %i = tile.iota : tensor<2xi32>
      %e = arith.constant dense<5> : tensor<2xi32>
      %v = arith.constant dense<9> : tensor<2xi32>
      %old = tile.atomic_cas %c[%i], %e, %v : !tile.ptr<i32>, tensor<2xi32>, tensor<2xi32>
      tile.print "old", %old : tensor<2xi32>
      tile.return
    })",
                  {c}))
      << diagnostics;
  EXPECT_EQ(get<int32_t>(c), (std::vector<int32_t>{9, 6}));
  EXPECT_EQ(printed, "program (0, 0, 0): old [5, 6]\n");
}

/// The error of the lowest program is reported, however many programs fail.
TEST_F(RaceTest, lowestProgramIsReported) {
  for (unsigned threads : {1, 2, 4}) {
    options.threads = threads;
    diagnostics.clear();
    EXPECT_FALSE(run(R"(
      tile.kernel @k(%n: i32) {
        %p = tile.program_id x
        %ok = arith.cmpi slt, %p, %n : i32
        tile.assert %ok, "too far" : i1
        tile.return
      })",
                     {KernelArgument::integer(37)}, {200, 1, 1}));
    EXPECT_EQ(diagnostics, "5: error: assertion failed: too far in program "
                           "(37, 0, 0) of kernel 'k'\n");
  }
}

/// The two lowest programs of each kind of access are kept, in any order.
TEST(RaceShadow, keepsTheLowest) {
  RaceShadow shadow(10);
  for (int64_t program : {7, 3, 9, 5, 3})
    shadow.record(4, Touch::Write, Toucher(program, 1));
  shadow.record(4, Touch::Read, Toucher(4, 2));
  auto race = shadow.findFirst(0);
  ASSERT_TRUE(race);
  EXPECT_EQ(race->first.program(), 3);
  EXPECT_EQ(race->second.program(), 4);
  EXPECT_EQ(race->secondTouch, Touch::Read);
  EXPECT_EQ(race->granule, 4u);
  EXPECT_TRUE(shadow.hasWritten(4, 5));
  EXPECT_FALSE(shadow.hasWritten(3, 5));
}

/// Reads alone are no race, nor is what one program does by itself.
TEST(RaceShadow, readsAreNoRace) {
  RaceShadow shadow(10);
  shadow.record(1, Touch::Read, Toucher(1, 1));
  shadow.record(1, Touch::Read, Toucher(2, 1));
  shadow.record(2, Touch::Read, Toucher(0, 0));
  shadow.record(2, Touch::Write, Toucher(0, 1));
  EXPECT_FALSE(shadow.findFirst(0));
}
