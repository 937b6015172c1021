//===- ExpressionGraphTest.cpp - Many expressions in one pass -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpressionGraph.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace tile::runtime;

namespace {

constexpr const char *kNames[] = {"a", "b", "c"};

/// Draws the text of an expression over kNames.
class Draw {
public:
  explicit Draw(unsigned seed) : random(seed) {}

  std::string expression(int depth) {
    if (depth == 0 || below(5) == 0)
      return leaf();
    std::string left = expression(depth - 1), right = expression(depth - 1);
    static constexpr const char *kInfix[] = {
        "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or"};
    static constexpr const char *kCalls[] = {"cdiv", "floordiv", "mod", "min",
                                             "max"};
    switch (below(4)) {
    case 0:
      return std::string(kCalls[below(std::size(kCalls))]) + "(" + left + ", " +
             right + ")";
    case 1:
      return (below(2) ? "(-" : "(not ") + left + ")";
    default:
      return "(" + left + " " + kInfix[below(std::size(kInfix))] + " " + right +
             ")";
    }
  }

  int64_t value() {
    static constexpr int64_t kEdges[] = {0, 1, -1, 7, -8, INT64_MAX, INT64_MIN};
    return below(3) ? int64_t(below(200)) - 100
                    : kEdges[below(std::size(kEdges))];
  }

private:
  size_t below(size_t bound) { return random() % bound; }
  std::string leaf() {
    return below(2) ? kNames[below(std::size(kNames))]
                    : std::to_string(below(9));
  }

  std::mt19937 random;
};

// What the graph knows is what each expression comes to alone; what has no
// value alone is not known, and most of what has one is.
TEST(ExpressionGraphTest, ValuesAreThoseOfTheExpressions) {
  Draw draw(/*seed=*/1);
  ExpressionGraph graph;
  std::vector<Expression> expressions;
  std::vector<std::vector<size_t>> slots;
  std::vector<size_t> nodes;
  for (int count = 0; count < 500; ++count) {
    Result<Expression> parsed = Expression::parse(draw.expression(4));
    ASSERT_TRUE(static_cast<bool>(parsed));
    std::vector<size_t> places;
    for (const std::string &name : parsed->names())
      places.push_back(name[0] - 'a');
    nodes.push_back(graph.add(*parsed, places));
    slots.push_back(std::move(places));
    expressions.push_back(std::move(*parsed));
  }
  graph.schedule();
  size_t numKnown = 0, numValues = 0;
  for (int launch = 0; launch < 200; ++launch) {
    std::vector<int64_t> values = {draw.value(), draw.value(), draw.value()};
    ExpressionGraph::Values found = graph.evaluate(values);
    for (size_t i = 0; i < expressions.size(); ++i) {
      std::vector<int64_t> gathered;
      for (size_t slot : slots[i])
        gathered.push_back(values[slot]);
      Result<int64_t> alone = expressions[i].evaluate(gathered.data());
      numValues += static_cast<bool>(alone);
      if (!found.isKnown[nodes[i]])
        continue;
      ++numKnown;
      ASSERT_TRUE(static_cast<bool>(alone)) << expressions[i].text();
      ASSERT_EQ(found.values[nodes[i]], *alone) << expressions[i].text();
    }
  }
  // Divisions of negative numbers, and operands that "and" and "or" would not
  // look at, are left to the expression.
  EXPECT_GT(2 * numKnown, numValues);
}

// Operands are there before their users, whatever the order of adding, and
// equal parts are one node.
TEST(ExpressionGraphTest, DeepAndShared) {
  ExpressionGraph graph;
  size_t deep =
      graph.add(*Expression::parse("a + (a + (a + cdiv(a, 2)))"), {0});
  size_t part = graph.add(*Expression::parse("cdiv(b, 2)"), {0});
  size_t whole = graph.add(*Expression::parse("a + (a + cdiv(a, 2))"), {0});
  size_t literal = graph.add(*Expression::parse("5"), {});
  graph.schedule();
  ExpressionGraph::Values found = graph.evaluate({9});
  EXPECT_EQ(found.values[deep], 32);
  EXPECT_EQ(found.values[part], 5);
  EXPECT_EQ(found.values[whole], 23);
  EXPECT_EQ(found.values[literal], 5);
  // a, 2, the quotient, three sums, 5.
  EXPECT_EQ(found.values.size(), 7u);
}

} // namespace
