//===- Programs.h - The kernels that the suite measures ---------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_PROGRAMS_H
#define TILE_TOOLS_BENCH_PROGRAMS_H

#include "ExampleProblem.h"
#include "Gemm.h"

#include "mlir/IR/MLIRContext.h"
#include "tile/Target/Configurations.h"

#include <map>

namespace tile::bench {

/// What the command line says about the compilation.
struct ProgramOptions {
  /// Empty: the newest that runs on the device.
  std::string target;
  /// Sides "MxNxK" instead of those that are known for the target.
  std::vector<std::string> sides;
  /// Decisions that are given, KEY=VALUE.
  std::vector<std::string> settings;
};

/// The newest chip of the compiler whose code runs on `device`; empty if none.
std::string chooseTarget(const runtime::DeviceFacts &device);

/// Compiles and loads the reference program in its forms, each once.
class Programs {
public:
  Programs(const runtime::Device &device, ProgramOptions options);

  /// The kernel for this element type and precision, these layouts and this
  /// epilogue, by pointers or as an arrangement.  A
  /// configuration that does not compile is left out and told about; an error
  /// if none does.
  runtime::Result<runtime::Kernel *> get(const GemmCase &gemm);
  /// The example's kernel; its own decisions hold where none are given.
  runtime::Result<runtime::Kernel *> get(const ExampleCase &example);

private:
  std::vector<MatmulConfiguration> configurations(const MatmulProgram &program);
  mlir::FailureOr<ConfiguredKernel>
  compileOne(const GemmCase &gemm, const MatmulProgram &program,
             const MatmulConfiguration &configuration,
             const CompileOptions &compileOptions);
  runtime::Result<CompiledKernel> compile(const GemmCase &gemm);
  runtime::Result<CompiledKernel> compile(const ExampleCase &example);
  /// The kernel of this name, compiled by `compile` and loaded once.
  runtime::Result<runtime::Kernel *>
  find(const std::string &key,
       llvm::function_ref<runtime::Result<CompiledKernel>()> compile);

  const runtime::Device &device;
  ProgramOptions options;
  mlir::MLIRContext context;
  std::map<std::string, runtime::Kernel> kernels;
};

/// The reference program that computes `gemm`.
MatmulProgram makeProgram(mlir::MLIRContext &context, const GemmCase &gemm);
/// A context with everything that compiling needs, single-threaded.
void prepareContext(mlir::MLIRContext &context);

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_PROGRAMS_H
