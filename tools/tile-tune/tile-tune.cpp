//===- tile-tune.cpp - Find the fastest way to compile a kernel -----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tune.h"
#include "files/Files.h"
#include "tile-run/MemoryLimit.h"

#include "mlir/IR/MLIRContext.h"
#include "tile/Target/Compile.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;
using namespace tile::tune;

/// Prints a failure and gives the exit code.
static int finish(const run::StepResult &result) {
  if (!result)
    return static_cast<int>(run::ExitCode::Ok);
  // LLVM's parser of options has printed its own.
  if (!result->message.empty())
    llvm::errs() << "tile-tune: " << result->message << '\n';
  return static_cast<int>(result->code);
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialise(argc, argv);
  run::reportMissingMemory("tile-tune");
  Options options;
  if (run::StepResult failure = readOptions(argc, argv, options))
    return finish(failure);
  mlir::DialectRegistry registry;
  registerCompileDialects(registry);
  mlir::MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  run::StepResult result = tuneProgram(options, context);
  // What was found stands before what went wrong.
  runtime::Status written = files::finishOutput();
  if (!result && !written)
    result = run::Failure(run::ExitCode::Runtime, written.error());
  return finish(result);
}
