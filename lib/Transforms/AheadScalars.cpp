//===- AheadScalars.cpp - A loop's scalars, iterations ahead --------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AheadScalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

/// Ops that one scalar is computed with at most; more would cost each
/// iteration too much.
static constexpr size_t kMaxOps = 32;

static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

/// Whether a division is by a constant by which there always is a quotient: of
/// the least value there is none by -1.
static bool hasSafeDivisor(Operation *division) {
  APInt divisor;
  return matchPattern(division->getOperand(1), m_ConstantInt(&divisor)) &&
         !divisor.isZero() && !divisor.isAllOnes();
}

/// Whether `op` is integer arithmetic on scalars, or the program's place.
static bool isArithmetic(Operation *op) {
  return op->getNumResults() == 1 &&
         op->getResult(0).getType().isSignlessIntOrIndex() &&
         (isDivision(op) ||
          isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp,
              arith::OrIOp, arith::XOrIOp, arith::CmpIOp, arith::SelectOp,
              arith::MinSIOp, arith::MinUIOp, arith::MaxSIOp, arith::MaxUIOp,
              arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
              arith::IndexCastOp, arith::IndexCastUIOp, arith::ConstantOp,
              ProgramIdOp, NumProgramsOp>(op));
}

bool tile::isSafeArithmetic(Operation *op) {
  return isArithmetic(op) && (!isDivision(op) || hasSafeDivisor(op));
}

/// The ops of the loop's body that `scalars` are computed with, operands first;
/// none where one must not be done ahead.
static std::optional<SmallVector<Operation *>>
opsBehind(scf::ForOp loop, ArrayRef<Value> scalars, size_t most) {
  llvm::SmallSetVector<Operation *, 8> ops;
  SmallVector<Value> pending(scalars);
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (value == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(value))
      continue;
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != loop.getBody() || !isArithmetic(op))
      return std::nullopt;
    if (!ops.insert(op))
      continue;
    if (ops.size() > most)
      return std::nullopt;
    llvm::append_range(pending, op->getOperands());
  }
  SmallVector<Operation *> sorted = ops.takeVector();
  llvm::sort(sorted, [](Operation *first, Operation *second) {
    return first->isBeforeInBlock(second);
  });
  return sorted;
}

Origin tile::originOf(scf::ForOp loop, Value scalar) {
  if (scalar == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(scalar))
    return Origin::Known;
  return opsBehind(loop, scalar, kMaxOps) ? Origin::Computed : Origin::Unknown;
}

/// Takes off what makes a result undefined: the iteration may be past the end.
static void dropFlags(Operation *op) {
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    op->setAttr(flags.getIntegerOverflowAttrName(),
                arith::IntegerOverflowFlagsAttr::get(
                    op->getContext(), arith::IntegerOverflowFlags::none));
  if (auto division = dyn_cast<arith::DivSIOp>(op))
    division.setIsExact(false);
  if (auto division = dyn_cast<arith::DivUIOp>(op))
    division.setIsExact(false);
}

/// Gives a division a result where it has none, by 0 and, of the least value,
/// by -1; that one is 0 minus the dividend, which wraps, and nothing remains.
static Value makeTotal(OpBuilder &builder, Operation *division) {
  Value result = division->getResult(0), divisor = division->getOperand(1);
  if (hasSafeDivisor(division))
    return result;
  Location loc = division->getLoc();
  Type type = result.getType();
  auto constant = [&](int64_t value) -> Value {
    APInt number(type.isIndex() ? 64 : type.getIntOrFloatBitWidth(), value,
                 /*isSigned=*/true, /*implicitTrunc=*/true);
    return arith::ConstantOp::create(builder, loc,
                                     IntegerAttr::get(type, number));
  };
  auto isEqual = [&](Value value, int64_t to) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                                 constant(to));
  };
  builder.setInsertionPoint(division);
  Value zero = constant(0), one = constant(1),
        dividend = division->getOperand(0);
  Value safe =
      arith::SelectOp::create(builder, loc, isEqual(divisor, 0), one, divisor);
  bool isUnsigned =
      isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(division);
  Value negates;
  if (!isUnsigned) {
    negates = isEqual(divisor, -1);
    safe = arith::SelectOp::create(builder, loc, negates, one, safe);
  }
  division->setOperand(1, safe);
  builder.setInsertionPointAfter(division);
  if (isUnsigned)
    return result;
  Value negated = zero;
  if (!isa<arith::RemSIOp>(division))
    negated = arith::SubIOp::create(builder, loc, zero, dividend);
  return arith::SelectOp::create(builder, loc, negates, negated, result);
}

void tile::computeAhead(OpBuilder &builder, scf::ForOp loop,
                        ArrayRef<Value> scalars, Substitution &at) {
  if (scalars.empty())
    return;
  auto ops = opsBehind(loop, scalars, std::numeric_limits<size_t>::max());
  assert(ops && "scalars must be computed");
  IRMapping mapping;
  Value counter = loop.getInductionVar();
  mapping.map(counter,
              at.to.materialize(builder, counter.getLoc(), counter.getType()));
  for (Operation *op : *ops) {
    Operation *copy = builder.clone(*op, mapping);
    copy->setDiscardableAttrs(ArrayRef<NamedAttribute>());
    dropFlags(copy);
    if (isDivision(copy))
      mapping.map(op->getResult(0), makeTotal(builder, copy));
  }
  for (Value scalar : scalars)
    at.computed.push_back({scalar, mapping.lookup(scalar)});
}
