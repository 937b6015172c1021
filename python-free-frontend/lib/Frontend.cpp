//===- Frontend.cpp - From the text to a module ---------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Frontend/Frontend.h"

#include "ForeignWords.h"
#include "KernelEmitter.h"
#include "Parser.h"
#include "Runs.h"

#include "tile/Frontend/Numbers.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;
using llvm::SMLoc;

/// Reads NAME=VALUE each; every name must be a parameter of some kernel.
static void readOverrides(const frontend::Options &options,
                          ArrayRef<Kernel> kernels,
                          llvm::StringMap<std::string> &overrides,
                          DiagnosticList &errors) {
  llvm::SetVector<StringRef> known;
  for (const Kernel &kernel : kernels)
    for (const Parameter &parameter : kernel.parameters)
      known.insert(parameter.name.text);
  for (StringRef text : options.parameters) {
    auto [name, value] = text.split('=');
    if (value.empty()) {
      errors.optionError(
          "expected a compile-time parameter as NAME=VALUE, got '" + text +
          "'");
      continue;
    }
    if (!known.contains(name)) {
      std::string expected = known.empty()
                                 ? "none, since no kernel has one"
                                 : "one of " + llvm::join(known, ", ");
      errors.optionError("compile-time parameter '" + name + "': expected " +
                         expected);
      continue;
    }
    overrides[name] = value.str();
  }
}

/// Each kernel that the caller asks for must be there.
static void checkKernels(const frontend::Options &options,
                         ArrayRef<Kernel> kernels, DiagnosticList &errors) {
  llvm::SetVector<StringRef> known;
  for (const Kernel &kernel : kernels)
    known.insert(kernel.name.text);
  for (StringRef name : options.kernels)
    if (!known.empty() && !known.contains(name))
      errors.optionError("kernel '" + name + "': expected one of " +
                         llvm::join(known, ", "));
}

/// The lints that the caller does not want to hear.
static LintSet readAllowed(const frontend::Options &options,
                           DiagnosticList &errors) {
  LintSet allowed = 0;
  for (StringRef name : options.allowed) {
    if (std::optional<Lint> lint = findLint(name))
      allowed |= bitOf(*lint);
    else
      errors.optionError("expected the name of a lint to allow, got '" + name +
                         "'");
  }
  return allowed;
}

/// Comments that a reader of Python takes for divisors.
static void warnOfDivisions(const SourceFile &file, DiagnosticList &warnings) {
  for (StringRef comment : file.divisions)
    warn(warnings, Lint::Comment,
         {SMLoc::getFromPointer(comment.begin()),
          SMLoc::getFromPointer(comment.end())},
         "this comment reads like a divisor",
         "'/' divides and cuts toward zero, and floordiv(a, b) rounds down; a "
         "comment on a line of its own is no divisor");
}

/// Operators on the short side of `[:, None]` leave what they replace unused.
static void eraseUnused(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>())
      ops.push_back(op);
  });
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty() && isMemoryEffectFree(op))
      op->erase();
}

/// What the first run block of the kernel that has a value for the parameter
/// says, or an empty text.
static std::string valueInRuns(const Kernel &kernel, StringRef parameter,
                               ArrayRef<RunBlock> runs) {
  for (const RunBlock &run : runs)
    for (const RunBinding &size : run.sizes) {
      if (run.kernels.front().name != kernel.name.text ||
          size.name != parameter)
        continue;
      const RunExpr &value = size.value;
      if (value.kind == RunExpr::Kind::Name)
        return value.text;
      std::optional<int64_t> integer = readInteger(value.text);
      if (value.kind == RunExpr::Kind::Number && integer)
        return std::to_string(*integer);
    }
  return "";
}

/// Gives each parameter that has no value that of a run block, for editors;
/// false if one is left.
static bool takeValues(const Kernel &kernel, ArrayRef<RunBlock> runs,
                       llvm::StringMap<std::string> &values) {
  for (const Parameter &parameter : kernel.parameters) {
    StringRef name = parameter.name.text;
    if (parameter.value || values.contains(name))
      continue;
    std::string value = valueInRuns(kernel, name, runs);
    if (value.empty())
      return false;
    values[name] = std::move(value);
  }
  return true;
}

