//===- Kernels.h - Kernels and their arguments ------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_KERNELS_H
#define TILE_RUN_KERNELS_H

#include "Launch.h"

namespace tile::run {

/// The kernels called `name`: the one with this symbol, or its variants, whose
/// symbols are NAME$VARIANT, from the most to the least specialised.
llvm::SmallVector<KernelOp> findKernels(mlir::ModuleOp module,
                                        llvm::StringRef name);

/// Makes the arguments of `kernel` from the specs, which may stand in any
/// order; no memory yet.  An error names the argument and what is expected of
/// it.
StepResult bindArguments(KernelOp kernel,
                         const std::vector<ArgumentSpec> &specs,
                         std::vector<LaunchArgument> &arguments);

/// Allocates and fills what pointers point to, unless that takes more than so
/// many bytes.
StepResult makeTensors(uint64_t memoryLimit,
                       std::vector<LaunchArgument> &arguments);

/// Checks what `tile.fact`s say of the arguments; `addresses` are those of the
/// pointers, 0 for scalars.  Without addresses pointers are not checked.
StepResult checkFacts(KernelOp kernel,
                      const std::vector<LaunchArgument> &arguments,
                      llvm::ArrayRef<uint64_t> addresses);

/// The first of `kernels` whose assumptions hold, or the one of the variant
/// that is forced.
StepResult chooseVariant(llvm::ArrayRef<KernelOp> kernels, const Launch &launch,
                         llvm::ArrayRef<uint64_t> addresses, KernelOp &chosen);

/// The caller's grid, or the kernel's formula at these arguments.  The caller's
/// may be less, except for a kernel whose CTAs walk all programs.
StepResult computeGrid(KernelOp kernel, const Launch &launch, Grid &grid);

} // namespace tile::run

#endif // TILE_RUN_KERNELS_H
