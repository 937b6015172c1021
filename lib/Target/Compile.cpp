//===- Compile.cpp - From tile IR to PTX and a manifest -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Target/Compile.h"

#include "EmitManifest.h"
#include "tile/Conversion/Passes.h"
#include "tile/GPU/Target.h"
#include "tile/Target/PTX.h"
#include "tile/Target/ProgramHash.h"
#include "tile/Target/Version.h"
#include "tile/Transforms/Passes.h"
#include "tile/Transforms/PlanSettings.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tile;

void tile::registerCompileDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, math::MathDialect, scf::SCFDialect,
                  TileDialect, tile::gpu::TileGPUDialect>();
  registerPTXTranslations(registry);
}

PTXOptions tile::ptxOptions(const CompileOptions &options) {
  PTXOptions ptx;
  ptx.chip = options.target;
  if (options.ptxVersion)
    ptx.ptxVersion = options.ptxVersion;
  ptx.lineInfo = options.lineInfo;
  return ptx;
}

//===----------------------------------------------------------------------===//
// What is asked for
//===----------------------------------------------------------------------===//

/// The kernel's name without its variant.
static StringRef baseName(KernelOp kernel) {
  StringRef name = kernel.getSymName();
  if (std::optional<StringRef> variant = kernel.getVariant())
    name.consume_back(("$" + *variant).str());
  return name;
}

/// Where to complain of a module.  One that stands for a file has line 0.
static Location placeOf(ModuleOp module) {
  auto place = dyn_cast<FileLineColLoc>(module.getLoc());
  if (!place || place.getLine() != 0)
    return module.getLoc();
  return FileLineColLoc::get(place.getFilename(), 1, 1);
}

/// Drops the kernels that are not asked for; an error if none is left.
static LogicalResult selectKernel(ModuleOp module,
                                  const CompileOptions &options) {
  std::string known;
  Location loc = placeOf(module);
  for (KernelOp kernel :
       llvm::make_early_inc_range(module.getOps<KernelOp>())) {
    loc = kernel.getLoc();
    if (options.kernel.empty() || baseName(kernel) == options.kernel)
      continue;
    known += (known.empty() ? "'" : ", '") + baseName(kernel).str() + "'";
    kernel.erase();
  }
  if (!module.getOps<KernelOp>().empty())
    return success();
  if (options.kernel.empty())
    return emitError(placeOf(module)) << "expected a tile.kernel, got none";
  return emitError(loc) << "expected a kernel named '" << options.kernel
                        << "', got " << (known.empty() ? "none" : known);
}

/// Drops the variants that are not asked for; an error if a kernel loses all.
static LogicalResult selectVariant(ModuleOp module,
                                   const CompileOptions &options) {
  if (!options.onlyFirstVariant && options.variant.empty())
    return success();
  llvm::StringMap<std::string> known;
  llvm::StringMap<unsigned> kept;
  Location loc = module.getLoc();
  for (KernelOp kernel :
       llvm::make_early_inc_range(module.getOps<KernelOp>())) {
    loc = kernel.getLoc();
    StringRef base = baseName(kernel);
    StringRef variant = kernel.getVariant().value_or("");
    std::string &names = known[base];
    names += ((names.empty() ? "'" : ", '") + variant + "'").str();
    bool wanted =
        options.onlyFirstVariant ? kept[base] == 0 : variant == options.variant;
    kept[base] += wanted;
    if (!wanted)
      kernel.erase();
  }
  for (auto &entry : known)
    if (kept[entry.getKey()] == 0)
      return emitError(loc)
             << "expected a variant of kernel '" << entry.getKey()
             << "' named '" << options.variant << "', got " << entry.getValue();
  return success();
}

static LogicalResult checkTarget(ModuleOp module,
                                 const CompileOptions &options) {
  if (findTarget(options.target))
    return success();
  InFlightDiagnostic error = module.emitError() << "expected a target out of ";
  llvm::interleaveComma(targets(), error,
                        [&](const TargetInfo &info) { error << info.name; });
  return error << ", got '" << options.target << "'";
}

/// Settings are checked here once, and not once for each variant of each
/// kernel.
static LogicalResult checkSettings(ModuleOp module,
                                   const CompileOptions &options) {
  KernelOp kernel = *module.getOps<KernelOp>().begin();
  MLIRContext *context = module.getContext();
  auto emitError = [&] { return kernel.emitOpError(); };
  FailureOr<PlanAttr> given =
      withSettings(PlanAttr::get(context, DictionaryAttr::get(context)),
                   options.settings, emitError);
  if (failed(given))
    return failure();
  auto chip = given->getEntries().getAs<StringAttr>("target");
  if (!chip || chip == options.target)
    return success();
  return emitError() << "expected plan key 'target' to be the chip that is "
                        "compiled for, '"
                     << options.target << "', got " << chip;
}

