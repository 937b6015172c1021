//===- NoDeviceCompiler.cpp - Where the compiler is not built -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceCompiler.h"

using namespace tile;
using namespace tile::run;

StepResult run::compileForDevice(const Launch &launch,
                                 const runtime::DeviceFacts &, DeviceCode &) {
  return Failure(ExitCode::Compile, "compiling '" + launch.kernelName +
                                        "' for a device is not available yet");
}
