//===- Device.cpp - Devices, memory, streams, events ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/Device.h"

#include <utility>

using namespace tile::runtime;

/// The context and what it was made from.
struct Device::State {
  std::shared_ptr<const Driver> driver;
  cuda::DeviceId id = 0;
  cuda::Context context = nullptr;
  DeviceFacts facts;

  ~State() {
    if (context)
      driver->primaryCtxRelease(id);
  }
};

//===----------------------------------------------------------------------===//
// Device
//===----------------------------------------------------------------------===//

static Result<DeviceFacts> readFacts(const Driver &driver, cuda::DeviceId id) {
  char name[256] = {};
  if (Status status = driver.check(driver.deviceGetName(name, sizeof(name), id),
                                   "cannot name a device");
      !status)
    return status.takeError();
  cuda::Code code = 0;
  auto read = [&](cuda::DeviceAttribute attribute) {
    int value = 0;
    if (code == 0)
      code = driver.deviceGetAttribute(&value, attribute, id);
    return value;
  };
  DeviceFacts facts;
  facts.name = name;
  facts.capability = 10 * read(cuda::kComputeCapabilityMajor);
  facts.capability += read(cuda::kComputeCapabilityMinor);
  facts.numMultiprocessors = read(cuda::kMultiprocessorCount);
  facts.maxShared = read(cuda::kMaxSharedPerBlockOptIn);
  facts.maxGrid[0] = read(cuda::kMaxGridX);
  facts.maxGrid[1] = read(cuda::kMaxGridY);
  facts.maxGrid[2] = read(cuda::kMaxGridZ);
  facts.l2Bytes = read(cuda::kL2CacheBytes);
  if (code == 0)
    code = driver.driverGetVersion(&facts.driverVersion);
  if (code != 0)
    return driver.error(
        "cannot read the attributes of device '" + facts.name + "'", code);
  return facts;
}

Result<Device> Device::open(std::shared_ptr<const Driver> driver, int ordinal) {
  int count = 0;
  if (Status status =
          driver->check(driver->deviceGetCount(&count), "cannot count devices");
      !status)
    return status.takeError();
  if (ordinal < 0 || ordinal >= count)
    return Error("expected a device number below " + std::to_string(count) +
                 ", got " + std::to_string(ordinal));
  auto state = std::make_shared<State>();
  state->driver = std::move(driver);
  const Driver &api = *state->driver;
  if (Status status =
          api.check(api.deviceGet(&state->id, ordinal), "cannot get a device");
      !status)
    return status.takeError();
  Result<DeviceFacts> facts = readFacts(api, state->id);
  if (!facts)
    return facts.takeError();
  state->facts = std::move(*facts);
  if (cuda::Code code = api.primaryCtxRetain(&state->context, state->id)) {
    state->context = nullptr;
    return api.error("cannot make a context on '" + state->facts.name + "'",
                     code);
  }
  return Device(std::move(state));
}

const Driver &Device::driver() const { return *state->driver; }
const DeviceFacts &Device::facts() const { return state->facts; }

Status Device::synchronize() const {
  CurrentContext current(*this);
  if (!current.status())
    return current.status();
  return driver().check(driver().ctxSynchronize(), "cannot finish the work");
}

CurrentContext::CurrentContext(const Device &device) : device(device) {
  const Driver &driver = device.driver();
  cuda::Context before = nullptr;
  if (driver.ctxGetCurrent(&before) == 0 && before == device.state->context)
    return;
  outcome = driver.check(driver.ctxPushCurrent(device.state->context),
                         "cannot make the device's context current");
  isPushed = static_cast<bool>(outcome);
}

CurrentContext::~CurrentContext() {
  cuda::Context popped;
  if (isPushed)
    device.driver().ctxPopCurrent(&popped);
}

//===----------------------------------------------------------------------===//
// Stream
//===----------------------------------------------------------------------===//

Result<Stream> Stream::create(const Device &device) {
  CurrentContext current(device);
  if (!current.status())
    return current.status().error();
  cuda::StreamHandle raw = nullptr;
  // Flags 0: ordered with the default stream, on which Buffer copies.
  if (cuda::Code code = device.driver().streamCreate(&raw, /*flags=*/0))
    return device.driver().error("cannot make a stream", code);
  return Stream(device, raw);
}

Stream::Stream(Stream &&other) noexcept
    : device(other.device), raw(std::exchange(other.raw, nullptr)) {}

