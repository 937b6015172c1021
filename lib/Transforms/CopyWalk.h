//===- CopyWalk.h - A walk along the copies of threads ----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks the rings that all threads of a kernel fill, by cp.async or through
// registers, by walking the kernel once.
//
// A loop is walked as many turns as its rings have slots and two more, since
// cursors repeat after that; it may be left after each, and before the first
// unless its bounds are constants.  Both sides of a branch are walked.  Through
// other regions (scf.while) and behind them nothing is known of rings that were
// there before.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_COPYWALK_H
#define TILE_TRANSFORMS_COPYWALK_H

#include "AsyncSchedule.h"

namespace tile {

/// The first rule that copies into rings, waits for them and reads break.
std::optional<ScheduleFault> findCopyFault(KernelOp kernel);

} // namespace tile

#endif // TILE_TRANSFORMS_COPYWALK_H
