//===- AttributesTest.cpp - C++ interfaces of attributes and types --------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "tile/IR/MmaShapes.h"
#include "tile/IR/PlanKeys.h"
#include "tile/IR/TileOps.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tile;

namespace {

class AttributesTest : public ::testing::Test {
protected:
  AttributesTest() : builder(&context) { context.loadDialect<TileDialect>(); }

  MLIRContext context;
  Builder builder;
};

// A key that is absent has the table's value, and `with` replaces one.
TEST_F(AttributesTest, PlanFallsBackToTheTable) {
  auto plan = PlanAttr::get(&context, builder.getDictionaryAttr({}));
  EXPECT_EQ(plan.getInt("warps"), 4);
  EXPECT_EQ(plan.getString("target"), "sm_80");
  PlanAttr wider = plan.with("warps", builder.getI64IntegerAttr(8));
  EXPECT_EQ(wider.getInt("warps"), 8);
  EXPECT_EQ(plan.getInt("warps"), 4);
  EXPECT_EQ(wider.with("warps", builder.getI64IntegerAttr(2)).getInt("warps"),
            2);
}

// Every key's fallback is a value that the key allows, or a rule's business.
TEST_F(AttributesTest, FallbacksAreAllowed) {
  for (const PlanKey &key : planKeys()) {
    EXPECT_EQ(findPlanKey(key.name), &key);
    if (key.fallback.empty()) {
      EXPECT_TRUE(key.isInteger()) << key.name.str();
      continue;
    }
    int64_t number;
    Attribute value = builder.getStringAttr(key.fallback);
    if (key.isInteger()) {
      ASSERT_FALSE(key.fallback.getAsInteger(10, number)) << key.name.str();
      value = builder.getI64IntegerAttr(number);
    }
    auto entries =
        builder.getDictionaryAttr(builder.getNamedAttr(key.name, value));
    auto emit = [&]() { return emitError(UnknownLoc::get(&context)); };
    EXPECT_TRUE(succeeded(PlanAttr::verify(emit, entries))) << key.name.str();
  }
  EXPECT_EQ(findPlanKey("nope"), nullptr);
}

// An instruction is found by its kind and both element types.
TEST_F(AttributesTest, InstructionsAreFoundByTypes) {
  const MmaShape *shape = findMmaShape(
      Instruction::MmaSync, builder.getF16Type(), builder.getF32Type());
  ASSERT_NE(shape, nullptr);
  EXPECT_EQ(shape->m, 16);
  EXPECT_EQ(shape->n, 8);
  EXPECT_EQ(shape->k, 16);
  EXPECT_EQ(findMmaShape(Instruction::MmaSync, builder.getF64Type(),
                         builder.getF32Type()),
            nullptr);
}

// A tile has sides of at least 1 and at most 2^24 elements.
TEST_F(AttributesTest, TileShapes) {
  EXPECT_TRUE(isTileShape({1}));
  EXPECT_TRUE(isTileShape({4096, 4096}));
  EXPECT_FALSE(isTileShape({}));
  EXPECT_FALSE(isTileShape({0}));
  EXPECT_FALSE(isTileShape({4096, 4097}));
  EXPECT_FALSE(isTileShape({ShapedType::kDynamic}));
  EXPECT_FALSE(isTileShape({int64_t(1) << 32, int64_t(1) << 32}));
}

// i1 takes a byte; other elements take their bits.
TEST_F(AttributesTest, ElementBytes) {
  EXPECT_EQ(elementBytes(builder.getI1Type()), 1);
  EXPECT_EQ(elementBytes(Float8E5M2Type::get(&context)), 1);
  EXPECT_EQ(elementBytes(builder.getBF16Type()), 2);
  EXPECT_EQ(elementBytes(builder.getI32Type()), 4);
  EXPECT_EQ(elementBytes(builder.getF64Type()), 8);
}

// A mask has the shape and the layout of what it masks.
TEST_F(AttributesTest, MaskTypes) {
  Type i1 = builder.getI1Type();
  EXPECT_EQ(getMaskType(builder.getF32Type()), i1);
  EXPECT_EQ(getMaskType(RankedTensorType::get({4, 2}, builder.getF32Type())),
            RankedTensorType::get({4, 2}, i1));
}

} // namespace
