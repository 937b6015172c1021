//===- ThreadElements.h - How much of a tile a thread holds -----*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_GPU_THREADELEMENTS_H
#define TILE_GPU_THREADELEMENTS_H

#include <cstdint>

namespace tile {

/// Elements of a tile that one thread holds at most: four times the registers
/// that a thread has.  Beyond that, compiling takes minutes for a kernel that
/// spills nearly all.
inline constexpr int64_t kMaxThreadElements = 1024;

} // namespace tile

#endif // TILE_GPU_THREADELEMENTS_H
