//===- Divisibility.cpp - What values are multiples of --------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/Divisibility.h"

#include "Divisors.h"
#include "KernelFacts.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

namespace {
/// A divisor, or none yet.  The lattice goes down along division, so it is
/// finite.
struct DivisorState {
  std::optional<int64_t> divisor;

  static DivisorState join(const DivisorState &a, const DivisorState &b) {
    if (!a.divisor || !b.divisor)
      return a.divisor ? a : b;
    return {commonDivisor(*a.divisor, *b.divisor)};
  }
  bool operator==(const DivisorState &other) const {
    return divisor == other.divisor;
  }
  void print(raw_ostream &os) const {
    if (divisor)
      os << *divisor;
    else
      os << "none yet";
  }
};

using DivisorLattice = dataflow::Lattice<DivisorState>;

/// The transfer functions.
class DivisorAnalysis
    : public dataflow::SparseForwardDataFlowAnalysis<DivisorLattice> {
public:
  DivisorAnalysis(DataFlowSolver &solver, const KernelFacts &facts)
      : SparseForwardDataFlowAnalysis(solver), facts(facts) {}

  LogicalResult visitOperation(Operation *op,
                               ArrayRef<const DivisorLattice *> operands,
                               ArrayRef<DivisorLattice *> results) override;
  void visitNonControlFlowArguments(Operation *op,
                                    const RegionSuccessor &successor,
                                    ArrayRef<DivisorLattice *> arguments,
                                    unsigned firstIndex) override;
  void setToEntryState(DivisorLattice *lattice) override { set(lattice, 1); }

private:
  void set(DivisorLattice *lattice, int64_t divisor);

  const KernelFacts &facts;
};
} // namespace

/// Bits of an integer, of a tile's elements, or of an index; 0 for others.
static unsigned integerBits(Type type) {
  type = getElementTypeOrSelf(type);
  if (type.isIndex())
    return 64;
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() <= 64 ? integer.getWidth() : 0;
}

/// The divisor of a constant: of all its elements.
static int64_t constantDivisor(Attribute value) {
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return integer.getValue().getBitWidth() <= 64
               ? divisorOf(integer.getValue().getSExtValue())
               : 1;
  auto elements = dyn_cast<DenseIntElementsAttr>(value);
  if (!elements || !integerBits(elements.getElementType()))
    return 1;
  if (elements.isSplat())
    return divisorOf(elements.getSplatValue<APInt>().getSExtValue());
  int64_t divisor = 0;
  for (const APInt &element : elements.getValues<APInt>())
    divisor = commonDivisor(divisor, divisorOf(element.getSExtValue()));
  return divisor;
}

/// The integer constant that `value` is, also one for all elements of a tile.
static std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)) && number.getBitWidth() <= 64)
    return number.getSExtValue();
  return std::nullopt;
}

/// a divided by b rounds, unless b is known to divide a.
static int64_t quotientDivisor(int64_t a, Value b) {
  std::optional<int64_t> by = constantOf(b);
  if (!by || *by == 0)
    return 1;
  int64_t divisor = divisorOf(*by);
  return a % divisor == 0 ? a / divisor : 1;
}

/// The divisor of the one result of `op`, as a mathematical integer before it
/// wraps, from its operands'.
static std::optional<int64_t> exactDivisor(Operation *op,
                                           ArrayRef<int64_t> operands) {
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case<arith::AddIOp, arith::SubIOp>(
          [&](auto) { return commonDivisor(operands[0], operands[1]); })
      .Case([&](arith::MulIOp) {
        return productDivisor(operands[0], operands[1]);
      })
      .Case([&](arith::ShLIOp shift) {
        std::optional<int64_t> by = constantOf(shift.getRhs());
        return by && *by >= 0 && *by < 62
                   ? productDivisor(operands[0], int64_t(1) << *by)
                   : operands[0];
      })
      .Default([](auto) { return std::nullopt; });
}

/// The same for ops whose result wraps nowhere.
static int64_t wholeDivisor(Operation *op, ArrayRef<int64_t> operands) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<arith::RemSIOp, arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp,
            arith::MaxUIOp>(
          [&](Operation *) { return commonDivisor(operands[0], operands[1]); })
      .Case([&](arith::RemUIOp) {
        // Of the operands as unsigned numbers: 2^bits more where negative.
        return std::min(powerOfTwoDivisor(operands[0]),
                        powerOfTwoDivisor(operands[1]));
      })
      .Case([&](arith::SelectOp) {
        return commonDivisor(operands[1], operands[2]);
      })
      .Case<arith::DivSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(
          [&](Operation *divide) {
            return quotientDivisor(operands[0], divide->getOperand(1));
          })
      .Case([&](arith::AndIOp) {
        return std::max(powerOfTwoDivisor(operands[0]),
                        powerOfTwoDivisor(operands[1]));
      })
      .Case<arith::OrIOp, arith::XOrIOp>([&](Operation *) {
        return std::min(powerOfTwoDivisor(operands[0]),
                        powerOfTwoDivisor(operands[1]));
      })
      .Case([&](arith::ShRSIOp shift) -> int64_t {
        std::optional<int64_t> by = constantOf(shift.getRhs());
        bool isWhole = by && *by >= 0 && *by < 62 &&
                       operands[0] % (int64_t(1) << *by) == 0;
        return isWhole ? operands[0] >> *by : 1;
      })
      .Case<arith::ExtSIOp, SplatOp, ExpandDimsOp, BroadcastOp, ReshapeOp,
            TransposeOp>([&](Operation *) { return operands[0]; })
      .Case([&](arith::ExtUIOp extend) {
        return wrappedDivisor(operands[0],
                              integerBits(extend.getIn().getType()) + 1);
      })
      .Case([&](arith::TruncIOp truncate) {
        return wrappedDivisor(operands[0], integerBits(truncate.getType()));
      })
      .Case([&](arith::IndexCastOp cast) {
        unsigned bits = integerBits(cast.getType());
        return bits < integerBits(cast.getIn().getType())
                   ? wrappedDivisor(operands[0], bits)
                   : operands[0];
      })
      .Case([&](OffsetOp offset) {
        int64_t bytes = elementBytes(offset.getType().getElementType());
        return wrappedDivisor(
            commonDivisor(operands[0], productDivisor(operands[1], bytes)), 64);
      })
      .Default([](auto) { return 1; });
}

