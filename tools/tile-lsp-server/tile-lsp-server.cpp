//===- tile-lsp-server.cpp - tile IR and .tile sources in editors ---------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeepMessages.h"
#include "Server.h"
#include "options/ExitCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "tile/GPU/TileGPUOps.h"
#include "tile/IR/TileOps.h"

#include "llvm/Support/CommandLine.h"

/// Takes `--language=NAME` out of the arguments; "mlir" if it is not there.
static llvm::StringRef takeLanguage(int &argc, char **argv) {
  llvm::StringRef language = "mlir";
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    if (argument.consume_front("--language="))
      language = argument;
    else
      argv[kept++] = argv[i];
  }
  argc = kept;
  argv[argc] = nullptr;
  return language;
}

/// How messages come, by the options that both servers have.
static llvm::lsp::JSONStreamStyle streamStyle(int argc, char **argv) {
  for (llvm::StringRef argument : llvm::ArrayRef(argv, argc).drop_front()) {
    argument = argument.ltrim('-');
    if (argument == "lit-test" || argument == "input-style=delimited")
      return llvm::lsp::JSONStreamStyle::Delimited;
  }
  return llvm::lsp::JSONStreamStyle::Standard;
}

int main(int argc, char **argv) {
  llvm::StringRef language = takeLanguage(argc, argv);
  if (language != "mlir" && language != "tile") {
    llvm::errs() << "tile-lsp-server: expected --language=mlir or "
                    "--language=tile, got '"
                 << language << "'\n";
    return static_cast<int>(tile::ExitCode::Usage);
  }
  bool isTile = language == "tile";
  if (tile::runtime::Status status = tile::editor::filterStandardInput(
          streamStyle(argc, argv), /*isIR=*/!isTile);
      !status) {
    llvm::errs() << "tile-lsp-server: " << status.error().text() << '\n';
    return 2;
  }
  if (isTile)
    return tile::editor::serve(argc, argv);
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, tile::TileDialect,
                  tile::gpu::TileGPUDialect>();
  tile::editor::registerDeepDocuments(registry);
  // Taken above; here it is for --help.
  llvm::cl::opt<std::string> shown(
      "language", llvm::cl::init("mlir"), llvm::cl::value_desc("mlir|tile"),
      llvm::cl::desc("what the documents are: tile IR, or .tile sources"));
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
