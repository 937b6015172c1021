//===- RoleWalk.h - One role of a schedule, step by step --------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_ROLEWALK_H
#define TILE_TRANSFORMS_ROLEWALK_H

#include "AsyncState.h"
#include "TripCounts.h"

namespace tile {

/// Walks a role as it would run, until it has to wait for another.
class RoleWalk {
public:
  RoleWalk(AsyncSchedule &schedule, AsyncState &state, TripCounts &trips,
           unsigned role, int64_t &stepsLeft);

  /// Goes on: Done at the role's end, Blocked at a wait.
  Outcome run();
  bool hasEnded() const { return frames.empty(); }
  /// Whether the last run made a step.
  bool hasMoved() const { return moved; }
  /// Where it waits; no op at the end.
  AsyncState::Wait wait();

private:
  /// A block that is being walked, of a role, a loop or a branch.
  struct Frame {
    mlir::Block *block;
    size_t next;
    int64_t turn, trips;
  };

  void enter(mlir::Block *block, int64_t trips);
  Outcome step(mlir::Operation *op);
  Outcome stepOn(mlir::Operation *op, mlir::Value cursor);
  Outcome product(gpu::WgmmaOp op);
  Outcome enterLoop(mlir::scf::ForOp loop);
  Outcome enterBranch(mlir::scf::IfOp branch);
  Outcome leave();
  void hand(mlir::ValueRange from, mlir::ValueRange to);
  std::optional<int64_t> turnOf(mlir::Value cursor);

  AsyncSchedule &schedule;
  AsyncState &state;
  TripCounts &trips;
  unsigned role;
  int64_t &stepsLeft;
  llvm::SmallVector<Frame, 4> frames;
  bool moved = false;
  llvm::DenseMap<mlir::Value, int64_t> cursors;
  llvm::DenseMap<mlir::Value, PendingVersion> pending;
  ScalarScope scalars;
};

} // namespace tile

#endif // TILE_TRANSFORMS_ROLEWALK_H
