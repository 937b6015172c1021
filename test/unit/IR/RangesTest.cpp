//===- RangesTest.cpp - What ops say of their results' ranges -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/IR/TileOps.h"

#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

/// Parses the body of a kernel and runs MLIR's range analysis on it.
class RangesTest : public ::testing::Test {
protected:
  RangesTest() {
    context
        .loadDialect<arith::ArithDialect, scf::SCFDialect, tile::TileDialect>();
  }

  /// The signed range of the only op of this name, as "[min, max]".
  std::string rangeOf(StringRef body, StringRef opName) {
    std::string text = ("tile.kernel @k(%p: !tile.ptr<i32>, %i: i32) {\n" +
                        body + "\ntile.return\n}")
                           .str();
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return "does not parse";
    DataFlowSolver solver;
    solver.load<dataflow::DeadCodeAnalysis>();
    solver.load<dataflow::SparseConstantPropagation>();
    solver.load<dataflow::IntegerRangeAnalysis>();
    if (failed(solver.initializeAndRun(*module)))
      return "analysis failed";
    std::string result = "no such op";
    module->walk([&](Operation *op) {
      if (op->getName().getStringRef() == opName)
        result = print(solver, op->getResult(0));
    });
    return result;
  }

private:
  static std::string print(DataFlowSolver &solver, Value value) {
    const auto *state =
        solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
    if (!state || state->getValue().isUninitialized())
      return "unknown";
    const ConstantIntRanges &range = state->getValue().getValue();
    return "[" + std::to_string(range.smin().getSExtValue()) + ", " +
           std::to_string(range.smax().getSExtValue()) + "]";
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

// The grid's limits are those of the hardware.
TEST_F(RangesTest, ProgramIdLiesInTheGrid) {
  EXPECT_EQ(rangeOf("%0 = tile.program_id x", "tile.program_id"),
            "[0, 2147483646]");
  EXPECT_EQ(rangeOf("%0 = tile.program_id y", "tile.program_id"), "[0, 65534]");
  EXPECT_EQ(rangeOf("%0 = tile.program_id z", "tile.program_id"), "[0, 65534]");
}

// There is at least one program.
TEST_F(RangesTest, NumProgramsIsPositive) {
  EXPECT_EQ(rangeOf("%0 = tile.num_programs x", "tile.num_programs"),
            "[1, 2147483647]");
  EXPECT_EQ(rangeOf("%0 = tile.num_programs z", "tile.num_programs"),
            "[1, 65535]");
}

// iota ends one before its side.
TEST_F(RangesTest, IotaCountsToItsSide) {
  EXPECT_EQ(rangeOf("%0 = tile.iota : tensor<128xi32>", "tile.iota"),
            "[0, 127]");
  EXPECT_EQ(rangeOf("%0 = tile.iota : tensor<1xi64>", "tile.iota"), "[0, 0]");
  EXPECT_EQ(rangeOf("%0 = tile.iota : tensor<16777216xi32>", "tile.iota"),
            "[0, 16777215]");
}

// A splat has its scalar's range.
TEST_F(RangesTest, SplatPassesItsScalarsRange) {
  EXPECT_EQ(
      rangeOf("%0 = tile.program_id y\n%1 = tile.splat %0 : tensor<4xi32>",
              "tile.splat"),
      "[0, 65534]");
  EXPECT_EQ(rangeOf("%0 = tile.splat %i : tensor<4xi32>", "tile.splat"),
            "[-2147483648, 2147483647]");
}

// Moving elements about changes none of them.
TEST_F(RangesTest, ShapeOpsPassTheirSourcesRange) {
  const char *body =
      "%0 = tile.iota : tensor<8xi32>\n"
      "%1 = tile.expand_dims %0 axis 1 : tensor<8xi32> -> tensor<8x1xi32>\n"
      "%2 = tile.broadcast %1 : tensor<8x1xi32> -> tensor<8x4xi32>\n"
      "%3 = tile.reshape %2 : tensor<8x4xi32> -> tensor<4x8xi32>\n"
      "%4 = tile.transpose %3 order [1, 0] : tensor<4x8xi32> -> "
      "tensor<8x4xi32>";
  for (const char *op :
       {"tile.expand_dims", "tile.broadcast", "tile.reshape", "tile.transpose"})
    EXPECT_EQ(rangeOf(body, op), "[0, 7]") << op;
}

// Ranges go on through arith on tiles.
TEST_F(RangesTest, ArithCombinesTilesRanges) {
  EXPECT_EQ(rangeOf("%0 = tile.iota : tensor<8xi32>\n"
                    "%c = arith.constant dense<3> : tensor<8xi32>\n"
                    "%1 = arith.muli %0, %c : tensor<8xi32>",
                    "arith.muli"),
            "[0, 21]");
}

// Of what memory holds nothing is known.
TEST_F(RangesTest, LoadIsUnknown) {
  EXPECT_EQ(rangeOf("%0 = tile.load %p[%i] : !tile.ptr<i32>, i32 -> i32",
                    "tile.load"),
            "[-2147483648, 2147483647]");
}

} // namespace
