//===- DriverTest.cpp - Tests of opening a driver and a device ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

#include "tile/Runtime/Device.h"

#include "gtest/gtest.h"

#include <cstring>
#include <dlfcn.h>
#include <vector>

using namespace tile::runtime;

namespace {

class DriverTest : public testing::Test {
protected:
  void SetUp() override {
    handle = dlopen(FAKE_CUDA_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle, nullptr) << dlerror();
    auto *get =
        reinterpret_cast<FakeCudaState *(*)()>(dlsym(handle, "fakeCudaState"));
    fake = get();
    std::memset(fake, 0, sizeof(*fake));
  }
  void TearDown() override { dlclose(handle); }

  void failAt(const char *entry, int code) {
    std::strcpy(fake->failing, entry);
    fake->failingCode = code;
  }

  void *handle = nullptr;
  FakeCudaState *fake = nullptr;
};

// A machine without a driver is a state with a message, not a crash.
TEST_F(DriverTest, AbsentLibrary) {
  auto driver = Driver::open("libcuda-that-is-not-there.so.1");
  ASSERT_FALSE(driver);
  EXPECT_EQ(driver.error().driverCode, 0);
  EXPECT_EQ(
      driver.error().text().rfind("no CUDA driver: expected to open "
                                  "'libcuda-that-is-not-there.so.1', got '",
                                  0),
      0u)
      << driver.error().text();
}

// A library that is no driver is refused with the first missing entry point.
TEST_F(DriverTest, ForeignLibrary) {
  auto driver = Driver::open("libm.so.6");
  ASSERT_FALSE(driver);
  EXPECT_EQ(driver.error().text(), "CUDA driver 'libm.so.6': expected entry "
                                   "point 'cuGetErrorName', got none");
}

// A driver that does not start is reported in its own words after ours.
TEST_F(DriverTest, InitialisationFails) {
  failAt("cuInit", 100);
  auto driver = Driver::open(FAKE_CUDA_LIBRARY);
  ASSERT_FALSE(driver);
  EXPECT_EQ(driver.error().driverCode, 100);
  EXPECT_EQ(driver.error().text(),
            "cannot start the CUDA driver '" FAKE_CUDA_LIBRARY
            "': CUDA_ERROR_FAKE (100): the fake driver was told to fail");
}

// A device number beyond the last one is refused.
TEST_F(DriverTest, DeviceNumber) {
  auto driver = Driver::open(FAKE_CUDA_LIBRARY);
  ASSERT_TRUE(driver);
  for (int ordinal : {-1, 1}) {
    auto device = Device::open(*driver, ordinal);
    ASSERT_FALSE(device);
    EXPECT_EQ(device.error().text(), "expected a device number below 1, got " +
                                         std::to_string(ordinal));
  }
}

// The facts of a device are read once, when it is opened.
TEST_F(DriverTest, DeviceFacts) {
  auto driver = Driver::open(FAKE_CUDA_LIBRARY);
  ASSERT_TRUE(driver);
  auto device = Device::open(*driver);
  ASSERT_TRUE(device) << device.error().text();
  EXPECT_EQ(device->facts().name, "Fake H200");
  EXPECT_EQ(device->facts().capability, 90);
  EXPECT_EQ(device->facts().numMultiprocessors, 132);
  EXPECT_EQ(device->facts().maxShared, 232448);
  EXPECT_EQ(device->facts().maxGrid[1], 65535);
  EXPECT_EQ(device->facts().driverVersion, 13000);
}

// Everything that is made is freed, and no context stays current, whatever the
// order in which the owners go.
TEST_F(DriverTest, OwnersFreeEverything) {
  {
    auto driver = Driver::open(FAKE_CUDA_LIBRARY);
    ASSERT_TRUE(driver);
    std::vector<Buffer> buffers;
    {
      auto device = Device::open(*driver);
      ASSERT_TRUE(device);
      auto stream = Stream::create(*device);
      auto event = Event::create(*device);
      auto module = Module::load(*device, "text");
      auto buffer = Buffer::allocate(*device, 16);
      ASSERT_TRUE(stream && event && module && buffer);
      EXPECT_EQ(module->log(), "used 90 registers");
      EXPECT_EQ(fake->numLive, 5);
      buffers.push_back(std::move(*buffer));
    }
    EXPECT_EQ(fake->numLive, 2);
  }
  EXPECT_EQ(fake->numLive, 0);
  EXPECT_EQ(fake->numPushed, 0);
}

// Bytes written to a buffer come back; what lies outside it is refused.
TEST_F(DriverTest, BufferCopies) {
  auto driver = Driver::open(FAKE_CUDA_LIBRARY);
  auto device = Device::open(*driver);
  auto buffer = Buffer::allocate(*device, 8);
  ASSERT_TRUE(buffer);
  uint8_t bytes[8] = {};
  ASSERT_TRUE(buffer->fill(0xff));
  ASSERT_TRUE(buffer->write("ab", 2, /*offset=*/3));
  ASSERT_TRUE(buffer->read(bytes, 8));
  EXPECT_EQ(bytes[2], 0xff);
  EXPECT_EQ(bytes[3], 'a');
  EXPECT_EQ(bytes[4], 'b');
  Status status = buffer->write("ab", 2, /*offset=*/7);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().text(), "cannot copy to device memory: expected at "
                                   "most 8 bytes, got offset 7 and 2 bytes");
  auto empty = Buffer::allocate(*device, 0);
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->address(), 0u);
}

// A module that does not compile brings the compiler's log along.
TEST_F(DriverTest, ModuleErrorCarriesLog) {
  auto driver = Driver::open(FAKE_CUDA_LIBRARY);
  auto device = Device::open(*driver);
  failAt("cuModuleLoadDataEx", 218);
  auto module = Module::load(*device, "text");
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().text(),
            "cannot load a module, log: line 3: syntax error: "
            "CUDA_ERROR_INVALID_PTX (218): the fake driver was told to fail");
}

} // namespace
