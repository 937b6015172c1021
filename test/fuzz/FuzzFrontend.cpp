//===- FuzzFrontend.cpp - Feeds the front end -----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any text in the .tile language becomes a verified module, or at least one
// error with a place in it.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Diagnostics.h"
#include "tile/Frontend/Frontend.h"

using namespace mlir;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.getDiagEngine().registerHandler([](Diagnostic &) {});
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, "fuzz.tile"), llvm::SMLoc());
  std::vector<tile::frontend::Diagnostic> errors;
  OwningOpRef<ModuleOp> module =
      tile::frontend::compileSource(sources, {}, context, errors);
  if (!module && errors.empty())
    abort();
  std::string printed;
  llvm::raw_string_ostream stream(printed);
  tile::frontend::printDiagnostics(sources, errors, stream);
  return 0;
}
