//===- VerifyPasses.cpp - The first pass that changes a result ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interpreter runs programs at every level from tile to tile_gpu, and no
// pass may change one bit of a result, but for which NaN it is.  An
// instrumentation of the compiler's own pipeline runs the kernel after each
// pass; a pass that left the kernel as it was is not run again.
//
//===----------------------------------------------------------------------===//

#include "VerifyPasses.h"
#include "Backend.h"
#include "DeviceCompiler.h"
#include "Kernels.h"
#include "Number.h"

#include "mlir/Pass/PassManager.h"
#include "passes/KernelWatcher.h"
#include "tile/GPU/Target.h"
#include "tile/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace tile;
using namespace tile::run;

namespace {
/// Runs one kernel again and again, and compares.
class ResultChecker {
public:
  /// `before` has the arguments as they were before the first run, `after` as
  /// that run left them.
  ResultChecker(const Launch &before, const Launch &after)
      : before(before), after(after) {}

  /// What a pass did to `kernel`, in words; nothing if its result has the bits
  /// of the first run.
  std::optional<std::string> check(KernelOp kernel) const;
  /// Whether what a pass made of `kernel` can still run the caller's grid.
  StepResult checkGrid(KernelOp kernel) const;

private:
  std::optional<std::string> compare(const LaunchArgument &want,
                                     const LaunchArgument &got) const;

  const Launch &before, &after;
};

/// Checks the kernel after each pass, until one is wrong.
class CheckAfterPass : public KernelWatcher {
public:
  CheckAfterPass(const ResultChecker &checker, const PassVerification &options,
                 KernelOp kernel, VerifiedVariant &verified,
                 StepResult &failure)
      : checker(checker), options(options), verified(verified),
        failure(failure) {
    see(kernel);
  }

private:
  void ranPass(StringRef pass, KernelOp kernel) override;
  void changedKernel(StringRef pass, KernelOp kernel) override;
  void failedPass(StringRef pass) override;
  std::string describe(StringRef pass) const;

  const ResultChecker &checker;
  const PassVerification &options;
  VerifiedVariant &verified;
  StepResult &failure;
};
} // namespace

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

std::optional<std::string>
ResultChecker::compare(const LaunchArgument &want,
                       const LaunchArgument &got) const {
  const HostTensor &wanted = *want.tensor;
  if (wanted.memory() == got.tensor->memory())
    return std::nullopt;
  // Which NaN an operation gives is not fixed.
  std::vector<uint8_t> bytes = got.tensor->memory();
  std::string text;
  int64_t number = 0;
  wanted.forEachElement([&](size_t position) {
    const uint8_t *left = &wanted.memory()[position];
    uint8_t *right = &bytes[position];
    ElementType type = wanted.shape().type;
    if (std::isnan(load(type, left)) && std::isnan(load(type, right)))
      std::copy_n(left, wanted.elementBytes(), right);
    bool isEqual = std::equal(left, left + wanted.elementBytes(), right);
    if (!isEqual && text.empty()) {
      text = "argument '" + want.name + "': first different at " +
             indexText(wanted.shape().sides, number) + ": expected " +
             numberText(load(type, left)) + ", got " +
             numberText(load(type, right));
    }
    ++number;
  });
  if (!text.empty())
    return text;
  if (wanted.memory() != bytes)
    return "argument '" + want.name + "': bytes between its elements differ";
  return std::nullopt;
}

StepResult ResultChecker::checkGrid(KernelOp kernel) const {
  Grid grid;
  return computeGrid(kernel, before, grid);
}

