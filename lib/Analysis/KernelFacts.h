//===- KernelFacts.h - What is stated of a kernel's values ------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ANALYSIS_KERNELFACTS_H
#define TILE_LIB_ANALYSIS_KERNELFACTS_H

#include "tile/IR/TileOps.h"
#include "llvm/ADT/DenseMap.h"

namespace tile {

/// What `tile.fact` and `tile.assume` state of one value.
struct Fact {
  int64_t divisor = 1;
  int64_t min = std::numeric_limits<int64_t>::min();
  int64_t max = std::numeric_limits<int64_t>::max();
};

/// The facts that hold wherever their value exists: those on arguments, and
/// assumes in the kernel's entry block or in their value's own block, which are
/// reached whenever the value is computed.  (A program in which an assume does
/// not hold is wrong from the start.)
class KernelFacts {
public:
  explicit KernelFacts(mlir::Operation *kernel);

  /// The conjunction of all that is stated of `value`, or null.
  const Fact *find(mlir::Value value) const;

private:
  void add(mlir::Value value, FactAttr stated);

  llvm::DenseMap<mlir::Value, Fact> facts;
};

} // namespace tile

#endif // TILE_LIB_ANALYSIS_KERNELFACTS_H
