//===- QueriesTest.cpp - Vector width, conflicts, conversions, owners -----===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/Queries.h"
#include "LayoutText.h"
#include "tile/Layout/Constructors.h"

using namespace tile;

namespace {

using Bases = LinearLayout::Bases;
using Kind = ConversionKind;

TileLayout distributed(Bases reg, Bases lane, Bases warp,
                       std::vector<int64_t> sides) {
  return TileLayout::fromAtom(must(LinearLayout::create(
      {{LayoutIn::Reg, reg}, {LayoutIn::Lane, lane}, {LayoutIn::Warp, warp}},
      sides)));
}

//===----------------------------------------------------------------------===//
// Vector width
//===----------------------------------------------------------------------===//

// The width is that of the leading register bits along the dimension, within
// the limit.
TEST(VectorWidth, Layouts) {
  TileLayout rows = must(blocked({32, 64}, {1, 8}, {4, 8}, {4, 1}, {1, 0}));
  EXPECT_EQ(vectorWidth(rows, 1, 16), 8);
  EXPECT_EQ(vectorWidth(rows, 1, 4), 4);
  EXPECT_EQ(vectorWidth(rows, 1, 7), 4);
  EXPECT_EQ(vectorWidth(rows, 1, 1), 1);
  EXPECT_EQ(vectorWidth(rows, 0, 16), 1);
  EXPECT_EQ(vectorWidth(must(mmaAccumulator({64, 64}, {2, 2})), 1, 8), 2);
  EXPECT_EQ(
      vectorWidth(must(fmaAccumulator({64, 64}, {8, 8}, {4, 8}, {1, 1})), 1, 8),
      4);
}

// A lane that flips bits inside the vector makes it narrower: elements would
// come in another order.
TEST(VectorWidth, MisalignedLane) {
  EXPECT_EQ(vectorWidth(distributed({{1}, {2}}, {{6}}, {}, {8}), 0, 4), 2);
  EXPECT_EQ(vectorWidth(distributed({{1}, {2}}, {{5}}, {}, {8}), 0, 4), 1);
}

//===----------------------------------------------------------------------===//
// Bank conflicts
//===----------------------------------------------------------------------===//

// ldmatrix on f16: rows of 128, 64 and 32 bytes conflict 8, 4 and 2 times (what
// was measured on an H200) and never under their swizzle.
TEST(BankConflicts, Ldmatrix) {
  TileLayout access = must(ldmatrixAccess(16));
  for (auto [cols, plain] : {std::pair(64, 8), {32, 4}, {16, 2}, {8, 1}}) {
    TileLayout narrow = access;
    if (cols < 16)
      narrow =
          distributed({{0, 1}, {0, 2}, {0, 4}},
                      {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}}, {}, {32, 8});
    EXPECT_EQ(bankConflicts(must(sharedRowMajor(64, cols)), narrow, 8, 16),
              plain);
    EXPECT_EQ(
        bankConflicts(must(sharedSwizzled(64, cols, 16, true)), narrow, 8, 16),
        1);
  }
}

// Fragment stores of 4 bytes on 128-byte rows conflict 8 times, and not at all
// under the 128-byte swizzle.
TEST(BankConflicts, FragmentStore) {
  TileLayout access = must(mmaAccumulator({64, 64}, {2, 2}));
  EXPECT_EQ(bankConflicts(must(sharedRowMajor(64, 64)), access, 2, 16), 8);
  EXPECT_EQ(
      bankConflicts(must(sharedSwizzled(64, 64, 16, true)), access, 2, 16), 1);
}

// The promise of fmaAccumulator: LDS.128 of rows of B and of columns of A are
// free of conflicts.
TEST(BankConflicts, FmaOperands) {
  // A row of B: lanes along n as in the accumulator, k fixed.
  TileLayout b = distributed(
      {{0, 1}, {0, 2}}, {{0, 4}, {0, 8}, {0, 16}, {0, 0}, {0, 0}}, {}, {1, 32});
  EXPECT_EQ(bankConflicts(must(sharedRowMajor(16, 128)), b, 4, 32), 1);
  // 4 values of k in the 4 rows of A of a warp, in 64-byte rows.
  TileLayout a = distributed(
      {{0, 1}, {0, 2}}, {{0, 0}, {0, 0}, {0, 0}, {1, 0}, {2, 0}}, {}, {4, 4});
  EXPECT_EQ(bankConflicts(must(sharedSwizzled(128, 16, 32, true)), a, 4, 32),
            1);
}

