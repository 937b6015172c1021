//===- Pipeline.cpp - The pipeline from tile to tile_gpu ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tile;

void tile::buildVariantPipeline(OpPassManager &manager) {
  // 1. Variants by facts that a launch knows: what follows sees one at a time.
  manager.addPass(createTileSpecializePass());
}

void tile::buildPlanPipeline(OpPassManager &manager,
                             const PipelineOptions &options) {
  // 2. Arithmetic that the chip has, before anything is folded: constants of
  // 8-bit floats would overflow otherwise than the chip's.  Operands as dots
  // take them, after the variants: a load as it is written says which of its
  // strides is 1.  Such strides fold away.
  OpPassManager &kernels = manager.nest<KernelOp>();
  kernels.addPass(createTileLowerArithmeticPass());
  kernels.addPass(createTileTransposeLoadsPass());
  kernels.addPass(createTileCanonicalizePass());
  kernels.addPass(createCSEPass());
  // A loop whose bounds have turned out to be one value is none to plan for.
  kernels.addPass(createTileCanonicalizePass());
  // What is the same in every turn is known before a loop, to whatever asks.
  kernels.addPass(createTileHoistScalarsPass());
  // 3. Every decision, once.
  TilePlanPassOptions plan;
  plan.target = options.target;
  plan.settings.assign(options.settings.begin(), options.settings.end());
  kernels.addPass(createTilePlanPass(plan));
}

void tile::buildTileGPUPipeline(OpPassManager &manager) {
  OpPassManager &kernels = manager.nest<KernelOp>();
  // 4. Loads ahead of arithmetic, through rings in shared memory: by a role of
  // their own, or by all warps.
  kernels.addPass(createTileSplitRolesPass());
  kernels.addPass(createTileScheduleLoopsPass());
  kernels.addPass(createTilePipelineLoopsPass());
  // 5. The rest of memory, and dots on slots; offset tiles are dead after it.
  kernels.addPass(createTileLowerMemoryPass());
  kernels.addPass(createTileCanonicalizePass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createLoopInvariantCodeMotionPass());
  // 6. A wrong schedule would hang or race: refuse it here, where loops still
  // look as they were pipelined.
  kernels.addPass(createTileGPUCheckSchedulePass());
  // 7. Who holds what; conversions that remain go through shared memory.
  kernels.addPass(createTileAssignLayoutsPass());
  kernels.addPass(createTileRemoveLayoutConversionsPass());
  kernels.addPass(createTileGPULowerExchangesPass());
  kernels.addPass(createTileGPULowerConversionsPass());
  // 8. Layouts say how many registers a tile takes.
  kernels.addPass(createTileGPUHoistLoadsPass());
  // 9. Where rings live, and where threads must meet because of it.
  kernels.addPass(createTileGPUAllocateSharedPass());
  kernels.addPass(createTileGPUInsertBarriersPass());
  // 10. Which of a slot's writers runs makes no difference to what was proved.
  kernels.addPass(createTileGPUSplitTailsPass());
}

namespace {
/// The options of `tile-to-planned` and `tile-to-gpu`.
struct PipelineFlags : public PassPipelineOptions<PipelineFlags> {
  Option<std::string> target{*this, "target", llvm::cl::desc("chip"),
                             llvm::cl::init("sm_80")};
  ListOption<std::string> settings{*this, "set",
                                   llvm::cl::desc("KEY=VALUE of a plan")};

  PipelineOptions get() const {
    PipelineOptions options;
    options.target = target;
    options.settings.assign(settings.begin(), settings.end());
    return options;
  }
};
} // namespace

void tile::registerTilePipelines() {
  PassPipelineRegistration<PipelineFlags>(
      "tile-to-planned", "tile IR to planned variants",
      [](OpPassManager &manager, const PipelineFlags &flags) {
        buildVariantPipeline(manager);
        buildPlanPipeline(manager, flags.get());
      });
  PassPipelineRegistration<PipelineFlags>(
      "tile-to-gpu", "tile IR to tile_gpu",
      [](OpPassManager &manager, const PipelineFlags &flags) {
        buildVariantPipeline(manager);
        buildPlanPipeline(manager, flags.get());
        buildTileGPUPipeline(manager);
      });
}
