//===- ExpressionGraph.h - Expressions with equal parts once ----*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The variants of a kernel ask for much the same: "sam % 8 == 0" stands in
// each, and "cdiv(K, 64)" in every cost.  All expressions of a manifest are one
// graph, and a launch evaluates it in one pass: operator by operator, since a
// jump for each node is what a processor that has just run the driver guesses
// wrong.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_RUNTIME_EXPRESSIONGRAPH_H
#define TILE_LIB_RUNTIME_EXPRESSIONGRAPH_H

#include "tile/Runtime/Expression.h"

#include <tuple>

namespace tile::runtime {

class ExpressionGraph {
public:
  /// What the nodes come to under one launch's values.
  struct Values {
    std::vector<int64_t> values;
    /// 0 where a node has no value: an overflow, a division by zero, or a rare
    /// case that is left to `Expression::evaluate`.
    std::vector<uint8_t> isKnown;
  };

  /// An operator that is applied to two nodes; one that takes a single operand
  /// has it twice.
  struct Step {
    int32_t result, left, right;
  };

  /// Adds `expression`, whose name number i is the launch's value number
  /// `slots[i]`, and returns the node that stands for it.
  size_t add(const Expression &expression, const std::vector<size_t> &slots);

  /// Puts the nodes in order; to be called after the last `add`.
  void schedule();

  Values evaluate(const std::vector<int64_t> &slots) const;

private:
  using Kind = Expression::Kind;
  using Node = Expression::Node;
  using Key = std::tuple<Kind, int32_t, int32_t, int64_t>;

  /// Steps of one operator, from `begin` to before `end`, none of which needs
  /// another's result.
  struct Batch {
    Kind kind;
    size_t begin, end;
  };

  /// Operands precede users.
  std::vector<Node> nodes;
  std::map<Key, int32_t> known;

  /// Literals at their nodes, 0 at all others.
  Values initial;
  /// Nodes of names.
  std::vector<int32_t> names;
  std::vector<Step> steps;
  std::vector<Batch> batches;
};

} // namespace tile::runtime

#endif // TILE_LIB_RUNTIME_EXPRESSIONGRAPH_H
