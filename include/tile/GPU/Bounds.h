//===- Bounds.h - Bounds of blocks of memory --------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of global memory has a bound for each dimension, an integer; the
// largest value of its type bounds nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_GPU_BOUNDS_H
#define TILE_GPU_BOUNDS_H

#include "llvm/Support/MathExtras.h"

namespace tile::gpu {

/// The bound of so many bits, 32 or 64, that bounds nothing.
inline int64_t noBound(unsigned bits) { return llvm::maxIntN(bits); }

/// Whether a bound of so many bits bounds nothing.
inline bool isNoBound(int64_t bound, unsigned bits) {
  return bound == noBound(bits);
}

} // namespace tile::gpu

#endif // TILE_GPU_BOUNDS_H
