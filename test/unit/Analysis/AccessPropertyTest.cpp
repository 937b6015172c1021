//===- AccessPropertyTest.cpp - Facts against execution -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs of index arithmetic are run lane by lane; whatever the
// analyses claim of them must hold in every run: addresses and masks of each
// access, alignment of its vectors, divisors of all values.
//
//===----------------------------------------------------------------------===//

#include "RandomProgram.h"
#include "mlir/IR/Verifier.h"
#include "tile/Analysis/AccessAnalysis.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tile;
using namespace tile::test;

namespace {

/// Checks what is claimed of one load against one moment of a run.
class AccessChecker {
public:
  AccessChecker(const AccessAnalysis &analysis, LoadOp load,
                const Access &access, const Evaluator &run)
      : analysis(analysis), load(load), access(access), run(run) {}

  void check() {
    base = run.at(access.base)[0];
    lanes = run.at(load.getOffsets());
    if (load.getMask())
      mask = run.at(load.getMask());
    else
      mask.assign(lanes.size(), 1);
    start = run.at(load.getBase())[0];
    for (size_t lane = 0; lane < lanes.size(); ++lane)
      checkLane(lane);
    checkVectors(/*maskWhole=*/false);
    checkVectors(/*maskWhole=*/true);
  }

private:
  static constexpr int64_t kBytes = 4;

  int64_t evaluate(const ScalarExpr &expr) const {
    uint64_t sum = 0;
    for (const ScalarExpr::Monomial &term : expr.monomials()) {
      uint64_t product = term.coefficient;
      // A boolean is sign-extended, too.
      for (Value atom : term.atoms)
        product *= static_cast<uint64_t>(
            atom.getType().isInteger(1) ? -run.at(atom)[0] : run.at(atom)[0]);
      sum += product;
    }
    return static_cast<int64_t>(sum);
  }

  /// Whether left < right, or left <= right, in a type.
  static bool isBelow(int64_t left, int64_t right, Type type, bool orEqual) {
    if (type.isInteger(32)) {
      left = static_cast<int32_t>(left);
      right = static_cast<int32_t>(right);
    }
    return left < right || (orEqual && left == right);
  }

  SmallVector<int64_t> coordinates(size_t lane) const {
    SmallVector<int64_t> result(access.dims.size());
    for (size_t dim = access.dims.size(); dim-- > 0;
         lane /= access.dims[dim].side)
      result[dim] = lane % access.dims[dim].side;
    return result;
  }

  int64_t address(size_t lane) const {
    return static_cast<int64_t>(static_cast<uint64_t>(start) +
                                kBytes * static_cast<uint64_t>(lanes[lane]));
  }

  void checkLane(size_t lane) const {
    uint64_t offset = evaluate(access.offset);
    bool isIn = true;
    for (auto [dim, coordinate] :
         llvm::zip_equal(access.dims, coordinates(lane))) {
      uint64_t index = static_cast<uint64_t>(evaluate(dim.origin)) + coordinate;
      offset += index * static_cast<uint64_t>(evaluate(dim.stride));
      if (!dim.bound)
        continue;
      isIn &= isBelow(index, evaluate(*dim.bound), dim.indexType,
                      /*orEqual=*/false);
    }
    for (const AccessCondition &condition : access.conditions)
      isIn &= isBelow(evaluate(condition.left), evaluate(condition.right),
                      condition.type, condition.orEqual);
    EXPECT_EQ(isIn, mask[lane] != 0) << "mask of lane " << lane;
    if (mask[lane]) {
      EXPECT_EQ(static_cast<uint64_t>(base) + kBytes * offset,
                static_cast<uint64_t>(address(lane)))
          << "address of lane " << lane;
    }
  }

  void checkVectors(bool maskWhole) const {
    int64_t width = analysis.vectorElements(access, 16, maskWhole);
    if (width == 1)
      return;
    unsigned dim = *access.contiguousDim();
    size_t pitch = 1;
    for (size_t inner = dim + 1; inner < access.dims.size(); ++inner)
      pitch *= access.dims[inner].side;
    for (size_t lane = 0; lane < lanes.size(); ++lane) {
      int64_t place = coordinates(lane)[dim] % width;
      size_t first = lane - place * pitch;
      EXPECT_EQ(address(lane) - address(first), place * kBytes);
      EXPECT_EQ(address(first) % (width * kBytes), 0);
      if (maskWhole) {
        EXPECT_EQ(mask[lane] != 0, mask[first] != 0);
      }
    }
  }

  const AccessAnalysis &analysis;
  LoadOp load;
  const Access &access;
  const Evaluator &run;
  int64_t base = 0, start = 0;
  SmallVector<int64_t> lanes, mask;
};

/// Checks the divisors of all values that the run has computed so far.
void checkDivisors(const AccessAnalysis &analysis, const Evaluator &run) {
  for (const auto &[value, lanes] : run.values()) {
    int64_t divisor = analysis.divisibility().of(value);
    for (int64_t lane : lanes)
      EXPECT_TRUE(divisor == 0 ? lane == 0 : lane % divisor == 0)
          << lane << " by " << divisor << " of " << valueName(value);
  }
}

// Everything that is claimed of random programs holds in random runs.
TEST(AccessProperty, ClaimsHold) {
  MLIRContext context;
  context.loadDialect<TileDialect>();
  unsigned numRecognised = 0, numChecked = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomProgram program(context, seed);
    ASSERT_TRUE(succeeded(verify(program.kernel())));
    AccessAnalysis analysis(program.kernel());
    SmallVector<std::pair<LoadOp, Access>, 4> accesses;
    program.kernel().walk([&](LoadOp load) {
      FailureOr<Access> access = analysis.analyze(load, nullptr);
      if (succeeded(access))
        accesses.emplace_back(load, *access);
    });
    numRecognised += accesses.size();
    for (unsigned trial = 0; trial < 6; ++trial) {
      Evaluator run(program.arguments(trial));
      run.onLoad = [&](LoadOp load) {
        checkDivisors(analysis, run);
        for (auto &[known, access] : accesses) {
          if (known != load)
            continue;
          ++numChecked;
          AccessChecker(analysis, load, access, run).check();
        }
      };
      run.run(program.kernel());
      if (testing::Test::HasFailure()) {
        program.kernel().dump();
        FAIL() << "seed " << seed << " trial " << trial;
      }
    }
  }
  RecordProperty("accesses_recognised", static_cast<int>(numRecognised));
  RecordProperty("accesses_checked", static_cast<int>(numChecked));
  // Enough that silence means something.
  EXPECT_GT(numRecognised, 1000u);
  EXPECT_GT(numChecked, 4000u);
}

} // namespace
