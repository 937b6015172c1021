//===- Device.h - Devices, memory, streams, events, modules -----*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Owners of the CUDA driver's objects.  Each frees what it owns, keeps its
// device's context alive, and leaves the caller's current context as it was.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_DEVICE_H
#define TILE_RUNTIME_DEVICE_H

#include "tile/Runtime/Driver.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace tile::runtime {

/// What a launch must know about a device.
struct DeviceFacts {
  std::string name;
  /// Compute capability: major * 10 + minor.
  int capability = 0;
  int numMultiprocessors = 0;
  /// Bytes of shared memory that a block can have by opting in.
  int64_t maxShared = 0;
  int64_t maxGrid[3] = {0, 0, 0};
  int64_t l2Bytes = 0;
  /// Version of the driver's API: 1000 * major + 10 * minor.
  int driverVersion = 0;
};

/// A device with its primary context.  Copies share the context, which is
/// released with the last of them.
class Device {
public:
  /// Opens device number `ordinal`.
  static Result<Device> open(std::shared_ptr<const Driver> driver,
                             int ordinal = 0);

  const Driver &driver() const;
  const DeviceFacts &facts() const;
  /// Waits for all work on the device.
  Status synchronize() const;

private:
  friend class CurrentContext;
  struct State;
  explicit Device(std::shared_ptr<State> state) : state(std::move(state)) {}
  std::shared_ptr<State> state;
};

/// Makes a device's context current for the life of this object.
class CurrentContext {
public:
  explicit CurrentContext(const Device &device);
  ~CurrentContext();
  CurrentContext(const CurrentContext &) = delete;
  CurrentContext &operator=(const CurrentContext &) = delete;

  const Status &status() const { return outcome; }

private:
  const Device &device;
  bool isPushed = false;
  Status outcome;
};

/// A stream; work on it runs in order and beside work on other streams.
class Stream {
public:
  static Result<Stream> create(const Device &device);
  Stream(Stream &&other) noexcept;
  Stream &operator=(Stream &&) = delete;
  ~Stream();

  Status synchronize() const;
  cuda::StreamHandle handle() const { return raw; }

private:
  Stream(Device device, cuda::StreamHandle raw) : device(device), raw(raw) {}
  Device device;
  cuda::StreamHandle raw;
};

/// Device memory.
class Buffer {
public:
  /// Allocates; a size of 0 gives the null address.
  static Result<Buffer> allocate(const Device &device, size_t sizeInBytes);
  Buffer(Buffer &&other) noexcept;
  Buffer &operator=(Buffer &&) = delete;
  ~Buffer();

  uint64_t address() const { return raw; }
  size_t size() const { return sizeInBytes; }
  /// Copies `bytes` bytes from the host to `offset`, and waits for the copy.
  Status write(const void *source, size_t bytes, size_t offset = 0) const;
  /// Copies `bytes` bytes at `offset` to the host, and waits for the copy.
  Status read(void *target, size_t bytes, size_t offset = 0) const;
  /// Sets every byte, in order with the work on `stream`.
  Status fill(uint8_t byte, cuda::StreamHandle stream = nullptr) const;

private:
  Buffer(Device device, cuda::DevicePointer raw, size_t size)
      : device(device), raw(raw), sizeInBytes(size) {}
  Status checkRange(const char *what, size_t bytes, size_t offset) const;
  Device device;
  cuda::DevicePointer raw;
  size_t sizeInBytes;
};

/// A point in a stream's work, with its time.
class Event {
public:
  static Result<Event> create(const Device &device);
  Event(Event &&other) noexcept;
  Event &operator=(Event &&) = delete;
  ~Event();

  Status record(cuda::StreamHandle stream = nullptr) const;
  Status synchronize() const;
  /// Microseconds from `start` to this event; both must have happened.
  Result<double> microsecondsSince(const Event &start) const;

private:
  Event(Device device, cuda::EventHandle raw) : device(device), raw(raw) {}
  Device device;
  cuda::EventHandle raw;
};

/// What the compiled function takes from each thread and block.
struct FunctionFacts {
  int numRegisters = 0;
  int localBytes = 0;
  int staticSharedBytes = 0;
};

/// Loaded code.
class Module {
public:
  /// Loads PTX text, which the driver compiles, or a cubin.  An error carries
  /// the driver's compilation log.
  static Result<Module> load(const Device &device, std::string_view image);
  Module(Module &&other) noexcept;
  Module &operator=(Module &&) = delete;
  ~Module();

  Result<cuda::Function> function(const std::string &symbol) const;
  Result<FunctionFacts> facts(cuda::Function function) const;
  /// What the driver's compiler said while it succeeded; empty for a cubin.
  const std::string &log() const { return compilationLog; }

private:
  Module(Device device, cuda::ModuleHandle raw, std::string log)
      : device(device), raw(raw), compilationLog(std::move(log)) {}
  Device device;
  cuda::ModuleHandle raw;
  std::string compilationLog;
};

} // namespace tile::runtime

#endif // TILE_RUNTIME_DEVICE_H
