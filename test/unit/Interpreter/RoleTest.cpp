//===- RoleTest.cpp - Roles, the copy engine and wgmma --------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"
#include "tile/Layout/Constructors.h"

using tile::KernelArgument;

namespace {
/// c = a b for a of 64 x 16 steps and b of 16 steps x 8 in f16: a producer
/// copies one step after the other into rings of two slots, a consumer
/// multiplies.
class RoleTest : public InterpreterTest {
protected:
  /// Layout of a slot with this shape.
  std::string layout(int64_t rows, int64_t columns) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << tile::LayoutAttr::get(
        &context, llvm::cantFail(tile::sharedSwizzled(rows, columns, 16,
                                                      /*rowMajor=*/true)));
    return text;
  }

  /// Runs the kernel after replacing each `from` in its text by `to`.
  bool
  runKernel(std::vector<std::pair<std::string, std::string>> changes = {}) {
    std::string text = "#la = " + layout(64, 16) + "\n#lb = " + layout(16, 8) +
                       "\n#ls = " + layout(64, 8) + kKernel;
    for (auto &[from, to] : changes) {
      size_t at = text.find(from);
      EXPECT_NE(at, std::string::npos) << from;
      text.replace(at, from.size(), to);
    }
    std::vector<uint16_t> a, b;
    for (int i = 0; i < 64 * 16 * kSteps; ++i)
      a.push_back(kSmall[i % 5 + i % 7 % 3]);
    for (int i = 0; i < 8 * 16 * kSteps; ++i)
      b.push_back(kSmall[i % 3 + i % 5 % 4]);
    result = add<uint16_t>("c", std::vector<uint16_t>(64 * 8, 0x7e00));
    expected.assign(64 * 8, 0);
    auto value = [](uint16_t bits) {
      return float(std::find(std::begin(kSmall), std::end(kSmall), bits) -
                   std::begin(kSmall));
    };
    int inner = 16 * kSteps;
    for (int m = 0; m < 64; ++m)
      for (int n = 0; n < 8; ++n)
        for (int k = 0; k < inner; ++k)
          expected[m * 8 + n] += value(a[m * inner + k]) * value(b[k * 8 + n]);
    return run(text, {add("a", a), add("b", b), result,
                      KernelArgument::integer(inner)});
  }

  std::string message() {
    size_t begin = diagnostics.find("error: ");
    return begin == std::string::npos
               ? diagnostics
               : diagnostics.substr(begin + 7,
                                    diagnostics.find('\n') - begin - 7);
  }

  /// 0 to 7 in f16.
  static constexpr uint16_t kSmall[] = {0,      0x3c00, 0x4000, 0x4200,
                                        0x4400, 0x4500, 0x4600, 0x4700};
  static constexpr int kSteps = 5;
  static const char *const kKernel;

  KernelArgument result;
  std::vector<float> expected;
};

