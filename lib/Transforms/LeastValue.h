//===- LeastValue.h - The least value of a kernel's scalar ------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_LEASTVALUE_H
#define TILE_TRANSFORMS_LEASTVALUE_H

#include "tile/IR/TileOps.h"

namespace tile {

/// The least value of a kernel's scalar integer, if something bounds it: what
/// is stated of arguments and assumed at the kernel's top level, through
/// widening, maxima and divisions that round up.
std::optional<int64_t> leastValue(mlir::Value value, KernelOp kernel);

} // namespace tile

#endif // TILE_TRANSFORMS_LEASTVALUE_H
