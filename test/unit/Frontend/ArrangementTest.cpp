//===- ArrangementTest.cpp - Levels, coordinates and bounds ---------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arrangement.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <set>

using namespace mlir;
using namespace tile::frontend;

namespace {
class ArrangementTest : public ::testing::Test {
protected:
  AffineExpr number(int64_t value) {
    return getAffineConstantExpr(value, &context);
  }
  AffineExpr symbol(unsigned position) {
    return getAffineSymbolExpr(position, &context);
  }
  SmallVector<AffineExpr> numbers(ArrayRef<int64_t> values) {
    SmallVector<AffineExpr> list;
    for (int64_t value : values)
      list.push_back(value < 0 ? AffineExpr() : number(value));
    return list;
  }
  static std::string nameOf(unsigned symbol) {
    return std::string(1, "MNK"[symbol]);
  }
  std::string text(const Arrangement &arrangement) {
    return arrangement.text(nameOf);
  }

  /// The coordinates at these values of the variables.
  std::vector<int64_t> at(const Arrangement &arrangement,
                          ArrayRef<int64_t> values) {
    SmallVector<AffineExpr> dims;
    for (int64_t value : values)
      dims.push_back(number(value));
    std::vector<int64_t> result;
    for (AffineExpr coordinate : arrangement.coordinates())
      result.push_back(
          cast<AffineConstantExpr>(coordinate.replaceDims(dims)).getValue());
    return result;
  }

  /// Calls visit for all values of the variables of all levels; sizes are
  /// constants.
  void forEachPlace(const Arrangement &arrangement,
                    function_ref<void(ArrayRef<int64_t>)> visit) {
    SmallVector<std::pair<unsigned, int64_t>> dims;
    for (const Arrangement::Level &level : arrangement.levels())
      for (const Arrangement::Dim &dim : level)
        dims.emplace_back(dim.variable,
                          cast<AffineConstantExpr>(dim.size).getValue());
    SmallVector<int64_t> values(arrangement.numVariables(), 0);
    for (;;) {
      visit(values);
      size_t i = 0;
      for (; i < dims.size(); ++i) {
        if (++values[dims[i].first] < dims[i].second)
          break;
        values[dims[i].first] = 0;
      }
      if (i == dims.size())
        return;
    }
  }

  /// Whether the place is an element, by the coordinates and the bounds.
  bool exists(const Arrangement &arrangement, ArrayRef<int64_t> sides,
              ArrayRef<int64_t> values) {
    for (auto [coordinate, side] :
         llvm::zip_equal(at(arrangement, values), sides))
      if (coordinate < 0 || coordinate >= side)
        return false;
    SmallVector<AffineExpr> dims;
    for (int64_t value : values)
      dims.push_back(number(value));
    return llvm::all_of(
        arrangement.bounds(), [&](const Arrangement::Bound &bound) {
          auto index = cast<AffineConstantExpr>(bound.index.replaceDims(dims));
          return index.getValue() <
                 cast<AffineConstantExpr>(bound.size).getValue();
        });
  }

  MLIRContext context;
};
} // namespace

/// The matmul's operands, level by level.
TEST_F(ArrangementTest, MatmulLevels) {
  Arrangement a(numbers({128, 192}));
  EXPECT_EQ(text(a), "(128, 192)");
  ASSERT_FALSE(a.tile(0, numbers({64, 64}), {}, {}));
  EXPECT_EQ(text(a), "(2, 3) -> (64, 64)");
  ASSERT_FALSE(a.tile(0, numbers({1, -1}), {}, {}));
  EXPECT_EQ(text(a), "(2, 1) -> (1, 3) -> (64, 64)");
  ASSERT_FALSE(a.expand(0, numbers({-1, 4}), nameOf));
  EXPECT_EQ(text(a), "(2, 4) -> (1, 3) -> (64, 64)");
  ASSERT_FALSE(a.squeeze(1, {0}, nameOf));
  EXPECT_EQ(text(a), "(2, 4) -> (3,) -> (64, 64)");
  EXPECT_TRUE(a.isShared());

  Arrangement b(numbers({192, 256}));
  ASSERT_FALSE(b.tile(0, numbers({64, 64}), {}, {}));
  ASSERT_FALSE(b.tile(0, numbers({-1, 1}), {}, {}));
  EXPECT_EQ(text(b), "(1, 4) -> (3, 1) -> (64, 64)");
  ASSERT_FALSE(b.expand(0, numbers({2, -1}), nameOf));
  ASSERT_FALSE(b.squeeze(1, {1}, nameOf));
  EXPECT_EQ(text(b), "(2, 4) -> (3,) -> (64, 64)");

  // Program (1, 2) at step 1 reads A[64:128, 64:128] and B[64:128, 128:192].
  auto corner = [&](const Arrangement &operand, ArrayRef<int64_t> tile) {
    SmallVector<int64_t> values(operand.numVariables(), 0);
    const Arrangement::Level &grid = operand.levels()[0];
    values[grid[0].variable] = 1;
    values[grid[1].variable] = 2;
    values[operand.levels()[1][0].variable] = 1;
    for (auto [dim, place] : llvm::zip_equal(operand.levels()[2], tile))
      values[dim.variable] = place;
    return at(operand, values);
  };
  EXPECT_EQ(corner(a, {0, 0}), (std::vector<int64_t>{64, 64}));
  EXPECT_EQ(corner(a, {63, 63}), (std::vector<int64_t>{127, 127}));
  EXPECT_EQ(corner(b, {0, 0}), (std::vector<int64_t>{64, 128}));
  EXPECT_EQ(corner(b, {63, 63}), (std::vector<int64_t>{127, 191}));
}

