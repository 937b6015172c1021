//===- LauncherTest.cpp - Tests of launches on the fake driver ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

#include "tile/Runtime/Launcher.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace tile::runtime;

namespace {

/// One kernel of two variants: "tma" with all that a launch can need, "plain"
/// with nothing.
Manifest makeManifest() {
  Manifest manifest;
  manifest.kernel = "copy";
  manifest.target = "sm_90a";
  manifest.arguments = {
      {"a", ArgumentType::pointer(ElementType::F16), 1, {}, {}, ""},
      {"M", ArgumentType::scalar(ElementType::I32), 1, 0, {}, ""}};
  manifest.grid = {"M", "1", "1"};
  Variant tma, plain;
  tma.name = "tma";
  tma.symbol = "tma$4";
  tma.requirements = {"M % 2 == 0"};
  tma.block = 384;
  tma.cluster = {2, 1, 1};
  tma.shared = 200000;
  tma.workspace = 64;
  tma.tensorMaps.push_back(
      {"a", ElementType::F16, {"64", "M"}, {"128"}, {64, 8}, 128, false});
  plain.name = "plain";
  plain.symbol = "plain$2";
  plain.block = 128;
  plain.shared = 1024;
  manifest.variants = {tma, plain};
  return manifest;
}

class LauncherTest : public testing::Test {
protected:
  void SetUp() override {
    handle = dlopen(FAKE_CUDA_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle, nullptr) << dlerror();
    auto *get =
        reinterpret_cast<FakeCudaState *(*)()>(dlsym(handle, "fakeCudaState"));
    fake = get();
    std::memset(fake, 0, sizeof(*fake));
    auto driver = Driver::open(FAKE_CUDA_LIBRARY);
    ASSERT_TRUE(driver);
    auto opened = Device::open(*driver);
    ASSERT_TRUE(opened);
    device.emplace(std::move(*opened));
    fake->log[0] = '\0';
  }
  void TearDown() override {
    device.reset();
    EXPECT_EQ(fake->numLive, 0);
    EXPECT_EQ(fake->numPushed, 0);
    dlclose(handle);
  }

  Kernel load(Manifest manifest = makeManifest()) {
    std::map<std::string, std::string> images = {{"tma", "<tma>"},
                                                 {"plain", "<plain>"}};
    Result<Kernel> kernel = Kernel::load(*device, manifest, images);
    EXPECT_TRUE(kernel) << kernel.error().text();
    return std::move(*kernel);
  }

  static std::vector<LaunchValue> makeValues(int64_t m) {
    return {LaunchValue::pointer(4096), LaunchValue::integerOf(m)};
  }

