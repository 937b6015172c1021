//===- Configurations.cpp - One matmul, several tile sides ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Target/Configurations.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

namespace {
/// Sides and what a tile takes, as in MatmulConfiguration.
struct Measured {
  int64_t m, n, k, group, stepCycles, overheadCycles, sharing, aloneCycles;
};
} // namespace

// Fitted to 74 ratios of times: seven sides, twelve sizes of bf16 matrices on
// one H200 (132 multiprocessors) in November 2026, kernels with TMA, wgmma, a
// producer warp and a persistent grid.  Only the ratio of two sides at the same
// size was used, so that the clock does not matter; the unit follows from 1071
// profiled cycles a step at 8192^3.  The sides of least cost reach the best
// measured time in ten of the twelve sizes, and 0.96 and 0.99 of it in the
// others.
//
// Requests were measured with f16 and a pitch of A, of B, or of both that is
// off, at up to 8200^3: 1.7 to 2.1 cycles each.  Clusters of two share the rows
// of B where the tile of it comes in halves and has two warpgroups.
//
// 16 x 64 is for matrices of up to 16 rows, by mma.sync and cp.async with
// several programs on a multiprocessor: memory bounds it, and of one row of
// 4096 and of 28672 it took 0.81 and 0.77 of the time of 64 x 64.
//
// Groups of 4 to 32 rows of tiles differ by less than 0.5 %, 1 costs 5 to 8 %
// at 16384 x 16384.
static constexpr Measured kHopperHalf[] = {
    {128, 128, 64, 16, 576, 3588, 2, 0}, {128, 256, 64, 16, 1097, 8115, 0, 0},
    {128, 192, 64, 16, 829, 6014, 1, 0}, {128, 64, 64, 16, 427, 1827, 2, 0},
    {64, 256, 64, 16, 545, 5688, 1, 0},  {64, 128, 64, 16, 310, 2551, 1, 0},
    {64, 64, 64, 16, 258, 1421, 1, 0},   {16, 64, 128, 16, 280, 2300, 0, 0},
};
static constexpr int64_t kHundredthsPerRequest = 190;

// Products in f32 by FMA: four warps, several programs on a multiprocessor.
// Fitted to 1024^3 and 4096^3 on the same card: 128 x 128 took 169 and 3073 us,
// 64 x 64 took 61 and 3501.
static constexpr Measured kSingle[] = {
    {128, 128, 16, 8, 2850, 0, 0, 5017},
    {64, 64, 16, 8, 812, 0, 0, 1822},
};

std::string MatmulConfiguration::name() const {
  return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
}

std::vector<MatmulConfiguration> tile::matmulConfigurations(StringRef target,
                                                            Type elementType) {
  bool isHalf = elementType.isF16() || elementType.isBF16();
  ArrayRef<Measured> measured;
  if (target == "sm_90a" && isHalf)
    measured = kHopperHalf;
  else if (target == "sm_90a" && elementType.isF32())
    measured = kSingle;
  std::vector<MatmulConfiguration> known;
  for (const Measured &entry : measured)
    known.push_back({entry.m, entry.n, entry.k, entry.group, entry.stepCycles,
                     entry.overheadCycles, entry.sharing, entry.aloneCycles});
  if (!known.empty())
    return known;
  MatmulConfiguration only;
  if (!isHalf)
    only.k = 16;
  return {only};
}

