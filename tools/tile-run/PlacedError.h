//===- PlacedError.h - Something wrong at a place ---------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_PLACEDERROR_H
#define TILE_RUN_PLACEDERROR_H

#include "llvm/Support/SMLoc.h"

#include <optional>
#include <string>

namespace tile::run {

/// Something wrong at a place in the file, or on the command line, which has
/// none.
struct PlacedError {
  llvm::SMRange range;
  std::string message;
  /// A second place that it is about, where there is one.
  llvm::SMRange noteRange = {};
  std::string note = {};
  /// What to write instead, where that is likely.
  std::string help = {};
};
using BindResult = std::optional<PlacedError>;

} // namespace tile::run

#endif // TILE_RUN_PLACEDERROR_H
