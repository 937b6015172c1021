//===- RingTest.cpp - Rings in shared memory ------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

using tile::KernelArgument;

namespace {
/// Slots of four i32 each.
class RingTest : public InterpreterTest {
protected:
  /// Runs `body` between the start and the end of a kernel over a ring of two
  /// slots with cursors %c and %d, on `a` = 1 .. 8; returns whether it ran.
  bool ring(const std::string &body) {
    return run(R"(
#l = #tile.layout<offset = [[1], [2]], sides = [4]>
#r = #tile.layout<register = [[1], [2]], sides = [4]>
tile.kernel @k(%a: !tile.ptr<i32>, %live: i1) {
  %zero = arith.constant 0 : i32
  %four = arith.constant 4 : i32
  %eight = arith.constant 8 : i32
  %one = arith.constant 1 : i64
  %x = arith.constant dense<[9, 8, 7, 6]> : tensor<4xi32, #r>
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x4xi32, #l>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %d = tile_gpu.advance %c by 1 : !tile_gpu.cursor<2>
)" + body + "\n  tile.return\n}\n",
               {add<int32_t>("a", {1, 2, 3, 4, 5, 6, 7, 8}),
                KernelArgument::integer(live)});
  }

  static std::string copy(std::string cursor, std::string origin,
                          std::string more = "") {
    return "tile_gpu.copy_async %a[" + origin +
           "] bounds[%eight] strides[%one] "
           "into %ring[" +
           cursor + "] " + more +
           " plan<cp_async, vector = 4> : !tile.ptr<i32>, i32, "
           "!tile_gpu.buffer<2x4xi32, #l>, !tile_gpu.cursor<2>\n";
  }
  static std::string store(std::string cursor) {
    return "tile_gpu.local_store %x, %ring[" + cursor +
           "] : tensor<4xi32, #r>, !tile_gpu.buffer<2x4xi32, #l>, "
           "!tile_gpu.cursor<2>\n";
  }
  static std::string load(std::string name, std::string cursor) {
    return name + " = tile_gpu.local_load %ring[" + cursor +
           "] : !tile_gpu.buffer<2x4xi32, #l>, !tile_gpu.cursor<2> -> "
           "tensor<4xi32, #r>\ntile.print \"r\", " +
           name + " : tensor<4xi32, #r>\n";
  }
  /// The first line of what was reported, without its place.
  std::string message() {
    size_t begin = diagnostics.find("error: ");
    return begin == std::string::npos
               ? diagnostics
               : diagnostics.substr(begin + 7,
                                    diagnostics.find('\n') - begin - 7);
  }

  bool live = true;
};

const std::string kCommit = "tile_gpu.commit\n",
                  kBarrier = "tile_gpu.barrier\n";
const std::string kWait0 = "tile_gpu.wait 0\n", kWait1 = "tile_gpu.wait 1\n";
const std::string kAt = " in program (0, 0, 0) of kernel 'k'";
} // namespace

/// What a cursor names is written and read; two steps further is the same slot.
TEST_F(RingTest, slotsHoldTiles) {
  EXPECT_TRUE(ring(store("%d") + kBarrier +
                   "%e = tile_gpu.advance %d by 2 : !tile_gpu.cursor<2>\n" +
                   load("%y", "%e")))
      << diagnostics;
  EXPECT_EQ(printed, "program (0, 0, 0): r [9, 8, 7, 6]\n");
}

/// Copies land in the order of their groups: with one group still on its way
/// the one before has landed.
TEST_F(RingTest, copiesLandWhenWaitedFor) {
  EXPECT_TRUE(ring(copy("%c", "%zero") + kCommit + copy("%d", "%four") +
                   kCommit + kWait1 + kBarrier + load("%y", "%c") + kWait0 +
                   kBarrier + load("%z", "%d")))
      << diagnostics;
  EXPECT_EQ(printed, "program (0, 0, 0): r [1, 2, 3, 4]\n"
                     "program (0, 0, 0): r [5, 6, 7, 8]\n");
}

/// A slot may not be read while a copy to it is on its way.
TEST_F(RingTest, readOfAPendingCopyIsReported) {
  EXPECT_FALSE(ring(copy("%c", "%zero") + kCommit + copy("%d", "%four") +
                    kCommit + kWait1 + kBarrier + load("%y", "%d")));
  EXPECT_EQ(message(),
            "read of slot 1 of its ring while an asynchronous copy to "
            "it is on its way" +
                kAt);
  EXPECT_NE(diagnostics.find("note: the copy starts here"), std::string::npos);
}

