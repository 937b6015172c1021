//===- Backend.h - Where a kernel runs --------------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_BACKEND_H
#define TILE_RUN_BACKEND_H

#include "Launch.h"
#include "Options.h"

#include "tile/Runtime/Driver.h"

namespace tile::run {

/// Runs the launch where the options say: on the GPU where there is a driver,
/// unless the interpreter is asked for.
StepResult runOnDevice(const Options &options, Launch &launch,
                       Outcome &outcome);

/// Runs the launch on the reference interpreter; its tensors then hold what the
/// kernel wrote.
StepResult runOnInterpreter(Launch &launch, Outcome &outcome);

/// The same for one kernel op, whatever its level; the launch's variant is not
/// asked for.
StepResult runOnInterpreter(Launch &launch, KernelOp kernel, Outcome &outcome);

/// Whether the arguments keep what this variant assumes, at the interpreter's
/// addresses.
bool allowsOnInterpreter(Launch &launch, KernelOp kernel);

/// Compiles the kernel and runs the launch on the first CUDA device.
StepResult runOnCuda(Launch &launch,
                     std::shared_ptr<const runtime::Driver> driver,
                     Outcome &outcome);

} // namespace tile::run

#endif // TILE_RUN_BACKEND_H
