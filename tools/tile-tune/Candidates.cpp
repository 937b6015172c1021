//===- Candidates.cpp - Choices that the compiler takes -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidates.h"

#include "tile/Conversion/Passes.h"
#include "tile/Frontend/Frontend.h"
#include "tile/Frontend/LanguageTerms.h"
#include "tile/GPU/Target.h"
#include "tile/GPU/TileGPUOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/ThreadPool.h"

using namespace mlir;
using namespace tile;
using namespace tile::tune;

/// "file:line:column: ", or nothing where the place is not known.
static std::string placeText(Location loc) {
  auto place = loc->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "";
  return (place.getFilename().getValue() + ":" + Twine(place.getLine()) + ":" +
          Twine(place.getColumn()) + ": ")
      .str();
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Registers of 32 bits that a thread needs at least for a tensor whose layout
/// spreads it over threads.
static int64_t registersFor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto layout = tensor ? dyn_cast_if_present<LayoutAttr>(tensor.getEncoding())
                       : LayoutAttr();
  if (!layout)
    return 0;
  int64_t threads =
      layout.getLayout().numLanes() * layout.getLayout().numWarps();
  return tensor.getNumElements() * tensor.getElementTypeBitWidth() /
         (32 * threads);
}

/// A loop of a planned kernel whose carried tensors alone take more registers
/// than there are: what no assembler can place without spilling.
static std::string findRegisterOverflow(KernelOp kernel) {
  std::string found;
  kernel.walk([&](scf::ForOp loop) {
    auto role = loop->getParentOfType<tile::gpu::RoleOp>();
    int64_t warps = kernel.getPlanAttr().getInt("warps");
    int64_t limit =
        std::min(kMaxThreadRegisters, kRegistersPerSM / (32 * warps));
    if (role && role.getRegisters())
      limit = std::min<int64_t>(limit, *role.getRegisters());
    int64_t carried = 0;
    for (Value value : loop.getRegionIterArgs())
      carried += registersFor(value.getType());
    if (carried <= limit)
      return WalkResult::advance();
    found = placeText(loop.getLoc()) + "expected a loop that carries at most " +
            std::to_string(limit) + " registers a thread, got " +
            std::to_string(carried);
    return WalkResult::interrupt();
  });
  return found;
}

//===----------------------------------------------------------------------===//
// One candidate
//===----------------------------------------------------------------------===//

namespace {
/// Compiles one candidate in a context of its own.
class CandidateCompiler {
public:
  CandidateCompiler(Candidate &candidate, const CompileSetup &setup)
      : candidate(candidate), setup(setup),
        context(makeRegistry(), MLIRContext::Threading::DISABLED),
        handler(&context, [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            refuse(placeText(diagnostic.getLocation()) +
                   frontend::inLanguageTerms(diagnostic.str()));
          return success();
        }) {}

  void run();

private:
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerCompileDialects(registry);
    return registry;
  }

  /// Keeps the first reason.
  void refuse(std::string why) {
    if (candidate.isIn())
      candidate.refusal = std::move(why);
  }
  OwningOpRef<ModuleOp> readProgram();
  bool plan(ModuleOp module, const CompileOptions &options);
  void makeCode(ModuleOp module, const CompileOptions &options);

  Candidate &candidate;
  const CompileSetup &setup;
  MLIRContext context;
  ScopedDiagnosticHandler handler;
  llvm::SourceMgr sources;
};
} // namespace

OwningOpRef<ModuleOp> CandidateCompiler::readProgram() {
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(setup.source, candidate.run.file),
      llvm::SMLoc());
  std::vector<frontend::Diagnostic> diagnostics;
  OwningOpRef<ModuleOp> module = frontend::compileSource(
      sources, {candidate.run.parameters, {candidate.run.kernel}}, context,
      diagnostics);
  for (const frontend::Diagnostic &diagnostic : diagnostics) {
    if (diagnostic.isWarning())
      continue;
    auto [line, column] =
        frontend::lineAndColumn(sources, diagnostic.range.Start);
    refuse(candidate.run.file + ":" + std::to_string(line) + ":" +
           std::to_string(column) + ": " + diagnostic.message);
  }
  if (!module)
    refuse("expected a program that compiles");
  return module;
}

bool CandidateCompiler::plan(ModuleOp module, const CompileOptions &options) {
  OwningOpRef<ModuleOp> lowered = lowerTo(module, tile::Stage::GPU, options);
  if (!lowered) {
    refuse("expected a program that can be planned");
    return false;
  }
  for (auto kernel : lowered->getOps<KernelOp>())
    if (std::string why = findRegisterOverflow(kernel); !why.empty())
      refuse(std::move(why));
  if (!candidate.isIn() || !setup.withLowering)
    return candidate.isIn();
  PassManager manager(&context);
  manager.addPass(createConvertTileToNVVMPass());
  if (failed(manager.run(*lowered)))
    refuse("expected a program that has instructions on the GPU");
  return candidate.isIn();
}

void CandidateCompiler::makeCode(ModuleOp module,
                                 const CompileOptions &options) {
  FailureOr<std::vector<CompiledKernel>> kernels = compile(module, options);
  if (failed(kernels) || kernels->size() != 1)
    refuse("expected a program that compiles");
  else
    candidate.code = std::move(kernels->front());
}

void CandidateCompiler::run() {
  OwningOpRef<ModuleOp> module = readProgram();
  if (!module || !candidate.isIn())
    return;
  CompileOptions options;
  options.target = setup.target;
  options.settings = candidate.run.settings;
  options.kernel = candidate.run.kernel;
  options.lineInfo = false;
  if (plan(*module, options) && setup.withCode)
    makeCode(*module, options);
}

void tune::compileAll(std::vector<Candidate> &candidates,
                      const CompileSetup &setup) {
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(setup.numThreads));
  for (Candidate &candidate : candidates)
    if (candidate.isIn())
      pool.async([&] { CandidateCompiler(candidate, setup).run(); });
  pool.wait();
}
