//===- FakeCuda.cpp - A CUDA driver without a GPU -------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device memory is host memory, a module is its text, a launch is a line in the
// log.  The number of parameters of a function stands in its symbol: "f$3".  A
// launch seems to take the longer the smaller its block is: 1.5 ms for 128
// threads, half of that for 256.  A block of 512 or more is too large to be
// launched, and code for a block of 32 is not loaded.  A launch of a kernel
// whose name starts with "accumulate" adds 1 to the float that its first
// argument points to.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using Pointer = unsigned long long;

static FakeCudaState state;
static int context;
/// Threads of a block of the last launch.
static unsigned lastBlock = 128;

static void record(const char *format, ...) {
  size_t used = std::strlen(state.log);
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(state.log + used, sizeof(state.log) - used, format, arguments);
  va_end(arguments);
}

/// The code that `entry` has to return.
static int outcome(const char *entry) {
  return std::strcmp(entry, state.failing) == 0 ? state.failingCode : 0;
}

template <typename Handle>
static int make(const char *entry, Handle *handle, size_t bytes = 1) {
  int code = outcome(entry);
  if (code != 0)
    return code;
  *handle = (Handle)std::malloc(bytes);
  ++state.numLive;
  return 0;
}

template <typename Handle>
static int release(Handle handle) {
  std::free((void *)handle);
  --state.numLive;
  return 0;
}

static void accumulate(void **parameters) {
  float *target;
  std::memcpy(&target, parameters[0], sizeof(target));
  *target += 1;
}

static int launch(void *function, unsigned block, void **parameters) {
  lastBlock = block;
  const char *symbol = static_cast<const char *>(function);
  const char *count = std::strchr(symbol, '$');
  state.numParameters = count ? std::atoi(count + 1) : 0;
  for (int i = 0; i < state.numParameters; ++i)
    std::memcpy(&state.parameters[i], parameters[i], 8);
  if (std::strncmp(symbol, "accumulate", 10) == 0)
    accumulate(parameters);
  return 0;
}

