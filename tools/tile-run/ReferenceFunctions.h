//===- ReferenceFunctions.h - Functions of expectations ---------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_REFERENCEFUNCTIONS_H
#define TILE_RUN_REFERENCEFUNCTIONS_H

#include "Reference.h"

#include <optional>

namespace tile::run {

/// The function `name` of these operands.
runtime::Result<Reference> callFunction(const std::string &name,
                                        const std::vector<Reference> &operands);

/// The sides that both are repeated to: a side of 1 to the other one, and sides
/// that one lacks in front to the other's.
std::optional<std::vector<int64_t>>
broadcastSides(const std::vector<int64_t> &lhs,
               const std::vector<int64_t> &rhs);

/// `value` repeated to `sides`.
Reference broadcastTo(const Reference &value,
                      const std::vector<int64_t> &sides);

} // namespace tile::run

#endif // TILE_RUN_REFERENCEFUNCTIONS_H