// Lanes that read the same word share it; bytes of one word too.
TEST(BankConflicts, Broadcast) {
  TileLayout same = distributed({}, Bases(5, Coord{0}), {}, {1});
  EXPECT_EQ(
      bankConflicts(must(sharedRowMajor(1, 64)), same.expandDims(0), 1, 32), 1);
  TileLayout bytes =
      distributed({}, {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}}, {}, {1, 32});
  EXPECT_EQ(bankConflicts(must(sharedRowMajor(1, 64)), bytes, 1, 8), 1);
}

// Lanes that cross repetitions of the shared atom: a pitch of 36 floats spreads
// columns of 32 rows over all banks but a pitch of 32 or 48 does not.
TEST(BankConflicts, PitchThatIsNoPowerOfTwo) {
  TileLayout column =
      distributed({}, {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}}, {}, {32, 1});
  EXPECT_EQ(bankConflicts(must(sharedRowMajor(32, 32)), column, 1, 32), 32);
  EXPECT_EQ(bankConflicts(must(sharedRowMajor(32, 36)), column, 1, 32), 4);
  EXPECT_EQ(bankConflicts(must(sharedRowMajor(32, 33)), column, 1, 32), 1);
  EXPECT_EQ(bankConflicts(must(sharedRowMajor(32, 48)), column, 1, 32), 16);
}

// Accesses that the hardware cannot make give 0.
TEST(BankConflicts, ImpossibleAccess) {
  TileLayout shared = must(sharedRowMajor(64, 64));
  TileLayout access = must(mmaAccumulator({64, 64}, {1, 1}));
  EXPECT_EQ(sharedVectorWidth(shared, access, 8), 2);
  EXPECT_EQ(bankConflicts(shared, access, 4, 16), 0);
  EXPECT_EQ(bankConflicts(shared, access, 3, 16), 0);
  EXPECT_EQ(bankConflicts(shared, access, 0, 16), 0);
  EXPECT_EQ(bankConflicts(access, access, 1, 16), 0);
  TileLayout wide = must(blocked({64, 64}, {1, 16}, {8, 4}, {1, 1}, {1, 0}));
  EXPECT_EQ(bankConflicts(shared, wide, 16, 16), 0);
}

// A vector must lie in one chunk: the swizzle moves 16-byte chunks whole.
TEST(SharedVectorWidth, Chunks) {
  TileLayout wide = must(blocked({64, 64}, {1, 16}, {8, 4}, {1, 1}, {1, 0}));
  EXPECT_EQ(sharedVectorWidth(must(sharedRowMajor(64, 64)), wide, 16), 16);
  EXPECT_EQ(sharedVectorWidth(must(sharedSwizzled(64, 64, 16, true)), wide, 16),
            8);
  EXPECT_EQ(
      sharedVectorWidth(must(sharedSwizzled(64, 64, 16, false)), wide, 16), 1);
}

