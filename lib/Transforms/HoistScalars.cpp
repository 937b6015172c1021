//===- HoistScalars.cpp - Scalars that are the same in every turn ---------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `a[program_id(0) / 2 * BM + arange(BM), k]`, written where it is used, is an
// index that a loop computes.  Before the loop it is what copies that run ahead
// and a producer can have: they ask where an address comes from.
//
//===----------------------------------------------------------------------===//

#include "AheadScalars.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

#define DEBUG_TYPE "tile-hoist-scalars"

namespace tile {
#define GEN_PASS_DEF_TILEHOISTSCALARSPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {
struct HoistScalars
    : public tile::impl::TileHoistScalarsPassBase<HoistScalars> {
  void runOnOperation() override {
    // Inner loops first, so that what they leave can go on.
    getOperation().walk<WalkOrder::PostOrder>([](scf::ForOp loop) {
      moveLoopInvariantCode(
          loop.getLoopRegions(),
          [&](Value value, Region *) {
            return loop.isDefinedOutsideOfLoop(value);
          },
          [](Operation *op, Region *) { return isSafeArithmetic(op); },
          [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
    });
  }
};
} // namespace
