//===- tile-opt.cpp - Run passes on tile IR -------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestAnalysis.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "tile/Conversion/Passes.h"
#include "tile/GPU/TileGPUOps.h"
#include "tile/IR/TileOps.h"
#include "tile/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, tile::TileDialect,
                  tile::gpu::TileGPUDialect>();
  mlir::registerTransformsPasses();
  tile::registerTileConversionPasses();
  tile::registerTileTransformsPasses();
  tile::registerTilePipelines();
  tile::test::registerAnalysisTestPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "tile-opt: run passes on tile IR\n", registry));
}
