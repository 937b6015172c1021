//===- ExpressionGraph.cpp - Expressions with equal parts once ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpressionGraph.h"

#include "Operators.h"

#include <algorithm>
#include <array>
#include <utility>

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

void ExpressionGraph::schedule() {
  // Operands of a node are at lower levels than it.
  std::vector<int32_t> levels(nodes.size()), order;
  initial = {std::vector<int64_t>(nodes.size()),
             std::vector<uint8_t>(nodes.size(), 1)};
  for (int32_t index = 0; index < int32_t(nodes.size()); ++index) {
    const Node &node = nodes[index];
    if (node.kind == Kind::Literal) {
      initial.values[index] = node.value;
      continue;
    }
    if (node.kind == Kind::Name) {
      names.push_back(index);
      continue;
    }
    int32_t right = node.right < 0 ? 0 : levels[node.right];
    levels[index] = 1 + std::max(levels[node.left], right);
    order.push_back(index);
  }
  auto rank = [&](int32_t index) {
    return std::make_tuple(levels[index], nodes[index].kind, index);
  };
  std::sort(order.begin(), order.end(),
            [&](int32_t a, int32_t b) { return rank(a) < rank(b); });
  for (int32_t index : order) {
    const Node &node = nodes[index];
    bool isNew = steps.empty() || batches.back().kind != node.kind ||
                 levels[steps.back().result] != levels[index];
    if (isNew)
      batches.push_back({node.kind, steps.size(), steps.size()});
    steps.push_back(
        {index, node.left, node.right < 0 ? node.left : node.right});
    batches.back().end = steps.size();
  }
}

template <size_t kind>
static void applySteps(const ExpressionGraph::Step *begin,
                       const ExpressionGraph::Step *end, int64_t *values,
                       uint8_t *isKnown) {
  for (const ExpressionGraph::Step *step = begin; step != end; ++step)
    isKnown[step->result] =
        applyOperator(Kind(kind), values[step->left], values[step->right],
                      values[step->result]) &
        isKnown[step->left] & isKnown[step->right];
}

using ApplySteps = decltype(&applySteps<0>);

template <size_t... kinds>
static constexpr std::array<ApplySteps, sizeof...(kinds)>
makeTable(std::index_sequence<kinds...>) {
  return {applySteps<kinds>...};
}

/// The loop for each operator.
static constexpr auto kApplySteps =
    makeTable(std::make_index_sequence<size_t(Kind::Or) + 1>());

ExpressionGraph::Values
ExpressionGraph::evaluate(const std::vector<int64_t> &slots) const {
  Values result = initial;
  for (int32_t name : names)
    result.values[name] = slots[nodes[name].value];
  for (const Batch &batch : batches)
    kApplySteps[size_t(batch.kind)](
        steps.data() + batch.begin, steps.data() + batch.end,
        result.values.data(), result.isKnown.data());
  return result;
}
