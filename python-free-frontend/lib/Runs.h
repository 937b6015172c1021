//===- Runs.h - Run blocks and the kernels that they name -------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_RUNS_H
#define TILE_FRONTEND_RUNS_H

#include "Ast.h"
#include "Diagnostics.h"

namespace tile::frontend {

/// The expression as data, or an error where a run block has no such thing.
bool toRunExpr(const Expr &expr, RunExpr &result, DiagnosticList &errors);

/// The one of `known` that is probably meant, the first of several; empty if
/// none is near.
llvm::StringRef nearestName(llvm::StringRef name,
                            llvm::ArrayRef<llvm::StringRef> known);

/// "did you mean 'BLOCK'?", or nothing if no name is near.
std::string helpForName(llvm::StringRef name,
                        llvm::ArrayRef<llvm::StringRef> known);

/// Likewise, or what to write instead of a word of another language.
std::string helpForWord(llvm::StringRef name,
                        llvm::ArrayRef<llvm::StringRef> known);

/// Likewise of a type.
std::string helpForType(llvm::StringRef name);

/// Whether `name` is an element type.
bool isTypeName(llvm::StringRef name);

/// The kernel called `name`, or an error.
const Kernel *findKernel(llvm::ArrayRef<Kernel> kernels, llvm::StringRef name,
                         llvm::SMRange range, DiagnosticList &errors);

/// What a run block needs to know of the kernel.
RunKernel describeKernel(const Kernel &kernel);

/// Says so where the expression calls what is no function of expectations, or
/// with other operands than it has.
void checkCall(const RunExpr &expr, llvm::ArrayRef<Function> functions,
               DiagnosticList &errors);

/// Checks the names in tune declarations.
void linkTunes(SourceFile &file, DiagnosticList &errors);

/// Gives each run block its kernels, and checks the names in it.
void linkRuns(SourceFile &file, DiagnosticList &errors);

} // namespace tile::frontend

#endif // TILE_FRONTEND_RUNS_H
