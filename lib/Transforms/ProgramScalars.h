//===- ProgramScalars.h - A kernel's scalars, program by program *- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A CTA that runs several programs computes what a kernel computes before its
// loop anew for each.  Here: for which program, and into which values.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PROGRAMSCALARS_H
#define TILE_TRANSFORMS_PROGRAMSCALARS_H

#include "tile/Analysis/ScalarExpr.h"
#include "tile/IR/TileOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace tile {

/// How many programs a launch has on axis x, as an i32: the first result of the
/// kernel's grid, which it must have.
mlir::Value materializeNumPrograms(mlir::OpBuilder &builder, KernelOp kernel);

/// Moves program ids and counts, wherever they are, to the kernel's beginning.
void hoistProgram(KernelOp kernel);

/// Maps the kernel's program ids and counts on axis x, all at its beginning, to
/// `program` and `programs`.
void mapProgram(mlir::IRMapping &scalars, KernelOp kernel, mlir::Value program,
                mlir::Value programs);

/// Clones what is before `loop` and touches no memory, but for program ids and
/// counts that `scalars` maps, and maps it to the clones.
void cloneScalars(mlir::OpBuilder &builder, mlir::scf::ForOp loop,
                  mlir::IRMapping &scalars);

/// An expression over values of `loop` as an i32, with `iteration` for its
/// induction variable and what `scalars` maps them to for the others.
mlir::Value materializeScalar(mlir::OpBuilder &builder, mlir::scf::ForOp loop,
                              const ScalarExpr &expr,
                              const mlir::IRMapping &scalars,
                              mlir::Value iteration);

} // namespace tile

#endif // TILE_TRANSFORMS_PROGRAMSCALARS_H
