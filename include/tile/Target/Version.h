//===- Version.h - Which compiler this is -----------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TARGET_VERSION_H
#define TILE_TARGET_VERSION_H

#include "llvm/ADT/StringRef.h"

namespace tile {

/// "0.1.0 with LLVM 22.1.0": what measurements of compiled code hold for.
llvm::StringRef compilerVersion();

} // namespace tile

#endif // TILE_TARGET_VERSION_H
