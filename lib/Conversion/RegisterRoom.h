//===- RegisterRoom.h - Registers beside what is held -----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_REGISTERROOM_H
#define TILE_CONVERSION_REGISTERROOM_H

#include "tile/IR/TileOps.h"

#include "mlir/Analysis/Liveness.h"

#include <memory>

namespace tile {

/// Knows what the threads of a kernel hold, op by op.
class RegisterRoom {
public:
  RegisterRoom(KernelOp kernel, int64_t numThreads)
      : kernel(kernel), numThreads(numThreads) {}

  /// Registers of a thread for what a load brings, beside the tiles that are
  /// held while it runs.  Other loads' tiles do not count: fragment by fragment
  /// they are used up (FragmentOrder.h).
  int64_t beside(mlir::Operation *load);

private:
  KernelOp kernel;
  int64_t numThreads;
  /// Computed when it is first asked for.
  std::unique_ptr<mlir::Liveness> liveness;
};

} // namespace tile

#endif // TILE_CONVERSION_REGISTERROOM_H
