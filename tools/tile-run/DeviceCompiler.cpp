//===- DeviceCompiler.cpp - The compiler as tile-run uses it --------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceCompiler.h"

#include "tile/Runtime/LaunchPlan.h"
#include "tile/Target/Compile.h"

using namespace tile;
using namespace tile::run;

const TargetInfo *run::chooseTarget(const runtime::DeviceFacts &device) {
  const TargetInfo *chosen = nullptr;
  for (const TargetInfo &target : targets())
    if (runtime::checkTarget(target.name.str(), device))
      chosen = &target;
  return chosen;
}

StepResult run::compileForDevice(const Launch &launch,
                                 const runtime::DeviceFacts &device,
                                 DeviceCode &code) {
  const TargetInfo *target =
      launch.target.empty() ? chooseTarget(device) : findTarget(launch.target);
  if (!target)
    return Failure(ExitCode::Compile,
                   "expected a device that code for " +
                       targets().front().name.str() + " runs on, got " +
                       device.name + " of compute capability " +
                       std::to_string(device.capability / 10) + "." +
                       std::to_string(device.capability % 10));
  CompileOptions options;
  options.target = target->name.str();
  options.ptxVersion = choosePTXVersion(options.target, device.driverVersion);
  if (options.ptxVersion == 0)
    return Failure(ExitCode::Compile,
                   "expected a driver of CUDA " +
                       oldestCudaFor(options.target) + " or newer for " +
                       options.target + ", got CUDA " +
                       std::to_string(device.driverVersion / 1000) + "." +
                       std::to_string(device.driverVersion % 1000 / 10));
  options.settings = launch.settings;
  options.kernel = launch.kernelName;
  options.variant = launch.variant;
  mlir::FailureOr<std::vector<CompiledKernel>> kernels =
      compile(launch.module, options);
  if (failed(kernels) || kernels->empty())
    return Failure(ExitCode::Compile, "'" + launch.kernelName +
                                          "' could not be compiled for " +
                                          options.target);
  CompiledKernel &kernel = kernels->front();
  code.manifest = std::move(kernel.manifest);
  for (CompiledVariant &variant : kernel.variants)
    code.images[variant.name] = std::move(variant.ptx);
  return {};
}
