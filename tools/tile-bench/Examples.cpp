//===- Examples.cpp - The .tile files that the suite measures -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Examples.h"

#include "tile/Frontend/Frontend.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tile;

const char *const bench::kAttention =
#include "attention.inc"
    ;
const char *const bench::kMatmulArranged =
#include "matmul-arranged.inc"
    ;
const char *const bench::kSoftmax =
#include "softmax.inc"
    ;

FailureOr<CompiledKernel>
bench::compileExample(MLIRContext &context, const char *text,
                      const std::string &kernel,
                      const std::vector<std::string> &parameters,
                      const CompileOptions &compileOptions) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, kernel),
                             llvm::SMLoc());
  frontend::Options options;
  options.parameters = parameters;
  options.kernels = {kernel};
  std::vector<frontend::Diagnostic> diagnostics;
  OwningOpRef<ModuleOp> module =
      frontend::compileSource(sources, options, context, diagnostics);
  if (!module) {
    std::string message;
    llvm::raw_string_ostream stream(message);
    frontend::printDiagnostics(sources, diagnostics, stream);
    return emitError(UnknownLoc::get(&context)) << message;
  }
  FailureOr<std::vector<CompiledKernel>> kernels =
      compile(*module, compileOptions);
  if (failed(kernels))
    return failure();
  return std::move(kernels->front());
}
