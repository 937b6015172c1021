//===- tile-lsp-server.cpp - tile IR in editors ---------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "tile/GPU/TileGPUOps.h"
#include "tile/IR/TileOps.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, tile::TileDialect,
                  tile::gpu::TileGPUDialect>();
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
