//===- Header.h - A compiled kernel as a C header ---------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For programs that ship without the compiler and without files beside them:
// the manifest and the PTX of every variant as string literals, in C and C++.
// For the kernel `matmul`:
//
//   static const char matmul_manifest[] = "{...";
//   static const struct { const char *name, *ptx; } matmul_variants[] = {
//     {"aligned16", ".version 8.0\n..."},
//     ...
//   };
//
// The first goes to `runtime::readManifest`, the second to `Kernel::load`.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TARGET_HEADER_H
#define TILE_TARGET_HEADER_H

#include "tile/Target/Compile.h"

namespace tile {

/// The header of `kernel`; an error at `loc` if its manifest cannot be written.
/// What is no letter, digit or `_` in the kernel's name becomes `_`.
mlir::FailureOr<std::string> emitHeader(mlir::Location loc,
                                        const CompiledKernel &kernel);

} // namespace tile

#endif // TILE_TARGET_HEADER_H
