//===- tilec.cpp - Compile tile IR ----------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "Options.h"
#include "files/Files.h"

#include "tile/Frontend/Frontend.h"
#include "tile/Frontend/LanguageTerms.h"
#include "tile/IR/TileOps.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tile::tilec;
using tile::ExitCode;

/// Parses tile IR, or the .tile language by the file's extension.
static OwningOpRef<ModuleOp> parse(llvm::SourceMgr &sources,
                                   const Options &options, MLIRContext &context,
                                   tile::frontend::ArrangementTrace &trace,
                                   ExitCode &code) {
  code = ExitCode::Compile;
  if (!StringRef(options.input).ends_with(".tile"))
    return tile::files::checkIR(sources)
               ? parseSourceFile<ModuleOp>(sources, &context)
               : OwningOpRef<ModuleOp>();
  std::vector<tile::frontend::Diagnostic> errors;
  bool isTraced = options.emit == Emit::Arrangement;
  std::vector<std::string> kernels;
  if (isTraced && !options.compile.kernel.empty())
    kernels.push_back(options.compile.kernel);
  OwningOpRef<ModuleOp> module = tile::frontend::compileSource(
      sources, {options.parameters, kernels, options.allowedLints}, context,
      errors, isTraced ? &trace : nullptr);
  if (options.jsonDiagnostics)
    tile::frontend::printDiagnosticsAsJson(sources, errors, llvm::errs());
  else
    tile::frontend::printDiagnostics(sources, errors, llvm::errs());
  if (tile::frontend::isOfOptions(errors))
    code = ExitCode::Usage;
  return module;
}

/// Whether --kernel or --variant names what the module does not have.
static bool namesNothing(ModuleOp module, const Options &options) {
  ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) {});
  tile::CompileOptions all = options.compile;
  all.kernel.clear();
  all.variant.clear();
  OwningOpRef<ModuleOp> planned =
      tile::lowerTo(module, tile::Stage::Planned, all);
  bool hasKernel = all.kernel == options.compile.kernel,
       hasVariant = all.variant == options.compile.variant;
  auto look = [&](ModuleOp where) {
    for (auto kernel : where.getOps<tile::KernelOp>()) {
      StringRef base = kernel.getSymName().split('$').first;
      if (!options.compile.kernel.empty() && base != options.compile.kernel)
        continue;
      hasKernel = true;
      hasVariant |= kernel.getVariant() == options.compile.variant;
    }
  };
  look(planned ? *planned : module);
  return !hasKernel || (planned && !hasVariant);
}

/// Says so where --kernel names none of the module's kernels.
static bool checkKernel(ModuleOp module, const Options &options) {
  SetVector<StringRef> known;
  for (auto kernel : module.getOps<tile::KernelOp>())
    known.insert(kernel.getSymName().split('$').first);
  StringRef kernel = options.compile.kernel;
  if (kernel.empty() || known.empty() || known.contains(kernel))
    return true;
  llvm::errs() << "tilec: --kernel: expected one of " << llvm::join(known, ", ")
               << ", got '" << kernel << "'\n";
  return false;
}

int main(int argc, char **argv) {
  Options options;
  if (std::optional<ExitCode> code = parseOptions(argc, argv, options))
    return static_cast<int>(*code);
  if (options.emit == Emit::Arrangement &&
      !StringRef(options.input).ends_with(".tile")) {
    llvm::errs() << "tilec: expected a .tile file with --emit=arrangement, got "
                    "'"
                 << options.input << "'\n";
    return static_cast<int>(ExitCode::Usage);
  }
  tile::runtime::Result<std::unique_ptr<llvm::MemoryBuffer>> input =
      tile::files::readFile(options.input);
  if (!input) {
    llvm::errs() << "tilec: " << input.error().text() << "\n";
    return static_cast<int>(ExitCode::Compile);
  }

  DialectRegistry registry;
  tile::registerCompileDialects(registry);
  // One thread: a kernel's passes are too short to share.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // The place and the reason are enough; a kernel is pages long.
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources, shown;
  shown.AddNewSourceBuffer(tile::files::toShow(**input), SMLoc());
  SourceMgrDiagnosticHandler diagnostics(shown, &context);
  std::optional<tile::frontend::LanguageTerms> terms;
  if (StringRef(options.input).ends_with(".tile"))
    terms.emplace(context);
  sources.AddNewSourceBuffer(std::move(*input), SMLoc());
  tile::frontend::ArrangementTrace trace{options.sizes, {}};
  ExitCode code = ExitCode::Ok;
  OwningOpRef<ModuleOp> module = parse(sources, options, context, trace, code);
  if (!module)
    return static_cast<int>(code);
  if (!checkKernel(*module, options))
    return static_cast<int>(ExitCode::Usage);

  std::string result;
  for (const std::string &line : trace.lines)
    result += line + "\n";
  code = options.emit == Emit::Arrangement ? ExitCode::Ok
                                           : emit(*module, options, result);
  if (code == ExitCode::Compile && namesNothing(*module, options))
    code = ExitCode::Usage;
  if (code != ExitCode::Ok)
    return static_cast<int>(code);
  tile::runtime::Status written =
      tile::files::writeFile(options.output, result);
  if (written)
    return 0;
  llvm::errs() << "tilec: " << written.error().text() << "\n";
  return static_cast<int>(ExitCode::Runtime);
}