std::optional<std::string> ResultChecker::check(KernelOp kernel) const {
  Launch launch = before;
  launch.bench = false;
  Outcome outcome;
  if (StepResult failure = runOnInterpreter(launch, kernel, outcome))
    return "made the run fail: " + failure->message;
  for (auto [want, got] : llvm::zip_equal(after.arguments, launch.arguments))
    if (want.tensor)
      if (std::optional<std::string> difference = compare(want, got))
        return "changed the result: " + *difference;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Adds 1 to a constant; false if it is neither a number nor a splat of one.
static bool addOne(arith::ConstantOp constant) {
  auto increase = [](Attribute value) -> Attribute {
    if (auto number = dyn_cast<FloatAttr>(value))
      return FloatAttr::get(number.getType(), number.getValueAsDouble() + 1);
    if (auto number = dyn_cast<IntegerAttr>(value))
      return IntegerAttr::get(number.getType(), number.getValue() + 1);
    return {};
  };
  auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
  Attribute value = increase(splat ? splat.getSplatValue<Attribute>()
                                   : Attribute(constant.getValue()));
  if (!value)
    return false;
  constant.setValueAttr(
      splat ? TypedAttr(SplatElementsAttr::get(splat.getType(), value))
            : cast<TypedAttr>(value));
  return true;
}

/// Adds 1 to a constant whose value shows in the result, floating-point ones
/// first: what a wrong pass might do.  Not every constant shows: an accumulator
/// that the first product overwrites does not.
static void breakKernel(KernelOp kernel, const ResultChecker &checker) {
  SmallVector<arith::ConstantOp> floats, others;
  kernel.walk([&](arith::ConstantOp constant) {
    bool isFloat = isa<FloatType>(getElementTypeOrSelf(constant.getType()));
    (isFloat ? floats : others).push_back(constant);
  });
  ScopedDiagnosticHandler quiet(kernel.getContext(), [](Diagnostic &) {});
  for (arith::ConstantOp constant :
       llvm::concat<arith::ConstantOp>(floats, others)) {
    TypedAttr value = constant.getValue();
    if (addOne(constant) && checker.check(kernel))
      return;
    constant.setValueAttr(value);
  }
}

/// The pass with its number, since some run more than once.
std::string CheckAfterPass::describe(StringRef pass) const {
  return "pass " + std::to_string(verified.numPasses) + " '" + pass.str() +
         "' of variant '" + verified.name + "'";
}

void CheckAfterPass::ranPass(StringRef pass, KernelOp kernel) {
  if (failure)
    return;
  ++verified.numPasses;
  if (pass == options.breakAfter)
    breakKernel(kernel, checker);
}

void CheckAfterPass::changedKernel(StringRef pass, KernelOp kernel) {
  if (failure)
    return;
  ++verified.numChanged;
  if (failure = checker.checkGrid(kernel); failure)
    return;
  if (std::optional<std::string> difference = checker.check(kernel))
    failure.emplace(ExitCode::Mismatch, describe(pass) + " " + *difference);
}

void CheckAfterPass::failedPass(StringRef pass) {
  if (failure)
    return;
  ++verified.numPasses;
  failure.emplace(ExitCode::Compile, describe(pass) + " failed");
}

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

/// Takes one variant, alone in its module, through the passes.
static StepResult verifyVariant(const Launch &launch, ModuleOp module,
                                KernelOp kernel, const ResultChecker &checker,
                                const PassVerification &options,
                                VerifiedVariant &verified) {
  if (std::optional<std::string> difference = checker.check(kernel))
    return Failure(ExitCode::Mismatch, "pass 'tile-specialize' of variant '" +
                                           verified.name + "' " + *difference);
  StepResult failure;
  PipelineOptions pipeline;
  pipeline.target =
      launch.target.empty() ? kDefaultTarget.str() : launch.target;
  pipeline.settings.assign(launch.settings.begin(), launch.settings.end());
  PassManager manager(module.getContext());
  manager.addInstrumentation(std::make_unique<CheckAfterPass>(
      checker, options, kernel, verified, failure));
  buildPlanPipeline(manager, pipeline);
  buildTileGPUPipeline(manager);
  if (failed(manager.run(module)) && !failure)
    return Failure(ExitCode::Compile,
                   "variant '" + verified.name + "' could not be compiled");
  return failure;
}

StepResult run::verifyPasses(Launch &launch, const PassVerification &options,
                             Outcome &outcome) {
  Launch before = launch;
  OwningOpRef<ModuleOp> original = launch.module.clone();
  if (StepResult failure = runOnInterpreter(launch, outcome))
    return failure;
  ResultChecker checker(before, launch);
  if (StepResult failure = specialize(*original))
    return failure;
  for (KernelOp kernel : findKernels(*original, launch.kernelName)) {
    std::string name = kernel.getVariant().value_or("").str();
    bool isWanted = launch.variant.empty() || launch.variant == name;
    if (!isWanted || !allowsOnInterpreter(launch, kernel))
      continue;
    OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
    auto copy =
        cast<KernelOp>(OpBuilder::atBlockEnd(module->getBody()).clone(*kernel));
    VerifiedVariant &verified = outcome.verified.emplace_back();
    verified.name = name;
    if (StepResult failure =
            verifyVariant(launch, *module, copy, checker, options, verified))
      return failure;
  }
  if (outcome.verified.empty())
    return Failure(ExitCode::Usage,
                   "--verify-passes: expected a variant whose assumptions "
                   "hold, got none");
  return {};
}
