//===- BoundManifest.h - A manifest with its expressions parsed -*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_RUNTIME_BOUNDMANIFEST_H
#define TILE_LIB_RUNTIME_BOUNDMANIFEST_H

#include "ExpressionGraph.h"
#include "tile/Runtime/LaunchPlan.h"

namespace tile::runtime {

/// An expression whose names are positions in the list of a launch's values.
struct BoundExpression {
  Expression expression;
  std::vector<size_t> slots;
  /// Its node in the manifest's graph.
  size_t node = 0;

  /// The value, or why there is none.
  Result<int64_t> evaluate(const std::vector<int64_t> &values) const {
    std::vector<int64_t> gathered;
    for (size_t slot : slots)
      gathered.push_back(values[slot]);
    return expression.evaluate(gathered.data());
  }
};

/// Extents along x, y, z; empty where no formula is stated.
using BoundGrid = std::vector<BoundExpression>;

/// The expressions of one tensor map.
struct BoundTensorMap {
  std::vector<BoundExpression> dims, strides;
};

/// The expressions of one variant.
struct BoundVariant {
  std::vector<BoundExpression> requirements;
  std::optional<BoundExpression> cost;
  /// Empty where the kernel's grid holds.
  BoundGrid grid;
  std::vector<BoundTensorMap> tensorMaps;
};

/// The manifest and all its expressions.
struct LaunchChecker::State {
  Manifest manifest;
  BoundGrid grid;
  /// One for each argument; empty where there is no formula.
  std::vector<std::optional<BoundExpression>> bytes;
  std::vector<BoundVariant> variants;
  ExpressionGraph graph;

  BoundExpression bind(const std::string &text);
  template <typename Range>
  std::vector<BoundExpression> bindAll(const Range &texts) {
    std::vector<BoundExpression> bound;
    for (const std::string &text : texts)
      bound.push_back(bind(text));
    return bound;
  }
  /// Values by slot: the arguments, then the number of multiprocessors.
  std::vector<int64_t> slotsOf(const std::vector<LaunchValue> &values,
                               const DeviceFacts &device) const;
};

} // namespace tile::runtime

#endif // TILE_LIB_RUNTIME_BOUNDMANIFEST_H
