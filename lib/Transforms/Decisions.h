//===- Decisions.h - The log of what was decided and why --------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every decision is a remark for people and tools, and a line of the kernel's
// log, which the manifest repeats.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_DECISIONS_H
#define TILE_TRANSFORMS_DECISIONS_H

#include "tile/IR/TileOps.h"

namespace tile {

/// Collects the decisions about one kernel.
class DecisionLog {
public:
  explicit DecisionLog(KernelOp kernel) : kernel(kernel) {}

  /// Notes what was chosen for `op`.
  void chosen(mlir::Operation *op, const llvm::Twine &text);
  /// Notes what could not be had for `op`, and why.
  void rejected(mlir::Operation *op, const llvm::Twine &text);
  /// Writes the log to the kernel.
  void finish();

private:
  void add(mlir::Operation *op, llvm::StringRef text);

  KernelOp kernel;
  llvm::SmallVector<mlir::Attribute> lines;
};

} // namespace tile

#endif // TILE_TRANSFORMS_DECISIONS_H
