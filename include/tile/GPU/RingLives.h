//===- RingLives.h - When rings are in use ----------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What may share bytes of shared memory and what may not: asked by the pass
// that places rings, and again where their offsets become addresses.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_GPU_RINGLIVES_H
#define TILE_GPU_RINGLIVES_H

#include "tile/GPU/TileGPUOps.h"
#include "tile/IR/TileOps.h"

namespace tile {

/// Size and alignment of one transaction barrier (PTX ISA 9.7.13.15.1).
inline constexpr int64_t kTransactionBarrierBytes = 8;

/// A ring with the first and the last op, by number, at which it is in use.  A
/// ring that a loop in its block uses lives through the whole loop, one that
/// wgmma reads until the product's result is waited for, and one that the copy
/// engine fills from the kernel's start.
struct RingLife {
  gpu::AllocOp alloc;
  int64_t first, last;

  /// The role that it is in, or null; roles run side by side.
  mlir::Operation *role;

  int64_t bytes() const { return gpu::AllocOp(alloc).getType().getBytes(); }
  bool livesWith(const RingLife &other) const {
    return (role && other.role && role != other.role) ||
           (first <= other.last && other.first <= last);
  }
};

/// The rings of a kernel, in program order.
llvm::SmallVector<RingLife> ringLives(KernelOp kernel);

} // namespace tile

#endif // TILE_GPU_RINGLIVES_H
