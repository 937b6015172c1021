//===- RunBlocks.h - Runs that a .tile file asks for ------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_RUNBLOCKS_H
#define TILE_RUN_RUNBLOCKS_H

#include "Options.h"

namespace tile::run {

/// One set of options for each run block of a .tile file (of the kernel, if one
/// is given): what the block says, where the command line says nothing else.
/// Without a block, `options` as they are; they must name a kernel then.
StepResult expandRuns(const Options &options, std::vector<Options> &runs);

} // namespace tile::run

#endif // TILE_RUN_RUNBLOCKS_H
