//===- tile-reduce.cpp - Shrink a program that fails ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reductions.h"
#include "files/Files.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "mlir/Transforms/Passes.h"
#include "tile/Conversion/Passes.h"
#include "tile/GPU/TileGPUOps.h"
#include "tile/IR/TileOps.h"
#include "tile/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"

/// Whether MLIR's parser may be given each file among the arguments, one of
/// which MlirReduceMain calls it on; what cannot be read, it reports.
static bool checkFiles(llvm::ArrayRef<char *> arguments) {
  for (llvm::StringRef argument : arguments) {
    if (argument.starts_with("-") || !llvm::sys::fs::is_regular_file(argument))
      continue;
    auto buffer = tile::files::readFile(argument);
    if (!buffer)
      continue;
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
    if (!tile::files::checkIR(sources))
      return false;
  }
  return true;
}

int main(int argc, char **argv) {
  if (!checkFiles(llvm::ArrayRef(argv, argc).drop_front()))
    return EXIT_FAILURE;
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, tile::TileDialect,
                  tile::gpu::TileGPUDialect>();
  tile::reduce::registerReductions(registry);
  mlir::registerTransformsPasses();
  tile::registerTileConversionPasses();
  tile::registerTileTransformsPasses();
  tile::registerTilePipelines();
  mlir::MLIRContext context(registry);
  // The reducer does not ask the passes that it runs what they need.
  context.loadAllAvailableDialects();
  // Warnings too: one of them says that there is nothing to reduce.
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &diagnostic) {
    llvm::errs() << "tile-reduce: " << diagnostic << "\n";
  });
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