/// Sizes stay names until somebody knows them.
TEST_F(ArrangementTest, SymbolicSizes) {
  Arrangement a({symbol(0), symbol(2)});
  ASSERT_FALSE(a.tile(0, numbers({64, 32}), {}, {}));
  ASSERT_FALSE(a.tile(0, numbers({1, -1}), {}, {}));
  EXPECT_EQ(text(a), "(cdiv(M, 64), 1) -> (1, cdiv(K, 32)) -> (64, 32)");
  EXPECT_TRUE(a.bounds().empty());
  EXPECT_FALSE(a.isShared());
  Arrangement windows({symbol(1)});
  ASSERT_FALSE(windows.tile(0, numbers({3}), numbers({2}), {}));
  EXPECT_EQ(text(windows), "(cdiv(N - 3, 2) + 1,) -> (3,)");
  EXPECT_TRUE(windows.isShared());
  ASSERT_FALSE(windows.tile(0, {symbol(0)}, {}, {}));
  EXPECT_EQ(text(windows), "(cdiv(cdiv(N - 3, 2) + 1, M),) -> (M,) -> (3,)");
}

/// Without overlap each element is in one place, whatever the sides; the sides
/// alone say which places are elements.
TEST_F(ArrangementTest, EveryElementOnce) {
  for (int64_t side : {1, 5, 8, 13})
    for (int64_t first : {1, 3, 4, 16})
      for (int64_t second : {1, 2, 5}) {
        Arrangement a(numbers({side}));
        ASSERT_FALSE(a.tile(0, numbers({first}), {}, {}));
        ASSERT_FALSE(a.tile(0, numbers({second}), {}, {}));
        EXPECT_TRUE(a.bounds().empty());
        EXPECT_FALSE(a.isShared());
        std::multiset<int64_t> seen;
        forEachPlace(a, [&](ArrayRef<int64_t> values) {
          if (exists(a, {side}, values))
            seen.insert(at(a, values)[0]);
        });
        EXPECT_EQ(int64_t(seen.size()), side);
        EXPECT_EQ(std::set<int64_t>(seen.begin(), seen.end()).size(),
                  seen.size());
      }
}

/// Windows of 3 in steps of 2 over 8: 0..2, 2..4, 4..6, 6..8; with a dilation
/// of 2, windows span 5.
TEST_F(ArrangementTest, StridesAndDilation) {
  Arrangement a(numbers({8}));
  ASSERT_FALSE(a.tile(0, numbers({3}), numbers({2}), {}));
  EXPECT_EQ(text(a), "(4,) -> (3,)");
  EXPECT_EQ(at(a, {0, 3, 2}), (std::vector<int64_t>{8}));
  Arrangement b(numbers({9}));
  ASSERT_FALSE(b.tile(0, numbers({3}), numbers({1}), numbers({2})));
  EXPECT_EQ(text(b), "(5,) -> (3,)");
  EXPECT_EQ(at(b, {0, 4, 2}), (std::vector<int64_t>{8}));
}

/// Tiling the windows of an overlapping level needs a bound: there are windows
/// beyond the last whose elements exist.
TEST_F(ArrangementTest, OverlapNeedsBounds) {
  Arrangement a(numbers({8}));
  ASSERT_FALSE(a.tile(0, numbers({4}), numbers({1}), {}));
  EXPECT_EQ(text(a), "(5,) -> (4,)");
  ASSERT_FALSE(a.tile(0, numbers({2}), {}, {}));
  EXPECT_EQ(text(a), "(3,) -> (2,) -> (4,)");
  ASSERT_EQ(a.bounds().size(), 1u);
  std::multiset<int64_t> starts;
  forEachPlace(a, [&](ArrayRef<int64_t> values) {
    bool isFirst = values[a.levels()[2][0].variable] == 0;
    if (isFirst && exists(a, {8}, values))
      starts.insert(at(a, values)[0]);
  });
  EXPECT_EQ(starts, (std::multiset<int64_t>{0, 1, 2, 3, 4}));
  // Where the tiles fit, no bound is needed.
  Arrangement b(numbers({9}));
  ASSERT_FALSE(b.tile(0, numbers({4}), numbers({1}), {}));
  ASSERT_FALSE(b.tile(0, numbers({2}), {}, {}));
  EXPECT_TRUE(b.bounds().empty());
}