const char *const RoleTest::kKernel = R"(
tile.kernel @k(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %K: i32) {
  %zero = arith.constant 0 : i32
  %sixteen = arith.constant 16 : i32
  %m = arith.constant 64 : i32
  %n = arith.constant 8 : i32
  %pitch_a = arith.constant 80 : i64
  %pitch = arith.constant 8 : i64
  %none = arith.constant dense<0.0> : tensor<64x8xf32>
  %map_a = tile_gpu.tensor_map %a dims[%m, %K] strides[%pitch_a] : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x16xf16, swizzle = 32>
  %map_b = tile_gpu.tensor_map %b dims[%K, %n] strides[%pitch] : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<16x8xf16, swizzle = 0>
  %map_c = tile_gpu.tensor_map %c dims[%m, %n] strides[%pitch] : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x8xf16, swizzle = 0>
  %ring_a = tile_gpu.alloc : !tile_gpu.buffer<2x64x16xf16, #la>
  %ring_b = tile_gpu.alloc : !tile_gpu.buffer<2x16x8xf16, #lb>
  %staging = tile_gpu.alloc : !tile_gpu.buffer<1x64x8xf16, #ls>
  %full = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<2>
  %empty = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<2>
  tile_gpu.roles {
    tile_gpu.role "producer" warps 4 {
      %c0 = tile_gpu.cursor : !tile_gpu.cursor<2>
      %end = scf.for %k = %zero to %K step %sixteen iter_args(%cur = %c0) -> (!tile_gpu.cursor<2>) : i32 {
        tile_gpu.wait_free %empty[%cur] : !tile_gpu.barriers<2>, !tile_gpu.cursor<2>
        tile_gpu.expect %full[%cur], 2304 : !tile_gpu.barriers<2>, !tile_gpu.cursor<2>
        tile_gpu.tma_load %map_a[%zero, %k] into %ring_a[%cur] signals %full : !tile_gpu.tensor_map<64x16xf16, swizzle = 32>, !tile_gpu.buffer<2x64x16xf16, #la>, !tile_gpu.cursor<2>, !tile_gpu.barriers<2>
        tile_gpu.tma_load %map_b[%k, %zero] into %ring_b[%cur] signals %full : !tile_gpu.tensor_map<16x8xf16, swizzle = 0>, !tile_gpu.buffer<2x16x8xf16, #lb>, !tile_gpu.cursor<2>, !tile_gpu.barriers<2>
        %next = tile_gpu.advance %cur by 1 : !tile_gpu.cursor<2>
        scf.yield %next : !tile_gpu.cursor<2>
      }
    }
    tile_gpu.role "consumer" warps 4 {
      %c0 = tile_gpu.cursor : !tile_gpu.cursor<2>
      %sum, %end = scf.for %k = %zero to %K step %sixteen iter_args(%acc = %none, %cur = %c0) -> (tensor<64x8xf32>, !tile_gpu.cursor<2>) : i32 {
        tile_gpu.wait_full %full[%cur] : !tile_gpu.barriers<2>, !tile_gpu.cursor<2>
        %p = tile_gpu.wgmma %ring_a[%cur], %ring_b[%cur], %acc plan<wgmma, m = 64, n = 8, k = 16, warps = [4, 1]> : !tile_gpu.buffer<2x64x16xf16, #la>, !tile_gpu.cursor<2>, !tile_gpu.buffer<2x16x8xf16, #lb>, !tile_gpu.cursor<2>, tensor<64x8xf32> -> !tile_gpu.pending<tensor<64x8xf32>>
        tile_gpu.wgmma_wait 0
        %d = tile_gpu.wgmma_finish %p : !tile_gpu.pending<tensor<64x8xf32>>
        tile_gpu.release %empty[%cur] : !tile_gpu.barriers<2>, !tile_gpu.cursor<2>
        %next = tile_gpu.advance %cur by 1 : !tile_gpu.cursor<2>
        scf.yield %d, %next : tensor<64x8xf32>, !tile_gpu.cursor<2>
      }
      %out = arith.truncf %sum : tensor<64x8xf32> to tensor<64x8xf16>
      tile_gpu.tma_store %out, %map_c[%zero, %zero] via %staging : tensor<64x8xf16>, !tile_gpu.tensor_map<64x8xf16, swizzle = 0>, !tile_gpu.buffer<1x64x8xf16, #ls>
      tile_gpu.tma_store_wait
    }
  }
  tile.return
})";

const std::string kAt = " in program (0, 0, 0) of kernel 'k'";
const std::string kWaitFull = "tile_gpu.wait_full %full[%cur] : "
                              "!tile_gpu.barriers<2>, !tile_gpu.cursor<2>\n";
const std::string kWaitFree = "tile_gpu.wait_free %empty[%cur] : "
                              "!tile_gpu.barriers<2>, !tile_gpu.cursor<2>\n";
const std::string kRelease = "tile_gpu.release %empty[%cur] : "
                             "!tile_gpu.barriers<2>, !tile_gpu.cursor<2>\n";
} // namespace

/// A producer and a consumer walk the rings; copies fill with zeros past the
/// end of the matrix.
TEST_F(RoleTest, producerAndConsumer) {
  ASSERT_TRUE(runKernel()) << diagnostics;
  std::vector<uint16_t> got = get<uint16_t>(result);
  for (int i = 0; i < 64 * 8; ++i)
    ASSERT_LT(expected[i], 2048);
  // Integers below 2048 are exact in f16: compare through f16's own bits.
  for (int i = 0; i < 64 * 8; ++i) {
    int exponent = expected[i] ? std::ilogb(expected[i]) : 0;
    uint16_t bits =
        expected[i]
            ? uint16_t(
                  (exponent + 15) << 10 |
                  (int(expected[i] * std::ldexp(1, 10 - exponent)) & 0x3ff))
            : 0;
    ASSERT_EQ(got[i], bits) << i;
  }
}

