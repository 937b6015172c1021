//===- HostCosts.cpp - What launching and compiling take ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCosts.h"

#include "Command.h"

#include "tile/Frontend/Frontend.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace mlir;
using namespace tile;
using namespace tile::bench;
using tile::runtime::Error;
using tile::runtime::Result;
using tile::runtime::Status;

namespace {
/// Time since its making.
class Stopwatch {
public:
  double microseconds() const {
    return std::chrono::duration<double, std::micro>(Clock::now() - start)
        .count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
};
} // namespace

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

/// The median over batches of the time of a launch, arguments in turn.
static Result<double>
timeLaunches(const runtime::Stream &stream, runtime::Kernel &kernel,
             llvm::ArrayRef<std::vector<runtime::LaunchValue>> arguments) {
  // Few enough that the driver's queue never fills, or its wait would count.
  constexpr int kNumBatches = 30;
  constexpr size_t kLaunches = 100;
  std::vector<double> times;
  for (int batch = 0; batch < kNumBatches; ++batch) {
    Stopwatch watch;
    for (size_t launch = 0; launch < kLaunches; ++launch)
      if (auto done = kernel.launch(stream.handle(),
                                    arguments[launch % arguments.size()]);
          !done)
        return done.takeError();
    times.push_back(watch.microseconds() / kLaunches);
    if (Status status = stream.synchronize(); !status)
      return status.takeError();
  }
  return median(times);
}

Result<LaunchTime> bench::measureLaunch(const runtime::Device &device,
                                        const runtime::Stream &stream,
                                        runtime::Kernel &kernel,
                                        const GemmCase &gemm) {
  auto problem = GemmProblem::create(device, gemm, /*seed=*/1);
  if (!problem)
    return problem.takeError();
  auto output = (*problem)->makeOutput(device);
  if (!output)
    return output.takeError();
  auto values = (*problem)->values(**output, gemm.isFused);
  auto again = timeLaunches(stream, kernel, {values});
  if (!again)
    return again.takeError();
  // More products of fewer rows than the launcher remembers.
  std::vector<std::vector<runtime::LaunchValue>> others;
  constexpr size_t kRowsArgument = 3;
  for (int64_t fewer = 0; fewer < 16; ++fewer) {
    others.push_back(values);
    others.back()[kRowsArgument].integer -= fewer;
  }
  auto fresh = timeLaunches(stream, kernel, others);
  if (!fresh)
    return fresh.takeError();
  return LaunchTime{*again, *fresh};
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// The program as text, under a name that no cache knows.
static std::string textOf(const GemmCase &gemm,
                          const MatmulConfiguration &configuration,
                          const std::string &name) {
  MLIRContext context;
  prepareContext(context);
  MatmulProgram program = makeProgram(context, gemm);
  program.name = name;
  program.m = configuration.m;
  program.n = configuration.n;
  program.k = configuration.k;
  OpBuilder builder(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToStart(module->getBody());
  buildMatmul(builder, builder.getUnknownLoc(), program);
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  return text;
}

/// Parses and compiles the most specialised variant.
static Result<CompiledKernel> compileText(const std::string &text,
                                          const std::string &target) {
  MLIRContext context;
  prepareContext(context);
  auto module = parseSourceString<ModuleOp>(text, &context);
  CompileOptions options;
  options.target = target;
  options.onlyFirstVariant = true;
  options.lineInfo = false;
  if (!module)
    return Error("expected the program's text to parse, got an error");
  auto kernels = compile(*module, options);
  if (failed(kernels))
    return Error("expected the program to compile for " + target +
                 ", got an error");
  return std::move(kernels->front());
}

Result<double> bench::measureCold(const runtime::Device &device,
                                  const runtime::Stream &stream,
                                  const std::string &target,
                                  const GemmCase &gemm) {
  auto problem = GemmProblem::create(device, gemm, /*seed=*/1);
  if (!problem)
    return problem.takeError();
  auto output = (*problem)->makeOutput(device);
  if (!output)
    return output.takeError();
  auto values = (*problem)->values(**output, gemm.isFused);
  std::vector<double> times;
  for (int turn = 0; turn < 3; ++turn) {
    auto now = std::chrono::system_clock::now().time_since_epoch().count();
    std::string text =
        textOf(gemm, MatmulConfiguration(), "matmul_" + std::to_string(now));
    Stopwatch watch;
    Result<CompiledKernel> compiled = compileText(text, target);
    if (!compiled)
      return compiled.takeError();
    auto kernel = runtime::Kernel::load(
        device, compiled->manifest,
        {{compiled->variants[0].name, compiled->variants[0].ptx}});
    if (!kernel)
      return kernel.takeError();
    if (auto done = kernel->launch(stream.handle(), values); !done)
      return done.takeError();
    if (Status status = stream.synchronize(); !status)
      return status.takeError();
    times.push_back(watch.microseconds() / 1000);
  }
  return median(times);
}

/// Times the compilation of one variant.
static Result<CompileTime> timeVariant(ModuleOp module, CompileOptions options,
                                       int repeats) {
  CompileTime time;
  time.variant = options.variant;
  std::vector<double> times;
  for (int turn = 0; turn < repeats; ++turn) {
    Stopwatch watch;
    auto kernels = compile(module, options);
    times.push_back(watch.microseconds() / 1000);
    if (failed(kernels))
      return Error("expected variant '" + options.variant +
                   "' to compile, got an error");
    time.ptxBytes = kernels->front().variants.front().ptx.size();
  }
  time.median = median(times);
  time.min = *std::min_element(times.begin(), times.end());
  return time;
}

Result<std::vector<CompileTime>>
bench::measureCompile(const std::string &target, const GemmCase &gemm,
                      const MatmulConfiguration &configuration, int repeats) {
  MLIRContext context;
  prepareContext(context);
  auto module = parseSourceString<ModuleOp>(
      textOf(gemm, configuration, "matmul"), &context);
  CompileOptions options;
  options.target = target;
  auto manifests = makeManifests(*module, options);
  if (failed(manifests))
    return Error("expected the program to compile for " + target +
                 ", got an error");
  std::vector<CompileTime> times;
  for (const runtime::Variant &variant : manifests->front().variants) {
    options.variant = variant.name;
    Result<CompileTime> time = timeVariant(*module, options, repeats);
    if (!time)
      return time.takeError();
    times.push_back(std::move(*time));
  }
  return times;
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// The kernel's IR; all of them if it has no name.
static Result<OwningOpRef<ModuleOp>>
readSource(llvm::SourceMgr &sources, StringRef kernel, MLIRContext &context) {
  frontend::Options options;
  if (!kernel.empty())
    options.kernels.push_back(kernel.str());
  std::vector<frontend::Diagnostic> diagnostics;
  OwningOpRef<ModuleOp> module =
      frontend::compileSource(sources, options, context, diagnostics);
  if (module)
    return std::move(module);
  std::string message;
  llvm::raw_string_ostream stream(message);
  frontend::printDiagnostics(sources, diagnostics, stream);
  return Error("expected a source that compiles, got\n" + message);
}

static Result<SourceTime> timeSource(llvm::SourceMgr &sources, StringRef kernel,
                                     const std::string &target, int repeats) {
  MLIRContext context;
  prepareContext(context);
  CompileOptions options;
  options.target = target;
  options.onlyFirstVariant = true;
  SourceTime time;
  time.kernel = kernel.str();
  std::vector<double> toIR, toPTX;
  for (int turn = 0; turn < repeats; ++turn) {
    Stopwatch watch;
    auto module = readSource(sources, kernel, context);
    if (!module)
      return module.takeError();
    toIR.push_back(watch.microseconds() / 1000);
    auto kernels = compile(**module, options);
    toPTX.push_back(watch.microseconds() / 1000);
    if (failed(kernels))
      return Error("expected '" + time.kernel + "' to compile for " + target +
                   ", got an error");
    time.ptxBytes = kernels->front().variants.front().ptx.size();
  }
  time.medianToIR = median(toIR);
  time.minToIR = *llvm::min_element(toIR);
  time.medianToPTX = median(toPTX);
  time.minToPTX = *llvm::min_element(toPTX);
  return time;
}

Result<std::vector<SourceTime>> bench::measureSource(const std::string &target,
                                                     const std::string &path,
                                                     int repeats) {
  Result<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(*text, path),
                             llvm::SMLoc());
  MLIRContext context;
  prepareContext(context);
  auto module = readSource(sources, "", context);
  if (!module)
    return module.takeError();
  std::vector<SourceTime> times;
  for (KernelOp kernel : (*module)->getOps<KernelOp>()) {
    auto time = timeSource(sources, kernel.getSymName(), target, repeats);
    if (!time)
      return time.takeError();
    times.push_back(std::move(*time));
  }
  return times;
}
