//===- Driver.h - The CUDA Driver API, opened at run time -------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of the CUDA Driver API that the launcher uses, declared by hand and
// looked up in libcuda.so.1 when a Driver is opened: building needs no CUDA
// toolkit, and a machine without a driver is a normal state with a message.
// Types and constants have the names and values of the CUDA Driver API 12.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_DRIVER_H
#define TILE_RUNTIME_DRIVER_H

#include "tile/Runtime/Result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace tile::runtime {

/// The driver's types, constants and function signatures.
namespace cuda {
using Code = int;
using DeviceId = int;
using DevicePointer = unsigned long long;
using Context = struct CUctx_st *;
using ModuleHandle = struct CUmod_st *;
using Function = struct CUfunc_st *;
using StreamHandle = struct CUstream_st *;
using EventHandle = struct CUevent_st *;

/// CUdevice_attribute.
enum DeviceAttribute : int {
  kMaxGridX = 5,
  kMaxGridY = 6,
  kMaxGridZ = 7,
  kClockRateKHz = 13,
  kMultiprocessorCount = 16,
  kL2CacheBytes = 38,
  kComputeCapabilityMajor = 75,
  kComputeCapabilityMinor = 76,
  kMaxSharedPerBlockOptIn = 97,
};

/// CUfunction_attribute.
enum FunctionAttribute : int {
  kStaticSharedBytes = 1,
  kLocalBytes = 3,
  kNumRegisters = 4,
  kMaxDynamicSharedBytes = 8,
  kNonPortableClusterAllowed = 14,
};

/// CUjit_option.
enum JitOption : int {
  kInfoLogBuffer = 3,
  kInfoLogBufferBytes = 4,
  kErrorLogBuffer = 5,
  kErrorLogBufferBytes = 6,
  kLogVerbose = 12,
};

/// CUlaunchAttribute holding a cluster dimension.
struct LaunchAttribute {
  int id;
  char padding[4];
  union {
    char bytes[64];
    unsigned cluster[3];
  } value;
};
inline constexpr int kClusterDimension = 4;

/// CUlaunchConfig.
struct LaunchConfig {
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  unsigned sharedBytes;
  StreamHandle stream;
  LaunchAttribute *attributes;
  unsigned numAttributes;
};

/// CUtensorMap: opaque, 64-byte aligned.
struct alignas(64) TensorMap {
  uint64_t opaque[16];
};
} // namespace cuda

/// An opened driver library and its entry points.  Owns the library's handle;
/// everything made from it keeps it alive.
class Driver {
public:
  /// Opens and initialises the driver.  `library` is the file to open.
  static Result<std::shared_ptr<const Driver>>
  open(const std::string &library = "libcuda.so.1");

  ~Driver();
  Driver(const Driver &) = delete;
  Driver &operator=(const Driver &) = delete;

  /// The error that says "`what`" and why, in the driver's words.
  Error error(std::string what, cuda::Code code) const;
  /// Success, or the error above.
  Status check(cuda::Code code, const char *what) const {
    return code == 0 ? Status::success() : Status(error(what, code));
  }

  // Entry points, named as in the API without "cu" and without version suffix.
  cuda::Code (*getErrorName)(cuda::Code, const char **);
  cuda::Code (*getErrorString)(cuda::Code, const char **);
  cuda::Code (*init)(unsigned);
  cuda::Code (*driverGetVersion)(int *);
  cuda::Code (*deviceGetCount)(int *);
  cuda::Code (*deviceGet)(cuda::DeviceId *, int);
  cuda::Code (*deviceGetName)(char *, int, cuda::DeviceId);
  cuda::Code (*deviceGetAttribute)(int *, int, cuda::DeviceId);
  cuda::Code (*primaryCtxRetain)(cuda::Context *, cuda::DeviceId);
  cuda::Code (*primaryCtxRelease)(cuda::DeviceId);
  cuda::Code (*ctxGetCurrent)(cuda::Context *);
  cuda::Code (*ctxPushCurrent)(cuda::Context);
  cuda::Code (*ctxPopCurrent)(cuda::Context *);
  cuda::Code (*ctxSynchronize)();
  cuda::Code (*memAlloc)(cuda::DevicePointer *, size_t);
  cuda::Code (*memFree)(cuda::DevicePointer);
  cuda::Code (*memcpyHtoD)(cuda::DevicePointer, const void *, size_t);
  cuda::Code (*memcpyDtoH)(void *, cuda::DevicePointer, size_t);
  cuda::Code (*memsetD8Async)(cuda::DevicePointer, unsigned char, size_t,
                              cuda::StreamHandle);
  cuda::Code (*streamCreate)(cuda::StreamHandle *, unsigned);
  cuda::Code (*streamDestroy)(cuda::StreamHandle);
  cuda::Code (*streamSynchronize)(cuda::StreamHandle);
  cuda::Code (*eventCreate)(cuda::EventHandle *, unsigned);
  cuda::Code (*eventDestroy)(cuda::EventHandle);
  cuda::Code (*eventRecord)(cuda::EventHandle, cuda::StreamHandle);
  cuda::Code (*eventSynchronize)(cuda::EventHandle);
  cuda::Code (*eventElapsedTime)(float *, cuda::EventHandle, cuda::EventHandle);
  cuda::Code (*moduleLoadDataEx)(cuda::ModuleHandle *, const void *, unsigned,
                                 int *, void **);
  cuda::Code (*moduleUnload)(cuda::ModuleHandle);
  cuda::Code (*moduleGetFunction)(cuda::Function *, cuda::ModuleHandle,
                                  const char *);
  cuda::Code (*funcGetAttribute)(int *, int, cuda::Function);
  cuda::Code (*funcSetAttribute)(cuda::Function, int, int);
  cuda::Code (*launchKernel)(cuda::Function, unsigned, unsigned, unsigned,
                             unsigned, unsigned, unsigned, unsigned,
                             cuda::StreamHandle, void **, void **);
  /// Null before CUDA 11.8; needed for clusters only.
  cuda::Code (*launchKernelEx)(const cuda::LaunchConfig *, cuda::Function,
                               void **, void **);
  /// Null before CUDA 12.0; needed for tensor maps only.
  cuda::Code (*tensorMapEncodeTiled)(cuda::TensorMap *, int, unsigned, void *,
                                     const uint64_t *, const uint64_t *,
                                     const uint32_t *, const uint32_t *, int,
                                     int, int, int);

private:
  Driver() = default;
  Status lookUp(const std::string &library);

  void *handle = nullptr;
};

} // namespace tile::runtime

#endif // TILE_RUNTIME_DRIVER_H
