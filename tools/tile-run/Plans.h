//===- Plans.h - One program under several plans ----------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_PLANS_H
#define TILE_RUN_PLANS_H

#include "Options.h"

namespace tile::run {

/// Replaces each run of `options` by one for every combination of the values
/// that --arch, --set and --variant list between commas, in that order, the
/// last changing fastest, and names those of a list in its `plan`.
void expandPlans(const Options &options, std::vector<Options> &runs);

/// Gives each of several run blocks files of its own to dump to: FILE-1.npy,
/// FILE-2.npy and so on.  Plans of one run share a file, as they share results.
void numberDumps(std::vector<Options> &runs);

} // namespace tile::run

#endif // TILE_RUN_PLANS_H
