//===- tile-run.cpp - Run a kernel and check what it computed -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "RunBlocks.h"

#include "mlir/IR/MLIRContext.h"
#include "tile/Target/Compile.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile::run;

/// Prints a failure and gives the exit code.
static int finish(const StepResult &result) {
  if (!result)
    return static_cast<int>(ExitCode::Ok);
  llvm::outs().flush();
  // LLVM's parser of options has printed its own.
  if (!result->message.empty())
    llvm::errs() << "tile-run: " << result->message << '\n';
  return static_cast<int>(result->code);
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialise(argc, argv);
  Options options;
  if (StepResult failure = readOptions(argc, argv, options))
    return finish(failure);
  mlir::DialectRegistry registry;
  tile::registerCompileDialects(registry);
  mlir::MLIRContext context(registry);
  // The line of the source says enough; the op in generic form is for us.
  context.printOpOnDiagnostic(false);
  std::vector<Options> runs;
  if (StepResult failure = expandRuns(options, runs))
    return finish(failure);
  int code = 0;
  for (const Options &run : runs) {
    int own = finish(runKernel(run, context));
    code = code ? code : own;
  }
  return code;
}
