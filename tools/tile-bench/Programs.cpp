//===- Programs.cpp - The kernels that the suite measures -----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "tile/GPU/Target.h"

#include "llvm/Support/raw_ostream.h"

using namespace tile;
using namespace tile::bench;
using tile::runtime::ElementType;
using tile::runtime::Error;
using tile::runtime::Result;

std::string bench::chooseTarget(const runtime::DeviceFacts &device) {
  std::string chosen;
  for (const TargetInfo &target : targets())
    if (runtime::checkTarget(target.name.str(), device))
      chosen = target.name.str();
  return chosen;
}

void bench::prepareContext(mlir::MLIRContext &context) {
  mlir::DialectRegistry registry;
  registerCompileDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  context.disableMultithreading();
}

static mlir::Type elementType(mlir::MLIRContext &context, ElementType type) {
  switch (type) {
  case ElementType::F16:
    return mlir::Float16Type::get(&context);
  case ElementType::BF16:
    return mlir::BFloat16Type::get(&context);
  default:
    return mlir::Float32Type::get(&context);
  }
}

/// How many products of f32 are summed at a time.  One chain over all of K is as
/// accurate as cuBLAS's kernels for aligned matrices, and less than its others.
static constexpr int64_t kPartialSum = 1024;

MatmulProgram bench::makeProgram(mlir::MLIRContext &context,
                                 const GemmCase &gemm) {
  MatmulProgram program;
  program.elementType = elementType(context, gemm.input);
  program.outputType = elementType(context, gemm.output);
  program.isAColumnMajor = gemm.isATransposed;
  program.isBColumnMajor = gemm.isBTransposed;
  program.epilogue = {gemm.isFused, gemm.isFused, gemm.isFused};
  if (program.elementType.isF32())
    program.partialSum = kPartialSum;
  return program;
}

Programs::Programs(const runtime::Device &device, ProgramOptions options)
    : device(device), options(std::move(options)) {
  prepareContext(context);
  if (this->options.target.empty())
    this->options.target = chooseTarget(device.facts());
}

/// The known configurations, or those that the command line names; such a one
/// keeps its known cost.
std::vector<MatmulConfiguration>
Programs::configurations(const MatmulProgram &program) {
  std::vector<MatmulConfiguration> known =
      matmulConfigurations(options.target, program.elementType);
  if (options.sides.empty())
    return known;
  std::vector<MatmulConfiguration> chosen;
  for (const std::string &sides : options.sides) {
    auto same = llvm::find_if(known, [&](const MatmulConfiguration &entry) {
      return entry.name() == sides;
    });
    if (same != known.end()) {
      chosen.push_back(*same);
      continue;
    }
    std::optional<GemmShape> shape = GemmShape::parse(sides);
    MatmulConfiguration &fresh = chosen.emplace_back();
    fresh.m = shape->m;
    fresh.n = shape->n;
    fresh.k = shape->k;
    fresh.group = known.front().group;
  }
  return chosen;
}

Result<CompiledKernel> Programs::compile(const GemmCase &gemm) {
  MatmulProgram program = makeProgram(context, gemm);
  CompileOptions compileOptions;
  compileOptions.target = options.target;
  compileOptions.settings = options.settings;
  compileOptions.lineInfo = false;
  std::string reason;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
          reason += (reason.empty() ? "" : "; ") + diagnostic.str();
      });
  std::vector<ConfiguredKernel> compiled;
  for (const MatmulConfiguration &configuration : configurations(program)) {
    compileOptions.onlyFirstVariant = !compiled.empty();
    auto kernel =
        compileConfiguration(context, program, configuration, compileOptions);
    if (succeeded(kernel)) {
      compiled.push_back(std::move(*kernel));
      continue;
    }
    llvm::errs() << "tile-bench: " << configuration.name() << " of "
                 << runtime::stringify(gemm.input) << " " << gemm.layout()
                 << (gemm.isFused ? " fused" : "") << " is left out: " << reason
                 << '\n';
    reason.clear();
  }
  auto merged =
      mergeConfigurations(mlir::UnknownLoc::get(&context), std::move(compiled));
  if (failed(merged))
    return Error("expected a configuration that compiles for " +
                 options.target + ", got none");
  return std::move(*merged);
}

Result<runtime::Kernel *> Programs::get(const GemmCase &gemm) {
  std::string key = std::string(runtime::stringify(gemm.input)) + " " +
                    std::string(runtime::stringify(gemm.output)) + " " +
                    gemm.layout() + (gemm.isFused ? " fused" : "");
  auto found = kernels.find(key);
  if (found != kernels.end())
    return &found->second;
  Result<CompiledKernel> compiled = compile(gemm);
  if (!compiled)
    return compiled.takeError();
  std::map<std::string, std::string> images;
  for (CompiledVariant &variant : compiled->variants)
    images[variant.name] = std::move(variant.ptx);
  Result<runtime::Kernel> kernel = runtime::Kernel::load(
      device, std::move(compiled->manifest), std::move(images));
  if (!kernel)
    return kernel.takeError();
  return &kernels.emplace(key, std::move(*kernel)).first->second;
}
