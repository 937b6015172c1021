//===- DeviceCompiler.h - The compiler as tile-run uses it ------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_DEVICECOMPILER_H
#define TILE_RUN_DEVICECOMPILER_H

#include "Launch.h"

#include "tile/GPU/Target.h"
#include "tile/Runtime/Device.h"
#include "tile/Runtime/Manifest.h"

#include <map>

namespace tile::run {

/// A kernel compiled for a device.
struct DeviceCode {
  runtime::Manifest manifest;
  /// PTX by variant name.
  std::map<std::string, std::string> images;
};

/// The last chip of the table, which goes from older to newer, whose code runs
/// on `device`; null for none.
const TargetInfo *chooseTarget(const runtime::DeviceFacts &device);

/// Replaces each kernel of the module by its variants.
StepResult specialize(mlir::ModuleOp module);

/// Compiles the launch's kernel in process: all its variants, or the one that
/// is forced.
StepResult compileForDevice(const Launch &launch,
                            const runtime::DeviceFacts &device,
                            DeviceCode &code);

} // namespace tile::run

#endif // TILE_RUN_DEVICECOMPILER_H