/// A copy that was never committed is not waited for.
TEST_F(RingTest, uncommittedCopyDoesNotLand) {
  EXPECT_FALSE(
      ring(copy("%c", "%zero") + kWait0 + kBarrier + load("%y", "%c")));
  EXPECT_EQ(message(),
            "read of slot 0 of its ring while an asynchronous copy to "
            "it is on its way" +
                kAt);
}

/// A slot may not be written while a copy to it is on its way.
TEST_F(RingTest, writeOverAPendingCopyIsReported) {
  EXPECT_FALSE(ring(copy("%c", "%zero") + kCommit + store("%c")));
  EXPECT_EQ(message(),
            "write to slot 0 of its ring while an asynchronous copy to "
            "it is on its way" +
                kAt);
}

/// A slot that nobody has written may not be read.
TEST_F(RingTest, readOfAnEmptySlotIsReported) {
  EXPECT_FALSE(ring(store("%c") + kBarrier + load("%y", "%d")));
  EXPECT_EQ(message(),
            "read of slot 1 of its ring, which nobody has written" + kAt);
}

/// Between a write and a read of a slot there must be a barrier.
TEST_F(RingTest, readWithoutBarrierIsReported) {
  EXPECT_FALSE(ring(kBarrier + store("%c") + load("%y", "%c")));
  EXPECT_EQ(message(),
            "expected a barrier between this read of slot 0 of its ring "
            "and the write before it" +
                kAt);
  EXPECT_NE(diagnostics.find("note: the write before it"), std::string::npos);
}

/// A copy is written when it lands: the barrier must come after the wait.
TEST_F(RingTest, barrierBeforeWaitIsReported) {
  EXPECT_FALSE(ring(copy("%c", "%zero") + kCommit + kBarrier + kWait0 +
                    load("%y", "%c")));
  EXPECT_EQ(message(),
            "expected a barrier between this read of slot 0 of its ring "
            "and the write before it" +
                kAt);
}

/// Between a read of a slot and the next write there must be a barrier.
TEST_F(RingTest, writeAfterReadWithoutBarrierIsReported) {
  EXPECT_FALSE(
      ring(store("%c") + kBarrier + load("%y", "%c") + copy("%c", "%zero")));
  EXPECT_EQ(message(),
            "expected a barrier between this write to slot 0 of its ring "
            "and the read before it" +
                kAt);
  EXPECT_NE(diagnostics.find("note: the read before it"), std::string::npos);
}

/// Two writes of one slot need a barrier, too.
TEST_F(RingTest, writeAfterWriteWithoutBarrierIsReported) {
  EXPECT_FALSE(ring(kBarrier + store("%c") + store("%c")));
  EXPECT_EQ(message(),
            "expected a barrier between this write to slot 0 of its ring "
            "and the write before it" +
                kAt);
}

/// Without a barrier in the kernel none is asked for, unless the options do.
TEST_F(RingTest, barriersAreCheckedWhereThereAreSome) {
  std::string body = store("%c") + load("%y", "%c");
  EXPECT_TRUE(ring(body)) << diagnostics;
  options.checkBarriers = true;
  EXPECT_FALSE(ring(body));
  options.checkBarriers = false;
  EXPECT_TRUE(ring(kBarrier + body));
}

/// A copy that is not live fills its slot with zeros and reads no memory, here
/// far outside.
TEST_F(RingTest, deadCopyIsZero) {
  live = false;
  EXPECT_TRUE(ring("%far = arith.constant 1000000 : i32\n" +
                   copy("%c", "%far", "if %live") + kCommit + kWait0 +
                   kBarrier + load("%y", "%c")))
      << diagnostics;
  EXPECT_EQ(printed, "program (0, 0, 0): r [0, 0, 0, 0]\n");
}

/// What lies beyond the bounds becomes zero.
TEST_F(RingTest, copyFillsWithZeros) {
  EXPECT_TRUE(
      ring("%six = arith.constant 6 : i32\n"
           "tile_gpu.copy_async %a[%four] bounds[%six] strides[%one] into "
           "%ring[%c] plan<cp_async, vector = 4> : !tile.ptr<i32>, i32, "
           "!tile_gpu.buffer<2x4xi32, #l>, !tile_gpu.cursor<2>\n" +
           kCommit + kWait0 + kBarrier + load("%y", "%c")))
      << diagnostics;
  EXPECT_EQ(printed, "program (0, 0, 0): r [5, 6, 0, 0]\n");
}

