//===- Passes.h - Passes from tile to tile_gpu ------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PASSES_H
#define TILE_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include "tile/GPU/TileGPUOps.h"
#include "tile/IR/TileOps.h"

namespace tile {

#define GEN_PASS_DECL
#include "tile/Transforms/Passes.h.inc"

/// What the caller of the pipeline decides.
struct PipelineOptions {
  /// "sm_80" or "sm_90a".
  std::string target = "sm_80";
  /// Decisions that are given, each KEY=VALUE with a key of PlanKeys.h.
  llvm::SmallVector<std::string> settings;
};

/// Adds the pass that makes variants.
void buildVariantPipeline(mlir::OpPassManager &manager);

/// Adds the passes that plan each variant.
void buildPlanPipeline(mlir::OpPassManager &manager,
                       const PipelineOptions &options);

/// Adds the passes from planned tile IR to tile_gpu with shared memory placed
/// and barriers in.
void buildTileGPUPipeline(mlir::OpPassManager &manager);

#define GEN_PASS_REGISTRATION
#include "tile/Transforms/Passes.h.inc"

/// Registers `tile-to-planned` and `tile-to-gpu`, the pipelines above.
void registerTilePipelines();

} // namespace tile

#endif // TILE_TRANSFORMS_PASSES_H
