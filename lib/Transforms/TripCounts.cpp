//===- TripCounts.cpp - How often loops run, in every combination ---------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TripCounts.h"

#include "LeastValue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

/// How deep expressions are followed, and how many terms they may have; beyond,
/// a scalar is known by name only.
static constexpr unsigned kMaxDepth = 64;
static constexpr size_t kMaxTerms = 32;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

ScalarExpr TripCounts::exprOf(Value value, const ScalarScope &scope) {
  Memo memo;
  return compute(value, scope, memo, /*depth=*/0);
}

ScalarExpr TripCounts::compute(Value value, const ScalarScope &scope,
                               Memo &memo, unsigned depth) {
  if (auto it = memo.find(value); it != memo.end())
    return it->second;
  if (auto it = scope.carried.find(value); it != scope.carried.end())
    return it->second;
  ScalarExpr expr = ScalarExpr::value(value);
  if (depth < kMaxDepth && value.getType().isIntOrIndex()) {
    auto argument = dyn_cast<BlockArgument>(value);
    auto turn = scope.turns.find(value);
    if (!argument) {
      expr = computeOp(cast<OpResult>(value), scope, memo, depth + 1);
    } else if (turn != scope.turns.end()) {
      auto loop = cast<scf::ForOp>(argument.getOwner()->getParentOp());
      expr = compute(loop.getLowerBound(), scope, memo, depth + 1) +
             ScalarExpr::constant(turn->second) *
                 compute(loop.getStep(), scope, memo, depth + 1);
    }
  }
  memo.try_emplace(value, expr);
  return expr;
}

/// Whether a value counts a loop or bounds it.
static bool isOfLoop(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto around = argument
                    ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                    : scf::ForOp();
  if (around && value == around.getInductionVar())
    return true;
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    return isa<scf::ForOp>(use.getOwner()) && use.getOperandNumber() < 3;
  });
}

ScalarExpr TripCounts::computeOp(OpResult result, const ScalarScope &scope,
                                 Memo &memo, unsigned depth) {
  Operation *op = result.getOwner();
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op) ||
      matchPattern(op, m_Constant()))
    return ScalarExpr::value(result);
  SmallVector<ScalarExpr, 2> operands;
  for (Value operand : op->getOperands())
    operands.push_back(compute(operand, scope, memo, depth));
  bool isShort = llvm::all_of(operands, [](const ScalarExpr &expr) {
    return expr.monomials().size() <= kMaxTerms;
  });
  if (isShort && isa<arith::AddIOp>(op))
    return operands[0] + operands[1];
  if (isShort && isa<arith::SubIOp>(op))
    return minuendOf(op->getOperand(0), operands, scope, memo, depth) -
           operands[1];
  bool isScaling = isa<arith::MulIOp>(op) &&
                   (operands[0].getConstant() || operands[1].getConstant());
  if (isShort && isScaling)
    return operands[0] * operands[1];
  // A sum that is cast may have been cut off first; an atom is itself, and so
  // are the counter and the bounds of a loop.
  bool isCast = isa<arith::ExtSIOp, arith::IndexCastOp>(op);
  if (isCast && (operands[0].getConstant() || operands[0].getSingleValue() ||
                 isOfLoop(op->getOperand(0))))
    return operands[0];
  return sameAsBefore(result, operands);
}

/// What a subtrahend is taken from.  max(x, least + s) - s is x - s that stops
/// at the least value of its type, and every value of the type compares with it
/// as with x - s.
ScalarExpr TripCounts::minuendOf(Value value, ArrayRef<ScalarExpr> operands,
                                 const ScalarScope &scope, Memo &memo,
                                 unsigned depth) {
  auto maximum = value.getDefiningOp<arith::MaxSIOp>();
  if (!maximum)
    return operands[0];
  ScalarExpr least =
      compute(maximum.getRhs(), scope, memo, depth) - operands[1];
  ScalarExpr smallest =
      ScalarExpr::constant(std::numeric_limits<int64_t>::min());
  return least == smallest ? compute(maximum.getLhs(), scope, memo, depth)
                           : operands[0];
}