/// Without waiting for the data the copy is still on its way.
TEST_F(RoleTest, missingWaitFullIsReported) {
  EXPECT_FALSE(runKernel({{kWaitFull, ""}}));
  EXPECT_EQ(message(),
            "read of slot 0 of its ring while an asynchronous copy to "
            "it is on its way" +
                kAt);
}

/// Without waiting for a free slot the producer is a turn ahead.
TEST_F(RoleTest, missingWaitFreeIsReported) {
  EXPECT_FALSE(runKernel({{kWaitFree, ""}}));
  EXPECT_EQ(message(),
            "expected at most 1 arrivals in a phase, got 2 at barrier 0" + kAt);
}

/// A slot that is released while the tensor cores read it may be overwritten
/// too early, even if the interpreter happens to run the wait before.
TEST_F(RoleTest, releaseBeforeWgmmaWaitIsReported) {
  EXPECT_FALSE(runKernel({{"tile_gpu.wgmma_wait 0\n", kRelease},
                          {kRelease + "        %next", "%next"}}));
  EXPECT_EQ(message(),
            "write to slot 0 of its ring that no transaction barrier "
            "orders after the read before it" +
                kAt);
  EXPECT_NE(diagnostics.find("note: the read before it"), std::string::npos);
}

/// A slot that is never released stops both roles for ever; both are named.
TEST_F(RoleTest, missingReleaseIsReported) {
  EXPECT_FALSE(runKernel({{kRelease, ""}}));
  EXPECT_EQ(message(),
            "waits for ever for turn 1 of barrier 0, which has 0 of 1 "
            "arrivals and copies of 0 of 0 bytes announced," +
                kAt);
  EXPECT_NE(
      diagnostics.find("note: and the next role waits for ever for turn 1 of "
                       "barrier 0, which has 0 of 1 arrivals and copies of 0 "
                       "of 0 bytes announced\n"),
      std::string::npos)
      << diagnostics;
}

/// The bytes announced must be those that land.
TEST_F(RoleTest, wrongBytesAreReported) {
  EXPECT_FALSE(runKernel({{"2304", "2048"}}));
  EXPECT_NE(
      diagnostics.find("waits for ever for turn 0 of barrier 0, which has 1 of "
                       "1 arrivals and copies of 2304 of 2048 bytes "
                       "announced"),
      std::string::npos)
      << diagnostics;
}

/// A barrier that wants more arrivals than it gets is never over.
TEST_F(RoleTest, tooFewArrivalsAreReported) {
  EXPECT_FALSE(runKernel({{"%empty = tile_gpu.barriers arrivals 1",
                           "%empty = tile_gpu.barriers arrivals 2"}}));
  EXPECT_NE(
      diagnostics.find("waits for ever for turn 1 of barrier 0, which has 1 of "
                       "2 arrivals and copies of 0 of 0 bytes announced"),
      std::string::npos)
      << diagnostics;
}

/// One release arrives once for each warpgroup of its role.
TEST_F(RoleTest, releaseCountsWarpgroups) {
  EXPECT_TRUE(
      runKernel({{"%empty = tile_gpu.barriers arrivals 1",
                  "%empty = tile_gpu.barriers arrivals 2"},
                 {"role \"consumer\" warps 4", "role \"consumer\" warps 8"}}))
      << diagnostics;
}

/// Before a role ends its stores must have been waited for.
TEST_F(RoleTest, missingStoreWaitIsReported) {
  EXPECT_FALSE(runKernel({{"tile_gpu.tma_store_wait", ""}}));
  EXPECT_EQ(message(),
            "expected a wait for this store before its role ends," + kAt);
}

/// The copy engine wants pitches of 16 bytes.
TEST_F(RoleTest, misalignedPitchIsReported) {
  EXPECT_FALSE(runKernel(
      {{"%pitch_a = arith.constant 80", "%pitch_a = arith.constant 81"}}));
  EXPECT_EQ(message(),
            "expected pitches of a multiple of 16 bytes, got 162" + kAt);
}

