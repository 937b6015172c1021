//===- LaneStrides.h - How far apart neighbouring lanes are -----*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an offset grows by from one lane of a tile to the next along an axis,
// or from one turn of a loop to the next, as a product of numbers and values.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_LANESTRIDES_H
#define TILE_FRONTEND_LANESTRIDES_H

#include "tile/IR/TileOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace tile::frontend {

/// `factor` times each of the symbols.
struct LaneStride {
  int64_t factor = 0;
  /// Values that are the same on all of the lanes or turns, in an order of
  /// their own, each as often as it is a factor.  A tile where its elements
  /// differ along other axes.
  llvm::SmallVector<mlir::Value, 2> symbols;

  bool isZero() const { return factor == 0; }
  /// Whether neighbours touch, whatever is launched.
  bool isContiguous() const {
    return symbols.empty() && (factor == 1 || factor == -1);
  }
};

/// The value behind splats, broadcasts and new sides.
mlir::Value withoutShape(mlir::Value value);

/// Strides of the integers of one kernel.
class LaneStrides {
public:
  /// From one lane to the next along `axis`; none where it is not one product.
  std::optional<LaneStride> along(mlir::Value value, unsigned axis);
  /// From one turn of the loop to the next.
  std::optional<LaneStride> perTurn(mlir::Value value, mlir::scf::ForOp loop);

private:
  /// An axis of a tile, or a loop.
  struct Direction {
    unsigned axis = 0;
    mlir::scf::ForOp loop = {};
  };
  using Stride = std::optional<LaneStride>;

  Stride of(mlir::Value value, Direction direction);
  Stride compute(mlir::Value value, Direction direction);
  Stride ofArgument(mlir::BlockArgument argument, Direction direction);
  Stride ofProduct(mlir::Value left, mlir::Value right, Direction direction);
  Stride ofShape(mlir::Operation *op, Direction direction);

  llvm::DenseMap<std::pair<mlir::Value, unsigned>, Stride> alongAxes;
  unsigned numLevels = 0;
  /// Of `turns.first`.
  std::pair<mlir::Operation *, llvm::DenseMap<mlir::Value, Stride>> turns;
};

} // namespace tile::frontend

#endif // TILE_FRONTEND_LANESTRIDES_H
