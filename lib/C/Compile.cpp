//===- Compile.cpp - The compiler for programs in C -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile-c/Compile.h"

#include "tile/IR/Nesting.h"
#include "tile/Target/Compile.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <memory>

using namespace mlir;

//===----------------------------------------------------------------------===//
// What the handles hold
//===----------------------------------------------------------------------===//

/// The registry with what compiling needs.
static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  tile::registerCompileDialects(registry);
  return registry;
}

namespace {
/// A context that reports to a callback.
class Session {
public:
  Session(TileDiagnosticCallback callback, void *userData)
      : callback(callback), userData(userData),
        context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    // The place and the reason are enough; a kernel is pages long.
    context.printOpOnDiagnostic(false);
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      report(diagnostic);
      for (Diagnostic &note : diagnostic.getNotes())
        report(note);
    });
  }

  MLIRContext &getContext() { return context; }

private:
  void report(Diagnostic &diagnostic) const;

  TileDiagnosticCallback callback;
  void *userData;
  MLIRContext context;
};
} // namespace

static TileSeverity severityOf(const Diagnostic &diagnostic) {
  switch (diagnostic.getSeverity()) {
  case DiagnosticSeverity::Note:
    return TILE_SEVERITY_NOTE;
  case DiagnosticSeverity::Remark:
    return TILE_SEVERITY_REMARK;
  case DiagnosticSeverity::Warning:
    return TILE_SEVERITY_WARNING;
  case DiagnosticSeverity::Error:
    return TILE_SEVERITY_ERROR;
  }
  return TILE_SEVERITY_ERROR;
}

void Session::report(Diagnostic &diagnostic) const {
  if (!callback)
    return;
  std::string file, text = diagnostic.str();
  TileDiagnostic given = {severityOf(diagnostic), "", 0, 0, text.c_str()};
  if (auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>()) {
    file = place.getFilename().str();
    given.file = file.c_str();
    given.line = place.getLine();
    given.column = place.getColumn();
  }
  callback(&given, userData);
}

struct TileContext {
  std::shared_ptr<Session> session;
};

struct TileModule {
  // Before the module, so that the context outlives it.
  std::shared_ptr<Session> session;
  OwningOpRef<ModuleOp> module;
};

namespace {
/// A kernel whose contract is already text.
struct Kernel {
  std::string name, manifest;
  std::vector<tile::CompiledVariant> variants;
};
} // namespace

struct TileCompiled {
  std::vector<Kernel> kernels;
};

//===----------------------------------------------------------------------===//
// Contexts and modules
//===----------------------------------------------------------------------===//

TileContext *tileContextCreate(TileDiagnosticCallback callback,
                               void *userData) {
  return new TileContext{std::make_shared<Session>(callback, userData)};
}

void tileContextDestroy(TileContext *context) { delete context; }

/// A position in a text as a location.
static Location placeAt(StringRef text, size_t position, StringRef file,
                        MLIRContext &context) {
  StringRef before = text.take_front(position);
  size_t line = before.rfind('\n') + 1; // npos is -1
  return FileLineColLoc::get(&context, file, before.count('\n') + 1,
                             position - line + 1);
}

TileModule *tileModuleParse(TileContext *context, const char *text,
                            size_t length, const char *file) {
  if (!context || (!text && length > 0))
    return nullptr;
  // The lexer reads up to a NUL.
  std::string copy(text ? text : "", length);
  ParserConfig config(&context->session->getContext());
  if (std::optional<size_t> place = tile::findDeepNesting(copy)) {
    emitError(placeAt(copy, *place, file ? file : "-", *config.getContext()))
        << "expected IR that nests at most " << tile::kMaxNesting
        << " deep, got more";
    return nullptr;
  }
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(copy, config, file ? file : "-");
  if (!module)
    return nullptr;
  return new TileModule{context->session, std::move(module)};
}

