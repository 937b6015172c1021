//===- Facts.h - What a fact demands of a value -----------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_INTERPRETER_FACTS_H
#define TILE_LIB_INTERPRETER_FACTS_H

#include "tile/IR/TileOps.h"
#include <optional>
#include <string>

namespace tile::interpreter {

/// How `value` breaks divisibility, min or max of a fact; nothing where it
/// holds.
std::optional<std::string> violationOf(FactAttr fact, int64_t value,
                                       bool isAddress);

} // namespace tile::interpreter

#endif // TILE_LIB_INTERPRETER_FACTS_H
