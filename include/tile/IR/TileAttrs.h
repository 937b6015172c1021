//===- TileAttrs.h - Attributes of the tile dialect -------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_IR_TILEATTRS_H
#define TILE_IR_TILEATTRS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TensorEncoding.h"
#include "tile/Layout/TileLayout.h"

#include <optional>

#include "tile/IR/TileEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tile/IR/TileAttrs.h.inc"

namespace tile {

/// Names under which attributes of this dialect stand on ops of others.
/// `tile.fact` (#tile.fact) on a kernel's argument: what every launch fulfils.
inline constexpr llvm::StringLiteral kFactName = "tile.fact";
/// `tile.contiguous` (unit) on a kernel's integer argument that is a stride:
/// variants assume 1 of it, rather than of the stride of the last dimension.
inline constexpr llvm::StringLiteral kContiguousName = "tile.contiguous";
/// `tile.pipeline` (#tile.pipeline) on an scf.for: the loop's plan.
inline constexpr llvm::StringLiteral kPipelineName = "tile.pipeline";
/// `tile.stage` (i64) on an op in such a loop: how many iterations after the
/// first stage it runs.
inline constexpr llvm::StringLiteral kStageName = "tile.stage";
/// `tile.decisions` (array of [place, text]) on a kernel: the decision log.
inline constexpr llvm::StringLiteral kDecisionsName = "tile.decisions";

} // namespace tile

#endif // TILE_IR_TILEATTRS_H
