//===- BlockLanes.h - The lanes of a strided block --------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_INTERPRETER_BLOCKLANES_H
#define TILE_LIB_INTERPRETER_BLOCKLANES_H

#include "GlobalMemory.h"

namespace tile::interpreter {

/// A strided block of global memory: element `index` of the tile lies at the
/// sum of (origin + index) * stride over the dimensions.
struct StridedBlock {
  llvm::ArrayRef<int64_t> shape;
  llvm::SmallVector<int64_t, 4> origin, strides;
  /// Indices from `begin` to before `end` are valid; both may lie outside the
  /// shape.
  llvm::SmallVector<int64_t, 4> begin, end;
};

/// The offsets of a block's lanes and which are valid, in the program's
/// scratch.
class BlockLanes {
public:
  BlockLanes(Program &program, const StridedBlock &block);

  /// Checks what a plan's vectors promise: the first element of each is aligned
  /// to the vector and, where `wholeOnly`, a vector is valid as a whole or not
  /// at all.
  llvm::LogicalResult checkVector(const Step &step, const Access &access,
                                  int64_t vector, unsigned elementBytes,
                                  bool wholeOnly) const;

  LaneOffsets laneOffsets() const { return {nullptr, offsets, block.shape}; }
  const uint8_t *validity() const { return mask; }
  int64_t size() const { return count; }

private:
  void fill();

  Program &program;
  const StridedBlock &block;
  int64_t count = 1;
  int64_t *offsets;
  uint8_t *mask;
};

} // namespace tile::interpreter

#endif // TILE_LIB_INTERPRETER_BLOCKLANES_H