ScalarExpr TripCounts::sameAsBefore(OpResult result,
                                    ArrayRef<ScalarExpr> operands) {
  Operation *op = result.getOwner();
  SmallVector<Known> &entries = known[op->getName().getIdentifier()];
  for (Known &entry : entries) {
    Operation *other = entry.result.getOwner();
    if (entry.result.getResultNumber() == result.getResultNumber() &&
        entry.result.getType() == result.getType() &&
        llvm::equal(entry.operands, operands) &&
        other->getAttrDictionary() == op->getAttrDictionary())
      return ScalarExpr::value(entry.result);
  }
  entries.push_back({result, SmallVector<ScalarExpr, 2>(operands)});
  return ScalarExpr::value(result);
}

std::optional<int64_t> TripCounts::leastOf(const ScalarExpr &expr) const {
  int64_t sum = 0;
  for (const ScalarExpr::Monomial &term : expr.monomials()) {
    std::optional<int64_t> least = 1;
    if (!term.atoms.empty())
      least = term.atoms.size() == 1 && term.coefficient > 0
                  ? leastValue(term.atoms.front(), kernel)
                  : std::nullopt;
    int64_t product;
    if (!least || llvm::MulOverflow(*least, term.coefficient, product) ||
        llvm::AddOverflow(sum, product, sum))
      return std::nullopt;
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The integer n with to - from = n * step.
static std::optional<int64_t> stepsBetween(const ScalarExpr &from,
                                           const ScalarExpr &to,
                                           const ScalarExpr &step) {
  ScalarExpr difference = to - from;
  if (difference.isZero())
    return 0;
  if (step.monomials().size() != 1)
    return std::nullopt;
  std::optional<ScalarExpr> quotient = difference.divideExactly(step);
  return quotient ? quotient->getConstant() : std::nullopt;
}

int64_t TripCounts::tripsOf(scf::ForOp loop, const ScalarScope &scope) {
  ScalarExpr lower = exprOf(loop.getLowerBound(), scope);
  ScalarExpr upper = exprOf(loop.getUpperBound(), scope);
  ScalarExpr step = exprOf(loop.getStep(), scope);
  ScalarExpr distance = upper - lower;
  std::optional<int64_t> length = distance.getConstant();
  std::optional<int64_t> stride = step.getConstant();
  if (length && stride && *stride > 0)
    return *length <= 0 ? 0 : (*length - 1) / *stride + 1;
  for (Family &family : families) {
    if (family.step != step)
      continue;
    std::optional<int64_t> steps =
        stepsBetween(family.distance, distance, step);
    if (steps && std::abs(*steps) <= maxSlots)
      return std::max<int64_t>(0, family.quotient + *steps);
  }
  int64_t quotient = choose(optionsFor(loop, distance, step));
  families.push_back({loop, distance, step, quotient});
  return std::max<int64_t>(0, quotient);
}

SmallVector<int64_t> TripCounts::optionsFor(scf::ForOp loop,
                                            const ScalarExpr &distance,
                                            const ScalarExpr &step) {
  // -1 is 0 times for this loop, and as often for one that starts a step
  // earlier.
  int64_t low = -1, high = maxSlots + 3;
  std::optional<int64_t> stride = step.getConstant();
  std::optional<int64_t> least = leastOf(distance);
  if (least && *least > 0)
    low = 1;
  if (least && stride && *stride > 0)
    low = std::clamp(llvm::divideCeilSigned(*least, *stride), low, high);
  // What a condition has said already.
  for (const Condition &condition : conditions) {
    if (!condition.isPositive)
      continue;
    std::optional<int64_t> steps = stepsBetween(distance, condition.expr, step);
    if (steps && condition.holds)
      low = std::clamp(1 - *steps, low, high);
    else if (steps)
      high = std::clamp(-*steps, low, high);
  }
  bool isOuter = loop.getBody()
                     ->walk([](scf::ForOp) { return WalkResult::interrupt(); })
                     .wasInterrupted();
  SmallVector<int64_t> options;
  for (int64_t count = low; count <= high; ++count)
    if (!isOuter || count <= 1 || count == maxSlots + 2 || count == high)
      options.push_back(count);
  if (isOuter && high == maxSlots + 3)
    options.pop_back();
  return options;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// -1, 0 or 1 where the sign of an expression is known: a constant, or a
/// multiple of a step, which is positive.
std::optional<int64_t> TripCounts::signOf(const ScalarExpr &expr) {
  auto sign = [](int64_t value) { return int64_t(value > 0) - (value < 0); };
  if (std::optional<int64_t> constant = expr.getConstant())
    return sign(*constant);
  if (!loopSteps) {
    loopSteps.emplace();
    KernelOp op = kernel;
    op.walk([&](scf::ForOp loop) {
      loopSteps->push_back(exprOf(loop.getStep(), ScalarScope()));
    });
  }
  for (const ScalarExpr &step : *loopSteps) {
    if (step.monomials().size() != 1 || step.getConstant())
      continue;
    std::optional<ScalarExpr> times = expr.divideExactly(step);
    if (std::optional<int64_t> constant =
            times ? times->getConstant() : std::nullopt)
      return sign(*constant);
  }
  return std::nullopt;
}

std::optional<bool> TripCounts::isPositive(const ScalarExpr &expr) {
  if (std::optional<int64_t> constant = expr.getConstant())
    return *constant > 0;
  // What is no less than something positive, or no greater than what is not.
  for (const Condition &condition : conditions) {
    if (!condition.isPositive)
      continue;
    std::optional<int64_t> sign = signOf(expr - condition.expr);
    if (sign && condition.holds && *sign >= 0)
      return true;
    if (sign && !condition.holds && *sign <= 0)
      return false;
  }
  for (const Family &family : families) {
    // A multiple of a step, which is positive.
    if (family.step.monomials().size() == 1)
      if (std::optional<ScalarExpr> times = expr.divideExactly(family.step))
        if (std::optional<int64_t> constant = times->getConstant())
          return *constant > 0;
    std::optional<int64_t> steps =
        stepsBetween(family.distance, expr, family.step);
    if (steps)
      return family.quotient + *steps > 0;
  }
  std::optional<int64_t> least = leastOf(expr);
  if (least && *least > 0)
    return true;
  return std::nullopt;
}

bool TripCounts::holds(Operation *branch, const ScalarExpr &expr,
                       bool isPositive) {
  for (const Condition &condition : conditions)
    if (condition.isPositive == isPositive && condition.expr == expr)
      return condition.holds;
  bool choice = choose({0, 1}) != 0;
  conditions.push_back({branch, expr, isPositive, choice});
  return choice;
}

bool TripCounts::takesThen(scf::IfOp branch, const ScalarScope &scope) {
  auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
  auto byName = [&] {
    ScalarExpr expr = exprOf(branch.getCondition(), scope);
    std::optional<int64_t> constant = expr.getConstant();
    return constant ? *constant != 0 : holds(branch, expr, false);
  };
  if (!compare)
    return byName();
  ScalarExpr above =
      exprOf(compare.getLhs(), scope) - exprOf(compare.getRhs(), scope);
  ScalarExpr below = ScalarExpr() - above;
  ScalarExpr one = ScalarExpr::constant(1);
  auto test = [&](const ScalarExpr &expr) {
    std::optional<bool> known = isPositive(expr);
    return known ? *known : holds(branch, expr, true);
  };
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::sgt:
    return test(above);
  case arith::CmpIPredicate::slt:
    return test(below);
  case arith::CmpIPredicate::sge:
    return test(above + one);
  case arith::CmpIPredicate::sle:
    return test(below + one);
  case arith::CmpIPredicate::eq:
  case arith::CmpIPredicate::ne: {
    bool isEqual = compare.getPredicate() == arith::CmpIPredicate::eq;
    if (above.isZero())
      return isEqual;
    // Unequal where one is known to be greater.
    if (isPositive(above).value_or(false) || isPositive(below).value_or(false))
      return !isEqual;
    return byName();
  }
  default:
    return byName();
  }
}

//===----------------------------------------------------------------------===//
// Combinations
//===----------------------------------------------------------------------===//

int64_t TripCounts::choose(ArrayRef<int64_t> options) {
  if (numChosen == choices.size())
    choices.push_back({SmallVector<int64_t>(options), 0});
  Choice &choice = choices[numChosen++];
  return choice.options[choice.taken];
}

bool TripCounts::next() {
  while (!choices.empty() &&
         choices.back().taken + 1 == choices.back().options.size())
    choices.pop_back();
  if (choices.empty())
    return false;
  ++choices.back().taken;
  numChosen = 0;
  families.clear();
  conditions.clear();
  return true;
}

void TripCounts::describe(SmallVectorImpl<ScheduleFault::Note> &notes) const {
  for (const Family &family : families) {
    int64_t turns = std::max<int64_t>(0, family.quotient);
    notes.push_back({family.first, "in a run with " + counted(turns, "turn") +
                                       " of this loop"});
  }
  for (const Condition &condition : conditions)
    notes.push_back({condition.first,
                     condition.holds ? "in a run where this holds"
                                     : "in a run where this does not hold"});
}