std::string tile::matmulCost(const MatmulProgram &program,
                             const MatmulConfiguration &configuration) {
  if (configuration.stepCycles == 0)
    return "";
  constexpr int64_t kSectorBytes = 32;
  std::string m = std::to_string(configuration.m);
  std::string n = std::to_string(configuration.n);
  std::string divisor = std::to_string(
      kSectorBytes * 8 / program.elementType.getIntOrFloatBitWidth());
  auto isOff = [&](StringRef stride) {
    return (stride + " % " + divisor + " != 0").str();
  };
  std::string offA = isOff(program.isAColumnMajor ? "sak" : "sam");
  std::string offB = isOff(program.isBColumnMajor ? "sbn" : "sbk");
  std::string step = std::to_string(configuration.stepCycles);
  if (configuration.sharing > 0) {
    std::string rowsOfB =
        std::to_string(configuration.n / configuration.sharing);
    std::string requests =
        m + " * (1 + (" + offA + ")) + " + rowsOfB + " * (1 + (" + offB + "))";
    step = "max(" + step + ", cdiv(" + std::to_string(kHundredthsPerRequest) +
           " * (" + requests + "), 100) * (" + offA + " or " + offB + "))";
  }
  std::string waves = "cdiv(cdiv(M, " + m + ") * cdiv(N, " + n + "), sms)";
  std::string steps = "cdiv(K, " + std::to_string(configuration.k) + ")";
  std::string overhead = std::to_string(configuration.overheadCycles);
  if (configuration.aloneCycles > 0)
    return steps + " * max(" + std::to_string(configuration.aloneCycles) +
           ", " + waves + " * " + step + ") + " + waves + " * " + overhead;
  std::string cost =
      waves + " * (" + steps + " * " + step + " + " + overhead + ")";
  // Memory bounds tiles of so few rows, and each row of them reads all of B.
  constexpr int64_t kRowsOfMma = 16;
  if (configuration.m <= kRowsOfMma)
    return "cdiv(M, " + m + ") * " + cost;
  return cost;
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

/// Why the two are no configurations of one kernel; empty if they are.
static std::string findMismatch(const runtime::Manifest &first,
                                const runtime::Manifest &other) {
  auto differ = [](const std::string &what, const std::string &expected,
                   const std::string &got) {
    return "expected " + what + " '" + expected + "', got '" + got + "'";
  };
  if (first.kernel != other.kernel)
    return differ("kernel", first.kernel, other.kernel);
  if (first.target != other.target)
    return differ("target", first.target, other.target);
  auto spell = [](const runtime::Manifest &manifest) {
    std::string text;
    for (const runtime::Argument &argument : manifest.arguments)
      text += (text.empty() ? "" : ", ") + argument.name + ": " +
              runtime::stringify(argument.type);
    return text;
  };
  if (spell(first) != spell(other))
    return differ("arguments", spell(first), spell(other));
  return "";
}

/// Makes `into` promise what either promises, since variants of both rely on
/// it.
static void intersect(runtime::Argument &into, const runtime::Argument &from) {
  into.divisibility = std::max(into.divisibility, from.divisibility);
  if (from.min)
    into.min = std::max(into.min.value_or(*from.min), *from.min);
  if (from.max)
    into.max = std::min(into.max.value_or(*from.max), *from.max);
}

namespace {
/// Collects the variants of several configurations.
class Merger {
public:
  explicit Merger(ConfiguredKernel &first) {
    merged.manifest = first.kernel.manifest;
    merged.manifest.variants.clear();
    merged.manifest.decisions.clear();
    // It is made of several.
    merged.manifest.program.clear();
  }

  void addFacts(const ConfiguredKernel &from);
  void addVariant(const ConfiguredKernel &from, size_t index);
  CompiledKernel take() { return std::move(merged); }

private:
  CompiledKernel merged;
};
} // namespace

void Merger::addFacts(const ConfiguredKernel &from) {
  const auto &arguments = from.kernel.manifest.arguments;
  for (size_t index = 0; index < arguments.size(); ++index)
    intersect(merged.manifest.arguments[index], arguments[index]);
}

void Merger::addVariant(const ConfiguredKernel &from, size_t index) {
  const runtime::Manifest &manifest = from.kernel.manifest;
  runtime::Variant variant = manifest.variants[index];
  std::string prefix = variant.name + ": ";
  variant.name = from.name + "." + variant.name;
  if (index == 0)
    variant.cost = from.cost;
  if (!variant.hasGrid() && manifest.grid != merged.manifest.grid)
    variant.grid = manifest.grid;
  for (const runtime::Decision &decision : manifest.decisions)
    if (StringRef(decision.text).starts_with(prefix))
      merged.manifest.decisions.push_back(
          {decision.location, from.name + "." + decision.text});
  merged.variants.push_back({variant.name, from.kernel.variants[index].ptx});
  merged.manifest.variants.push_back(std::move(variant));
}

FailureOr<CompiledKernel>
tile::mergeConfigurations(Location loc, std::vector<ConfiguredKernel> kernels) {
  if (kernels.empty())
    return emitError(loc) << "expected a configuration of the kernel, got none";
  for (const ConfiguredKernel &kernel : kernels) {
    std::string mismatch =
        findMismatch(kernels.front().kernel.manifest, kernel.kernel.manifest);
    if (!mismatch.empty())
      return emitError(loc)
             << "configuration '" << kernel.name << "': " << mismatch;
  }
  Merger merger(kernels.front());
  for (const ConfiguredKernel &kernel : kernels) {
    merger.addFacts(kernel);
    if (!kernel.kernel.variants.empty())
      merger.addVariant(kernel, 0);
  }
  const ConfiguredKernel &first = kernels.front();
  for (size_t index = 1; index < first.kernel.variants.size(); ++index)
    merger.addVariant(first, index);
  return merger.take();
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

FailureOr<ConfiguredKernel>
tile::compileConfiguration(MLIRContext &context, MatmulProgram program,
                           const MatmulConfiguration &configuration,
                           const CompileOptions &options) {
  ConfiguredKernel result;
  result.name = configuration.name();
  result.cost = matmulCost(program, configuration);
  std::string name = program.name;
  program.name += "_" + result.name;
  program.m = configuration.m;
  program.n = configuration.n;
  program.k = configuration.k;
  program.group = configuration.group;
  CompileOptions own = options;
  own.kernel.clear();
  llvm::append_range(own.settings, configuration.settings);

  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToStart(module->getBody());
  if (!buildMatmul(builder, loc, program))
    return failure();
  FailureOr<std::vector<CompiledKernel>> kernels = compile(*module, own);
  if (failed(kernels))
    return failure();
  result.kernel = std::move(kernels->front());
  result.kernel.manifest.kernel = name;
  return result;
}

FailureOr<CompiledKernel>
tile::compileMatmul(MLIRContext &context, const MatmulProgram &program,
                    ArrayRef<MatmulConfiguration> configurations,
                    const CompileOptions &options) {
  std::vector<ConfiguredKernel> kernels;
  for (const MatmulConfiguration &configuration : configurations) {
    CompileOptions own = options;
    own.onlyFirstVariant |= !kernels.empty();
    FailureOr<ConfiguredKernel> kernel =
        compileConfiguration(context, program, configuration, own);
    if (failed(kernel))
      return failure();
    kernels.push_back(std::move(*kernel));
  }
  return mergeConfigurations(UnknownLoc::get(&context), std::move(kernels));
}
