//===- RunBlocks.cpp - Runs that a .tile file asks for --------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunBlocks.h"
#include "RunBinder.h"
#include "files/Files.h"

#include "tile/Frontend/Frontend.h"
#include "tile/Frontend/SourceIndex.h"
#include "tile/IR/PlanKeys.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;
using namespace tile::run;
using frontend::RunArgument;
using frontend::RunBinding;
using frontend::RunBlock;
using frontend::RunKernel;
using frontend::RunParameter;
using llvm::StringRef;

StepResult run::checkNames(const Options &options,
                           llvm::ArrayRef<RunBlock> blocks) {
  for (const ArgumentSpec &spec : options.arguments) {
    Options unused;
    bool isKnown = llvm::any_of(blocks, [&](const RunBlock &block) {
      return RunBinder(block, options, unused).knows(spec.name);
    });
    if (isKnown)
      continue;
    llvm::SetVector<StringRef> names;
    for (const RunBlock &block : blocks) {
      for (const RunBinding &size : block.sizes)
        names.insert(size.name);
      for (const RunKernel &kernel : block.kernels) {
        for (const RunArgument &argument : kernel.arguments)
          names.insert(argument.name);
        for (const RunParameter &parameter : kernel.parameters)
          names.insert(parameter.name);
      }
    }
    bool isPlanKey = findPlanKey(spec.name) != nullptr;
    return Failure(ExitCode::Usage,
                   "'" + spec.name + "': expected one of " +
                       llvm::join(names, ", ") +
                       (isPlanKey ? "; a decision of the plan is given as "
                                    "--set plan." +
                                        spec.name + "=VALUE"
                                  : ""));
  }
  return {};
}

StepResult run::readRunBlocks(const Options &options, llvm::SourceMgr &sources,
                              std::vector<RunBlock> &blocks) {
  runtime::Result<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      files::readFile(options.file);
  if (!buffer)
    return Failure(ExitCode::Compile, buffer.error());
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  std::vector<frontend::Diagnostic> diagnostics;
  std::optional<std::vector<RunBlock>> all =
      frontend::readRuns(sources, diagnostics);
  printDiagnostics(options, sources, diagnostics);
  if (!all)
    return Failure(ExitCode::Compile,
                   "expected a source without errors, got '" + options.file +
                       "'");
  for (RunBlock &block : *all)
    if (options.kernel.empty() || block.kernels[0].name == options.kernel)
      blocks.push_back(std::move(block));
  return {};
}

/// "FILE:LINE:COLUMN".
static std::string placeOf(const llvm::SourceMgr &sources, llvm::SMLoc loc) {
  unsigned id = sources.FindBufferContainingLoc(loc);
  auto [line, column] = frontend::lineAndColumn(sources, loc);
  return (sources.getMemoryBuffer(id)->getBufferIdentifier() + ":" +
          llvm::Twine(line) + ":" + llvm::Twine(column))
      .str();
}

void run::printDiagnostics(const Options &options,
                           const llvm::SourceMgr &sources,
                           llvm::ArrayRef<frontend::Diagnostic> diagnostics) {
  std::vector<frontend::Diagnostic> unsaid;
  for (const frontend::Diagnostic &entry : diagnostics) {
    std::string place =
        entry.range.isValid() ? placeOf(sources, entry.range.Start) : "";
    if (options.said->insert(place + " " + entry.message).second)
      unsaid.push_back(entry);
  }
  if (options.jsonDiagnostics)
    frontend::printDiagnosticsAsJson(sources, unsaid, llvm::errs());
  else
    frontend::printDiagnostics(sources, unsaid, llvm::errs());
}

void run::printOtherErrors(const Options &options, llvm::ArrayRef<Options> runs,
                           mlir::MLIRContext &context) {
  auto buffer = files::readFile(options.file);
  if (!StringRef(options.file).ends_with(".tile") || !options.kernel.empty() ||
      !buffer)
    return;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  frontend::SourceIndex unused;
  frontend::Options compilation;
  compilation.parameters = options.parameters;
  compilation.allowed = options.allowedLints;
  compilation.index = &unused;
  for (const Options &run : runs)
    if (!run.isOut)
      llvm::append_range(compilation.except, run.compiledKernels);
  std::vector<frontend::Diagnostic> found;
  (void)frontend::compileSource(sources, compilation, context, found);
  llvm::erase_if(found, [](const auto &entry) { return entry.isWarning(); });
  printDiagnostics(options, sources, found);
}

