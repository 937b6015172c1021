//===- Case.h - One run: arguments and what is expected ---------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_CASE_H
#define TILE_RUN_CASE_H

#include "Launch.h"
#include "Options.h"
#include "Reference.h"
#include "Report.h"

#include "tile/Frontend/LanguageTerms.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace tile::run {

/// A kernel with its arguments and the values that are expected of them,
/// whatever it runs on.
class Case {
public:
  /// `options` are those of one run and stay with the caller.
  Case(const Options &options, mlir::MLIRContext &context)
      : options(options), context(context),
        diagnostics(shown, &context, llvm::errs()) {}

  /// Reads the program and makes the arguments.
  StepResult bind();
  /// Evaluates what is expected, from the arguments before the run.
  StepResult evaluateExpectations();
  /// After the run: compares the arguments with what was expected, guards
  /// included.
  StepResult compareResults(std::vector<Check> &checks);

  Launch &launch() { return theLaunch; }
  /// The argument of this name, or null.
  LaunchArgument *findArgument(llvm::StringRef name);
  /// Floating-point operations of what is expected, and bytes of all tensors.
  double operations() const;
  double bytes() const;

private:
  mlir::OwningOpRef<mlir::ModuleOp> compileLanguage(ExitCode &code,
                                                    bool &isSaid);
  StepResult parseFile();
  StepResult bindKernel();
  StepResult checkNames();
  StepResult checkScalars();
  StepResult makeMemory();
  void addIntegers(const ExpectedResult &expected, Reference &value);
  StepResult runOther(const ExpectedResult &expected,
                      runtime::Result<Reference> &value);
  StepResult checkGuards();
  Failure wrongExpectation(const ExpectedResult &expected,
                           const llvm::Twine &message);
  StepResult evaluateExpectation(const ExpectedResult &expected);
  runtime::Result<Reference> valueOf(const std::string &name);

  const Options &options;
  mlir::MLIRContext &context;
  llvm::SourceMgr sources;
  /// Its text without what a terminal would obey.
  llvm::SourceMgr shown;
  /// Prints errors with the line that they are about.
  mlir::SourceMgrDiagnosticHandler diagnostics;
  /// Of a .tile file.
  std::optional<frontend::LanguageTerms> terms;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Launch theLaunch;
  /// One for each expectation.
  std::vector<Reference> references;
};

} // namespace tile::run

#endif // TILE_RUN_CASE_H
