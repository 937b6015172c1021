//===- tile-opt.cpp - Run passes on tile IR -------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestAnalysis.h"
#include "files/Files.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "tile/Conversion/Passes.h"
#include "tile/GPU/TileGPUOps.h"
#include "tile/IR/TileOps.h"
#include "tile/Transforms/Passes.h"
#include "llvm/Support/InitLLVM.h"

using namespace tile;

static int fail(const runtime::Error &error) {
  llvm::errs() << "tile-opt: " << error.text() << '\n';
  return EXIT_FAILURE;
}

/// MlirOptMain between files that are read and written with care.
static int optimize(llvm::StringRef input, llvm::StringRef output,
                    const mlir::MlirOptMainConfig &config,
                    mlir::DialectRegistry &registry) {
  auto buffer = files::readFile(input);
  if (!buffer)
    return fail(buffer.error());
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer((*buffer)->getMemBufferRef()),
      llvm::SMLoc());
  if (!files::checkIR(sources))
    return EXIT_FAILURE;
  std::string result;
  llvm::raw_string_ostream stream(result);
  bool hasFailed = mlir::failed(
      mlir::MlirOptMain(stream, std::move(*buffer), registry, config));
  // A failure leaves no file.
  if (!hasFailed || output == "-")
    if (runtime::Status written = files::writeFile(output, result); !written)
      return fail(written.error());
  return hasFailed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, TileDialect, gpu::TileGPUDialect>();
  mlir::registerTransformsPasses();
  registerTileConversionPasses();
  registerTileTransformsPasses();
  registerTilePipelines();
  test::registerAnalysisTestPasses();
  llvm::InitLLVM initialise(argc, argv);
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "tile-opt: run passes on tile IR\n", registry);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  // These read no file.
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, input, output, registry));
  return optimize(input, output, config, registry);
}
