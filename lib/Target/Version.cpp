//===- Version.cpp - Which compiler this is -------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Target/Version.h"

#include "llvm/Config/llvm-config.h"

llvm::StringRef tile::compilerVersion() {
  return TILE_VERSION " with LLVM " LLVM_VERSION_STRING;
}
