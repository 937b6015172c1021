//===- BoundManifest.h - A manifest with its expressions parsed -*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_RUNTIME_BOUNDMANIFEST_H
#define TILE_LIB_RUNTIME_BOUNDMANIFEST_H

#include "tile/Runtime/LaunchPlan.h"

#include <iterator>

namespace tile::runtime {

/// An expression whose names are positions in the list of a launch's values.
struct BoundExpression {
  Expression expression;
  std::vector<size_t> slots;

  Result<int64_t> evaluate(const std::vector<int64_t> &values) const {
    // A launch evaluates dozens of these: nothing is allocated for few names.
    int64_t few[8];
    std::vector<int64_t> many;
    int64_t *gathered = few;
    if (slots.size() > std::size(few)) {
      many.resize(slots.size());
      gathered = many.data();
    }
    for (size_t index = 0; index < slots.size(); ++index)
      gathered[index] = values[slots[index]];
    return expression.evaluate(gathered);
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
  /// Indices into the state's conditions.
  std::vector<size_t> requirements;
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
  /// The requirements of all variants, each text once: variants of one kernel
  /// mostly ask for the same, and a launch evaluates no condition twice.
  std::vector<BoundExpression> conditions;

  /// The index of the condition `text`, which is added if it is new.
  size_t conditionFor(const std::string &text);
  BoundExpression bind(const std::string &text) const;
  template <typename Range>
  std::vector<BoundExpression> bindAll(const Range &texts) const {
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
