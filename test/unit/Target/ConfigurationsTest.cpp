//===- ConfigurationsTest.cpp - Tests of several tile sides ---------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Target/Configurations.h"
#include "tile/Runtime/LaunchPlan.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace tile;

namespace {

/// Sizes of a launch, and the sides that the launcher must take for it.
struct Choice {
  int64_t m, n, k;
  const char *sides;
};

class ConfigurationsTest : public testing::Test {
protected:
  ConfigurationsTest() {
    DialectRegistry registry;
    registerCompileDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    program.elementType = Float16Type::get(&context);
  }

  /// A manifest with a variant for each configuration, without code.
  runtime::Manifest manifestOfCosts(const std::string &target) {
    runtime::Manifest manifest;
    manifest.kernel = "matmul";
    manifest.target = target;
    auto i32 = runtime::ArgumentType::scalar(runtime::ElementType::I32);
    auto i64 = runtime::ArgumentType::scalar(runtime::ElementType::I64);
    for (const char *name : {"M", "N", "K"})
      manifest.arguments.push_back({name, i32, 1, {}, {}, ""});
    for (const char *name : {"sam", "sak", "sbk", "sbn"})
      manifest.arguments.push_back({name, i64, 1, {}, {}, ""});
    manifest.grid = {"1", "1", "1"};
    for (const MatmulConfiguration &configuration :
         matmulConfigurations(target, program.elementType)) {
      runtime::Variant &variant = manifest.variants.emplace_back();
      variant.name = variant.symbol = configuration.name();
      variant.cost = matmulCost(program, configuration);
    }
    return manifest;
  }

  /// The variant that these sizes and pitches take on an H200.
  std::string choose(int64_t m, int64_t n, int64_t k, int64_t sam,
                     int64_t sbk) {
    runtime::DeviceFacts device;
    device.numMultiprocessors = 132;
    device.maxShared = 232448;
    device.maxGrid[0] = device.maxGrid[1] = device.maxGrid[2] = 65535;
    auto checker = runtime::LaunchChecker::create(manifestOfCosts("sm_90a"));
    if (!checker)
      return checker.error().text();
    std::vector<runtime::LaunchValue> values;
    for (int64_t value : {m, n, k, sam, int64_t(1), sbk, int64_t(1)})
      values.push_back(runtime::LaunchValue::integerOf(value));
    auto plan = checker->plan(values, device);
    return plan ? checker->manifest().variants[plan->variant].name
                : plan.error().text();
  }