/// The functions by name; each must be new.
static FunctionMap nameFunctions(ArrayRef<Function> functions,
                                 DiagnosticList &errors) {
  FunctionMap byName;
  for (const Function &function : functions) {
    const Identifier &name = function.name;
    // What has none has been said.
    if (name.text.empty())
      continue;
    auto [place, isNew] = byName.try_emplace(name.text, &function);
    if (!isNew)
      errors.error(name.range,
                   "expected a new function, got '" + name.text + "'",
                   place->second->name.range,
                   "'" + name.text + "' is already defined here");
    bool isConstant = isConstantName(name.text);
    if (!isNew || !(isConstant || KernelEmitter::isBuiltin(name.text)))
      continue;
    errors
        .error(name.range, "expected a new function, got '" + name.text +
                               "', which the language has")
        .help(isConstant ? "choose another name"
                         : "choose another name: its calls mean the one of "
                           "the language");
    byName.erase(place);
  }
  return byName;
}

/// Sources beyond this are no kernels.
static constexpr size_t kMaxSourceBytes = 1 << 20;

/// Parses the main buffer and checks what is not in kernels.
static SourceFile parse(llvm::SourceMgr &sources, DiagnosticList &errors) {
  StringRef source =
      sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
  if (source.size() > kMaxSourceBytes) {
    errors.error({}, "expected a source of at most 2^20 bytes, got " +
                         Twine(source.size()));
    return {};
  }
  if (sayIR(source, errors))
    return {};
  SourceFile file = Parser(source, errors).parseFile();
  linkRuns(file, errors);
  linkTunes(file, errors);
  return file;
}

/// The parser's and the checker's in one order, that of the text.
static void sort(std::vector<frontend::Diagnostic> &diagnostics) {
  llvm::sort(diagnostics, [](const auto &a, const auto &b) {
    return std::tuple(a.range.Start.getPointer(), StringRef(a.message)) <
           std::tuple(b.range.Start.getPointer(), StringRef(b.message));
  });
  auto isError = [](const auto &entry) { return !entry.isWarning(); };
  if (size_t(llvm::count_if(diagnostics, isError)) < DiagnosticList::kMaxErrors)
    return;
  auto &last = *llvm::find_if(llvm::reverse(diagnostics), isError);
  last.notes.push_back(
      {last.range, "there may be more errors: " +
                       std::to_string(DiagnosticList::kMaxErrors) +
                       " are looked for"});
}

bool frontend::isOfOptions(ArrayRef<Diagnostic> diagnostics) {
  for (const Diagnostic &diagnostic : diagnostics)
    if (!diagnostic.isWarning())
      return diagnostic.isOfOptions;
  return false;
}

/// One kind of declaration of a file; nothing where the file is wrong.
template <typename Declaration>
static std::optional<std::vector<Declaration>>
readDeclarations(llvm::SourceMgr &sources,
                 std::vector<frontend::Diagnostic> &diagnostics,
                 std::vector<Declaration> SourceFile::*kind) {
  DiagnosticList errors(diagnostics);
  SourceFile file = parse(sources, errors);
  sort(diagnostics);
  if (!errors.empty())
    return std::nullopt;
  return std::move(file.*kind);
}

std::optional<std::vector<RunBlock>>
frontend::readRuns(llvm::SourceMgr &sources,
                   std::vector<frontend::Diagnostic> &diagnostics) {
  return readDeclarations(sources, diagnostics, &SourceFile::runs);
}

std::optional<RunBlock> frontend::readKernel(llvm::SourceMgr &sources,
                                             StringRef kernel) {
  std::vector<frontend::Diagnostic> unsaid;
  DiagnosticList errors(unsaid);
  SourceFile file = parse(sources, errors);
  auto found = llvm::find_if(file.kernels, [&](const Kernel &entry) {
    return entry.name.text == kernel;
  });
  if (!errors.empty() || found == file.kernels.end())
    return std::nullopt;
  RunBlock block;
  block.range = found->name.range;
  block.kernels.push_back(describeKernel(*found));
  for (const Function &function : file.functions)
    block.functions.push_back(function.name.text.str());
  return block;
}