Stream::~Stream() {
  if (!raw)
    return;
  CurrentContext current(device);
  device.driver().streamDestroy(raw);
}

Status Stream::synchronize() const {
  CurrentContext current(device);
  if (!current.status())
    return current.status();
  return device.driver().check(device.driver().streamSynchronize(raw),
                               "cannot finish the work on a stream");
}

//===----------------------------------------------------------------------===//
// Buffer
//===----------------------------------------------------------------------===//

Result<Buffer> Buffer::allocate(const Device &device, size_t sizeInBytes) {
  CurrentContext current(device);
  if (!current.status())
    return current.status().error();
  cuda::DevicePointer raw = 0;
  if (sizeInBytes != 0)
    if (cuda::Code code = device.driver().memAlloc(&raw, sizeInBytes))
      return device.driver().error("cannot allocate " +
                                       std::to_string(sizeInBytes) +
                                       " bytes of device memory",
                                   code);
  return Buffer(device, raw, sizeInBytes);
}

Buffer::Buffer(Buffer &&other) noexcept
    : device(other.device), raw(std::exchange(other.raw, 0)),
      sizeInBytes(std::exchange(other.sizeInBytes, 0)) {}

Buffer::~Buffer() {
  if (raw == 0)
    return;
  CurrentContext current(device);
  device.driver().memFree(raw);
}

Status Buffer::checkRange(const char *what, size_t bytes, size_t offset) const {
  if (offset <= sizeInBytes && bytes <= sizeInBytes - offset)
    return Status::success();
  return Error(std::string(what) + ": expected at most " +
               std::to_string(sizeInBytes) + " bytes, got offset " +
               std::to_string(offset) + " and " + std::to_string(bytes) +
               " bytes");
}

Status Buffer::write(const void *source, size_t bytes, size_t offset) const {
  const char *what = "cannot copy to device memory";
  if (Status status = checkRange(what, bytes, offset); !status || bytes == 0)
    return status;
  CurrentContext current(device);
  if (!current.status())
    return current.status();
  return device.driver().check(
      device.driver().memcpyHtoD(raw + offset, source, bytes), what);
}

Status Buffer::read(void *target, size_t bytes, size_t offset) const {
  const char *what = "cannot copy from device memory";
  if (Status status = checkRange(what, bytes, offset); !status || bytes == 0)
    return status;
  CurrentContext current(device);
  if (!current.status())
    return current.status();
  return device.driver().check(
      device.driver().memcpyDtoH(target, raw + offset, bytes), what);
}

Status Buffer::fill(uint8_t byte, cuda::StreamHandle stream) const {
  if (sizeInBytes == 0)
    return Status::success();
  CurrentContext current(device);
  if (!current.status())
    return current.status();
  return device.driver().check(
      device.driver().memsetD8Async(raw, byte, sizeInBytes, stream),
      "cannot fill device memory");
}

//===----------------------------------------------------------------------===//
// Event
//===----------------------------------------------------------------------===//

Result<Event> Event::create(const Device &device) {
  CurrentContext current(device);
  if (!current.status())
    return current.status().error();
  cuda::EventHandle raw = nullptr;
  if (cuda::Code code = device.driver().eventCreate(&raw, /*flags=*/0))
    return device.driver().error("cannot make an event", code);
  return Event(device, raw);
}

Event::Event(Event &&other) noexcept
    : device(other.device), raw(std::exchange(other.raw, nullptr)) {}

Event::~Event() {
  if (!raw)
    return;
  CurrentContext current(device);
  device.driver().eventDestroy(raw);
}

Status Event::record(cuda::StreamHandle stream) const {
  CurrentContext current(device);
  if (!current.status())
    return current.status();
  return device.driver().check(device.driver().eventRecord(raw, stream),
                               "cannot record an event");
}

Status Event::synchronize() const {
  CurrentContext current(device);
  if (!current.status())
    return current.status();
  return device.driver().check(device.driver().eventSynchronize(raw),
                               "cannot wait for an event");
}

Result<double> Event::microsecondsSince(const Event &start) const {
  CurrentContext current(device);
  if (!current.status())
    return current.status().error();
  float milliseconds = 0;
  if (cuda::Code code =
          device.driver().eventElapsedTime(&milliseconds, start.raw, raw))
    return device.driver().error("cannot time two events", code);
  return double(milliseconds) * 1e3;
}
