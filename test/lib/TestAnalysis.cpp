//===- TestAnalysis.cpp - Passes that print facts -------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestAnalysis.h"

#include "mlir/Pass/Pass.h"
#include "tile/Analysis/AccessAnalysis.h"

using namespace mlir;
using namespace tile;

namespace {
/// Names for atoms: valueName, with a number where it was taken.
class Names {
public:
  std::string operator()(Value value) {
    std::string &name = names[value];
    if (!name.empty())
      return name;
    name = valueName(value);
    if (unsigned before = uses[name]++)
      name += "_" + std::to_string(before);
    return name;
  }

  std::string text(const ScalarExpr &expr) {
    std::string result;
    llvm::raw_string_ostream os(result);
    expr.print(os, std::ref(*this));
    return result;
  }

private:
  llvm::DenseMap<Value, std::string> names;
  llvm::StringMap<unsigned> uses;
};

/// One remark for each load and store:
///
///   load a + OFFSET; [SIDE] ORIGIN < BOUND (i32) stride STRIDE; ...;
///   if LEFT < RIGHT (i32); ...;
///   base divisible by 16; vector 8, whole 1
struct PrintAccess : PassWrapper<PrintAccess, OperationPass<KernelOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintAccess)

  StringRef getArgument() const final { return "test-tile-print-access"; }
  StringRef getDescription() const final {
    return "Say what is known of each load and store";
  }

  void runOnOperation() override {
    AccessAnalysis analysis(getOperation());
    getOperation().walk([&](Operation *op) {
      std::string reason;
      if (auto load = dyn_cast<LoadOp>(op))
        print(op, "load", analysis, analysis.analyze(load, &reason), reason);
      else if (auto store = dyn_cast<StoreOp>(op))
        print(op, "store", analysis, analysis.analyze(store, &reason), reason);
    });
    markAllAnalysesPreserved();
  }

private:
  void print(Operation *op, StringRef kind, const AccessAnalysis &analysis,
             const FailureOr<Access> &access, StringRef reason) {
    if (failed(access)) {
      op->emitRemark() << kind << " is not a strided block: " << reason;
      return;
    }
    Names names;
    InFlightDiagnostic remark = op->emitRemark();
    remark << kind << ' ' << names(access->base) << " + "
           << names.text(access->offset);
    for (const AccessDim &dim : access->dims) {
      remark << "; [" << dim.side << "]";
      if (dim.bound)
        remark << ' ' << names.text(dim.origin) << " < "
               << names.text(*dim.bound) << " (i"
               << dim.indexType.getIntOrFloatBitWidth() << ')';
      remark << " stride " << names.text(dim.stride);
    }
    for (const AccessCondition &condition : access->conditions)
      remark << "; if " << names.text(condition.left)
             << (condition.orEqual ? " <= " : " < ")
             << names.text(condition.right) << " (i"
             << condition.type.getIntOrFloatBitWidth() << ')';
    remark << "; base divisible by " << analysis.divisibility().of(access->base)
           << "; vector "
           << analysis.vectorElements(*access, 16, /*maskWhole=*/false)
           << ", whole "
           << analysis.vectorElements(*access, 16, /*maskWhole=*/true);
  }
};

/// One remark for each op with the attribute `test.print`: the divisor of its
/// result and, where that is a scalar integer, its polynomial.
struct PrintDivisibility
    : PassWrapper<PrintDivisibility, OperationPass<KernelOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintDivisibility)

  StringRef getArgument() const final { return "test-tile-print-divisibility"; }
  StringRef getDescription() const final {
    return "Say what the results marked test.print are multiples of";
  }

  void runOnOperation() override {
    AccessAnalysis analysis(getOperation());
    Names names;
    getOperation().walk([&](Operation *op) {
      if (!op->hasAttr("test.print"))
        return;
      for (Value result : op->getResults()) {
        InFlightDiagnostic remark = op->emitRemark();
        remark << "divisible by " << analysis.divisibility().of(result);
        if (result.getType().isSignlessIntOrIndex())
          remark << "; " << names.text(analysis.scalar(result));
      }
    });
    markAllAnalysesPreserved();
  }
};
} // namespace

void tile::test::registerAnalysisTestPasses() {
  PassRegistration<PrintAccess>();
  PassRegistration<PrintDivisibility>();
}