void run::printError(const Options &options, const llvm::SourceMgr &sources,
                     const PlacedError &error) {
  frontend::Diagnostic diagnostic = {
      error.range, error.message, {}, error.help, {}};
  if (error.noteRange.isValid())
    diagnostic.notes.push_back({error.noteRange, error.note});
  printDiagnostics(options, sources, diagnostic);
}

/// Whether the block is wrong in this way whatever the command line says.
static bool isOwnFault(const Options &options, const RunBlock &block,
                       const PlacedError &error) {
  Options plain = options, unused;
  plain.arguments.clear();
  plain.parameters.clear();
  plain.expectations.clear();
  BindResult own = RunBinder(block, plain, unused).bind();
  return own && own->message == error.message;
}

StepResult run::expandRun(const Options &options,
                          const llvm::SourceMgr &sources, const RunBlock &block,
                          Options &run) {
  BindResult error = RunBinder(block, options, run).bind();
  run.place = placeOf(sources, block.range.Start);
  run.isAsWritten = options.arguments.empty() && options.parameters.empty() &&
                    options.expectations.empty() && options.dumps.empty() &&
                    options.settings.empty() && options.variant.empty() &&
                    options.allowedLints.empty() && !options.grid &&
                    !options.numerics;
  if (!error) {
    if (options.expectations.empty())
      for (auto [expected, entry] :
           llvm::zip_equal(run.expectations, block.expectations)) {
        expected.place = placeOf(sources, entry.range.Start);
        const char *start =
            sources.getMemoryBuffer(sources.getMainFileID())->getBufferStart();
        expected.begin = entry.value.range.Start.getPointer() - start;
        expected.end = entry.value.range.End.getPointer() - start;
      }
    return {};
  }
  if (!error->range.isValid()) {
    Failure failure(ExitCode::Usage, error->message);
    failure.where = "the run at " + run.place;
    return failure;
  }
  printError(options, sources, *error);
  return Failure(isOwnFault(options, block, *error) ? ExitCode::Compile
                                                    : ExitCode::Usage,
                 "'" + options.file + "' could not be run");
}

/// Without a block, what follows from the tensors of a kernel of the language.
static StepResult expandKernel(const Options &options, llvm::SourceMgr &sources,
                               Options &run) {
  if (sources.getNumBuffers() == 0)
    return {};
  std::optional<RunBlock> block = frontend::readKernel(sources, options.kernel);
  if (!block)
    return {};
  if (StepResult failure = checkNames(options, *block))
    return failure;
  BindResult error = RunBinder(*block, options, run).bind();
  run.heading.clear();
  if (!error)
    return {};
  if (!error->range.isValid())
    return Failure(ExitCode::Usage, error->message);
  printError(options, sources, *error);
  return Failure(ExitCode::Usage, "'" + options.file + "' could not be run");
}

/// Reads the blocks that there are to run; none where a kernel has none.
static StepResult readRunsOf(const Options &options, llvm::SourceMgr &sources,
                             std::vector<RunBlock> &blocks) {
  if (StringRef(options.file).ends_with(".tile"))
    if (StepResult failure = readRunBlocks(options, sources, blocks))
      return failure;
  if (blocks.empty() && options.kernel.empty())
    return Failure(ExitCode::Usage, "expected -k KERNEL, since '" +
                                        options.file +
                                        "' has no run block, got none");
  return blocks.empty() ? StepResult() : checkNames(options, blocks);
}

std::vector<Failure> run::expandRuns(const Options &options,
                                     std::vector<Options> &runs) {
  llvm::SourceMgr sources;
  std::vector<RunBlock> blocks;
  if (StepResult failure = readRunsOf(options, sources, blocks))
    return {*failure};
  std::vector<Failure> failures;
  auto add = [&](const StepResult &failure) {
    runs.back().isOut = failure.has_value();
    if (!failure)
      return;
    // Places have been printed; that a file could not be run is said once, and
    // so is what the command line does to several blocks.
    auto earlier = llvm::find_if(failures, [&](const Failure &entry) {
      return entry.message == failure->message;
    });
    if (earlier == failures.end())
      failures.push_back(*failure);
    else
      earlier->where.clear();
  };
  if (blocks.empty())
    add(expandKernel(options, sources, runs.emplace_back(options)));
  for (const RunBlock &block : blocks)
    add(expandRun(options, sources, block, runs.emplace_back()));
  return failures;
}
