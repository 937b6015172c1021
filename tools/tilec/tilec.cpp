//===- tilec.cpp - Compile tile IR ----------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "Options.h"

#include "tile/Frontend/Frontend.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace tile::tilec;

/// Reads the input, or says why it cannot.
static std::unique_ptr<llvm::MemoryBuffer> readInput(StringRef path) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &message);
  if (!buffer)
    llvm::errs() << "tilec: " << message << "\n";
  return buffer;
}

/// Parses tile IR, or the .tile language by the file's extension.
static OwningOpRef<ModuleOp>
parse(llvm::SourceMgr &sources, const Options &options, MLIRContext &context) {
  if (!StringRef(options.input).ends_with(".tile"))
    return parseSourceFile<ModuleOp>(sources, &context);
  std::vector<tile::frontend::Diagnostic> errors;
  OwningOpRef<ModuleOp> module = tile::frontend::compileSource(
      sources, {options.parameters}, context, errors);
  tile::frontend::printDiagnostics(sources, errors, llvm::errs());
  return module;
}

int main(int argc, char **argv) {
  Options options;
  if (std::optional<ExitCode> code = parseOptions(argc, argv, options))
    return static_cast<int>(*code);
  std::unique_ptr<llvm::MemoryBuffer> input = readInput(options.input);
  if (!input)
    return static_cast<int>(ExitCode::Usage);

  DialectRegistry registry;
  tile::registerCompileDialects(registry);
  // One thread: a kernel's passes are too short to share.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // The place and the reason are enough; a kernel is pages long.
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  sources.AddNewSourceBuffer(std::move(input), SMLoc());
  OwningOpRef<ModuleOp> module = parse(sources, options, context);
  if (!module)
    return static_cast<int>(ExitCode::Compile);

  std::string result;
  ExitCode code = emit(*module, options, result);
  if (code != ExitCode::Ok)
    return static_cast<int>(code);
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> output =
      openOutputFile(options.output, &message);
  if (!output) {
    llvm::errs() << "tilec: " << message << "\n";
    return static_cast<int>(ExitCode::Output);
  }
  output->os() << result;
  output->keep();
  return 0;
}
