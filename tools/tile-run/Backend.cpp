//===- Backend.cpp - Where a kernel runs ----------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Backend.h"

using namespace tile;
using namespace tile::run;
using runtime::Result;

StepResult run::runOnDevice(const Options &options, Launch &launch,
                            Outcome &outcome) {
  bool mayUseGPU =
      options.device != DeviceChoice::Interpreter && !options.verification;
  Result<std::shared_ptr<const runtime::Driver>> driver =
      mayUseGPU ? runtime::Driver::open()
                : runtime::Error("the interpreter is asked for");
  if (driver)
    return runOnCuda(launch, *driver, outcome);
  bool isCompiled = !options.target.empty() || !options.settings.empty();
  if (isCompiled && !options.verification)
    return Failure(ExitCode::Usage, "--arch, --set: expected the GPU or "
                                    "--verify-passes, got the interpreter");
  if (options.device != DeviceChoice::Cuda)
    return runOnInterpreter(launch, outcome);
  return Failure(ExitCode::Runtime, "--device=cuda: " + driver.error().text());
}