/// The first address of each vector of a copy is aligned to the vector.
TEST_F(RingTest, misalignedCopyIsReported) {
  EXPECT_FALSE(ring("%two = arith.constant 2 : i32\n" + copy("%c", "%two")));
  EXPECT_EQ(message(),
            "misaligned vector of 4 elements: expected an address "
            "divisible by 16, got 0x100000008 in lane [0] of program "
            "(0, 0, 0) of kernel 'k'");
}

/// Rings that share bytes: writing one destroys the other.
TEST_F(RingTest, overlappingRingsOverwrite) {
  const char *text = R"(
#l = #tile.layout<offset = [[1], [2]], sides = [4]>
#r = #tile.layout<register = [[1], [2]], sides = [4]>
tile.kernel @k() {
  %x = arith.constant dense<[9, 8, 7, 6]> : tensor<4xi32, #r>
  %p = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x4xi32, #l>
  %q = tile_gpu.alloc at OFFSET : !tile_gpu.buffer<1x4xi32, #l>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %p[%c] : tensor<4xi32, #r>, !tile_gpu.buffer<1x4xi32, #l>, !tile_gpu.cursor<1>
  tile_gpu.barrier
  tile_gpu.local_store %x, %q[%c] : tensor<4xi32, #r>, !tile_gpu.buffer<1x4xi32, #l>, !tile_gpu.cursor<1>
  tile_gpu.barrier
  %y = tile_gpu.local_load %p[%c] : !tile_gpu.buffer<1x4xi32, #l>, !tile_gpu.cursor<1> -> tensor<4xi32, #r>
  tile.return
})";
  auto at = [&](std::string offset) {
    std::string result = text;
    return result.replace(result.find("OFFSET"), 6, offset);
  };
  EXPECT_TRUE(run(at("128"))) << diagnostics;
  EXPECT_FALSE(run(at("0")));
  EXPECT_EQ(diagnostics,
            "13: error: read of slot 0 of its ring, whose bytes another "
            "ring has overwritten in program (0, 0, 0) of kernel 'k'\n"
            "11: note: overwritten here\n");
}

/// mma reads its operands from slots, with the numerics of dot.
TEST_F(RingTest, mmaReadsSlots) {
  ASSERT_TRUE(run(R"(
#l = #tile.layout<offset = [[0, 1], [1, 0]], sides = [2, 2]>
tile.kernel @k(%a: !tile.ptr<f32>) {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %one = arith.constant 1 : i64
  %pitch = arith.constant 2 : i64
  %acc = arith.constant dense<100.0> : tensor<2x2xf32>
  %p = tile_gpu.alloc : !tile_gpu.buffer<1x2x2xf32, #l>
  %q = tile_gpu.alloc : !tile_gpu.buffer<1x2x2xf32, #l>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.copy %a[%zero, %zero] bounds[%two, %two] strides[%pitch, %one] into %p[%c] plan<plain> : !tile.ptr<f32>, i32, !tile_gpu.buffer<1x2x2xf32, #l>, !tile_gpu.cursor<1>
  tile_gpu.copy %a[%zero, %zero] bounds[%two, %two] strides[%one, %pitch] into %q[%c] plan<plain> : !tile.ptr<f32>, i32, !tile_gpu.buffer<1x2x2xf32, #l>, !tile_gpu.cursor<1>
  tile_gpu.barrier
  %d = tile_gpu.mma %p[%c], %q[%c], %acc plan<fma, m = 1, n = 1, k = 1, warps = [1, 1]> : !tile_gpu.buffer<1x2x2xf32, #l>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x2x2xf32, #l>, !tile_gpu.cursor<1> -> tensor<2x2xf32>
  tile.print "r", %d : tensor<2x2xf32>
  tile.return
})",
                  {add<float>("a", {1, 2, 3, 4})}))
      << diagnostics;
  // [[1, 2], [3, 4]] times its transpose.
  EXPECT_EQ(printed, "program (0, 0, 0): r [[105, 111], [111, 125]]\n");
}
