//===- Combine.h - Regions that combine elements ----------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What reductions and scans share: their region on two groups of elements, one
// for each operand, and the ways of such groups between lanes.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_COMBINE_H
#define TILE_CONVERSION_COMBINE_H

#include "AddressMap.h"

namespace tile {

/// The elements of all operands at one place.
using Group = llvm::SmallVector<mlir::Value, 2>;

/// A thread's groups, by the coordinate that thread 0 has there.
using GroupMap = std::map<std::vector<int64_t>, Group>;

/// The region of one reduction or scan.
class Combiner {
public:
  /// Takes the overflow flags off the region, whose parts are combined in an
  /// order of our own.
  Combiner(KernelLowering &kernel, mlir::Operation *op);

  /// Emits the region on two groups.
  mlir::FailureOr<Group> combine(const Group &left, const Group &right);

  /// Whether both orders of two groups give the same bits.
  bool isCommutative() const;
  /// Whether groups may be combined in any order and grouping with the same
  /// bits.
  bool isOrderFree() const;

private:
  KernelLowering &kernel;
  mlir::Block &block;
};

/// The groups that a thread holds of an op's operands.
GroupMap groupsOf(KernelLowering &kernel, mlir::ValueRange operands);

/// What the lane whose number differs in the bits of `mask` has.
Group shuffleXor(KernelLowering &kernel, const Group &group, int64_t mask);
/// What the lane with a number has.
Group shuffleFrom(KernelLowering &kernel, const Group &group, mlir::Value lane);

/// `yes` where a condition holds, else `no`.
Group select(KernelLowering &kernel, mlir::Value condition, const Group &yes,
             const Group &no);

} // namespace tile

#endif // TILE_CONVERSION_COMBINE_H
