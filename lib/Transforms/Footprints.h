//===- Footprints.h - What an access touches --------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where an access of shared or global memory is, as far as it is known, and
// whether two may meet.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_FOOTPRINTS_H
#define TILE_TRANSFORMS_FOOTPRINTS_H

#include "tile/GPU/TileGPUOps.h"

namespace tile {

/// What an access touches: a slot of a ring, or global memory through a base.
struct Footprint {
  /// Whether it is shared memory.
  bool isShared = false;
  /// The ring; null for global memory, and where it is not known which.
  gpu::AllocOp ring;
  /// Slot of the ring; nothing where the cursor is not known.
  std::optional<int64_t> slot;
  /// The kernel argument behind a global access, or null if unknown.
  mlir::Value base;

  bool overlaps(const Footprint &other) const;
  bool operator==(const Footprint &other) const {
    return isShared == other.isShared && ring == other.ring &&
           slot == other.slot && base == other.base;
  }
};

/// The kernel argument that a pointer was made of, or null.
mlir::Value baseOf(mlir::Value pointer);

/// The pointer through which an op reads or writes global memory, or null:
/// loads, stores and atomic updates, of tiles or blocks.
mlir::Value accessedPointer(mlir::Operation *op);

/// Whether it loads from global memory.
bool isGlobalLoad(mlir::Operation *op);

/// The copy engine carries out a store at some time before the kernel ends.  An
/// access of the same program that could tell when `store`, through `pointer`,
/// is: one that may touch the same memory, and writes or comes after it.  Null
/// if there is none.
mlir::Operation *findWatcher(mlir::Operation *store, mlir::Value pointer);

} // namespace tile

#endif // TILE_TRANSFORMS_FOOTPRINTS_H
