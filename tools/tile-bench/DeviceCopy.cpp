//===- DeviceCopy.cpp - The driver's copy on the device
//-----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceCopy.h"

#include "tile/Runtime/EntryPoints.h"

#include <dlfcn.h>

using namespace tile::bench;
using namespace tile::runtime;

Result<DeviceCopy> DeviceCopy::open() {
  // The driver is open already; this finds it again.
  void *library = dlopen("libcuda.so.1", RTLD_LAZY);
  if (!library)
    return Error("expected libcuda.so.1, got none");
  DeviceCopy result;
  EntryPoints symbols(library);
  symbols.find(result.copy, "cuMemcpyDtoDAsync_v2");
  if (!symbols.firstMissing().empty())
    return Error("libcuda.so.1: expected entry point '" +
                 symbols.firstMissing() + "', got none");
  return result;
}

Status DeviceCopy::run(uint64_t target, uint64_t source, size_t bytes,
                       cuda::StreamHandle stream) const {
  int code = copy(target, source, bytes, stream);
  if (code == 0)
    return Status::success();
  return Error("cuMemcpyDtoDAsync: expected status 0, got " +
               std::to_string(code));
}
