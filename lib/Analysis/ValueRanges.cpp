//===- ValueRanges.cpp - Between what bounds values lie -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueRanges.h"

#include "KernelFacts.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"

using namespace mlir;
using namespace tile;
using llvm::DynamicAPInt;

using RangeLattice = dataflow::IntegerValueRangeLattice;

namespace {
/// MLIR's analysis, which knows nothing of our facts.
class FactRangeAnalysis : public dataflow::IntegerRangeAnalysis {
public:
  FactRangeAnalysis(DataFlowSolver &solver, const KernelFacts &facts)
      : IntegerRangeAnalysis(solver), facts(facts) {}

  void setToEntryState(RangeLattice *lattice) override {
    IntegerValueRange range =
        IntegerValueRange::getMaxRange(lattice->getAnchor());
    propagateIfChanged(lattice, lattice->join(narrow(lattice, range)));
  }

  LogicalResult visitOperation(Operation *op,
                               ArrayRef<const RangeLattice *> operands,
                               ArrayRef<RangeLattice *> results) override;

private:
  IntegerValueRange narrow(RangeLattice *lattice,
                           const IntegerValueRange &range) const;
  void update(RangeLattice *lattice, const IntegerValueRange &range);

  const KernelFacts &facts;
};
} // namespace

/// Intersects with what is stated of the lattice's value.
IntegerValueRange
FactRangeAnalysis::narrow(RangeLattice *lattice,
                          const IntegerValueRange &range) const {
  const Fact *fact = facts.find(lattice->getAnchor());
  if (!fact || range.isUninitialized())
    return range;
  unsigned bits = range.getValue().umin().getBitWidth();
  if (bits == 0 || bits > 64)
    return range;
  APInt min = APInt::getSignedMinValue(bits), max = ~min;
  // Bounds outside the type bound nothing, or state what cannot be.
  if (fact->min > min.getSExtValue() && fact->min <= max.getSExtValue())
    min = APInt(bits, static_cast<uint64_t>(fact->min), /*isSigned=*/true);
  if (fact->max < max.getSExtValue() && fact->max >= min.getSExtValue())
    max = APInt(bits, static_cast<uint64_t>(fact->max), /*isSigned=*/true);
  ConstantIntRanges narrowed =
      range.getValue().intersection(ConstantIntRanges::fromSigned(min, max));
  // Contradictions: code that is never reached.
  if (narrowed.smin().sgt(narrowed.smax()) ||
      narrowed.umin().ugt(narrowed.umax()))
    return range;
  return narrowed;
}

LogicalResult
FactRangeAnalysis::visitOperation(Operation *op,
                                  ArrayRef<const RangeLattice *> operands,
                                  ArrayRef<RangeLattice *> results) {
  bool isStated = llvm::any_of(
      op->getResults(), [&](Value result) { return facts.find(result); });
  auto inferrable = dyn_cast<InferIntRangeInterface>(op);
  // The base class joins what it infers into the lattice, which cannot be
  // narrowed afterwards.
  if (!isStated || !inferrable)
    return IntegerRangeAnalysis::visitOperation(op, operands, results);
  SmallVector<IntegerValueRange> known;
  for (const RangeLattice *operand : operands)
    known.push_back(operand->getValue());
  inferrable.inferResultRangesFromOptional(
      known, [&](Value value, const IntegerValueRange &range) {
        auto result = dyn_cast<OpResult>(value);
        if (result && result.getOwner() == op)
          update(results[result.getResultNumber()], range);
      });
  return success();
}

void FactRangeAnalysis::update(RangeLattice *lattice,
                               const IntegerValueRange &range) {
  IntegerValueRange before = lattice->getValue();
  ChangeResult changed = lattice->join(narrow(lattice, range));
  Value value = lattice->getAnchor();
  // A value that goes round a loop grows a little in each visit: give up at
  // the second, as the base class does.
  bool isYielded = llvm::any_of(value.getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>();
  });
  if (isYielded && !before.isUninitialized() && changed == ChangeResult::Change)
    changed |=
        lattice->join(narrow(lattice, IntegerValueRange::getMaxRange(value)));
  propagateIfChanged(lattice, changed);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// 2^(bits - 1), which has no 64-bit value for 64 bits.
static DynamicAPInt signedLimit(unsigned bits) {
  return DynamicAPInt(int64_t(1) << (bits - 1) / 2) *
         DynamicAPInt(int64_t(1) << bits / 2);
}

IntRange IntRange::ofBits(unsigned bits) {
  DynamicAPInt limit = signedLimit(bits);
  return {-limit, limit - 1};
}

bool IntRange::fitsIn(unsigned bits) const {
  IntRange all = ofBits(bits);
  return min >= all.min && max <= all.max;
}

IntRange IntRange::operator+(const IntRange &other) const {
  return {min + other.min, max + other.max};
}

IntRange IntRange::operator-(const IntRange &other) const {
  return {min - other.max, max - other.min};
}

IntRange IntRange::operator*(const IntRange &other) const {
  DynamicAPInt corners[] = {min * other.min, min * other.max, max * other.min,
                            max * other.max};
  return {*std::min_element(std::begin(corners), std::end(corners)),
          *std::max_element(std::begin(corners), std::end(corners))};
}

IntRange IntRange::operator&(const IntRange &other) const {
  return {std::max(min, other.min), std::min(max, other.max)};
}

ValueRanges::ValueRanges(Operation *kernel, const Divisibility &divisibility)
    : divisibility(divisibility) {
  KernelFacts facts(kernel);
  DataFlowSolver solver;
  dataflow::loadBaselineAnalyses(solver);
  solver.load<FactRangeAnalysis>(facts);
  // Failing means knowing nothing.
  if (failed(solver.initializeAndRun(kernel)))
    return;
  auto note = [&](Value value) {
    const auto *lattice = solver.lookupState<RangeLattice>(value);
    if (!lattice || lattice->getValue().isUninitialized())
      return;
    const ConstantIntRanges &range = lattice->getValue().getValue();
    unsigned bits = range.smin().getBitWidth();
    if (bits > 0 && bits <= 64)
      ranges[value] = {range.smin().getSExtValue(),
                       range.smax().getSExtValue()};
  };
  kernel->walk([&](Operation *op) {
    llvm::for_each(op->getResults(), note);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), note);
  });
}

IntRange ValueRanges::of(Value value) const {
  Type type = value.getType();
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  IntRange range = IntRange::ofBits(bits);
  auto it = ranges.find(value);
  if (it != ranges.end())
    range = {DynamicAPInt(it->second.first), DynamicAPInt(it->second.second)};
  int64_t divisor = divisibility.of(value);
  if (divisor == 0)
    return {DynamicAPInt(0), DynamicAPInt(0)};
  DynamicAPInt by(divisor);
  IntRange rounded{ceilDiv(range.min, by) * by, floorDiv(range.max, by) * by};
  // No multiple lies between: code that is never reached.
  return rounded.min <= rounded.max ? rounded : range;
}

IntRange ValueRanges::of(const ScalarExpr &expr) const {
  IntRange sum{DynamicAPInt(0), DynamicAPInt(0)};
  for (const ScalarExpr::Monomial &term : expr.monomials()) {
    DynamicAPInt coefficient(term.coefficient);
    IntRange product{coefficient, coefficient};
    for (Value atom : term.atoms)
      product = product * of(atom);
    sum = sum + product;
  }
  return sum;
}
