//===- Schedule.h - Which stage of a loop an op belongs to ------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule is `tile.stage` on ops of a loop that has `tile.pipeline`.  An op
// of stage s works, in the loop's iteration i, on the data of iteration i - s:
// what has a lower stage runs further ahead.  Ops without a stage (addresses,
// masks) are computed where they are used, for the iteration they are used for.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_SCHEDULE_H
#define TILE_TRANSFORMS_SCHEDULE_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tile/IR/TileOps.h"

namespace tile {

/// The stages of a loop that has a schedule or is to have one.
inline int64_t numStages(mlir::scf::ForOp loop) {
  auto pipeline = loop->getAttrOfType<PipelineAttr>(kPipelineName);
  return pipeline ? pipeline.getStages() : 0;
}

/// The stage of an op, if it has one.
inline std::optional<int64_t> stageOf(mlir::Operation *op) {
  auto stage = op->getAttrOfType<mlir::IntegerAttr>(kStageName);
  return stage ? std::optional(stage.getInt()) : std::nullopt;
}

/// Whether an op is a load that its plan sends through shared memory.
inline bool isStaged(mlir::Operation *op) {
  auto load = llvm::dyn_cast<LoadOp>(op);
  std::optional<CopyAttr> plan = load ? load.getPlan() : std::nullopt;
  return plan && plan->getMechanism() != CopyMechanism::Registers;
}

/// Checks that every stage is below the loop's number, that loads alone run
/// ahead, and that no value is used in an earlier stage than it is made.
mlir::LogicalResult verifySchedule(mlir::scf::ForOp loop);

} // namespace tile

#endif // TILE_TRANSFORMS_SCHEDULE_H
