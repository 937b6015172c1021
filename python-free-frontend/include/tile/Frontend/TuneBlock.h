//===- TuneBlock.h - Candidates that a .tile file names ---------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `tune KERNEL { ... }` says, as plain data: values to try for
// compile-time parameters and plan keys, and what must hold of a choice.  The
// front end has checked that names exist; nothing is evaluated.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_TUNEBLOCK_H
#define TILE_FRONTEND_TUNEBLOCK_H

#include "tile/Frontend/RunBlock.h"

namespace tile::frontend {

/// `NAME in [64, 128]`, `NAME in 2..6`, or `NAME = 64`.
struct TuneRange {
  std::string name;
  llvm::SMRange range;
  /// Whether it is a plan key, such as `stages`, or else a compile-time
  /// parameter.
  bool isPlanKey = false;
  /// The values one by one; or, where `isInterval`, the first one and one past
  /// the last.  A word of a plan key, a type, `true` and `false` are names.
  std::vector<RunExpr> values;
  bool isInterval = false;
};

/// The candidates for one kernel.
struct TuneBlock {
  std::string kernel;
  llvm::SMRange range;
  std::vector<TuneRange> ranges;
  /// Each holds of every choice that is tried; `sizeof(T)` is a type's size in
  /// bytes.
  std::vector<RunExpr> constraints;
};

} // namespace tile::frontend

#endif // TILE_FRONTEND_TUNEBLOCK_H
