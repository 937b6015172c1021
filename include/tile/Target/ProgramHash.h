//===- ProgramHash.h - Whether a kernel has changed -------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TARGET_PROGRAMHASH_H
#define TILE_TARGET_PROGRAMHASH_H

#include "tile/IR/TileOps.h"

#include <string>

namespace tile {

/// 16 hexadecimal digits that differ where two kernels differ by more than
/// their places in a source: a hash of the IR as it is printed without
/// locations.  Lines that move, comments and names of values change nothing.
std::string programHash(KernelOp kernel);

} // namespace tile

#endif // TILE_TARGET_PROGRAMHASH_H
