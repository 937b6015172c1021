//===- Driver.cpp - Opening the CUDA driver -------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/Driver.h"

#include <dlfcn.h>

using namespace tile::runtime;

Driver::~Driver() {
  if (handle)
    dlclose(handle);
}

Error Driver::error(std::string what, cuda::Code code) const {
  Error result(std::move(what));
  result.driverCode = code;
  const char *name = nullptr, *text = nullptr;
  bool isKnown =
      getErrorName(code, &name) == 0 && getErrorString(code, &text) == 0;
  result.driverName = isKnown && name ? name : "unknown error";
  result.driverText = isKnown && text ? text : "no description";
  return result;
}

Status Driver::lookUp(const std::string &library) {
  std::string missing;
  auto find = [&](auto &entry, const char *symbol, bool isOptional = false) {
    void *address = dlsym(handle, symbol);
    if (!address && !isOptional && missing.empty())
      missing = symbol;
    entry = reinterpret_cast<std::decay_t<decltype(entry)>>(address);
  };
  find(getErrorName, "cuGetErrorName");
  find(getErrorString, "cuGetErrorString");
  find(init, "cuInit");
  find(driverGetVersion, "cuDriverGetVersion");
  find(deviceGetCount, "cuDeviceGetCount");
  find(deviceGet, "cuDeviceGet");
  find(deviceGetName, "cuDeviceGetName");
  find(deviceGetAttribute, "cuDeviceGetAttribute");
  find(primaryCtxRetain, "cuDevicePrimaryCtxRetain");
  find(primaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
  find(ctxGetCurrent, "cuCtxGetCurrent");
  find(ctxPushCurrent, "cuCtxPushCurrent_v2");
  find(ctxPopCurrent, "cuCtxPopCurrent_v2");
  find(ctxSynchronize, "cuCtxSynchronize");
  find(memAlloc, "cuMemAlloc_v2");
  find(memFree, "cuMemFree_v2");
  find(memcpyHtoD, "cuMemcpyHtoD_v2");
  find(memcpyDtoH, "cuMemcpyDtoH_v2");
  find(memsetD8Async, "cuMemsetD8Async");
  find(streamCreate, "cuStreamCreate");
  find(streamDestroy, "cuStreamDestroy_v2");
  find(streamSynchronize, "cuStreamSynchronize");
  find(eventCreate, "cuEventCreate");
  find(eventDestroy, "cuEventDestroy_v2");
  find(eventRecord, "cuEventRecord");
  find(eventSynchronize, "cuEventSynchronize");
  find(eventElapsedTime, "cuEventElapsedTime");
  find(moduleLoadDataEx, "cuModuleLoadDataEx");
  find(moduleUnload, "cuModuleUnload");
  find(moduleGetFunction, "cuModuleGetFunction");
  find(funcGetAttribute, "cuFuncGetAttribute");
  find(funcSetAttribute, "cuFuncSetAttribute");
  find(launchKernel, "cuLaunchKernel");
  find(launchKernelEx, "cuLaunchKernelEx", /*isOptional=*/true);
  find(tensorMapEncodeTiled, "cuTensorMapEncodeTiled", /*isOptional=*/true);
  if (missing.empty())
    return Status::success();
  return Error("CUDA driver '" + library + "': expected entry point '" +
               missing + "', got none");
}

Result<std::shared_ptr<const Driver>> Driver::open(const std::string &library) {
  std::shared_ptr<Driver> driver(new Driver);
  driver->handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!driver->handle) {
    const char *reason = dlerror();
    return Error("no CUDA driver: expected to open '" + library + "', got '" +
                 (reason ? reason : "no reason") + "'");
  }
  if (Status status = driver->lookUp(library); !status)
    return status.takeError();
  if (cuda::Code code = driver->init(/*flags=*/0))
    return driver->error("cannot start the CUDA driver '" + library + "'",
                         code);
  return std::shared_ptr<const Driver>(std::move(driver));
}
