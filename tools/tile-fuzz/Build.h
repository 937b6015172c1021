//===- Build.h - A recipe as tile IR ----------------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FUZZ_BUILD_H
#define TILE_FUZZ_BUILD_H

#include "Recipe.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tile::fuzz {

/// One argument of the kernel: an array, or a scalar.
struct Argument {
  std::string name;
  /// Index of the array; -1: a scalar.
  int array = -1;
  int64_t value = 0;
};

/// A kernel and what it is launched with.
struct Program {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<Argument> arguments;
};

/// Makes the kernel `fuzz`.
Program build(mlir::MLIRContext &context, const Recipe &recipe);

} // namespace tile::fuzz

#endif // TILE_FUZZ_BUILD_H
