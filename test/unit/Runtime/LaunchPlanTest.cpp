//===- LaunchPlanTest.cpp - Tests of the rules before a launch ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/LaunchPlan.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace tile::runtime;

namespace {

/// c[M, N] = alpha * a[M, K], enough to meet every rule.
Manifest makeManifest() {
  Manifest manifest;
  manifest.kernel = "scale";
  manifest.target = "sm_80";
  auto pointer = ArgumentType::pointer(ElementType::F16);
  auto i32 = ArgumentType::scalar(ElementType::I32);
  manifest.arguments = {
      {"a", pointer, 2, {}, {}, "M * K * 2"},
      {"c", pointer, 2, {}, {}, ""},
      {"M", i32, 1, 0, 1000000, ""},
      {"K", i32, 1, 0, {}, ""},
      {"n", ArgumentType::scalar(ElementType::I8), 4, {}, {}, ""},
      {"alpha", ArgumentType::scalar(ElementType::F32), 1, {}, {}, ""}};
  manifest.grid = {"cdiv(M, 128)", "1", "1"};
  Variant best, plain;
  best.name = "aligned";
  best.symbol = "scale$aligned";
  best.requirements = {"a % 16 == 0", "M % 8 == 0 and K % 8 == 0"};
  best.shared = 65536;
  plain.name = "plain";
  plain.symbol = "scale$plain";
  manifest.variants = {best, plain};
  return manifest;
}

DeviceFacts makeDevice() {
  DeviceFacts device;
  device.name = "Fake";
  device.capability = 90;
  device.numMultiprocessors = 132;
  device.maxShared = 232448;
  device.maxGrid[0] = 2147483647;
  device.maxGrid[1] = device.maxGrid[2] = 65535;
  return device;
}

/// Values that every rule accepts: the aligned variant, 2 blocks.
std::vector<LaunchValue> makeValues() {
  return {LaunchValue::pointer(4096, 256 * 64 * 2),
          LaunchValue::pointer(8192),
          LaunchValue::integerOf(256),
          LaunchValue::integerOf(64),
          LaunchValue::integerOf(-4),
          LaunchValue::realOf(0.5)};
}

enum { A, C, M, K, N, Alpha };

/// The chosen variant and grid as text, or the message of the refusal without
/// the kernel's name.
std::string outcomeOf(const Manifest &manifest,
                      const std::vector<LaunchValue> &values,
                      const LaunchOptions &options = {},
                      const DeviceFacts &device = makeDevice()) {
  Result<LaunchChecker> checker = LaunchChecker::create(manifest);
  if (!checker)
    return checker.error().text();
  Result<LaunchPlan> plan = checker->plan(values, device, options);
  if (!plan)
    return plan.error().text().substr(std::string("kernel 'scale': ").size());
  if (plan->isEmpty())
    return "empty";
  std::string text = manifest.variants[plan->variant].name;
  for (int64_t extent : plan->grid)
    text += " " + std::to_string(extent);
  return text;
}

/// The same with one value replaced.
std::string outcomeWith(size_t index, LaunchValue value) {
  std::vector<LaunchValue> values = makeValues();
  values[index] = value;
  return outcomeOf(makeManifest(), values);
}

// The first variant whose requirements all hold is taken.
TEST(LaunchPlanTest, MostSpecialisedVariant) {
  EXPECT_EQ(outcomeOf(makeManifest(), makeValues()), "aligned 2 1 1");
  EXPECT_EQ(outcomeWith(A, LaunchValue::pointer(4098)), "plain 2 1 1");
  EXPECT_EQ(outcomeWith(M, LaunchValue::integerOf(129)), "plain 2 1 1");
}

// A forced variant is taken even where a more specialised one fits, and refused
// with the requirement that fails.
TEST(LaunchPlanTest, ForcedVariant) {
  LaunchOptions options;
  options.variant = "plain";
  EXPECT_EQ(outcomeOf(makeManifest(), makeValues(), options), "plain 2 1 1");
  options.variant = "aligned";
  std::vector<LaunchValue> values = makeValues();
  values[K] = LaunchValue::integerOf(63);
  EXPECT_EQ(outcomeOf(makeManifest(), values, options),
            "expected arguments that satisfy variant 'aligned', got a failed "
            "precondition: 'M % 8 == 0 and K % 8 == 0' with M = 256, K = 63");
  options.variant = "fast";
  EXPECT_EQ(outcomeOf(makeManifest(), values, options),
            "expected one of the variants aligned, plain, got 'fast'");
}

/// `kinds` in order: variants that all hold with makeValues(), with these
/// costs.
Manifest withCosts(const std::vector<std::string> &costs) {
  Manifest manifest = makeManifest();
  manifest.variants.clear();
  for (size_t index = 0; index < costs.size(); ++index) {
    Variant &variant = manifest.variants.emplace_back();
    variant.name = "v" + std::to_string(index);
    variant.symbol = variant.name;
    variant.requirements = {"M > 0"};
    variant.cost = costs[index];
  }
  return manifest;
}

// If the first variant that holds states a cost, the cheapest that holds is
// taken: costs are over the arguments and the device, the first of equals wins.
TEST(LaunchPlanTest, CheapestVariant) {
  EXPECT_EQ(outcomeOf(withCosts({"3", "2", "2"}), makeValues()), "v1 2 1 1");
  EXPECT_EQ(outcomeOf(withCosts({"M", "sms"}), makeValues()), "v1 2 1 1");
  std::vector<LaunchValue> values = makeValues();
  values[M] = LaunchValue::integerOf(64);
  EXPECT_EQ(outcomeOf(withCosts({"M", "sms"}), values), "v0 1 1 1");
  Manifest manifest = withCosts({"3", "2", "1"});
  manifest.variants[2].requirements.push_back("K == 0");
  EXPECT_EQ(outcomeOf(manifest, makeValues()), "v1 2 1 1");
  LaunchOptions options;
  options.variant = "v0";
  EXPECT_EQ(outcomeOf(manifest, makeValues(), options), "v0 2 1 1");
}

// Variants without a cost keep the rule of order: as the first that holds one
// is taken, later it is no rival.
TEST(LaunchPlanTest, CostsBesideNone) {
  EXPECT_EQ(outcomeOf(withCosts({"", "1"}), makeValues()), "v0 2 1 1");
  EXPECT_EQ(outcomeOf(withCosts({"5", "", "4"}), makeValues()), "v2 2 1 1");
  EXPECT_EQ(outcomeOf(withCosts({"5", ""}), makeValues()), "v0 2 1 1");
}

// A cost that cannot be evaluated is the greatest, never a refusal.
TEST(LaunchPlanTest, CostWithoutValue) {
  std::string overflow = "M * 9223372036854775807";
  EXPECT_EQ(
      outcomeOf(withCosts({overflow, "1 / (M - 256)", "7"}), makeValues()),
      "v2 2 1 1");
  EXPECT_EQ(outcomeOf(withCosts({overflow, overflow}), makeValues()),
            "v0 2 1 1");
}

// A plan carries the cost of its variant; an estimate, how each one stands.
TEST(LaunchPlanTest, Estimate) {
  Manifest manifest = withCosts({"3", "K - 62", ""});
  manifest.variants[2].requirements.push_back("K == 0");
  Result<LaunchChecker> checker = LaunchChecker::create(manifest);
  ASSERT_TRUE(bool(checker));
  Result<LaunchPlan> plan = checker->plan(makeValues(), makeDevice());
  ASSERT_TRUE(bool(plan));
  EXPECT_EQ(plan->variant, 1u);
  EXPECT_EQ(plan->cost, 2);
  auto estimates = checker->estimate(makeValues(), makeDevice());
  ASSERT_TRUE(bool(estimates));
  ASSERT_EQ(estimates->size(), 3u);
  EXPECT_EQ((*estimates)[0].cost, 3);
  EXPECT_TRUE((*estimates)[1].holds());
  EXPECT_EQ((*estimates)[2].failure, "'K == 0' with K = 64");
  EXPECT_EQ((*estimates)[2].cost, std::nullopt);
  EXPECT_FALSE(bool(checker->estimate({}, makeDevice())));
}

// Where no variant fits, each one's failed requirement is listed.
TEST(LaunchPlanTest, NoVariantFits) {
  Manifest manifest = makeManifest();
  manifest.variants[1].requirements = {"K > 64"};
  std::vector<LaunchValue> values = makeValues();
  values[A] = LaunchValue::pointer(4098);
  EXPECT_EQ(outcomeOf(manifest, values),
            "expected arguments that satisfy one of the variants, got failed "
            "preconditions: aligned: 'a % 16 == 0' with a = 4098; plain: "
            "'K > 64' with K = 64");
}

// A requirement that cannot be evaluated does not hold.
TEST(LaunchPlanTest, RequirementThatFailsToEvaluate) {
  Manifest manifest = makeManifest();
  manifest.variants[0].requirements = {"M % K == 0"};
  std::vector<LaunchValue> values = makeValues();
  values[K] = LaunchValue::integerOf(0);
  EXPECT_EQ(outcomeOf(manifest, values), "plain 2 1 1");
}

// As many values as arguments, each of the argument's kind.
TEST(LaunchPlanTest, CountAndKinds) {
  EXPECT_EQ(outcomeOf(makeManifest(), {}), "expected 6 arguments, got 0");
  EXPECT_EQ(outcomeWith(A, LaunchValue::integerOf(4096)),
            "argument 'a': expected a pointer for type *f16, got an integer");
  EXPECT_EQ(outcomeWith(M, LaunchValue::realOf(1)),
            "argument 'M': expected an integer for type i32, got a "
            "floating-point value");
  EXPECT_EQ(outcomeWith(Alpha, LaunchValue::integerOf(1)),
            "argument 'alpha': expected a floating-point value for type f32, "
            "got an integer");
}

// Integers lie in the range of their type, narrowed by min and max.
TEST(LaunchPlanTest, Ranges) {
  EXPECT_EQ(outcomeWith(M, LaunchValue::integerOf(-1)),
            "argument 'M': expected i32 from 0 to 1000000, got -1");
  EXPECT_EQ(outcomeWith(M, LaunchValue::integerOf(1000001)),
            "argument 'M': expected i32 from 0 to 1000000, got 1000001");
  EXPECT_EQ(outcomeWith(K, LaunchValue::integerOf(2147483648)),
            "argument 'K': expected i32 from 0 to 2147483647, got 2147483648");
  EXPECT_EQ(outcomeWith(N, LaunchValue::integerOf(-132)),
            "argument 'n': expected i8 from -128 to 127, got -132");
  EXPECT_EQ(outcomeWith(N, LaunchValue::integerOf(-128)), "aligned 2 1 1");
}

// Promised divisibility is checked on addresses and integers.
TEST(LaunchPlanTest, Divisibility) {
  EXPECT_EQ(outcomeWith(A, LaunchValue::pointer(4097)),
            "argument 'a': expected an address that is a multiple of 2, got "
            "4097");
  EXPECT_EQ(outcomeWith(N, LaunchValue::integerOf(6)),
            "argument 'n': expected a multiple of 4, got 6");
}

// An empty grid is a launch that succeeds and does nothing, null pointers or
// not.
TEST(LaunchPlanTest, EmptyGrid) {
  std::vector<LaunchValue> values = makeValues();
  values[M] = LaunchValue::integerOf(0);
  values[A] = values[C] = LaunchValue::pointer(0);
  EXPECT_EQ(outcomeOf(makeManifest(), values), "empty");
}

// Null is refused unless the formula says that nothing is touched.
TEST(LaunchPlanTest, NullPointers) {
  EXPECT_EQ(outcomeWith(C, LaunchValue::pointer(0)),
            "argument 'c': expected an address, got null");
  EXPECT_EQ(outcomeWith(A, LaunchValue::pointer(0)),
            "argument 'a': expected an address, got null");
  std::vector<LaunchValue> values = makeValues();
  values[K] = LaunchValue::integerOf(0);
  values[A] = LaunchValue::pointer(0);
  EXPECT_EQ(outcomeOf(makeManifest(), values), "aligned 2 1 1");
}

// A buffer of known size must hold what the kernel may touch.
TEST(LaunchPlanTest, BufferSizes) {
  EXPECT_EQ(outcomeWith(A, LaunchValue::pointer(4096, 256 * 64 * 2 - 1)),
            "argument 'a': expected a buffer of at least 32768 bytes (M * K * "
            "2), got 32767");
  EXPECT_EQ(outcomeWith(A, LaunchValue::pointer(4096)), "aligned 2 1 1");
}

// A grid from the caller replaces the formulas and is checked like them.
TEST(LaunchPlanTest, CallersGrid) {
  Manifest manifest = makeManifest();
  manifest.grid = {};
  EXPECT_EQ(outcomeOf(manifest, makeValues()),
            "expected a grid from the caller, since the kernel states none, "
            "got none");
  LaunchOptions options;
  options.grid = {{3, 4, 5}};
  EXPECT_EQ(outcomeOf(manifest, makeValues(), options), "aligned 3 4 5");
  options.grid = {{3, 65536, 5}};
  EXPECT_EQ(outcomeOf(manifest, makeValues(), options),
            "expected at most 65535 blocks along y, got 65536");
  options.grid = {{3, -1, 5}};
  EXPECT_EQ(outcomeOf(manifest, makeValues(), options),
            "expected grid extents of 0 or more, got -1");
}

// Fewer programs than the kernel's formula gives may run, more may not: they
// would go beyond what its masks allow for.
TEST(LaunchPlanTest, CallersGridWithinFormula) {
  LaunchOptions options;
  options.grid = {{1, 1, 1}};
  EXPECT_EQ(outcomeOf(makeManifest(), makeValues(), options), "aligned 1 1 1");
  options.grid = {{1, 2, 1}};
  EXPECT_EQ(outcomeOf(makeManifest(), makeValues(), options),
            "expected at most 1 programs along y, as the kernel's grid says, "
            "got 2");
}

// A variant's own grid may use the number of multiprocessors.
TEST(LaunchPlanTest, PersistentGrid) {
  Manifest manifest = makeManifest();
  manifest.variants[0].grid = {"min(sms, cdiv(M, 128))", "1", "1"};
  std::vector<LaunchValue> values = makeValues();
  values[A] = LaunchValue::pointer(4096);
  values[M] = LaunchValue::integerOf(128 * 1000);
  EXPECT_EQ(outcomeOf(manifest, values), "aligned 132 1 1");
  values[A] = LaunchValue::pointer(4098);
  EXPECT_EQ(outcomeOf(manifest, values), "plain 1000 1 1");
}

// A variant with a grid of its own runs all programs of the formula; where the
// caller wants a part of them another one is taken, or the launch is refused.
TEST(LaunchPlanTest, PersistentGridInPart) {
  Manifest manifest = makeManifest();
  manifest.variants[0].grid = {"min(sms, cdiv(M, 128))", "1", "1"};
  std::vector<LaunchValue> values = makeValues();
  values[A] = LaunchValue::pointer(4096);
  values[M] = LaunchValue::integerOf(128 * 1000);
  LaunchOptions options;
  options.grid = {{1000, 1, 1}};
  EXPECT_EQ(outcomeOf(manifest, values, options), "aligned 132 1 1");
  options.grid = {{999, 1, 1}};
  EXPECT_EQ(outcomeOf(manifest, values, options), "plain 999 1 1");
  options.variant = "aligned";
  EXPECT_EQ(outcomeOf(manifest, values, options),
            "expected arguments that satisfy variant 'aligned', got a failed "
            "precondition: its blocks run all programs of the kernel's grid, "
            "which the caller's is not");
  manifest.grid = {};
  EXPECT_EQ(outcomeOf(manifest, values, options),
            "expected arguments that satisfy variant 'aligned', got a failed "
            "precondition: its blocks run all programs of the kernel's grid, "
            "which the caller's is not");
}

// What the device cannot do is refused before it is asked.
TEST(LaunchPlanTest, DeviceLimits) {
  DeviceFacts small = makeDevice();
  small.maxShared = 49152;
  EXPECT_EQ(outcomeOf(makeManifest(), makeValues(), {}, small),
            "variant 'aligned': expected at most 49152 bytes of shared memory "
            "on 'Fake', got 65536");
  Manifest manifest = makeManifest();
  manifest.variants[0].cluster = {2, 1, 1};
  EXPECT_EQ(outcomeOf(manifest, makeValues()), "aligned 2 1 1");
  std::vector<LaunchValue> values = makeValues();
  values[M] = LaunchValue::integerOf(128);
  EXPECT_EQ(outcomeOf(manifest, values),
            "variant 'aligned': expected a multiple of 2 blocks along x, got "
            "1");
}

// Plain targets run on later chips, "a" on their own only, "f" within a family.
TEST(LaunchPlanTest, Targets) {
  DeviceFacts device = makeDevice();
  for (const char *target : {"sm_75", "sm_80", "sm_90", "sm_90a"})
    EXPECT_TRUE(checkTarget(target, device)) << target;
  for (const char *target :
       {"sm_100", "sm_100a", "sm_80a", "sm_80f", "sm_", "sm_90b", "gfx90a"})
    EXPECT_FALSE(checkTarget(target, device)) << target;
  EXPECT_EQ(checkTarget("sm_100a", device).error().text(),
            "expected a device that runs sm_100a, got 'Fake' of capability "
            "9.0");
  device.capability = 103;
  EXPECT_TRUE(checkTarget("sm_100f", device));
  EXPECT_FALSE(checkTarget("sm_100a", device));
}

uint64_t encode(ElementType type, double value) {
  return encodeParameter(ArgumentType::scalar(type),
                         LaunchValue::realOf(value));
}

// Floating-point parameters are rounded once, to nearest even.
TEST(LaunchPlanTest, FloatParameters) {
  EXPECT_EQ(encode(ElementType::F64, 1.0), 0x3ff0000000000000u);
  EXPECT_EQ(encode(ElementType::F32, -1.5), 0xbfc00000u);
  EXPECT_EQ(encode(ElementType::F32, 0.1), 0x3dcccccdu);
  EXPECT_EQ(encode(ElementType::F32, 1e-45), 1u);
  EXPECT_EQ(encode(ElementType::F32, 1e300), 0x7f800000u);
  EXPECT_EQ(encode(ElementType::F16, 1.0), 0x3c00u);
  EXPECT_EQ(encode(ElementType::F16, 65504.0), 0x7bffu);
  EXPECT_EQ(encode(ElementType::F16, 65520.0), 0x7c00u);
  EXPECT_EQ(encode(ElementType::F16, 6e-8), 1u);
  EXPECT_EQ(encode(ElementType::F16, -0.0), 0x8000u);
  EXPECT_EQ(encode(ElementType::F16, 2049.0), 0x6800u);
  // A tie for f32, above the tie for f16: rounding twice would give 0x3c00.
  EXPECT_EQ(encode(ElementType::F16, 1.0 + 0x1p-11 + 0x1p-40), 0x3c01u);
  EXPECT_EQ(encode(ElementType::BF16, 1.0), 0x3f80u);
  EXPECT_EQ(encode(ElementType::BF16, -INFINITY), 0xff80u);
  EXPECT_EQ(encode(ElementType::BF16, NAN) & 0x7fffu, 0x7fc0u);
}

// Integer parameters keep exactly the bits of their type.
TEST(LaunchPlanTest, IntegerParameters) {
  auto encodeInteger = [](ElementType type, int64_t value) {
    return encodeParameter(ArgumentType::scalar(type),
                           LaunchValue::integerOf(value));
  };
  EXPECT_EQ(encodeInteger(ElementType::I8, -1), 0xffu);
  EXPECT_EQ(encodeInteger(ElementType::I32, -2), 0xfffffffeu);
  EXPECT_EQ(encodeInteger(ElementType::I64, -1), ~uint64_t(0));
  EXPECT_EQ(encodeInteger(ElementType::I1, 1), 1u);
}

} // namespace
