//===- Legality.h - Ops that a chip can execute -----------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TARGET_LEGALITY_H
#define TILE_TARGET_LEGALITY_H

#include "mlir/IR/BuiltinOps.h"
#include "tile/GPU/Target.h"

namespace tile {

/// Reports every op that the code generator could not select for this chip.
mlir::LogicalResult checkLegality(mlir::ModuleOp module,
                                  const TargetInfo &target);

/// Reports a kernel whose arguments are more bytes than this version of PTX
/// (times ten) takes.
mlir::LogicalResult checkParameters(mlir::ModuleOp module, unsigned ptxVersion);

} // namespace tile

#endif // TILE_TARGET_LEGALITY_H
