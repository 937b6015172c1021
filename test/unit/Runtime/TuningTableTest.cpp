//===- TuningTableTest.cpp - Tests of tables of measurements --------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/TuningTable.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <limits>

using namespace tile::runtime;

namespace {

Argument argument(const char *name, ArgumentType type) {
  Argument made;
  made.name = name;
  made.type = type;
  return made;
}

std::string integerClass(int64_t value) {
  return shapeClass({argument("n", ArgumentType::scalar(ElementType::I64))},
                    {LaunchValue::integerOf(value)});
}

TuningEntry makeEntry(const char *kernel, const char *shape, double time) {
  TuningEntry entry;
  entry.key = {kernel, shape, "NVIDIA H200", 132, "sm_90a", "0.1.0", "abc"};
  entry.parameters = {"BM=128", "BN=256"};
  entry.settings = {"warps=8"};
  entry.run = "matmul(M = 64)";
  entry.microseconds = time;
  entry.standingMicroseconds = 2 * time;
  return entry;
}

// Integers fall into classes that end at powers of two, apart by whether 16
// divides them; 0 and the ends of the type have classes as well.
TEST(ShapeClassTest, Integers) {
  EXPECT_EQ(integerClass(0), "n:0");
  EXPECT_EQ(integerClass(1), "n:1");
  EXPECT_EQ(integerClass(3), "n:4");
  EXPECT_EQ(integerClass(8), "n:8");
  EXPECT_EQ(integerClass(16), "n:16/16");
  EXPECT_EQ(integerClass(2049), "n:4096");
  EXPECT_EQ(integerClass(4000), "n:4096/16");
  EXPECT_EQ(integerClass(4096), "n:4096/16");
  EXPECT_EQ(integerClass(4112), "n:8192/16");
  EXPECT_EQ(integerClass(-5), "n:-8");
  EXPECT_EQ(integerClass(std::numeric_limits<int64_t>::max()),
            "n:9223372036854775808");
  EXPECT_EQ(integerClass(std::numeric_limits<int64_t>::min()),
            "n:-9223372036854775808/16");
}

// Pointers count by type and alignment, floats by type, and compile-time
// parameters as they are.
TEST(ShapeClassTest, OtherArguments) {
  std::vector<Argument> arguments = {
      argument("a", ArgumentType::pointer(ElementType::F16)),
      argument("scale", ArgumentType::scalar(ElementType::F32)),
      argument("N", ArgumentType::scalar(ElementType::I32))};
  EXPECT_EQ(shapeClass(arguments,
                       {LaunchValue::pointer(4096), LaunchValue::realOf(0.5),
                        LaunchValue::integerOf(100)},
                       {"D=64", "CAUSAL=true"}),
            "a:*f16/16 scale:f32 N:128 D=64 CAUSAL=true");
  EXPECT_EQ(
      shapeClass(arguments, {LaunchValue::pointer(4098), LaunchValue::realOf(2),
                             LaunchValue::integerOf(128)}),
      "a:*f16 scale:f32 N:128/16");
}

// A table reads back what it wrote.
TEST(TuningTableTest, RoundTrip) {
  TuningTable table;
  table.set(makeEntry("matmul", "M:64", 12.5));
  table.set(makeEntry("softmax", "M:64", 3));
  Result<TuningTable> again = TuningTable::parse(table.write());
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->write(), table.write());
  ASSERT_EQ(again->entries().size(), 2u);
  const TuningEntry &entry = again->entries().front();
  EXPECT_EQ(entry.key, makeEntry("matmul", "M:64", 0).key);
  EXPECT_EQ(entry.parameters, (std::vector<std::string>{"BM=128", "BN=256"}));
  EXPECT_EQ(entry.settings, (std::vector<std::string>{"warps=8"}));
  EXPECT_EQ(entry.run, "matmul(M = 64)");
  EXPECT_EQ(entry.microseconds, 12.5);
  EXPECT_EQ(entry.standingMicroseconds, 25);
}

// A card's name may hold any bytes: what is found before a table is written is
// found after, and JSON is UTF-8.
TEST(TuningTableTest, RepairsText) {
  TuningTable table;
  TuningEntry entry = makeEntry("matmul", "M:64", 1);
  entry.key.card = "NVIDIA \xff\xfe";
  table.set(entry);
  entry.microseconds = 2;
  table.set(entry);
  EXPECT_EQ(table.entries().size(), 1u);
  Result<TuningTable> again = TuningTable::parse(table.write());
  ASSERT_TRUE(again) << again.error().text();
  for (const TuningTable &one : {table, *again}) {
    ASSERT_NE(one.find(entry.key), nullptr);
    EXPECT_EQ(one.explainMiss(entry.key), "");
    TuningKey other = entry.key;
    other.program = "\xff";
    EXPECT_NE(one.explainMiss(other), "");
  }
}

// A second entry for a key replaces the first; each part of the key counts.
TEST(TuningTableTest, OneEntryForEachKey) {
  TuningTable table;
  table.set(makeEntry("matmul", "M:64", 12.5));
  table.set(makeEntry("matmul", "M:64", 11));
  ASSERT_EQ(table.entries().size(), 1u);
  TuningKey key = table.entries().front().key;
  ASSERT_NE(table.find(key), nullptr);
  EXPECT_EQ(table.find(key)->microseconds, 11);
  std::vector<TuningKey> others(7, key);
  others[0].kernel = "softmax";
  others[1].shape = "M:128";
  others[2].card = "NVIDIA A100";
  others[3].numMultiprocessors = 114;
  others[4].compiler = "0.2.0";
  others[5].program = "abd";
  others[6].target = "sm_80";
  for (const TuningKey &other : others) {
    EXPECT_EQ(table.find(other), nullptr);
    table.set({other, {}, {}, "", 1, 1});
  }
  EXPECT_EQ(table.entries().size(), 8u);
}