void tileModuleDestroy(TileModule *module) { delete module; }

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// Reads the settings; what is NULL among them is an error at `place`.
static LogicalResult readSettings(const TileCompileOptions &given,
                                  Location place,
                                  std::vector<std::string> &settings) {
  if (!given.settings && given.numSettings > 0)
    return emitError(place) << "expected " << given.numSettings
                            << " settings, got NULL for the list of them";
  for (size_t index = 0; index < given.numSettings; ++index) {
    if (!given.settings[index])
      return emitError(place) << "expected settings KEY=VALUE, got NULL for "
                                 "settings["
                              << index << "]";
    settings.push_back(given.settings[index]);
  }
  return success();
}

static FailureOr<tile::CompileOptions>
readOptions(const TileCompileOptions &given, Location place) {
  tile::CompileOptions options;
  if (failed(readSettings(given, place, options.settings)))
    return failure();
  if (given.target)
    options.target = given.target;
  if (given.kernel)
    options.kernel = given.kernel;
  if (given.variant)
    options.variant = given.variant;
  options.ptxVersion = given.ptxVersion;
  options.lineInfo = given.omitLineInfo == 0;
  return options;
}

TileCompiled *tileModuleCompile(const TileModule *module,
                                const TileCompileOptions *given) {
  if (!module)
    return nullptr;
  ModuleOp program = module->module.get();
  FailureOr<tile::CompileOptions> options =
      readOptions(given ? *given : TileCompileOptions(), program.getLoc());
  if (failed(options))
    return nullptr;
  FailureOr<std::vector<tile::CompiledKernel>> kernels =
      tile::compile(program, *options);
  if (failed(kernels))
    return nullptr;
  auto compiled = std::make_unique<TileCompiled>();
  for (tile::CompiledKernel &kernel : *kernels) {
    tile::runtime::Result<std::string> manifest =
        tile::runtime::writeManifest(kernel.manifest);
    if (!manifest) {
      program.emitError() << manifest.error().text();
      return nullptr;
    }
    compiled->kernels.push_back({kernel.manifest.kernel, std::move(*manifest),
                                 std::move(kernel.variants)});
  }
  return compiled.release();
}

void tileCompiledDestroy(TileCompiled *compiled) { delete compiled; }

//===----------------------------------------------------------------------===//
// What came out
//===----------------------------------------------------------------------===//

static const Kernel *findKernel(const TileCompiled *compiled, size_t kernel) {
  if (!compiled || kernel >= compiled->kernels.size())
    return nullptr;
  return &compiled->kernels[kernel];
}

static const tile::CompiledVariant *findVariant(const TileCompiled *compiled,
                                                size_t kernel, size_t variant) {
  const Kernel *found = findKernel(compiled, kernel);
  if (!found || variant >= found->variants.size())
    return nullptr;
  return &found->variants[variant];
}

size_t tileCompiledNumKernels(const TileCompiled *compiled) {
  return compiled ? compiled->kernels.size() : 0;
}

const char *tileCompiledKernelName(const TileCompiled *compiled,
                                   size_t kernel) {
  const Kernel *found = findKernel(compiled, kernel);
  return found ? found->name.c_str() : nullptr;
}

const char *tileCompiledManifest(const TileCompiled *compiled, size_t kernel) {
  const Kernel *found = findKernel(compiled, kernel);
  return found ? found->manifest.c_str() : nullptr;
}

size_t tileCompiledNumVariants(const TileCompiled *compiled, size_t kernel) {
  const Kernel *found = findKernel(compiled, kernel);
  return found ? found->variants.size() : 0;
}

const char *tileCompiledVariantName(const TileCompiled *compiled, size_t kernel,
                                    size_t variant) {
  const tile::CompiledVariant *found = findVariant(compiled, kernel, variant);
  return found ? found->name.c_str() : nullptr;
}

const char *tileCompiledPTX(const TileCompiled *compiled, size_t kernel,
                            size_t variant) {
  const tile::CompiledVariant *found = findVariant(compiled, kernel, variant);
  return found ? found->ptx.c_str() : nullptr;
}
