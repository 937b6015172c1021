//===- PTX.cpp - NVVM modules to PTX --------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Target/PTX.h"
#include "Legality.h"
#include "tile/GPU/Target.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

#include <mutex>

using namespace mlir;
using namespace tile;

// Named one by one: the functions that do it for all targets need them all.
extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

static constexpr llvm::StringLiteral kTriple = "nvptx64-nvidia-cuda";
/// The highest PTX version that LLVM 22 writes, times ten.
static constexpr unsigned kMaxPTXVersion = 90;
/// The version for chips that do not need a higher one.
static constexpr unsigned kDefaultPTXVersion = 80;

static unsigned defaultPTXVersion(StringRef chip) {
  const TargetInfo *target = findTarget(chip);
  return std::max(kDefaultPTXVersion, target ? target->minPTXVersion : 0);
}

static unsigned ptxVersion(const PTXOptions &options) {
  return options.ptxVersion ? options.ptxVersion
                            : defaultPTXVersion(options.chip);
}

namespace {
/// The first CUDA that reads a PTX version.
struct PTXRelease {
  int cuda;
  unsigned ptx;
};
} // namespace

// PTX ISA, Release Notes, PTX Release History.
static constexpr PTXRelease kReleases[] = {
    {11000, 70}, {11010, 71}, {11020, 72}, {11030, 73}, {11040, 74},
    {11050, 75}, {11060, 76}, {11070, 77}, {11080, 78}, {12000, 80},
    {12010, 81}, {12020, 82}, {12030, 83}, {12040, 84}, {12050, 85},
    {12070, 86}, {12080, 87}, {12090, 88}, {13000, 90},
};

unsigned tile::choosePTXVersion(StringRef chip, int cuda) {
  unsigned newest = 0;
  for (const PTXRelease &release : kReleases)
    if (release.cuda <= cuda)
      newest = release.ptx;
  const TargetInfo *target = findTarget(chip);
  if (!target || newest < target->minPTXVersion)
    return 0;
  return std::min(newest, defaultPTXVersion(chip));
}

std::string tile::oldestCudaFor(StringRef chip) {
  const TargetInfo *target = findTarget(chip);
  const auto *release = llvm::find_if(kReleases, [&](const PTXRelease &entry) {
    return target && entry.ptx >= target->minPTXVersion;
  });
  int cuda = release == std::end(kReleases) ? 0 : release->cuda;
  return std::to_string(cuda / 1000) + "." + std::to_string(cuda % 1000 / 10);
}

void tile::registerPTXTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

/// LLVM's registry of targets is a list that registering changes.
static void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

LogicalResult tile::checkPTXOptions(ModuleOp module,
                                    const PTXOptions &options) {
  const TargetInfo *target = findTarget(options.chip);
  if (!target) {
    InFlightDiagnostic error = module.emitError() << "expected a chip among ";
    llvm::interleaveComma(targets(), error, [&](const TargetInfo &known) {
      error << known.name;
    });
    return error << ", got '" << options.chip << "'";
  }
  unsigned version = ptxVersion(options);
  auto isKnown = [](unsigned version) {
    // 7.0 to 7.8, 8.0 to 8.8 and 9.0.
    return version % 10 <= 8 && version >= 70 && version <= kMaxPTXVersion;
  };
  if (version >= target->minPTXVersion && isKnown(version))
    return success();
  return module.emitError()
         << "expected a PTX version from " << target->minPTXVersion / 10 << "."
         << target->minPTXVersion % 10 << " to " << kMaxPTXVersion / 10 << "."
         << kMaxPTXVersion % 10 << " for " << target->name << ", got "
         << version / 10 << "." << version % 10;
}

namespace {

/// Turns what LLVM reports into diagnostics at the module.
struct DiagnosticForwarder : llvm::DiagnosticHandler {
  explicit DiagnosticForwarder(ModuleOp module) : module(module) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    if (info.getSeverity() == llvm::DS_Error) {
      module.emitError() << "code generator: " << text;
      hasErrors = true;
    } else if (info.getSeverity() == llvm::DS_Warning) {
      module.emitWarning() << "code generator: " << text;
    }
    return true;
  }

  ModuleOp module;
  bool hasErrors = false;
};

