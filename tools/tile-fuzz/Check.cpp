//===- Check.cpp - Runs a program at every stage --------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "passes/KernelWatcher.h"
#include "tile/Target/Compile.h"
#include "tile/Transforms/Passes.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

namespace {
/// What the watcher of a pipeline found, shared with who runs it.
struct Watched {
  const Launch &launch;
  const Memory &expected;
  std::string &diagnostics;
  uint64_t &numRuns;
  const std::string &spoiledPass;
  /// The pass that failed by itself.
  std::string refusedBy;
  /// The first pass after which something was wrong, and what.
  std::string stage, text;
};

/// Runs each kernel after each pass that changed it.
class Watcher : public KernelWatcher {
public:
  explicit Watcher(Watched &watched) : watched(watched) {}

private:
  void changedKernel(StringRef pass, KernelOp kernel) override {
    if (watched.stage.empty())
      check(pass, kernel);
  }
  void failedPass(StringRef pass) override {
    if (watched.refusedBy.empty())
      watched.refusedBy = pass.str();
  }

  void check(StringRef pass, KernelOp kernel) {
    // What an earlier variant was refused for is still to be said.
    std::string before = std::move(watched.diagnostics);
    watched.diagnostics.clear();
    ++watched.numRuns;
    std::string wrong;
    if (failed(verify(kernel))) {
      wrong = "does not verify: " + watched.diagnostics;
    } else if (std::optional<Memory> got = watched.launch.run(kernel)) {
      if (pass == watched.spoiledPass)
        got->bytes.back().front() ^= 1;
      wrong = findDifference(watched.launch.recipe, watched.expected, *got);
    } else {
      wrong = watched.diagnostics;
    }
    watched.diagnostics = std::move(before);
    if (wrong.empty())
      return;
    watched.stage = pass.str();
    watched.text = kernel.getVariant().value_or("").str() + ": " + wrong;
  }

  Watched &watched;
};
} // namespace

/// Whether a pass may refuse a program: the planner, where a setting cannot be
/// had or a limit of the target is passed, and what finds two of its limits
/// later, shared memory and the elements of a thread.  Any other refusal means
/// that an earlier pass made something wrong or that a lowering is missing.
static bool mayRefuse(StringRef pass, StringRef diagnostics) {
  return pass == "tile-plan" || pass == "tile-gpu-allocate-shared" ||
         diagnostics.contains(" elements a thread, got ");
}

/// Runs the pipeline for one target on the variants in `module`.
static Verdict checkTarget(StringRef target, ModuleOp module, Watched watched,
                           StringRef refusingPass) {
  PassManager manager(module.getContext());
  manager.enableVerifier(false);
  manager.addInstrumentation(std::make_unique<Watcher>(watched));
  PipelineOptions options;
  options.target = target.str();
  options.settings.assign(watched.launch.recipe.settings.begin(),
                          watched.launch.recipe.settings.end());
  buildPlanPipeline(manager, options);
  buildTileGPUPipeline(manager);
  watched.diagnostics.clear();
  bool hasFailed = failed(manager.run(module));
  if (!refusingPass.empty()) {
    hasFailed = true;
    watched.refusedBy = refusingPass.str();
    watched.diagnostics = "refused because --refuse says so\n";
  }
  std::string prefix = target.str() + ", ";
  if (!watched.stage.empty())
    return {Verdict::Fails, watched.stage, prefix + watched.text};
  if (!hasFailed)
    return {};
  bool isRefused = !watched.diagnostics.empty() &&
                   mayRefuse(watched.refusedBy, watched.diagnostics);
  return {isRefused ? Verdict::Refused : Verdict::Fails, watched.refusedBy,
          prefix + (watched.diagnostics.empty() ? "fails without a diagnostic"
                                                : watched.diagnostics)};
}

namespace {
/// Keeps the name of the pass that failed.
class FailureWatcher : public KernelWatcher {
public:
  explicit FailureWatcher(std::string &failed) : failed(failed) {}

private:
  void changedKernel(StringRef, KernelOp) override {}
  void failedPass(StringRef pass) override {
    if (failed.empty())
      failed = pass.str();
  }

