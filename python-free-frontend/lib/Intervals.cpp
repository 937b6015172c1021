//===- Intervals.cpp - Bounds of integers for lints -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Intervals.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;

bool Interval::fits(unsigned bits) const {
  return llvm::isIntN(bits, low) && llvm::isIntN(bits, high);
}

static constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
static constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

static int64_t saturate(__int128 value) {
  return int64_t(std::clamp<__int128>(value, kMin, kMax));
}

Interval frontend::operator+(Interval a, Interval b) {
  return {saturate(__int128(a.low) + b.low),
          saturate(__int128(a.high) + b.high)};
}

Interval frontend::operator-(Interval a, Interval b) {
  return {saturate(__int128(a.low) - b.high),
          saturate(__int128(a.high) - b.low)};
}

Interval frontend::operator*(Interval a, Interval b) {
  int64_t products[] = {
      saturate(__int128(a.low) * b.low), saturate(__int128(a.low) * b.high),
      saturate(__int128(a.high) * b.low), saturate(__int128(a.high) * b.high)};
  return {*std::min_element(products, products + 4),
          *std::max_element(products, products + 4)};
}

/// What the type holds.
static Interval ofType(Type type) {
  unsigned bits = 64;
  if (auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type)))
    bits = integer.getWidth();
  if (bits == 1)
    return {0, 1};
  return {llvm::minIntN(bits), llvm::maxIntN(bits)};
}

static Interval intersect(Interval a, Interval b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

Interval Intervals::of(Value value) {
  auto found = known.find(value);
  if (found != known.end())
    return found->second;
  Interval type = ofType(value.getType());
  // A value that depends on itself, through a loop, is what its type holds.
  known[value] = type;
  // Neither is what long chains of ops, as unrolled loops make them, end with.
  constexpr unsigned kMaxLevels = 500;
  if (numLevels >= kMaxLevels)
    return type;
  llvm::SaveAndRestore<unsigned> deeper(numLevels, numLevels + 1);
  Interval result = intersect(compute(value), type);
  // Arithmetic that leaves the type wraps: nothing is known of it then.
  if (result.low > result.high)
    result = type;
  return known[value] = result;
}

FactAttr Intervals::factOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner()->getParentOp() != kernel)
    return {};
  return kernel.getArgAttrOfType<FactAttr>(argument.getArgNumber(), kFactName);
}

Interval Intervals::ofArgument(BlockArgument argument) {
  Interval result;
  if (FactAttr fact = factOf(argument)) {
    result.low = fact.getMin().value_or(kMin);
    result.high = fact.getMax().value_or(kMax);
  }
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (loop && argument == loop.getInductionVar()) {
    result.low = of(loop.getLowerBound()).low;
    result.high = saturate(__int128(of(loop.getUpperBound()).high) - 1);
  }
  return result;
}

/// The bounds of a formula of the grid.
Interval Intervals::ofGrid(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return of(kernel.getIntegerArguments()[symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Interval left = ofGrid(binary.getLHS()), right = ofGrid(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return left + right;
  case AffineExprKind::Mul:
    return left * right;
  case AffineExprKind::CeilDiv:
    return {llvm::divideCeilSigned(left.low, right.low),
            llvm::divideCeilSigned(left.high, right.low)};
  case AffineExprKind::FloorDiv:
    return {llvm::divideFloorSigned(left.low, right.low),
            llvm::divideFloorSigned(left.high, right.low)};
  default:
    return {};
  }
}

Interval Intervals::compute(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofArgument(argument);
  Operation *op = value.getDefiningOp();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return {constant.getSExtValue(), constant.getSExtValue()};
  return llvm::TypeSwitch<Operation *, Interval>(op)
      .Case([&](ProgramIdOp id) {
        Interval result{0, llvm::maxIntN(32)};
        AffineMapAttr grid = kernel.getGridAttr();
        unsigned axis = unsigned(id.getAxis());
        if (grid && axis < grid.getValue().getNumResults())
          result.high =
              std::min(result.high,
                       std::max<int64_t>(
                           ofGrid(grid.getValue().getResult(axis)).high, 1) -
                           1);
        return result;
      })
      .Case([&](IotaOp iota) {
        return Interval{0, iota.getType().getNumElements() - 1};
      })
      .Case<SplatOp, BroadcastOp, ExpandDimsOp, ReshapeOp, TransposeOp,
            arith::ExtSIOp>([&](Operation *) { return of(op->getOperand(0)); })
      .Case([&](arith::AddIOp add) {
        return of(add.getLhs()) + of(add.getRhs());
      })
      .Case([&](arith::SubIOp sub) {
        return of(sub.getLhs()) - of(sub.getRhs());
      })
      .Case([&](arith::MulIOp mul) {
        return of(mul.getLhs()) * of(mul.getRhs());
      })
      .Case([&](arith::ShLIOp shift) {
        // A product by a power of two.
        Interval by = of(shift.getRhs());
        bool isKnown = by.low == by.high && by.low >= 0 && by.low < 63;
        int64_t factor = isKnown ? int64_t(1) << by.low : 0;
        return isKnown ? of(shift.getLhs()) * Interval{factor, factor}
                       : Interval{};
      })
      .Case([&](arith::RemSIOp rem) {
        int64_t most = std::max<int64_t>(of(rem.getRhs()).high, 1) - 1;
        Interval left = of(rem.getLhs());
        return Interval{left.low < 0 ? -most : 0, std::min(left.high, most)};
      })
      .Case<arith::DivSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp>(
          [&](Operation *) {
            Interval left = of(op->getOperand(0)),
                     right = of(op->getOperand(1));
            return left.low >= 0 && right.low >= 1 ? Interval{0, left.high}
                                                   : Interval{};
          })
      .Case([&](arith::MinSIOp min) {
        Interval a = of(min.getLhs()), b = of(min.getRhs());
        return Interval{std::min(a.low, b.low), std::min(a.high, b.high)};
      })
      .Case([&](arith::MaxSIOp max) {
        Interval a = of(max.getLhs()), b = of(max.getRhs());
        return Interval{std::max(a.low, b.low), std::max(a.high, b.high)};
      })
      .Default([](Operation *) { return Interval{}; });
}

bool Intervals::isDivisible(Value value, int64_t divisor) {
  constexpr unsigned kMaxTerms = 16;
  if (FactAttr fact = factOf(value))
    return fact.getDivisibility() && *fact.getDivisibility() % divisor == 0;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue() % divisor == 0;
  Operation *op = value.getDefiningOp();
  if (!op || numLevels > kMaxTerms)
    return false;
  llvm::SaveAndRestore<unsigned> deeper(numLevels, numLevels + 1);
  if (isa<arith::ExtSIOp, SplatOp>(op))
    return isDivisible(op->getOperand(0), divisor);
  if (isa<arith::MulIOp>(op))
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return isDivisible(operand, divisor);
    });
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      return isDivisible(operand, divisor);
    });
  return false;
}
