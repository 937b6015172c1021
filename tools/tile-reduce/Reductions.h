//===- Reductions.h - How an op becomes simpler -----------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TILE_REDUCE_REDUCTIONS_H
#define TILE_TOOLS_TILE_REDUCE_REDUCTIONS_H

#include "mlir/IR/DialectRegistry.h"

namespace tile::reduce {

/// Adds to the registry what the reducer may try on each op, beside erasing it
/// with its neighbours: drop it if it has no results, put an operand of the
/// same type in its place, or a zero.
void registerReductions(mlir::DialectRegistry &registry);

} // namespace tile::reduce

#endif // TILE_TOOLS_TILE_REDUCE_REDUCTIONS_H
