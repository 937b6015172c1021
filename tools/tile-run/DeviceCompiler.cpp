//===- DeviceCompiler.cpp - The compiler as tile-run uses it --------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceCompiler.h"

using namespace tile;
using namespace tile::run;

StepResult run::specialise(mlir::ModuleOp module) {
  return Failure(ExitCode::Compile,
                 "variants are not available yet: expected a file that "
                 "tile-specialize has been run on");
}

StepResult run::compileForDevice(const Launch &launch,
                                 const runtime::DeviceFacts &device,
                                 CompiledKernel &compiled) {
  return Failure(ExitCode::Compile, "compiling '" + launch.kernelName +
                                        "' for a device is not available yet");
}
