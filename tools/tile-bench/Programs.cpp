//===- Programs.cpp - The kernels that the suite measures -----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "Examples.h"

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
  case ElementType::F8E4M3FN:
    return mlir::Float8E4M3FNType::get(&context);
  case ElementType::I8:
    return mlir::IntegerType::get(&context, 8);
  case ElementType::I32:
    return mlir::IntegerType::get(&context, 32);
  default:
    return mlir::Float32Type::get(&context);
  }
}

/// How many products of f32 are summed at a time.  One chain over all of K is
/// as accurate as cuBLAS's kernels for aligned matrices, and less than its
/// others.
static constexpr int64_t kPartialSum = 1024;
/// How many products of 8-bit floats are summed inside the tensor core: the k's
/// of a tile, as cuBLASLt without fast accumulation does.
static constexpr int64_t kPromoteEvery = 128;

MatmulProgram bench::makeProgram(mlir::MLIRContext &context,
                                 const GemmCase &gemm) {
  MatmulProgram program;
  program.elementType = elementType(context, gemm.input);
  program.outputType = elementType(context, gemm.output);
  program.isAColumnMajor = gemm.isATransposed;
  program.isBColumnMajor = gemm.isBTransposed;
  program.epilogue = {gemm.isFused, gemm.isFused, gemm.isFused};
  program.precision = gemm.precision;
  if (program.elementType.isF32() && program.precision == Precision::Ieee)
    program.partialSum = kPartialSum;
  if (gemm.input == ElementType::F8E4M3FN)
    program.promoteEvery = kPromoteEvery;
  return program;
}

Programs::Programs(const runtime::Device &device, ProgramOptions options)
    : device(device), options(std::move(options)) {
  prepareContext(context);
  if (this->options.target.empty())
    this->options.target = chooseTarget(device.facts());
}

/// Sides for products by mma.sync, whose costs are estimates that no run was
/// fitted to: cycles by the unit's speed, and the smaller tile 1.4 times worse.
static std::vector<MatmulConfiguration> estimatedConfigurations() {
  MatmulConfiguration large, small;
  large.k = small.k = 32;
  large.stepCycles = 820;
  large.overheadCycles = 3600;
  small.m = small.n = 64;
  small.stepCycles = 290;
  small.overheadCycles = 1400;
  return {large, small};
}

/// Sides of tiles with as many bytes in a row as those of f16, of which the
/// tensor core takes as many bytes in a cycle.  8-bit floats have twice the
/// sums, which only 128 rows of up to 192 columns have registers for.
static std::vector<MatmulConfiguration>
scaledConfigurations(llvm::StringRef target, mlir::Type elementType) {
  mlir::Type half = mlir::Float16Type::get(elementType.getContext());
  std::vector<MatmulConfiguration> chosen;
  for (MatmulConfiguration configuration : matmulConfigurations(target, half)) {
    bool isFor8 = configuration.m == 128 && configuration.n <= 192;
    if (configuration.m < 64 ||
        (llvm::isa<mlir::Float8E4M3FNType>(elementType) && !isFor8))
      continue;
    configuration.k =
        configuration.k * 16 / elementType.getIntOrFloatBitWidth();
    chosen.push_back(std::move(configuration));
  }
  return chosen;
}

/// What is known for the target and the program's elements and precision.
static std::vector<MatmulConfiguration>
knownConfigurations(llvm::StringRef target, const MatmulProgram &program) {
  mlir::Type type = program.elementType;
  bool isTf32 = program.precision != Precision::Ieee;
  bool isNarrow = type.getIntOrFloatBitWidth() == 8;
  if (target != "sm_90a" || !(isTf32 || isNarrow))
    return matmulConfigurations(target, type);
  bool hasWgmma = !program.isAColumnMajor && program.isBColumnMajor &&
                  program.precision != Precision::Tf32x3;
  return hasWgmma ? scaledConfigurations(target, type)
                  : estimatedConfigurations();
}

/// The known configurations, or those that the command line names; such a one
/// keeps its known cost.
std::vector<MatmulConfiguration>
Programs::configurations(const MatmulProgram &program) {
  std::vector<MatmulConfiguration> known =
      knownConfigurations(options.target, program);
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

/// The arrangement of the examples, with these sides.
static mlir::FailureOr<ConfiguredKernel>
compileArranged(mlir::MLIRContext &context, MatmulConfiguration configuration,
                const CompileOptions &compileOptions) {
  auto side = [](const char *name, int64_t value) {
    return std::string(name) + "=" + std::to_string(value);
  };
  ConfiguredKernel result;
  result.name = configuration.name();
  // Its strides have other names, and cost as if they were even.
  configuration.sharing = 0;
  MatmulProgram program;
  program.elementType = mlir::Float16Type::get(&context);
  result.cost = matmulCost(program, configuration);
  auto kernel =
      compileExample(context, kMatmulArranged, "matmul",
                     {side("BM", configuration.m), side("BN", configuration.n),
                      side("BK", configuration.k)},
                     compileOptions);
  if (failed(kernel))
    return mlir::failure();
  result.kernel = std::move(*kernel);
  return result;
}

mlir::FailureOr<ConfiguredKernel>
Programs::compileOne(const GemmCase &gemm, const MatmulProgram &program,
                     const MatmulConfiguration &configuration,
                     const CompileOptions &compileOptions) {
  if (gemm.isArranged)
    return compileArranged(context, configuration, compileOptions);
  return compileConfiguration(context, program, configuration, compileOptions);
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
    auto kernel = compileOne(gemm, program, configuration, compileOptions);
    if (succeeded(kernel)) {
      compiled.push_back(std::move(*kernel));
      continue;
    }
    llvm::errs() << "tile-bench: " << configuration.name() << " of "
                 << gemm.kind() << " " << gemm.layout()
                 << (gemm.isArranged ? " arranged" : "")
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

Result<CompiledKernel> Programs::compile(const ExampleCase &example) {
  CompileOptions compileOptions;
  compileOptions.target = options.target;
  compileOptions.settings =
      options.settings.empty() ? example.settings : options.settings;
  compileOptions.lineInfo = false;
  std::string reason;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
          reason += (reason.empty() ? "" : "; ") + diagnostic.str();
      });
  bool isSoftmax = example.kind == ExampleCase::Kind::Softmax;
  auto kernel = compileExample(context, isSoftmax ? kSoftmax : kAttention,
                               isSoftmax ? "softmax" : "attention",
                               example.parameters, compileOptions);
  if (failed(kernel))
    return Error("expected the example to compile for " + options.target +
                 ", got " + reason);
  return std::move(*kernel);
}

Result<runtime::Kernel *>
Programs::find(const std::string &key,
               llvm::function_ref<Result<CompiledKernel>()> compile) {
  auto found = kernels.find(key);
  if (found != kernels.end())
    return &found->second;
  Result<CompiledKernel> compiled = compile();
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

Result<runtime::Kernel *> Programs::get(const GemmCase &gemm) {
  std::string key = gemm.kind() + " " +
                    std::string(runtime::stringify(gemm.output)) + " " +
                    gemm.layout() + (gemm.isFused ? " fused" : "") +
                    (gemm.isArranged ? " arranged" : "");
  return find(key, [&] { return compile(gemm); });
}

Result<runtime::Kernel *> Programs::get(const ExampleCase &example) {
  return find(example.name, [&] { return compile(example); });
}