// A miss names the first part of the key that nothing shares, and what there
// is.
TEST(TuningTableTest, ExplainsMisses) {
  TuningTable table;
  TuningKey key = makeEntry("matmul", "M:64", 1).key;
  EXPECT_EQ(table.explainMiss(key),
            "expected an entry for the kernel 'matmul', got none");
  table.set(makeEntry("matmul", "M:64", 1));
  table.set(makeEntry("matmul", "M:128", 1));
  key.kernel = "softmax";
  EXPECT_EQ(table.explainMiss(key), "expected an entry for the kernel "
                                    "'softmax', got those for 'matmul'");
  key.kernel = "matmul";
  key.shape = "M:256";
  EXPECT_EQ(table.explainMiss(key),
            "expected an entry for the shapes 'M:256', got those for 'M:64', "
            "'M:128'");
  key.numMultiprocessors = 114;
  EXPECT_EQ(table.explainMiss(key),
            "expected an entry for the card 'NVIDIA H200 with 114 "
            "multiprocessors', got those for 'NVIDIA H200 with 132 "
            "multiprocessors'");
  key = table.entries().front().key;
  key.compiler = "0.2.0";
  EXPECT_EQ(
      table.explainMiss(key),
      "expected an entry for the compiler '0.2.0', got those for '0.1.0'");
  key = table.entries().front().key;
  key.program = "abd";
  EXPECT_EQ(table.explainMiss(key), "expected an entry for the kernel's code "
                                    "'abd', got those for 'abc'");
}

std::string refusal(std::string_view json) {
  Result<TuningTable> table = TuningTable::parse(json);
  return table ? "none" : table.error().text();
}

// What is no table of this schema is refused with the place.
TEST(TuningTableTest, RefusesOtherText) {
  EXPECT_EQ(refusal("{").rfind("expected a tuning table in JSON: ", 0), 0u);
  EXPECT_EQ(refusal("[]"), "expected object when parsing the tuning table");
  EXPECT_EQ(refusal("{}"), "missing value at the tuning table.schema");
  EXPECT_EQ(refusal(R"({"schema": 2, "entries": 5})"),
            "expected a tuning table of schema 3, got schema 2: let tile-tune "
            "write a new one");
  EXPECT_EQ(refusal(R"({"schema": 3, "entries": [{"kernel": 5}]})"),
            "expected string at the tuning table.entries[0].kernel");
  EXPECT_EQ(refusal("[" + std::string(100000, '[')),
            "expected JSON that nests at most 256 deep, got more at 1:257");
}

/// What is wrong with a table of this entry behind a good one.
std::string refusal(const TuningEntry &entry) {
  TuningTable table;
  table.set(makeEntry("softmax", "N:64", 1));
  table.set(entry);
  std::string text = refusal(table.write());
  std::string start = "the tuning table.entries[1], for 'matmul': expected ";
  EXPECT_EQ(text.substr(0, start.size()), start);
  return text.substr(std::min(text.size(), start.size()));
}

// Names have one value each.
TEST(TuningTableTest, RefusesNames) {
  TuningEntry entry = makeEntry("matmul", "M:64", 1);
  entry.settings = {"warps"};
  EXPECT_EQ(refusal(entry), "NAME=VALUE, got 'warps'");
  entry.settings = {"=4"};
  EXPECT_EQ(refusal(entry), "NAME=VALUE, got '=4'");
  entry.settings = {"warps="};
  EXPECT_EQ(refusal(entry), "NAME=VALUE, got 'warps='");
  entry.settings = {"warps=8", "stages=2", "warps=4"};
  EXPECT_EQ(refusal(entry),
            "one value of 'warps', got a second one, 'warps=4'");
  entry.settings = {};
  entry.parameters = {"BM=64", "BM=64"};
  EXPECT_EQ(refusal(entry), "one value of 'BM', got a second one, 'BM=64'");
}

// A parameter of the class has the value that it has there.
TEST(TuningTableTest, RefusesOtherClass) {
  TuningEntry entry = makeEntry("matmul", "M:64 T=f16 BM=128", 1);
  EXPECT_TRUE(entry.parameters.front() == "BM=128");
  TuningTable table;
  table.set(entry);
  EXPECT_EQ(refusal(table.write()), "none");
  entry.parameters = {"T=f32"};
  EXPECT_EQ(refusal(entry),
            "'T=f16', as the class of shapes has it, got 'T=f32'");
}

// Times are those of launches: finite, and above 0.
TEST(TuningTableTest, RefusesTimes) {
  TuningEntry entry = makeEntry("matmul", "M:64", 1);
  entry.microseconds = 0;
  EXPECT_EQ(refusal(entry), "microseconds above 0, got 0.000000");
  entry.microseconds = -1;
  EXPECT_EQ(refusal(entry), "microseconds above 0, got -1.000000");
  entry.microseconds = 1;
  entry.standingMicroseconds = 0;
  TuningTable table;
  table.set(entry);
  EXPECT_EQ(refusal(table.write()), "none");
  entry.standingMicroseconds = -2;
  EXPECT_EQ(refusal(entry),
            "standing_microseconds of at least 0, got -2.000000");
  std::string text = table.write();
  text.replace(text.find(": 1,"), 4, ": 1e999,");
  EXPECT_NE(refusal(text), "none");
}

} // namespace