/// An inner level that is tiled raggedly is bounded too.
TEST_F(ArrangementTest, InnerTilesAreBounded) {
  Arrangement a(numbers({20}));
  ASSERT_FALSE(a.tile(0, numbers({10}), {}, {}));
  ASSERT_FALSE(a.tile(1, numbers({4}), {}, {}));
  EXPECT_EQ(text(a), "(2,) -> (3,) -> (4,)");
  ASSERT_EQ(a.bounds().size(), 1u);
  std::multiset<int64_t> seen;
  forEachPlace(a, [&](ArrayRef<int64_t> values) {
    if (exists(a, {20}, values))
      seen.insert(at(a, values)[0]);
  });
  EXPECT_EQ(seen.size(), 20u);
}

/// Dimensions move, appear and merge; what they stand for stays.
TEST_F(ArrangementTest, PermuteUnsqueezeFlatten) {
  Arrangement a(numbers({3, 4, 5}));
  ASSERT_FALSE(a.permute(0, {2, 0, 1}));
  EXPECT_EQ(text(a), "(5, 3, 4)");
  ASSERT_FALSE(a.unsqueeze(0, 1));
  EXPECT_EQ(text(a), "(5, 1, 3, 4)");
  ASSERT_FALSE(a.flatten(0, 2, 3));
  EXPECT_EQ(text(a), "(5, 1, 12)");
  EXPECT_TRUE(a.isFlattened());
  ASSERT_FALSE(a.tile(0, numbers({5, 1, 7}), {}, {}));
  EXPECT_EQ(text(a), "(1, 1, 2) -> (5, 1, 7)");
  EXPECT_TRUE(a.bounds().empty());
  std::set<std::vector<int64_t>> seen;
  forEachPlace(a, [&](ArrayRef<int64_t> values) {
    if (exists(a, {3, 4, 5}, values))
      EXPECT_TRUE(seen.insert(at(a, values)).second);
  });
  EXPECT_EQ(seen.size(), 60u);
}

/// Sizes that double with each operation are noticed before they are a burden.
TEST_F(ArrangementTest, TooLarge) {
  Arrangement a({symbol(0)});
  unsigned count = 0;
  for (AffineExpr size = symbol(0); !a.isTooLarge() && count < 50; ++count) {
    size = size * size;
    ASSERT_FALSE(a.unsqueeze(0, 0));
    SmallVector<AffineExpr> sizes(a.levels()[0].size());
    sizes[0] = size;
    ASSERT_FALSE(a.expand(0, sizes, nameOf));
  }
  EXPECT_LT(count, 20u);
}

/// What an operation cannot do is said, and nothing has changed.
TEST_F(ArrangementTest, Wrong) {
  Arrangement a({symbol(0), number(1)});
  auto wrong = [&](Arrangement::Wrong result, StringRef message) {
    EXPECT_EQ(result.value_or("nothing"), message);
    EXPECT_EQ(text(a), "(M, 1)");
  };
  wrong(a.tile(0, numbers({4}), {}, {}),
        "expected a size for each of the 2 dimensions of the level, got 1");
  wrong(a.tile(0, numbers({4, 4}), numbers({1}), {}),
        "expected a stride for each of the 2 dimensions of the level, got 1");
  wrong(a.tile(0, numbers({4, 0}), {}, {}),
        "expected a size from 1 to 2^31 - 1, got 0");
  wrong(a.tile(0, numbers({4, int64_t(1) << 31}), {}, {}),
        "expected a size from 1 to 2^31 - 1, got 2147483648");
  wrong(a.expand(0, numbers({4, -1}), nameOf),
        "expected a dimension of size 1 to expand, got M");
  wrong(a.squeeze(0, {0}, nameOf),
        "expected a dimension of size 1 to squeeze, got M");
  wrong(a.squeeze(0, {2}, nameOf),
        "expected a dimension from 0 to 1 of a level of 2, got 2");
  wrong(a.unsqueeze(0, 3),
        "expected a dimension from 0 to 2 of a level of 2, got 3");
  wrong(a.permute(0, {0, 0}),
        "expected each dimension from 0 to 1 once, got another order");
  wrong(a.flatten(0, 1, 0),
        "expected a first dimension before the last one, got 1 and 0");
}
