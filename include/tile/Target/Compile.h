//===- Compile.h - From tile IR to PTX and a manifest -----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library's front door: everything that tilec does, without files.  Errors
// go to the context's diagnostic handler, each with its place.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TARGET_COMPILE_H
#define TILE_TARGET_COMPILE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "tile/GPU/Target.h"
#include "tile/Runtime/Manifest.h"
#include "tile/Target/PTX.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tile {

/// What the caller decides.
struct CompileOptions {
  /// A chip of `tile/GPU/Target.h`.
  std::string target = kDefaultTarget.str();
  /// Decisions that are given, each KEY=VALUE with a key of PlanKeys.h.
  std::vector<std::string> settings;
  /// The one kernel to compile; empty: all.
  std::string kernel;
  /// The one variant to compile; empty: all.
  std::string variant;
  /// Compile the most specialised variant alone; `variant` is ignored.
  bool onlyFirstVariant = false;
  /// PTX ISA version times ten; 0: the default of PTXOptions.
  unsigned ptxVersion = 0;
  /// Emit line tables for profilers and debuggers.
  bool lineInfo = true;
};

/// How PTX is written under these options.
PTXOptions ptxOptions(const CompileOptions &options);

/// One variant as machine-independent assembly.
struct CompiledVariant {
  std::string name;
  std::string ptx;
};

/// One kernel with its contract.
struct CompiledKernel {
  runtime::Manifest manifest;
  std::vector<CompiledVariant> variants;
};

/// How far `lowerTo` goes.
enum class Stage {
  Planned, ///< variants with every decision as an attribute
  GPU,     ///< tile_gpu, memory placed, barriers in
  LLVM     ///< the LLVM dialect, with NVVM ops
};

/// Adds the dialects and translations that compiling needs.
void registerCompileDialects(mlir::DialectRegistry &registry);

/// A copy of `module`, lowered.
mlir::OwningOpRef<mlir::ModuleOp> lowerTo(mlir::ModuleOp module, Stage stage,
                                          const CompileOptions &options);

/// The manifests of all kernels of `module`, which is not changed.
mlir::FailureOr<std::vector<runtime::Manifest>>
makeManifests(mlir::ModuleOp module, const CompileOptions &options);

/// Compiles all kernels of `module`, which is not changed.
mlir::FailureOr<std::vector<CompiledKernel>>
compile(mlir::ModuleOp module, const CompileOptions &options);

} // namespace tile

#endif // TILE_TARGET_COMPILE_H
