//===- Configurations.h - One matmul, several tile sides --------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which tile sides are best depends on the sizes of a launch: what counts is
// how many waves of tiles the device takes, and what a tile takes.  So a kernel
// is compiled for several sides into one manifest, and each of its specialised
// variants states what a launch of it is estimated to take, in cycles of a
// multiprocessor:
//
//   steps * max(alone, waves * step) + waves * overhead
//   waves = cdiv(cdiv(M, m) * cdiv(N, n), sms)      steps = cdiv(K, k)
//
// The launcher takes the cheapest (tile/Runtime/LaunchPlan.h, rule 8).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TARGET_CONFIGURATIONS_H
#define TILE_TARGET_CONFIGURATIONS_H

#include "tile/IR/MatmulProgram.h"
#include "tile/Target/Compile.h"

namespace tile {

/// Sides of the reference program's tiles, and what one tile takes.
struct MatmulConfiguration {
  int64_t m = 128, n = 128, k = 64;
  /// As MatmulProgram::group.
  int64_t group = 8;
  /// Cycles of one k step of one tile, and of everything else that a tile takes
  /// (filling the ring, the epilogue).  No step: not measured, no cost stated.
  int64_t stepCycles = 0, overheadCycles = 0;
  /// CTAs that share each row of B that they load.  A step takes at least the
  /// time of its requests to L2: two for each row that starts at no multiple of
  /// 32 bytes.  0 where that hides behind the products.
  int64_t sharing = 0;
  /// Cycles that a step takes at least, however few tiles a multiprocessor has:
  /// what one tile cannot hide of its latencies.  0 where one tile hides all.
  int64_t aloneCycles = 0;
  /// Decisions that are given, as in CompileOptions.
  std::vector<std::string> settings = {};

  /// "128x256x64".
  std::string name() const;
};

/// The configurations that are worth compiling for this chip and these
/// elements; at least one.  The first is the one for launches that the
/// specialised variants refuse.
std::vector<MatmulConfiguration> matmulConfigurations(llvm::StringRef target,
                                                      mlir::Type elementType);

/// The estimate above as an expression of the manifest; empty where the
/// configuration has no cycles.  Where rows of A or B start at no multiple of
/// 32 bytes, a step takes at least the time of all requests to L2.
std::string matmulCost(const MatmulProgram &program,
                       const MatmulConfiguration &configuration);

/// A kernel compiled in one configuration.
struct ConfiguredKernel {
  /// Precedes the names of the variants: "128x256x64".
  std::string name;
  /// Cost of the most specialised variant; may be empty.
  std::string cost;
  CompiledKernel kernel;
};

/// Compiles `program` with the sides of `configuration`.  The functions in the
/// PTX carry them in their names, so that profiles tell them apart.
mlir::FailureOr<ConfiguredKernel>
compileConfiguration(mlir::MLIRContext &context, MatmulProgram program,
                     const MatmulConfiguration &configuration,
                     const CompileOptions &options);

/// One kernel out of several configurations of it, which must have the same
/// kernel name, target and arguments; else an error at `loc`.
///
/// First come the most specialised variants of all configurations, each with
/// its cost, then the others of the first configuration, in their order and
/// without a cost.  Variants are called "128x256x64.aligned16".  The facts on
/// an argument are what all configurations rely on.
mlir::FailureOr<CompiledKernel>
mergeConfigurations(mlir::Location loc, std::vector<ConfiguredKernel> kernels);

/// All of it: compiles every configuration, the first with all its variants,
/// and merges them.
mlir::FailureOr<CompiledKernel>
compileMatmul(mlir::MLIRContext &context, const MatmulProgram &program,
              llvm::ArrayRef<MatmulConfiguration> configurations,
              const CompileOptions &options);

} // namespace tile

#endif // TILE_TARGET_CONFIGURATIONS_H
