//===- tile-run.cpp - Run a kernel and check what it computed -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FirstBits.h"
#include "MemoryLimit.h"
#include "Plans.h"
#include "Run.h"
#include "RunBlocks.h"
#include "Tuning.h"

#include "files/Files.h"
#include "mlir/IR/MLIRContext.h"
#include "tile/Runtime/Device.h"
#include "tile/Target/Compile.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile::run;
using tile::runtime::Device;
using tile::runtime::Driver;
using tile::runtime::Result;

/// Prints a failure and gives the exit code.
static int finish(const StepResult &result) {
  if (!result)
    return static_cast<int>(ExitCode::Ok);
  llvm::outs().flush();
  // LLVM's parser of options has printed its own.
  if (!result->message.empty() && !result->isSaid)
    llvm::errs() << "tile-run: " << result->where
                 << (result->where.empty() ? "" : ": ") << result->message
                 << '\n';
  return static_cast<int>(result->code);
}

/// The device that several runs use.  Its context lives as long as somebody
/// holds it, and making one takes longer than most runs; whoever needs the
/// device and cannot have it says so.
static std::optional<Device> holdDevice(const Options &options) {
  if (options.device == DeviceChoice::Interpreter || options.verification)
    return std::nullopt;
  Result<std::shared_ptr<const Driver>> driver = Driver::open();
  if (!driver)
    return std::nullopt;
  Result<Device> device = Device::open(std::move(*driver));
  return device ? std::optional<Device>(std::move(*device)) : std::nullopt;
}

/// Runs one program under each of its plans; the first failure's exit code.
static int runPlans(const Options &options, const Options &run,
                    mlir::MLIRContext &context, std::optional<Device> &device) {
  std::vector<Options> plans = {run};
  expandPlans(options, plans);
  if (options.sameBits && plans.size() < 2)
    return finish(Failure(ExitCode::Usage,
                          "--same-bits: expected several plans, got one"));
  FirstBits firstBits;
  int code = 0;
  for (const Options &plan : plans) {
    int own = finish(runKernel(plan, context, firstBits));
    code = code ? code : own;
    // A fault on the device makes its context useless for the next plan.
    if (own != static_cast<int>(ExitCode::Runtime))
      continue;
    device.reset();
    device = holdDevice(options);
  }
  return code;
}

/// Of a file that does not compile, says what is wrong with the rest of it.
static int finishFile(const Options &options, const std::vector<Options> &runs,
                      mlir::MLIRContext &context, int code) {
  if (code == static_cast<int>(ExitCode::Compile))
    printOtherErrors(options, runs, context);
  return code;
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialise(argc, argv);
  reportMissingMemory("tile-run");
  Options options;
  if (StepResult failure = readOptions(argc, argv, options))
    return finish(failure);
  mlir::DialectRegistry registry;
  tile::registerCompileDialects(registry);
  mlir::MLIRContext context(registry);
  // The line of the source says enough; the op in generic form is for us.
  context.printOpOnDiagnostic(false);
  std::vector<Options> runs;
  int code = 0;
  std::vector<Failure> failures = expandRuns(options, runs);
  // A file without a block to run may still not compile.
  if (runs.empty())
    printOtherErrors(options, runs, context);
  for (const Failure &failure : failures) {
    int own = finish(failure);
    code = code ? code : own;
  }
  // Other blocks than those that cannot be run do.
  if (llvm::all_of(runs, [](const Options &run) { return run.isOut; }))
    return finishFile(options, runs, context, code);
  if (!options.table.empty())
    if (StepResult failure = applyTuning(options, context, runs))
      return finish(failure);
  numberDumps(runs);
  std::optional<Device> device = holdDevice(options);
  for (const Options &run : runs) {
    if (run.isOut)
      continue;
    int own = runPlans(options, run, context, device);
    code = code ? code : own;
  }
  finishFile(options, runs, context, code);
  if (tile::runtime::Status written = tile::files::finishOutput(); !written)
    code = finish(Failure(ExitCode::Runtime, written.error()));
  return code;
}