  void *handle = nullptr;
  FakeCudaState *fake = nullptr;
  std::optional<Device> device;
};

// A plain launch passes grid, block, shared memory and the arguments in order.
TEST_F(LauncherTest, PlainLaunch) {
  Kernel kernel = load();
  auto plan = kernel.launch(nullptr, makeValues(3));
  ASSERT_TRUE(plan) << plan.error().text();
  EXPECT_EQ(plan->variant, 1u);
  EXPECT_STREQ(fake->log,
               "load <plain>\n"
               "launch plain$2 grid=3,1,1 block=128,1,1 shared=1024\n");
  ASSERT_EQ(fake->numParameters, 2);
  EXPECT_EQ(fake->parameters[0], 4096u);
  EXPECT_EQ(fake->parameters[1], 3u);
}

// A variant with everything: opt-in shared memory, tensor map, cluster, and the
// workspace as the last parameter.
TEST_F(LauncherTest, FullLaunch) {
  Kernel kernel = load();
  auto plan = kernel.launch(nullptr, makeValues(4));
  ASSERT_TRUE(plan) << plan.error().text();
  EXPECT_STREQ(fake->log,
               "load <tma>\n"
               "set tma$4 8=200000\n"
               "map type=6 rank=2 dims=64,4 stride=128 box=64,8 steps=1,1 "
               "swizzle=3 fill=0\n"
               "launchEx tma$4 grid=4,1,1 block=384,1,1 shared=200000 "
               "attribute=4:2,1,1\n");
  ASSERT_EQ(fake->numParameters, 4);
  EXPECT_EQ(fake->parameters[2], 4096u);
  ASSERT_NE(fake->parameters[3], 0u);
  auto *workspace = reinterpret_cast<const char *>(fake->parameters[3]);
  EXPECT_EQ(std::string(workspace, 64), std::string(64, '\0'));
}

// Two streams never share a workspace; one stream keeps its own.
TEST_F(LauncherTest, WorkspaceByStream) {
  Kernel kernel = load();
  auto stream = Stream::create(*device);
  ASSERT_TRUE(stream);
  auto workspaceOn = [&](cuda::StreamHandle handle) {
    EXPECT_TRUE(kernel.launch(handle, makeValues(2)));
    return fake->parameters[3];
  };
  uint64_t first = workspaceOn(nullptr);
  EXPECT_NE(workspaceOn(stream->handle()), first);
  EXPECT_EQ(workspaceOn(nullptr), first);
}

// A module is loaded once, when its variant is first launched.
TEST_F(LauncherTest, LazyLoading) {
  Kernel kernel = load();
  EXPECT_STREQ(fake->log, "");
  ASSERT_TRUE(kernel.launch(nullptr, makeValues(3)));
  ASSERT_TRUE(kernel.launch(nullptr, makeValues(5)));
  std::string log = fake->log;
  EXPECT_EQ(log.find("load"), log.rfind("load"));
}

// The same launch again is not prepared again; one that differs in anything is.
TEST_F(LauncherTest, RepeatedLaunch) {
  Kernel kernel = load();
  auto mapsAfter = [&](std::vector<LaunchValue> values) {
    fake->log[0] = '\0';
    auto plan = kernel.launch(nullptr, values);
    EXPECT_TRUE(plan);
    EXPECT_EQ(plan->variant, 0u);
    EXPECT_NE(std::string(fake->log).find("launchEx tma$4"), std::string::npos);
    return std::string(fake->log).find("map ") != std::string::npos;
  };
  EXPECT_TRUE(mapsAfter(makeValues(4)));
  EXPECT_FALSE(mapsAfter(makeValues(4)));
  EXPECT_EQ(fake->parameters[2], 4096u);
  EXPECT_TRUE(mapsAfter(makeValues(2)));
  EXPECT_FALSE(mapsAfter(makeValues(4)));
  std::vector<LaunchValue> elsewhere = makeValues(4);
  elsewhere[0] = LaunchValue::pointer(8192);
  EXPECT_TRUE(mapsAfter(elsewhere));
  EXPECT_EQ(fake->parameters[2], 8192u);
  // Only so many are remembered, and what is wrong is refused each time.
  for (int64_t m : {6, 8, 10, 12})
    EXPECT_TRUE(mapsAfter(makeValues(m)));
  EXPECT_TRUE(mapsAfter(makeValues(4)));
  for (int turn = 0; turn < 2; ++turn)
    EXPECT_FALSE(kernel.launch(nullptr, makeValues(-1)));
}

// An empty launch succeeds without touching the device.
TEST_F(LauncherTest, EmptyLaunch) {
  Kernel kernel = load();
  auto plan = kernel.launch(nullptr, makeValues(0));
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->isEmpty());
  EXPECT_STREQ(fake->log, "");
}

// What the rules refuse never reaches the device.
TEST_F(LauncherTest, RefusedLaunch) {
  Kernel kernel = load();
  auto plan = kernel.launch(nullptr, makeValues(-1));
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().text(), "kernel 'copy': argument 'M': expected i32 "
                                 "from 0 to 2147483647, got -1");
  EXPECT_STREQ(fake->log, "");
}

// The memory of a remembered launch serves the next one: nothing of a variant
// with tensor maps is left among the parameters of one without.
TEST_F(LauncherTest, VariantsInTurn) {
  Manifest manifest = makeManifest();
  manifest.variants[1].symbol = "plain$3";
  manifest.variants[1].workspace = 64;
  Kernel kernel = load(manifest);
  LaunchOptions plain;
  plain.variant = "plain";
  for (int64_t m : {2, 4, 6, 8})
    ASSERT_TRUE(kernel.launch(nullptr, makeValues(m)));
  EXPECT_EQ(fake->parameters[2], 4096u);
  ASSERT_TRUE(kernel.launch(nullptr, makeValues(2), plain));
  auto *workspace = reinterpret_cast<const char *>(fake->parameters[2]);
  ASSERT_NE(fake->parameters[2], 4096u);
  EXPECT_EQ(std::string(workspace, 64), std::string(64, '\0'));
}