// A repetition that starts in the middle of a vector makes it narrower.
TEST(SharedVectorWidth, MisalignedRepetition) {
  TileLayout access = must(TileLayout::create(
      must(LinearLayout::create({{LayoutIn::Reg, Bases{{1}}}}, {2})), {3}));
  auto shared = [](Bases bases) {
    return TileLayout::fromAtom(
        must(LinearLayout::create({{LayoutIn::Offset, bases}}, {8})));
  };
  EXPECT_EQ(sharedVectorWidth(shared({{1}, {2}, {4}}), access, 8), 2);
  // Columns 2 and 3 lie at offsets 3 and 2.
  EXPECT_EQ(sharedVectorWidth(shared({{1}, {3}, {4}}), access, 8), 1);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

// The cheapest kind wins: nothing, a renaming, shuffles, shared memory.
TEST(Conversion, Kinds) {
  TileLayout base = distributed({{1}, {2}}, {{4}, {8}}, {{16}}, {32});
  EXPECT_EQ(conversionKind(base, base), Kind::Identity);
  EXPECT_EQ(
      conversionKind(base, distributed({{2}, {1}}, {{4}, {8}}, {{16}}, {32})),
      Kind::RegisterPermute);
  EXPECT_EQ(
      conversionKind(base, distributed({{1}, {4}}, {{2}, {8}}, {{16}}, {32})),
      Kind::Shuffle);
  EXPECT_EQ(
      conversionKind(base, distributed({{1}, {2}}, {{8}, {4}}, {{16}}, {32})),
      Kind::Shuffle);
  EXPECT_EQ(
      conversionKind(base, distributed({{1}, {2}}, {{4}, {16}}, {{8}}, {32})),
      Kind::Shared);
  EXPECT_EQ(conversionKind(base, must(sharedRowMajor(1, 32))), Kind::Shared);
  TileLayout square = must(sharedRowMajor(6, 6));
  EXPECT_EQ(conversionKind(square, square.transpose({1, 0})), Kind::Shared);
}

// Replicas are used: dropping them is a renaming, and so is using the copy of
// one's own warp; making them needs a shuffle or shared memory.
TEST(Conversion, Replicas) {
  TileLayout replicated = distributed({{1}}, {{2}}, {{0}}, {4});
  TileLayout spread = distributed({{1}}, {{2}}, {{4}}, {8});
  TileLayout all = distributed({{1}, {4}}, {{2}}, {{0}}, {8});
  EXPECT_EQ(conversionKind(replicated, replicated), Kind::Identity);
  EXPECT_EQ(conversionKind(spread, all), Kind::Shared);
  // Every warp has both halves, and keeps one: which one depends on the warp.
  EXPECT_EQ(conversionKind(all, spread), Kind::Shuffle);
  TileLayout twice = distributed({{1}, {0}}, {{2}}, {{0}}, {4});
  EXPECT_EQ(conversionKind(replicated, twice), Kind::RegisterPermute);
  EXPECT_EQ(conversionKind(twice, replicated), Kind::RegisterPermute);
  EXPECT_EQ(*registerSources(replicated, twice),
            (llvm::SmallVector<int64_t>{0, 1, 0, 1}));
}

// The source registers of a renaming, also between different repetitions.
TEST(Conversion, RegisterSources) {
  LinearLayout pair = must(LinearLayout::create(
      {{LayoutIn::Reg, Bases{{0, 1}}}, {LayoutIn::Lane, Bases{{1, 0}}}},
      {2, 2}));
  TileLayout rows = must(TileLayout::create(pair, {3, 3}));
  TileLayout cols = must(TileLayout::create(pair, {3, 3}, {0, 1}));
  EXPECT_EQ(conversionKind(rows, cols), Kind::RegisterPermute);
  EXPECT_EQ(*registerSources(rows, cols),
            (llvm::SmallVector<int64_t>{0, 1, 6, 7, 12, 13, 2, 3, 8, 9, 14, 15,
                                        4, 5, 10, 11, 16, 17}));
  EXPECT_FALSE(registerSources(rows, rows.transpose({1, 0})));
}

// An accumulator of one warp along n becomes the A operand of the next mma by a
// renaming: the registers of two n8 tiles are those of one k16 step.
TEST(Conversion, AccumulatorToOperand) {
  TileLayout d = must(mmaAccumulator({64, 64}, {4, 1}));
  TileLayout a = must(mmaOperandA({64, 64}, {4, 1}, 16));
  EXPECT_EQ(conversionKind(d, a), Kind::Identity);
  TileLayout two = must(mmaAccumulator({128, 64}, {4, 1}));
  TileLayout next = must(mmaOperandA({128, 64}, {4, 1}, 16));
  EXPECT_EQ(conversionKind(two, next), Kind::RegisterPermute);
  EXPECT_EQ(conversionKind(must(mmaAccumulator({64, 64}, {2, 2})),
                           must(mmaOperandA({64, 64}, {2, 2}, 16))),
            Kind::Shared);
}

//===----------------------------------------------------------------------===//
// Owners
//===----------------------------------------------------------------------===//

// Places with zeros under the masks hold each element exactly once.
TEST(OwnerMask, FreeAndDependentBits) {
  OwnerMask mask =
      ownerMask(distributed({{1}, {0}}, {{2}, {1}}, {{3}, {4}}, {8}));
  EXPECT_EQ(mask.reg, 2u);
  EXPECT_EQ(mask.lane, 2u);
  EXPECT_EQ(mask.warp, 1u);
  EXPECT_EQ(mask.block, 0u);
  OwnerMask none = ownerMask(must(mmaAccumulator({64, 64}, {2, 2})));
  EXPECT_EQ(none.reg | none.lane | none.warp | none.block, 0u);
}

} // namespace