/// One module on its way through LLVM.
class Compilation {
public:
  Compilation(ModuleOp module, const PTXOptions &options)
      : module(module), options(options) {}

  /// Checks and translates the module.
  LogicalResult translate();
  /// Simplifies LLVM IR.
  void optimize();
  FailureOr<std::string> generate();
  std::string print() const;

private:
  LogicalResult addDebugScopes();

  ModuleOp module;
  const PTXOptions &options;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> llvmModule;
  DiagnosticForwarder *diagnostics = nullptr;
};

} // namespace

/// Line tables need a subprogram on each function.
LogicalResult Compilation::addDebugScopes() {
  PassManager manager(module.getContext());
  LLVM::DIScopeForLLVMFuncOpPassOptions scope;
  // Lines without the "debug" target, which would make ptxas and the driver
  // compile without optimisation (seen: 1/20 of the speed on an H200).
  scope.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
  manager.addPass(LLVM::createDIScopeForLLVMFuncOpPass(scope));
  return manager.run(module);
}

LogicalResult Compilation::translate() {
  // A module that holds no op of them may not have loaded them.
  module.getContext()->loadDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  if (failed(checkPTXOptions(module, options)) ||
      failed(checkParameters(module, ptxVersion(options))) ||
      failed(checkLegality(module, *findTarget(options.chip))))
    return failure();
  if (options.lineInfo && failed(addDebugScopes()))
    return failure();
  auto handler = std::make_unique<DiagnosticForwarder>(module);
  diagnostics = handler.get();
  context.setDiagnosticHandler(std::move(handler));

  initializeTarget();
  std::string reason;
  llvm::Triple triple(kTriple);
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, reason);
  if (!target)
    return module.emitError() << "code generator: " << reason;
  std::string features = "+ptx" + std::to_string(ptxVersion(options));
  machine.reset(target->createTargetMachine(
      triple, options.chip, features, llvm::TargetOptions(), llvm::Reloc::PIC_,
      std::nullopt,
      options.optLevel == 0 ? llvm::CodeGenOptLevel::None
                            : llvm::CodeGenOptLevel::Default));
  if (!machine)
    return module.emitError()
           << "code generator: no machine for " << options.chip;
  llvmModule = translateModuleToLLVMIR(module, context, "tile");
  if (!llvmModule)
    return failure();
  llvmModule->setTargetTriple(triple);
  llvmModule->setDataLayout(machine->createDataLayout());
  return success();
}

void Compilation::optimize() {
  if (options.optLevel == 0)
    return;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(machine.get());
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);

  // The IR comes in SSA form and nearly clean: what is left is to merge blocks,
  // unify what the walk made twice, fold vectors that are taken apart again,
  // and hoist.
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/false));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(
      llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/false));
  for (llvm::Function &function : *llvmModule)
    if (!function.isDeclaration())
      passes.run(function, functions);
}

namespace {

/// LLVM's code generation passes without straight-line strength reduction: on
/// the long blocks of a matrix product it takes as long as all others together,
/// and the addresses come as chains of additions already.
struct CodeGenPasses : llvm::legacy::PassManager {
  void add(llvm::Pass *pass) override {
    if (pass->getPassName() == "Straight line strength reduction")
      delete pass;
    else
      llvm::legacy::PassManager::add(pass);
  }
};

} // namespace

FailureOr<std::string> Compilation::generate() {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  CodeGenPasses passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::AssemblyFile))
    return module.emitError() << "code generator: cannot write PTX";
  passes.run(*llvmModule);
  if (diagnostics->hasErrors)
    return failure();
  return std::string(text);
}

std::string Compilation::print() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvmModule->print(stream, nullptr);
  return text;
}

FailureOr<std::string> tile::emitLLVMIR(ModuleOp module,
                                        const PTXOptions &options) {
  Compilation compilation(module, options);
  if (failed(compilation.translate()))
    return failure();
  compilation.optimize();
  return compilation.print();
}

FailureOr<std::string> tile::emitPTX(ModuleOp module,
                                     const PTXOptions &options) {
  Compilation compilation(module, options);
  if (failed(compilation.translate()))
    return failure();
  compilation.optimize();
  return compilation.generate();
}
