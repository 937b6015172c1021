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

/// The value that an integer or a float is spelled with.
bool readNumber(llvm::StringRef text, double &value);

/// Whether `name` is an element type.
bool isTypeName(llvm::StringRef name);

/// The kernel called `name`, or an error.
const Kernel *findKernel(llvm::ArrayRef<Kernel> kernels, llvm::StringRef name,
                         llvm::SMRange range, DiagnosticList &errors);

/// Says so where the expression calls a function of the file.
void checkCall(const RunExpr &expr, llvm::ArrayRef<Function> functions,
               DiagnosticList &errors);

/// Checks the names in tune declarations.
void linkTunes(SourceFile &file, DiagnosticList &errors);

/// Gives each run block its kernels, and checks the names in it.
void linkRuns(SourceFile &file, DiagnosticList &errors);

} // namespace tile::frontend

#endif // TILE_FRONTEND_RUNS_H