/// Refuses what has been lowered: its roles are split, its memory is placed.
static LogicalResult checkNotLowered(ModuleOp module) {
  for (KernelOp kernel : module.getOps<KernelOp>()) {
    auto isOfTileGPU = [](Operation *op) {
      return isa_and_nonnull<tile::gpu::TileGPUDialect>(op->getDialect());
    };
    WalkResult found = kernel.walk([&](Operation *op) {
      return isOfTileGPU(op) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (found.wasInterrupted())
      return kernel.emitOpError()
             << "expected a kernel in tile, got one that is already lowered to "
                "tile_gpu; from there, tile-opt --convert-tile-to-nvvm takes "
                "it";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// Runs passes over the module.
static LogicalResult
runPasses(ModuleOp module, llvm::function_ref<void(OpPassManager &)> build) {
  PassManager manager(module.getContext());
  build(manager);
  return manager.run(module);
}

OwningOpRef<ModuleOp> tile::lowerTo(ModuleOp module, Stage stage,
                                    const CompileOptions &options) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PipelineOptions pipeline;
  pipeline.target = options.target;
  pipeline.settings.assign(options.settings.begin(), options.settings.end());
  if (failed(checkTarget(*copy, options)) ||
      failed(selectKernel(*copy, options)) || failed(checkNotLowered(*copy)) ||
      failed(checkSettings(*copy, options)) ||
      failed(runPasses(
          *copy,
          [](OpPassManager &manager) { buildVariantPipeline(manager); })) ||
      failed(selectVariant(*copy, options)))
    return nullptr;
  LogicalResult result = runPasses(*copy, [&](OpPassManager &manager) {
    buildPlanPipeline(manager, pipeline);
    if (stage != Stage::Planned)
      buildTileGPUPipeline(manager);
    if (stage == Stage::LLVM)
      manager.addPass(createConvertTileToNVVMPass());
  });
  if (failed(result))
    return nullptr;
  return copy;
}

/// The manifests of `lowered`, which say what they were made from: `module`.
static std::vector<runtime::Manifest> describe(ModuleOp module,
                                               ModuleOp lowered) {
  std::vector<runtime::Manifest> manifests = emitManifests(lowered);
  for (runtime::Manifest &manifest : manifests) {
    manifest.compiler = compilerVersion().str();
    if (auto kernel = module.lookupSymbol<KernelOp>(manifest.kernel))
      manifest.program = programHash(kernel);
  }
  return manifests;
}

FailureOr<std::vector<runtime::Manifest>>
tile::makeManifests(ModuleOp module, const CompileOptions &options) {
  OwningOpRef<ModuleOp> lowered = lowerTo(module, Stage::GPU, options);
  if (!lowered)
    return failure();
  return describe(module, *lowered);
}

/// Converts one kernel of a module in tile_gpu to PTX.
static FailureOr<std::string> compileKernel(KernelOp kernel,
                                            const PTXOptions &options) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
  OpBuilder::atBlockEnd(module->getBody()).clone(*kernel);
  LogicalResult result = runPasses(*module, [](OpPassManager &manager) {
    manager.addPass(createConvertTileToNVVMPass());
  });
  if (failed(result))
    return failure();
  return emitPTX(*module, options);
}

FailureOr<std::vector<CompiledKernel>>
tile::compile(ModuleOp module, const CompileOptions &options) {
  OwningOpRef<ModuleOp> lowered = lowerTo(module, Stage::GPU, options);
  if (!lowered)
    return failure();
  PTXOptions ptx = ptxOptions(options);
  std::vector<CompiledKernel> kernels;
  for (runtime::Manifest &manifest : describe(module, *lowered)) {
    CompiledKernel &compiled = kernels.emplace_back();
    compiled.manifest = std::move(manifest);
    for (const runtime::Variant &variant : compiled.manifest.variants) {
      auto kernel = lowered->lookupSymbol<KernelOp>(compiled.manifest.kernel +
                                                    "$" + variant.name);
      FailureOr<std::string> text = compileKernel(kernel, ptx);
      if (failed(text))
        return failure();
      compiled.variants.push_back({variant.name, std::move(*text)});
    }
  }
  return kernels;
}