/// A matrix that is larger than its memory is out of bounds at the copy.
TEST_F(RoleTest, matrixBeyondMemoryIsReported) {
  EXPECT_FALSE(runKernel(
      {{"dims[%m, %K] strides[%pitch_a]", "dims[%m, %m] strides[%pitch_a]"},
       {"%m = arith.constant 64", "%m = arith.constant 4096"},
       {"%map_a[%zero, %k]", "%map_a[%sixteen, %k]"}}));
  EXPECT_NE(message().find("out-of-bounds read of element 5120 of 'a'"),
            std::string::npos)
      << diagnostics;
}

/// Between an ordinary write of a slot and wgmma there must be a fence, and a
/// barrier behind it.
TEST_F(RoleTest, missingFenceIsReported) {
  auto text = [&](std::string between) {
    return "#la = " + layout(64, 16) + "\n#lb = " + layout(16, 8) + R"(
#xa = #tile.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8], [32, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [64, 16]>
#xb = #tile.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>
tile.kernel @k() {
  %x = arith.constant dense<1.0> : tensor<64x16xf16, #xa>
  %y = arith.constant dense<2.0> : tensor<16x8xf16, #xb>
  %none = arith.constant dense<0.0> : tensor<64x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x64x16xf16, #la>
  %b = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf16, #lb>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %a[%c] : tensor<64x16xf16, #xa>, !tile_gpu.buffer<1x64x16xf16, #la>, !tile_gpu.cursor<1>
  tile_gpu.local_store %y, %b[%c] : tensor<16x8xf16, #xb>, !tile_gpu.buffer<1x16x8xf16, #lb>, !tile_gpu.cursor<1>
)" + between +
           R"(
  %p = tile_gpu.wgmma %a[%c], %b[%c], %none plan<wgmma, m = 64, n = 8, k = 16, warps = [4, 1]> : !tile_gpu.buffer<1x64x16xf16, #la>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x16x8xf16, #lb>, !tile_gpu.cursor<1>, tensor<64x8xf32> -> !tile_gpu.pending<tensor<64x8xf32>>
  %d = tile_gpu.wgmma_finish %p : !tile_gpu.pending<tensor<64x8xf32>>
  tile.return
})";
  };
  EXPECT_TRUE(run(text("tile_gpu.fence_async\n tile_gpu.barrier")))
      << diagnostics;
  EXPECT_FALSE(run(text("tile_gpu.barrier")));
  EXPECT_EQ(message(),
            "expected a fence between the write to slot 0 of its ring and "
            "the tensor cores' read of it" +
                kAt);
  diagnostics.clear();
  EXPECT_FALSE(run(text("tile_gpu.barrier\n tile_gpu.fence_async")));
  EXPECT_EQ(message(),
            "expected a barrier between the fence for slot 0 of its ring and "
            "the tensor cores' read of it" +
                kAt);
}

/// A persistent kernel runs as fewer CTAs than programs.
TEST_F(RoleTest, persistentKernel) {
  const char *text = R"(
tile.kernel @k(%c: !tile.ptr<i32>, %n: i32) {
  %one = arith.constant 1 : i32
  %cta = tile_gpu.cta
  %ctas = tile_gpu.num_ctas
  scf.for %t = %cta to %n step %ctas : i32 {
    %old = tile.load %c[%t] : !tile.ptr<i32>, i32 -> i32
    %new = arith.addi %old, %one : i32
    tile.store %c[%t], %new : !tile.ptr<i32>, i32, i32
  }
  tile.print "ctas", %ctas : i32
  tile.return
})";
  KernelArgument c = add<int32_t>("c", std::vector<int32_t>(5));
  ASSERT_TRUE(run(text, {c, KernelArgument::integer(5)}, {5, 1, 1}))
      << diagnostics;
  EXPECT_EQ(get<int32_t>(c), std::vector<int32_t>(5, 1));
  EXPECT_NE(printed.find("program (2, 0, 0): ctas 3\n"), std::string::npos);
  options.ctas = 1;
  ASSERT_TRUE(run(text, {c, KernelArgument::integer(5)}, {5, 1, 1}))
      << diagnostics;
  EXPECT_EQ(get<int32_t>(c), std::vector<int32_t>(5, 2));
}
