//===- Check.h - Runs a program at every stage ------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FUZZ_CHECK_H
#define TILE_FUZZ_CHECK_H

#include "Device.h"

namespace tile::fuzz {

/// What became of a program.
struct Verdict {
  enum Kind { Agrees, Refused, Fails } kind = Agrees;
  /// Where: the pass that refused or after which the program fails, "f64",
  /// "ptx" for what is past tile_gpu, "gpu" for a wrong result there, "driver"
  /// if the driver reports an error.
  std::string stage;
  /// Target and variant, what was expected and what was got.
  std::string text;
};

/// Runs the program on the interpreter as it is, compares it with the
/// evaluation in f64, and then for each target and each variant whose
/// assumptions hold runs it after every pass that changed it.  All runs must
/// leave the same bytes.
class Checker {
public:
  explicit Checker(mlir::MLIRContext &context) : context(context) {}

  Verdict check(const Recipe &recipe);
  mlir::MLIRContext &getContext() { return context; }

  /// A pass that is taken to have changed a result, to test the reports; empty:
  /// none.
  std::string spoiledPass;

  /// A pass that is taken to have refused every program, to test the same.
  std::string refusingPass;

  /// Whether what reaches the end of the pipeline is compiled to PTX, and where
  /// it then runs; may be null.
  bool compilesToPTX = false;
  DeviceRunner *device = nullptr;

  /// Runs of the interpreter so far, pipelines that reached the end, and those
  /// of them that became PTX.
  uint64_t numRuns = 0, numPipelines = 0, numCompiled = 0;

private:
  Verdict compileFor(llvm::StringRef target, mlir::ModuleOp module,
                     const Launch &launch, const Memory &expected,
                     std::string &diagnostics);

  mlir::MLIRContext &context;
};

/// Makes a failing program smaller as long as it fails at the same stage.
Recipe shrink(Checker &checker, Recipe recipe, const std::string &stage);

} // namespace tile::fuzz

#endif // TILE_FUZZ_CHECK_H