// A forced variant is launched although a more specialised one fits.
TEST_F(LauncherTest, ForcedVariant) {
  Kernel kernel = load();
  LaunchOptions options;
  options.variant = "plain";
  ASSERT_TRUE(kernel.launch(nullptr, makeValues(4), options));
  EXPECT_NE(std::string(fake->log).find("launch plain$2 grid=4,1,1"),
            std::string::npos);
}

// The driver's refusal comes with the kernel's and the variant's name.
TEST_F(LauncherTest, DriverRefusesLaunch) {
  Kernel kernel = load();
  std::strcpy(fake->failing, "cuLaunchKernel");
  fake->failingCode = 701;
  auto plan = kernel.launch(nullptr, makeValues(3));
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().driverCode, 701);
  EXPECT_EQ(plan.error().text(),
            "kernel 'copy', variant 'plain': cannot launch: CUDA_ERROR_FAKE "
            "(701): the fake driver was told to fail");
}

// Shared memory beyond the 48 KiB that a launch has without asking, up to all
// that there is, is asked for once and launched with; more is refused.
TEST_F(LauncherTest, SharedMemoryByRequest) {
  auto logOf = [&](int64_t shared) {
    Manifest manifest = makeManifest();
    manifest.variants[1].shared = shared;
    fake->log[0] = '\0';
    Kernel kernel = load(manifest);
    for (int64_t m : {3, 5}) {
      auto plan = kernel.launch(nullptr, makeValues(m));
      if (!plan)
        return plan.error().text();
    }
    return std::string(fake->log);
  };
  auto launches = [](const std::string &shared) {
    return "launch plain$2 grid=3,1,1 block=128,1,1 shared=" + shared +
           "\nlaunch plain$2 grid=5,1,1 block=128,1,1 shared=" + shared + "\n";
  };
  EXPECT_EQ(logOf(49152), "load <plain>\n" + launches("49152"));
  for (const char *shared : {"49153", "163840", "232448"})
    EXPECT_EQ(logOf(std::atoi(shared)),
              "load <plain>\nset plain$2 8=" + std::string(shared) + "\n" +
                  launches(shared));
  EXPECT_EQ(logOf(232449),
            "kernel 'copy': variant 'plain': expected at most 232448 bytes of "
            "shared memory on 'Fake H200', got 232449");
}

// Static and dynamic shared memory together must fit.
TEST_F(LauncherTest, StaticSharedMemoryCounts) {
  fake->staticShared = 40000;
  Kernel kernel = load();
  auto plan = kernel.launch(nullptr, makeValues(2));
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().text(),
            "kernel 'copy', variant 'tma': expected at most 232448 bytes of "
            "shared memory, got 200000 dynamic and 40000 static");
}

// A variant without code, a wrong variant name and a wrong chip are refused.
TEST_F(LauncherTest, LoadErrors) {
  auto bare = Kernel::load(*device, makeManifest(),
                           std::map<std::string, std::string>());
  ASSERT_TRUE(bare);
  auto plan = bare->launch(nullptr, makeValues(3));
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().text(), "kernel 'copy', variant 'plain': expected its "
                                 "PTX or cubin, got none");
  EXPECT_EQ(bare->facts("none").error().text(),
            "kernel 'copy': expected the name of a variant, got 'none'");
  Manifest manifest = makeManifest();
  manifest.target = "sm_100a";
  auto wrong =
      Kernel::load(*device, manifest, std::map<std::string, std::string>());
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().text(),
            "kernel 'copy': expected a device that runs sm_100a, got 'Fake "
            "H200' of capability 9.0");
}

// Registers and the compiler's words are there without a launch.
TEST_F(LauncherTest, FactsAndLog) {
  Kernel kernel = load();
  auto facts = kernel.facts("tma");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->numRegisters, 90);
  EXPECT_EQ(facts->localBytes, 0);
  EXPECT_EQ(*kernel.log("tma"), "used 90 registers");
}

} // namespace
