//===- Examples.h - The .tile files that the suite measures -----*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Texts of python-free-frontend/examples as they were when this was built.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_EXAMPLES_H
#define TILE_TOOLS_BENCH_EXAMPLES_H

#include "mlir/IR/MLIRContext.h"
#include "tile/Target/Compile.h"

#include <string>
#include <vector>

namespace tile::bench {

extern const char *const kAttention;
extern const char *const kMatmulArranged;
extern const char *const kSoftmax;

/// Compiles the kernel of this name in `text`, with compile-time parameters
/// NAME=VALUE.  Errors go to the context's handler.
mlir::FailureOr<CompiledKernel>
compileExample(mlir::MLIRContext &context, const char *text,
               const std::string &kernel,
               const std::vector<std::string> &parameters,
               const CompileOptions &compileOptions);

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_EXAMPLES_H
