//===- FuzzIR.cpp - Feeds the parser and verifiers of IR ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any text is refused with a diagnostic or becomes IR that verifies, and what
// verifies is printed as text that parses again.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "tile/GPU/TileGPUOps.h"
#include "tile/IR/Nesting.h"
#include "tile/IR/TileOps.h"

using namespace mlir;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // The lexer reads up to a NUL.
  std::string text(reinterpret_cast<const char *>(data), size);
  if (tile::findDeepNesting(text))
    return 0;
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, math::MathDialect, scf::SCFDialect,
                  tile::TileDialect, tile::gpu::TileGPUDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.getDiagEngine().registerHandler([](Diagnostic &) {});
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return 0;
  std::string printed;
  llvm::raw_string_ostream(printed) << *module;
  if (!parseSourceString<ModuleOp>(printed, &context))
    abort();
  return 0;
}