std::optional<std::vector<TuneBlock>>
frontend::readTunes(llvm::SourceMgr &sources,
                    std::vector<frontend::Diagnostic> &diagnostics) {
  return readDeclarations(sources, diagnostics, &SourceFile::tunes);
}

static void readSizes(const ArrangementTrace &trace, ArrangementLog &log,
                      DiagnosticList &errors) {
  for (StringRef text : trace.sizes) {
    auto [name, value] = text.split('=');
    std::optional<int64_t> size = readInteger(value);
    if (name.empty() || !size || *size < 0)
      errors.optionError("expected the size of a side as NAME=VALUE, got '" +
                         text + "'");
    else
      log.sizes[name] = *size;
  }
}

/// Says what of the trace that is asked for is not there.
static void checkTrace(const ArrangementTrace &trace, const ArrangementLog &log,
                       DiagnosticList &errors) {
  if (log.names.empty()) {
    errors.error({}, "expected a kernel with 'arrange', whose levels could be "
                     "printed, got none");
    return;
  }
  for (StringRef text : trace.sizes) {
    StringRef name = text.split('=').first;
    if (log.sizes.contains(name) && !llvm::is_contained(log.names, name))
      errors.optionError("size '" + name + "': expected one of " +
                         llvm::join(log.names, ", "));
  }
}

OwningOpRef<ModuleOp> frontend::compileSource(
    llvm::SourceMgr &sources, const Options &options, MLIRContext &context,
    std::vector<Diagnostic> &diagnostics, ArrangementTrace *trace) {
  context.loadDialect<TileDialect, arith::ArithDialect, math::MathDialect,
                      scf::SCFDialect>();
  unsigned buffer = sources.getMainFileID();
  DiagnosticList errors(diagnostics);
  SourceFile file = parse(sources, errors);
  llvm::StringMap<std::string> overrides;
  readOverrides(options, file.kernels, overrides, errors);
  checkKernels(options, file.kernels, errors);

  OpBuilder builder(&context);
  Location loc = FileLineColLoc::get(
      &context, sources.getMemoryBuffer(buffer)->getBufferIdentifier(), 1, 1);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToStart(module->getBody());
  FunctionMap byName = nameFunctions(file.functions, errors);
  LintSet allowed = readAllowed(options, errors);
  if (!(allowed & bitOf(Lint::Comment)))
    warnOfDivisions(file, errors);
  ArrangementLog log;
  if (trace)
    readSizes(*trace, log, errors);
  unsigned numSteps = 0;
  llvm::StringMap<llvm::SMRange> places;
  for (const Kernel &kernel : file.kernels) {
    auto [place, isNew] =
        places.try_emplace(kernel.name.text, kernel.name.range);
    if (!isNew)
      errors.error(kernel.name.range,
                   "expected a new kernel, got '" + kernel.name.text + "'",
                   place->second,
                   "'" + kernel.name.text + "' is already defined here");
    llvm::StringMap<std::string> values = overrides;
    if (kernel.isBroken ||
        (options.index && !takeValues(kernel, file.runs, values)))
      continue;
    if (!options.kernels.empty() &&
        !llvm::is_contained(options.kernels, kernel.name.text))
      continue;
    if (llvm::is_contained(options.except, kernel.name.text))
      continue;
    KernelEmitter emitter(builder, sources, values, byName, allowed, numSteps,
                          errors, trace ? &log : nullptr);
    emitter.index = options.index;
    emitter.runs = file.runs;
    emitter.emit(kernel);
  }
  // What a call has said already is said once.
  for (const Function &function : file.functions)
    KernelEmitter(builder, sources, overrides, byName, allowed, numSteps,
                  errors)
        .checkFunction(function);
  if (trace && errors.empty())
    checkTrace(*trace, log, errors);
  if (trace)
    trace->lines = std::move(log.lines);
  sort(diagnostics);
  if (!errors.empty())
    return {};
  eraseUnused(*module);
  // Whatever the verifier finds, it says through the context.
  if (failed(verify(*module)))
    return {};
  return module;
}
