//===- Emit.cpp - What tilec writes ---------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "Assembler.h"
#include "tile/IR/TileOps.h"
#include "tile/Target/Census.h"
#include "tile/Target/Header.h"
#include "tile/Target/PTX.h"

using namespace mlir;
using namespace tile;
using namespace tile::tilec;

/// The module as text.
static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module << "\n";
  return text;
}

/// Code of one variant: the one asked for, or the most specialised.  A module
/// holds one kernel.
static std::optional<CompileOptions> forOneVariant(ModuleOp module,
                                                   const Options &options) {
  CompileOptions one = options.compile;
  one.onlyFirstVariant = one.variant.empty();
  if (!one.kernel.empty())
    return one;
  SmallVector<StringRef> names;
  for (KernelOp kernel : module.getOps<KernelOp>())
    names.push_back(kernel.getSymName());
  if (names.size() <= 1)
    return one;
  llvm::errs() << "tilec: expected --kernel to name one of";
  for (StringRef name : names)
    llvm::errs() << " " << name;
  llvm::errs() << "\n";
  return std::nullopt;
}

static ExitCode emitLLVM(ModuleOp module, const CompileOptions &options,
                         std::string &result) {
  OwningOpRef<ModuleOp> lowered = lowerTo(module, Stage::LLVM, options);
  if (!lowered)
    return ExitCode::Compile;
  PTXOptions ptx = ptxOptions(options);
  FailureOr<std::string> text = emitLLVMIR(*lowered, ptx);
  if (failed(text))
    return ExitCode::Compile;
  result = std::move(*text);
  return ExitCode::Ok;
}

static ExitCode emitAssembly(ModuleOp module, const CompileOptions &options,
                             std::string &result) {
  FailureOr<std::vector<CompiledKernel>> kernels = compile(module, options);
  if (failed(kernels))
    return ExitCode::Compile;
  result = kernels->front().variants.front().ptx;
  return ExitCode::Ok;
}

/// A JSON object for one kernel, an array for several.
static ExitCode emitManifest(ModuleOp module, const CompileOptions &options,
                             std::string &result) {
  FailureOr<std::vector<runtime::Manifest>> manifests =
      makeManifests(module, options);
  if (failed(manifests))
    return ExitCode::Compile;
  std::vector<std::string> texts;
  for (const runtime::Manifest &manifest : *manifests) {
    runtime::Result<std::string> text = runtime::writeManifest(manifest);
    if (!text) {
      llvm::errs() << "tilec: " << text.error().text() << "\n";
      return ExitCode::Compile;
    }
    texts.push_back(*text);
  }
  result = texts.size() == 1 ? texts.front() + "\n"
                             : "[" + llvm::join(texts, ",\n") + "]\n";
  return ExitCode::Ok;
}

/// One header a kernel.
static ExitCode emitHeaders(ModuleOp module, const CompileOptions &options,
                            std::string &result) {
  FailureOr<std::vector<CompiledKernel>> kernels = compile(module, options);
  if (failed(kernels))
    return ExitCode::Compile;
  for (const CompiledKernel &kernel : *kernels) {
    FailureOr<std::string> header = emitHeader(module.getLoc(), kernel);
    if (failed(header))
      return ExitCode::Compile;
    result += *header;
  }
  return ExitCode::Ok;
}

ExitCode tilec::emit(ModuleOp module, const Options &options,
                     std::string &result) {
  if (options.emit == Emit::Tile) {
    result = print(module);
    return ExitCode::Ok;
  }
  if (options.emit == Emit::Planned || options.emit == Emit::GPU) {
    Stage stage = options.emit == Emit::GPU ? Stage::GPU : Stage::Planned;
    OwningOpRef<ModuleOp> lowered = lowerTo(module, stage, options.compile);
    if (!lowered)
      return ExitCode::Compile;
    result = print(*lowered);
    return ExitCode::Ok;
  }
  if (options.emit == Emit::Manifest)
    return emitManifest(module, options.compile, result);
  if (options.emit == Emit::Header)
    return emitHeaders(module, options.compile, result);
  std::optional<CompileOptions> one = forOneVariant(module, options);
  if (!one)
    return ExitCode::Usage;
  if (options.emit == Emit::LLVM)
    return emitLLVM(module, *one, result);
  std::optional<Assembler> assembler;
  if (options.emit == Emit::Cubin) {
    assembler = Assembler::find(options.ptxas);
    if (!assembler)
      return ExitCode::Runtime;
    if (!assembler->settlePTXVersion(*one))
      return ExitCode::Runtime;
  }
  std::string ptx;
  ExitCode code = emitAssembly(module, *one, ptx);
  if (code == ExitCode::Ok && options.census) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    printCensus(takeCensus(ptx), stream);
    if (!options.emitIsGiven) {
      result = std::move(text);
      return ExitCode::Ok;
    }
    llvm::errs() << text;
  }
  if (code != ExitCode::Ok || options.emit == Emit::PTX) {
    result = std::move(ptx);
    return code;
  }
  return assembler->run(one->target, ptx, result);
}
