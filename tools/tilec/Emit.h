//===- Emit.h - What tilec writes -------------------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TILEC_EMIT_H
#define TILE_TOOLS_TILEC_EMIT_H

#include "Options.h"

namespace tile::tilec {

/// Compiles as far as `options.emit` says; the text, or the bytes of a cubin,
/// go to `result`.
ExitCode emit(mlir::ModuleOp module, const Options &options,
              std::string &result);

} // namespace tile::tilec

#endif // TILE_TOOLS_TILEC_EMIT_H
