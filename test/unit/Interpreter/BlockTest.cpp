//===- BlockTest.cpp - Strided blocks of global memory --------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

using tile::KernelArgument;

namespace {
/// A kernel that loads a 2x4 block of %a and stores it to %c, whose rows have a
/// pitch of 4.
class BlockTest : public InterpreterTest {
protected:
  struct Block {
    std::array<int32_t, 2> origin{0, 0}, bounds{2, 4};
    std::array<int64_t, 2> strides{4, 1};
    int vector = 1;
  };

  static std::string text(const Block &load, const Block &store) {
    auto constants = [](std::string name, const Block &block) {
      std::string result;
      for (int dim : {0, 1}) {
        std::string d = std::to_string(dim);
        result += "%" + name + "o" + d + " = arith.constant " +
                  std::to_string(block.origin[dim]) + " : i32\n%" + name + "b" +
                  d + " = arith.constant " + std::to_string(block.bounds[dim]) +
                  " : i32\n%" + name + "s" + d + " = arith.constant " +
                  std::to_string(block.strides[dim]) + " : i64\n";
      }
      return result;
    };
    auto block = [](std::string name) {
      return "[%" + name + "o0, %" + name + "o1] bounds[%" + name + "b0, %" +
             name + "b1] strides[%" + name + "s0, %" + name + "s1] ";
    };
    return "tile.kernel @k(%a: !tile.ptr<i32>, %c: !tile.ptr<i32>) {\n" +
           constants("l", load) + constants("s", store) +
           "%other = arith.constant -1 : i32\n"
           "%x = tile_gpu.load %a" +
           block("l") + "other %other plan<registers, vector = " +
           std::to_string(load.vector) +
           "> : !tile.ptr<i32>, i32 -> tensor<2x4xi32>\n"
           "tile_gpu.store %x, %c" +
           block("s") +
           "plan<registers, vector = " + std::to_string(store.vector) +
           "> : tensor<2x4xi32>, !tile.ptr<i32>, i32\ntile.return\n}\n";
  }

  bool runBlock(const Block &load, const Block &store) {
    std::vector<int32_t> values;
    for (int32_t i = 0; i < 16; ++i)
      values.push_back(i);
    result = add("c", std::vector<int32_t>(8, 99));
    return run(text(load, store), {add("a", values), result});
  }

  KernelArgument result;
};

using Ints = std::vector<int32_t>;
} // namespace

/// Strides and origins, also a transposed block.
TEST_F(BlockTest, strides) {
  Block plain;
  plain.origin = {1, 0};
  plain.bounds = {4, 4};
  EXPECT_TRUE(runBlock(plain, {})) << diagnostics;
  EXPECT_EQ(get<int32_t>(result), (Ints{4, 5, 6, 7, 8, 9, 10, 11}));
  Block transposed;
  transposed.strides = {1, 4};
  EXPECT_TRUE(runBlock(transposed, {})) << diagnostics;
  EXPECT_EQ(get<int32_t>(result), (Ints{0, 4, 8, 12, 1, 5, 9, 13}));
}

/// Elements beyond the bounds become `other` and are not stored.
TEST_F(BlockTest, bounds) {
  Block load, store;
  load.bounds = {1, 3};
  store.bounds = {2, 4};
  EXPECT_TRUE(runBlock(load, store)) << diagnostics;
  EXPECT_EQ(get<int32_t>(result), (Ints{0, 1, 2, -1, -1, -1, -1, -1}));
  store.bounds = {2, 2};
  EXPECT_TRUE(runBlock({}, store)) << diagnostics;
  EXPECT_EQ(get<int32_t>(result), (Ints{0, 1, 99, 99, 4, 5, 99, 99}));
}

/// The largest value of the index type bounds nothing.
TEST_F(BlockTest, largestBoundIsNone) {
  Block load;
  load.bounds = {INT32_MAX, INT32_MAX};
  EXPECT_TRUE(runBlock(load, {})) << diagnostics;
  EXPECT_EQ(get<int32_t>(result)[7], 7);
  load.origin = {INT32_MAX, 0};
  load.strides = {0, 1};
  EXPECT_TRUE(runBlock(load, {})) << diagnostics;
  EXPECT_EQ(get<int32_t>(result)[7], 3);
}

