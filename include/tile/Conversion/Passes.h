//===- Passes.h - Passes that leave the tile dialects -----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_PASSES_H
#define TILE_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>

namespace tile {

/// The name of a kernel in PTX: characters that PTX does not allow become `$`
/// and their code in hexadecimal, so that different names stay different.
std::string ptxSymbol(llvm::StringRef kernelName);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tile/Conversion/Passes.h.inc"

} // namespace tile

#endif // TILE_CONVERSION_PASSES_H