  std::string &failed;
};
} // namespace

/// The pass that fails for one of the variants in `module`, where one does.
static std::string findFailingPass(ModuleOp module,
                                   const CompileOptions &options) {
  std::string failing;
  PassManager manager(module.getContext());
  manager.addInstrumentation(std::make_unique<FailureWatcher>(failing));
  PipelineOptions pipeline;
  pipeline.target = options.target;
  pipeline.settings.assign(options.settings.begin(), options.settings.end());
  buildVariantPipeline(manager);
  buildPlanPipeline(manager, pipeline);
  buildTileGPUPipeline(manager);
  OwningOpRef<ModuleOp> copy = module.clone();
  ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) {});
  (void)manager.run(*copy);
  return failing;
}

/// From the program as written to PTX, and onto the device if there is one.
Verdict Checker::compileFor(StringRef target, ModuleOp module,
                            const Launch &launch, const Memory &expected,
                            std::string &diagnostics) {
  CompileOptions options;
  options.target = target.str();
  options.settings = launch.recipe.settings;
  diagnostics.clear();
  FailureOr<std::vector<CompiledKernel>> kernels = compile(module, options);
  std::string prefix = target.str() + ", ";
  if (failed(kernels) && diagnostics.empty())
    return {Verdict::Fails, "ptx", prefix + "fails without a diagnostic"};
  if (failed(kernels)) {
    // Of variants that this launch does not take, too.
    std::string pass = findFailingPass(module, options);
    return {mayRefuse(pass, diagnostics) ? Verdict::Refused : Verdict::Fails,
            pass.empty() ? "ptx" : pass, prefix + diagnostics};
  }
  ++numCompiled;
  if (!device)
    return {};
  DeviceVerdict result = device->check(launch, kernels->front(), expected);
  if (result.text.empty())
    return {};
  return {Verdict::Fails, result.isBroken ? "driver" : "gpu",
          prefix + result.text};
}

Verdict Checker::check(const Recipe &recipe) {
  std::string diagnostics;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      diagnostics += diagnostic.str() + "\n";
  });
  Program program = build(context, recipe);
  if (failed(verify(*program.module)))
    return {Verdict::Fails, "generator", diagnostics};
  Launch launch(recipe, program.arguments);
  auto kernel = *program.module->getOps<KernelOp>().begin();
  ++numRuns;
  std::optional<Memory> expected = launch.run(kernel, /*asWritten=*/true);
  if (!expected)
    return {Verdict::Fails, "as written", diagnostics};
  std::string wrong = findError(recipe, *expected, /*onDevice=*/false);
  if (!wrong.empty())
    return {Verdict::Fails, "f64", wrong};

  // Before the variants' pass changes it.
  OwningOpRef<ModuleOp> original = program.module->clone();
  PassManager specialise(&context);
  buildVariantPipeline(specialise);
  if (failed(specialise.run(*program.module)))
    return {Verdict::Fails, "tile-specialize", diagnostics};
  for (KernelOp variant :
       llvm::make_early_inc_range(program.module->getOps<KernelOp>()))
    if (!launch.fulfils(variant))
      variant.erase();
  Verdict result;
  for (StringRef target : {"sm_80", "sm_90a"}) {
    OwningOpRef<ModuleOp> copy = program.module->clone();
    Watched watched{launch,      *expected, diagnostics, numRuns,
                    spoiledPass, {},        {},          {}};
    Verdict verdict = checkTarget(target, *copy, watched, refusingPass);
    if (verdict.kind == Verdict::Agrees) {
      ++numPipelines;
      if (compilesToPTX)
        verdict = compileFor(target, *original, launch, *expected, diagnostics);
    }
    if (verdict.kind == Verdict::Fails)
      return verdict;
    if (verdict.kind == Verdict::Refused)
      result = verdict;
  }
  return result;
}