  MLIRContext context;
  MatmulProgram program;
};

// The sides of least cost are the best measured ones, or within 4 % of them.
TEST_F(ConfigurationsTest, SidesByWaves) {
  const Choice choices[] = {
      {8192, 8192, 8192, "128x192x64"}, {4096, 11008, 4096, "128x128x64"},
      {3072, 3072, 3072, "128x192x64"}, {2048, 2048, 2048, "128x256x64"},
      {1536, 1536, 1536, "128x192x64"}, {1024, 1024, 1024, "64x128x64"},
      {512, 512, 512, "64x64x64"},      {4096, 4096, 512, "128x128x64"},
      {8192, 8192, 256, "128x128x64"},  {256, 8192, 8192, "64x256x64"},
      {128, 4096, 14336, "64x64x64"},   {64, 8192, 8192, "64x64x64"},
  };
  for (const Choice &choice : choices)
    EXPECT_EQ(choose(choice.m, choice.n, choice.k, choice.k, choice.n),
              choice.sides)
        << choice.m << "x" << choice.n << "x" << choice.k;
}

// A tile that has a multiprocessor to itself waits: small products take small
// tiles although these do less with what they load.
TEST_F(ConfigurationsTest, AloneCounts) {
  program.elementType = Float32Type::get(&context);
  EXPECT_EQ(choose(4096, 4096, 4096, 4096, 4096), "128x128x16");
  EXPECT_EQ(choose(8192, 4096, 6144, 6144, 4096), "128x128x16");
  EXPECT_EQ(choose(1024, 1024, 1024, 1024, 1024), "64x64x16");
  EXPECT_EQ(matmulCost(program, {64, 64, 16, 8, 812, 7, 0, 1822}),
            "cdiv(K, 16) * max(1822, cdiv(cdiv(M, 64) * cdiv(N, 64), sms) * "
            "812) + cdiv(cdiv(M, 64) * cdiv(N, 64), sms) * 7");
}

// Rows that start at no multiple of 32 bytes make wide tiles cheaper, which
// read each row for more products: the best measured ones, or within 2 %.
TEST_F(ConfigurationsTest, PitchCounts) {
  EXPECT_EQ(choose(4096, 4096, 512, 512, 4096), "128x128x64");
  EXPECT_EQ(choose(4096, 4096, 512, 520, 4104), "128x256x64");
  const Choice choices[] = {
      {1000, 1000, 1000, "128x64x64"},  {1544, 1544, 1544, "128x256x64"},
      {2056, 2056, 2056, "128x128x64"}, {3080, 3080, 3080, "128x256x64"},
      {2056, 8200, 1160, "128x256x64"}, {4104, 4088, 4136, "128x256x64"},
      {4096, 4096, 4136, "128x256x64"}, {4096, 4088, 4096, "128x256x64"},
      {8200, 8200, 8200, "128x256x64"},
  };
  for (const Choice &choice : choices)
    EXPECT_EQ(choose(choice.m, choice.n, choice.k, choice.k, choice.n),
              choice.sides)
        << choice.m << "x" << choice.n << "x" << choice.k;
}

// Where the requests of such rows hide behind the products, pitch is no matter.
TEST_F(ConfigurationsTest, PitchHides) {
  EXPECT_EQ(matmulCost(program, {128, 256, 64, 16, 1000, 500, 0}),
            "cdiv(cdiv(M, 128) * cdiv(N, 256), sms) * (cdiv(K, 64) * 1000 + "
            "500)");
}

// What was not measured states no cost.
TEST_F(ConfigurationsTest, WithoutMeasurement) {
  Type f64 = Float64Type::get(&context);
  for (auto [target, type] :
       {std::pair("sm_80", program.elementType), std::pair("sm_90a", f64)}) {
    auto configurations = matmulConfigurations(target, type);
    ASSERT_EQ(configurations.size(), 1u);
    EXPECT_EQ(matmulCost(program, configurations[0]), "");
  }
}

// The pitch of a column-major operand is its other stride.
TEST_F(ConfigurationsTest, PitchOfColumnMajor) {
  program.isAColumnMajor = program.isBColumnMajor = true;
  std::string cost = matmulCost(program, {128, 256, 64, 16, 1000, 500, 2});
  EXPECT_EQ(cost, "cdiv(cdiv(M, 128) * cdiv(N, 256), sms) * (cdiv(K, 64) * "
                  "max(1000, cdiv(190 * (128 * (1 + (sak % 16 != 0)) + 128 * "
                  "(1 + (sbn % 16 != 0))), 100) * (sak % 16 != 0 or sbn % 16 "
                  "!= 0)) + 500)");
}

// A merged kernel holds the specialised variant of each configuration, then
// what is left of the first, each with its own grid and code.
TEST_F(ConfigurationsTest, Merge) {
  CompileOptions options;
  options.target = "sm_80";
  auto kernel =
      compileMatmul(context, program,
                    {{64, 64, 32, 8, 10, 1}, {32, 128, 32, 8, 20, 2}}, options);
  ASSERT_TRUE(succeeded(kernel));
  const runtime::Manifest &manifest = kernel->manifest;
  EXPECT_EQ(manifest.kernel, "matmul");
  std::vector<std::string> names;
  for (const runtime::Variant &variant : manifest.variants)
    names.push_back(variant.name);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "64x64x32.aligned16", "32x128x32.aligned16",
                       "64x64x32.aligned4", "64x64x32.contiguous",
                       "64x64x32.general"}));
  EXPECT_EQ(manifest.grid[0], "cdiv(M, 64) * cdiv(N, 64)");
  EXPECT_FALSE(manifest.variants[0].hasGrid());
  EXPECT_EQ(manifest.variants[1].grid[0], "cdiv(M, 32) * cdiv(N, 128)");
  EXPECT_NE(manifest.variants[1].cost, "");
  EXPECT_EQ(manifest.variants[2].cost, "");
  // The largest size at which no index of either wraps.
  EXPECT_EQ(manifest.arguments[4].name, "N");
  EXPECT_EQ(manifest.arguments[4].max, (int64_t(1) << 31) - 128);
  for (size_t index = 0; index < names.size(); ++index) {
    EXPECT_EQ(kernel->variants[index].name, names[index]);
    EXPECT_NE(kernel->variants[index].ptx.find(
                  ".entry " + manifest.variants[index].symbol + "("),
              std::string::npos);
  }
  EXPECT_TRUE(bool(runtime::writeManifest(manifest)));
  for (const runtime::Decision &decision : manifest.decisions)
    EXPECT_TRUE(StringRef(decision.text).contains("x32.")) << decision.text;
}

/// A configuration of a kernel with one argument and no variants.
ConfiguredKernel makeConfigured(const char *kernel, const char *argument) {
  ConfiguredKernel result;
  result.name = "8x8x8";
  result.kernel.manifest.kernel = kernel;
  result.kernel.manifest.target = "sm_80";
  result.kernel.manifest.arguments = {
      {argument,
       runtime::ArgumentType::scalar(runtime::ElementType::I32),
       1,
       {},
       {},
       ""}};
  return result;
}

// Kernels that differ are not merged.
TEST_F(ConfigurationsTest, Mismatch) {
  std::string text;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { text = diagnostic.str(); });
  Location loc = UnknownLoc::get(&context);
  ConfiguredKernel first = makeConfigured("matmul", "M");
  EXPECT_TRUE(failed(mergeConfigurations(loc, {})));
  EXPECT_EQ(text, "expected a configuration of the kernel, got none");
  EXPECT_TRUE(failed(
      mergeConfigurations(loc, {first, makeConfigured("product", "M")})));
  EXPECT_EQ(text, "configuration '8x8x8': expected kernel 'matmul', got "
                  "'product'");
  EXPECT_TRUE(
      failed(mergeConfigurations(loc, {first, makeConfigured("matmul", "N")})));
  EXPECT_EQ(text, "configuration '8x8x8': expected arguments 'M: i32', got "
                  "'N: i32'");
}

} // namespace