/// Whether signed overflow of `op` is undefined.
static bool isNoSignedWrap(Operation *op) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && flags.hasNoSignedWrap();
}

void DivisorAnalysis::set(DivisorLattice *lattice, int64_t divisor) {
  Value value = lattice->getAnchor();
  // A pointer is aligned to its element.
  if (auto pointer = dyn_cast<PointerType>(value.getType()))
    divisor = commonMultiple(divisor, elementBytes(pointer.getElementType()));
  if (const Fact *fact = facts.find(value)) {
    divisor = commonMultiple(divisor, fact->divisor);
    if (fact->min == fact->max)
      divisor = divisorOf(fact->min);
  }
  propagateIfChanged(lattice, lattice->join({divisor}));
}

LogicalResult
DivisorAnalysis::visitOperation(Operation *op,
                                ArrayRef<const DivisorLattice *> operands,
                                ArrayRef<DivisorLattice *> results) {
  SmallVector<int64_t> known;
  for (const DivisorLattice *operand : operands) {
    // Comes again when it is known.
    if (!operand->getValue().divisor)
      return success();
    known.push_back(*operand->getValue().divisor);
  }
  if (results.size() != 1) {
    setAllToEntryStates(results);
    return success();
  }
  Value result = op->getResult(0);
  unsigned bits = integerBits(result.getType());
  if (!bits && !isa<PointerType>(result.getType())) {
    setAllToEntryStates(results);
    return success();
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    set(results[0], constantDivisor(constant.getValue()));
  else if (std::optional<int64_t> divisor = exactDivisor(op, known))
    set(results[0],
        isNoSignedWrap(op) ? *divisor : wrappedDivisor(*divisor, bits));
  else
    set(results[0], wholeDivisor(op, known));
  return success();
}

void DivisorAnalysis::visitNonControlFlowArguments(
    Operation *op, const RegionSuccessor &successor,
    ArrayRef<DivisorLattice *> arguments, unsigned firstIndex) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || successor.isParent())
    return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(
        op, successor, arguments, firstIndex);
  ProgramPoint *point = getProgramPointBefore(loop.getBody());
  auto divisorAt = [&](Value value) {
    return getLatticeElementFor(point, value)->getValue().divisor;
  };
  std::optional<int64_t> lower = divisorAt(loop.getLowerBound());
  std::optional<int64_t> step = divisorAt(loop.getStep());
  if (!lower || !step)
    return;
  // The counter is lower + n * step and does not wrap below the upper bound,
  // as the comparison sees it.
  int64_t divisor = commonDivisor(*lower, *step);
  unsigned bits = integerBits(loop.getInductionVar().getType());
  set(arguments[0],
      loop.getUnsignedCmp() ? wrappedDivisor(divisor, bits) : divisor);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Divisibility::Divisibility(Operation *kernel) {
  KernelFacts facts(kernel);
  DataFlowSolver solver;
  dataflow::loadBaselineAnalyses(solver);
  solver.load<DivisorAnalysis>(facts);
  // Failing means knowing nothing.
  if (failed(solver.initializeAndRun(kernel)))
    return;
  auto note = [&](Value value) {
    const auto *lattice = solver.lookupState<DivisorLattice>(value);
    if (lattice && lattice->getValue().divisor.value_or(1) != 1)
      divisors[value] = *lattice->getValue().divisor;
  };
  kernel->walk([&](Operation *op) {
    llvm::for_each(op->getResults(), note);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), note);
  });
}

int64_t Divisibility::of(Value value) const {
  auto it = divisors.find(value);
  return it == divisors.end() ? 1 : it->second;
}

int64_t Divisibility::of(const ScalarExpr &expr) const {
  int64_t divisor = 0;
  for (const ScalarExpr::Monomial &term : expr.monomials()) {
    int64_t product = divisorOf(term.coefficient);
    for (Value atom : term.atoms)
      product = productDivisor(product, of(atom));
    divisor = commonDivisor(divisor, product);
  }
  return divisor;
}
