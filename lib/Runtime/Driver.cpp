//===- Driver.cpp - Opening the CUDA driver -------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/Driver.h"
#include "tile/Runtime/EntryPoints.h"

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
  EntryPoints symbols(handle);
  symbols.find(getErrorName, "cuGetErrorName");
  symbols.find(getErrorString, "cuGetErrorString");
  symbols.find(init, "cuInit");
  symbols.find(driverGetVersion, "cuDriverGetVersion");
  symbols.find(deviceGetCount, "cuDeviceGetCount");
  symbols.find(deviceGet, "cuDeviceGet");
  symbols.find(deviceGetName, "cuDeviceGetName");
  symbols.find(deviceGetAttribute, "cuDeviceGetAttribute");
  symbols.find(primaryCtxRetain, "cuDevicePrimaryCtxRetain");
  symbols.find(primaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
  symbols.find(ctxGetCurrent, "cuCtxGetCurrent");
  symbols.find(ctxPushCurrent, "cuCtxPushCurrent_v2");
  symbols.find(ctxPopCurrent, "cuCtxPopCurrent_v2");
  symbols.find(ctxSynchronize, "cuCtxSynchronize");
  symbols.find(memAlloc, "cuMemAlloc_v2");
  symbols.find(memFree, "cuMemFree_v2");
  symbols.find(memcpyHtoD, "cuMemcpyHtoD_v2");
  symbols.find(memcpyDtoH, "cuMemcpyDtoH_v2");
  symbols.find(memsetD8Async, "cuMemsetD8Async");
  symbols.find(streamCreate, "cuStreamCreate");
  symbols.find(streamDestroy, "cuStreamDestroy_v2");
  symbols.find(streamSynchronize, "cuStreamSynchronize");
  symbols.find(eventCreate, "cuEventCreate");
  symbols.find(eventDestroy, "cuEventDestroy_v2");
  symbols.find(eventRecord, "cuEventRecord");
  symbols.find(eventSynchronize, "cuEventSynchronize");
  symbols.find(eventElapsedTime, "cuEventElapsedTime");
  symbols.find(moduleLoadDataEx, "cuModuleLoadDataEx");
  symbols.find(moduleUnload, "cuModuleUnload");
  symbols.find(moduleGetFunction, "cuModuleGetFunction");
  symbols.find(funcGetAttribute, "cuFuncGetAttribute");
  symbols.find(funcSetAttribute, "cuFuncSetAttribute");
  symbols.find(launchKernel, "cuLaunchKernel");
  symbols.find(launchKernelEx, "cuLaunchKernelEx", /*isOptional=*/true);
  symbols.find(tensorMapEncodeTiled, "cuTensorMapEncodeTiled",
               /*isOptional=*/true);
  if (symbols.firstMissing().empty())
    return Status::success();
  return Error("CUDA driver '" + library + "': expected entry point '" +
               symbols.firstMissing() + "', got none");
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
