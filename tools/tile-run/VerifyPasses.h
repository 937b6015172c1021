//===- VerifyPasses.h - The first pass that changes a result ----*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_VERIFYPASSES_H
#define TILE_RUN_VERIFYPASSES_H

#include "Launch.h"
#include "Options.h"

namespace tile::run {

/// Runs the launch on the interpreter; then, for each variant that its
/// arguments allow, after every pass from tile to tile_gpu that changed
/// something.  Fails at the first result that has other bits than the first
/// run's, or at the first run that stops, and names the pass.  The launch's
/// tensors then hold what the first run wrote.
StepResult verifyPasses(Launch &launch, const PassVerification &options,
                        Outcome &outcome);

} // namespace tile::run

#endif // TILE_RUN_VERIFYPASSES_H