extern "C" {

FakeCudaState *fakeCudaState() { return &state; }

int cuGetErrorName(int code, const char **name) {
  *name = code == 218 ? "CUDA_ERROR_INVALID_PTX" : "CUDA_ERROR_FAKE";
  return 0;
}
int cuGetErrorString(int, const char **text) {
  *text = "the fake driver was told to fail";
  return 0;
}
int cuInit(unsigned) { return outcome("cuInit"); }
int cuDriverGetVersion(int *version) {
  *version = 13000;
  return 0;
}
int cuDeviceGetCount(int *count) {
  *count = 1;
  return outcome("cuDeviceGetCount");
}
int cuDeviceGet(int *device, int) {
  *device = 7;
  return 0;
}
int cuDeviceGetName(char *name, int length, int) {
  std::snprintf(name, length, "Fake H200");
  return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  switch (attribute) {
  case 5:
    *value = 2147483647;
    break;
  case 6:
  case 7:
    *value = 65535;
    break;
  case 16:
    *value = 132;
    break;
  case 75:
    *value = 9;
    break;
  case 97:
    *value = 232448;
    break;
  default:
    *value = 0;
  }
  return 0;
}
int cuDevicePrimaryCtxRetain(void **result, int) {
  *result = &context;
  ++state.numLive;
  return outcome("cuDevicePrimaryCtxRetain");
}
int cuDevicePrimaryCtxRelease_v2(int) {
  --state.numLive;
  return 0;
}
int cuCtxGetCurrent(void **result) {
  *result = state.numPushed > 0 ? &context : nullptr;
  return 0;
}
int cuCtxPushCurrent_v2(void *) {
  ++state.numPushed;
  return 0;
}
int cuCtxPopCurrent_v2(void **) {
  --state.numPushed;
  return 0;
}
int cuCtxSynchronize() { return outcome("cuCtxSynchronize"); }
int cuMemAlloc_v2(Pointer *pointer, size_t bytes) {
  return make("cuMemAlloc", pointer, bytes);
}
int cuMemFree_v2(Pointer pointer) { return release(pointer); }
int cuMemcpyHtoD_v2(Pointer target, const void *source, size_t bytes) {
  std::memcpy((void *)target, source, bytes);
  return 0;
}
int cuMemcpyDtoH_v2(void *target, Pointer source, size_t bytes) {
  std::memcpy(target, (void *)source, bytes);
  return 0;
}
int cuMemsetD8Async(Pointer target, unsigned char byte, size_t bytes, void *) {
  std::memset((void *)target, byte, bytes);
  return 0;
}
int cuStreamCreate(void **stream, unsigned) {
  return make("cuStreamCreate", stream);
}
int cuStreamDestroy_v2(void *stream) { return release(stream); }
int cuStreamSynchronize(void *) { return 0; }
int cuEventCreate(void **event, unsigned) {
  return make("cuEventCreate", event, sizeof(lastBlock));
}
int cuEventDestroy_v2(void *event) { return release(event); }
int cuEventRecord(void *event, void *) {
  std::memcpy(event, &lastBlock, sizeof(lastBlock));
  return 0;
}
int cuEventSynchronize(void *) { return 0; }
int cuEventElapsedTime(float *milliseconds, void *, void *end) {
  unsigned block;
  std::memcpy(&block, end, sizeof(block));
  *milliseconds = 192.0F / float(block);
  return 0;
}
int cuModuleLoadDataEx(void **module, const void *image, unsigned numOptions,
                       int *options, void **values) {
  record("load %s\n", static_cast<const char *>(image));
  for (unsigned i = 0; i < numOptions; ++i) {
    if (options[i] == 3)
      std::strcpy(static_cast<char *>(values[i]), "used 90 registers");
    if (options[i] == 5 && outcome("cuModuleLoadDataEx") != 0)
      std::strcpy(static_cast<char *>(values[i]), "line 3: syntax error");
  }
  if (std::strstr(static_cast<const char *>(image), ".maxntid 32\n"))
    return 218;
  return make("cuModuleLoadDataEx", module);
}
int cuModuleUnload(void *module) { return release(module); }
int cuModuleGetFunction(void **function, void *, const char *symbol) {
  // A function is its symbol, kept once for the life of the library.
  static char symbols[16][32];
  for (char (&known)[32] : symbols) {
    if (known[0] == '\0')
      std::snprintf(known, sizeof(known), "%s", symbol);
    if (std::strcmp(known, symbol) != 0)
      continue;
    *function = known;
    return outcome("cuModuleGetFunction");
  }
  return 2; // out of memory
}
int cuFuncGetAttribute(int *value, int attribute, void *) {
  *value = attribute == 4 ? 90 : attribute == 1 ? state.staticShared : 0;
  return 0;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  record("set %s %d=%d\n", static_cast<char *>(function), attribute, value);
  return outcome("cuFuncSetAttribute");
}
int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                   unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned shared, void *, void **parameters,
                   void **) {
  record("launch %s grid=%u,%u,%u block=%u,%u,%u shared=%u\n",
         static_cast<char *>(function), gridX, gridY, gridZ, blockX, blockY,
         blockZ, shared);
  int code = blockX >= 512 ? 701 : outcome("cuLaunchKernel");
  return code != 0 ? code : launch(function, blockX, parameters);
}

/// CUlaunchAttribute and CUlaunchConfig as the CUDA Driver API lays them out,
/// written down a second time on purpose.
struct Attribute {
  int id;
  int padding;
  unsigned value[16];
};
struct Config {
  unsigned grid[3], block[3], shared;
  void *stream;
  Attribute *attributes;
  unsigned numAttributes;
};
int cuLaunchKernelEx(const Config *config, void *function, void **parameters,
                     void **) {
  const Attribute &attribute = config->attributes[0];
  record("launchEx %s grid=%u,%u,%u block=%u,%u,%u shared=%u attribute=%d:%u,"
         "%u,%u\n",
         static_cast<char *>(function), config->grid[0], config->grid[1],
         config->grid[2], config->block[0], config->block[1], config->block[2],
         config->shared, attribute.id, attribute.value[0], attribute.value[1],
         attribute.value[2]);
  return launch(function, config->block[0], parameters);
}
int cuTensorMapEncodeTiled(void *map, int type, unsigned rank, void *address,
                           const uint64_t *dims, const uint64_t *strides,
                           const uint32_t *box, const uint32_t *steps, int,
                           int swizzle, int, int fill) {
  std::memset(map, 0, 128);
  std::memcpy(map, &address, 8);
  record("map type=%d rank=%u dims=%llu,%llu stride=%llu box=%u,%u steps=%u,%u "
         "swizzle=%d fill=%d\n",
         type, rank, Pointer(dims[0]), Pointer(dims[1]), Pointer(strides[0]),
         box[0], box[1], steps[0], steps[1], swizzle, fill);
  return outcome("cuTensorMapEncodeTiled");
}

} // extern "C"
