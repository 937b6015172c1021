//===- Specialize.cpp - Variants for the interpreter ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceCompiler.h"

#include "mlir/Pass/PassManager.h"
#include "tile/Transforms/Passes.h"

using namespace tile;
using namespace tile::run;

StepResult run::specialize(mlir::ModuleOp module) {
  mlir::PassManager manager(module.getContext());
  buildVariantPipeline(manager);
  if (failed(manager.run(module)))
    return Failure(ExitCode::Compile, "variants could not be made");
  return {};
}
