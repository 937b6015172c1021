//===- ExpressionGraph.cpp - Expressions with equal parts once ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpressionGraph.h"

#include "Operators.h"

using namespace tile::runtime;
using Kind = Expression::Kind;

size_t ExpressionGraph::add(const Expression &expression,
                            const std::vector<size_t> &slots) {
  std::vector<int32_t> places;
  for (Node node : expression.nodes()) {
    if (node.left >= 0)
      node.left = places[node.left];
    if (node.right >= 0)
      node.right = places[node.right];
    if (node.kind == Kind::Name)
      node.value = static_cast<int64_t>(slots[node.value]);
    Key key(node.kind, node.left, node.right, node.value);
    auto [place, isNew] = known.emplace(key, int32_t(nodes.size()));
    if (isNew)
      nodes.push_back(node);
    places.push_back(place->second);
  }
  return places.back();
}

ExpressionGraph::Values
ExpressionGraph::evaluate(const std::vector<int64_t> &slots) const {
  Values result{std::vector<int64_t>(nodes.size()),
                std::vector<uint8_t>(nodes.size())};
  int64_t *values = result.values.data();
  uint8_t *isKnown = result.isKnown.data();
  for (size_t index = 0; index < nodes.size(); ++index) {
    const Node &node = nodes[index];
    isKnown[index] = 1;
    if (node.kind == Kind::Literal)
      values[index] = node.value;
    else if (node.kind == Kind::Name)
      values[index] = slots[node.value];
    else
      isKnown[index] =
          isKnown[node.left] && (node.right < 0 || isKnown[node.right]) &&
          applyOperator(node.kind, values[node.left],
                        node.right < 0 ? 0 : values[node.right], values[index]);
  }
  return result;
}