/// Bounds are no allocations: what lies inside them is still checked.
TEST_F(BlockTest, outOfBoundsIsReported) {
  Block load;
  load.origin = {3, 0};
  load.bounds = {8, 4};
  EXPECT_FALSE(runBlock(load, {}));
  EXPECT_NE(
      diagnostics.find("out-of-bounds read of element 16 of 'a', which ends "
                       "with element 15, in lane [1, 0] of program (0, 0, 0)"),
      std::string::npos)
      << diagnostics;
}

/// A plan's vector promises aligned addresses.
TEST_F(BlockTest, misalignedVectorIsReported) {
  Block load;
  load.vector = 4;
  EXPECT_TRUE(runBlock(load, load)) << diagnostics;
  load.strides = {6, 1};
  EXPECT_FALSE(runBlock(load, {}));
  EXPECT_NE(
      diagnostics.find("misaligned vector of 4 elements: expected an address "
                       "divisible by 16, got 0x"),
      std::string::npos);
  EXPECT_NE(diagnostics.find("in lane [1, 0] of program (0, 0, 0)"),
            std::string::npos)
      << diagnostics;
}

/// A vector goes along a side of stride 1.
TEST_F(BlockTest, vectorWithoutUnitStrideIsReported) {
  Block load;
  load.vector = 4;
  load.strides = {1, 4};
  EXPECT_FALSE(runBlock(load, {}));
  EXPECT_NE(diagnostics.find("expected a side of stride 1 that vectors of 4 "
                             "elements divide, in program (0, 0, 0)"),
            std::string::npos)
      << diagnostics;
}

/// A stored vector is valid as a whole or not at all.
TEST_F(BlockTest, partOfAStoredVectorIsReported) {
  Block store;
  store.vector = 2;
  store.bounds = {2, 2};
  EXPECT_TRUE(runBlock({}, store)) << diagnostics;
  store.bounds = {2, 3};
  EXPECT_FALSE(runBlock({}, store));
  EXPECT_NE(diagnostics.find("expected a vector of 2 elements to be valid as a "
                             "whole, got a part from lane [0, 2] of program "
                             "(0, 0, 0)"),
            std::string::npos)
      << diagnostics;
}

/// Which thread holds an element depends on layouts: between a load and a store
/// of one element, or two stores, there must be a barrier.
TEST_F(BlockTest, missingBarrierIsReported) {
  auto kernel = [](std::string first, std::string between, std::string second) {
    std::string load =
        "tile_gpu.load %a[%z] bounds[%n] strides[%one] "
        "plan<registers> : !tile.ptr<i32>, i32 -> tensor<4xi32>\n";
    std::string store =
        "tile_gpu.store %x, %a[%z] bounds[%n] strides[%one] "
        "plan<registers> : tensor<4xi32>, !tile.ptr<i32>, i32\n";
    std::string text = "tile.kernel @k(%a: !tile.ptr<i32>) {\n"
                       "%z = arith.constant 0 : i32\n"
                       "%n = arith.constant 4 : i32\n"
                       "%one = arith.constant 1 : i64\n"
                       "%x = arith.constant dense<5> : tensor<4xi32>\n"
                       "tile_gpu.barrier\n";
    text += first == "load" ? "%l1 = " + load : store;
    text += between;
    text += second == "load" ? "%l2 = " + load : store;
    return text + "tile.return\n}\n";
  };
  for (auto [first, second] :
       {std::pair("load", "store"), {"store", "load"}, {"store", "store"}}) {
    EXPECT_TRUE(run(kernel(first, "tile_gpu.barrier\n", second),
                    {add<int32_t>("a", {1, 2, 3, 4})}))
        << diagnostics;
    diagnostics.clear();
    EXPECT_FALSE(
        run(kernel(first, "", second), {add<int32_t>("a", {1, 2, 3, 4})}));
    EXPECT_EQ(
        diagnostics,
        "8: error: expected a barrier between this access of global memory "
        "and the one before it, in lane [0] of program (0, 0, 0) of kernel "
        "'k'\n7: note: the access before it\n");
    diagnostics.clear();
  }
  EXPECT_TRUE(
      run(kernel("load", "", "load"), {add<int32_t>("a", {1, 2, 3, 4})}))
      << diagnostics;
}
