//===- EmitManifest.h - A planned kernel's contract -------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TARGET_EMITMANIFEST_H
#define TILE_TARGET_EMITMANIFEST_H

#include "mlir/IR/BuiltinOps.h"
#include "tile/Runtime/Manifest.h"

#include <vector>

namespace tile {

/// The manifests of the kernels of a module at the level of tile_gpu, the
/// variants of one kernel gathered into one.
std::vector<runtime::Manifest> emitManifests(mlir::ModuleOp module);

} // namespace tile

#endif // TILE_TARGET_EMITMANIFEST_H
