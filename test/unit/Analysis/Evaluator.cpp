//===- Evaluator.cpp - Runs index arithmetic lane by lane -----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written without the compiler's folders: plain 128-bit arithmetic, cut to the
// type's width.
//
//===----------------------------------------------------------------------===//

#include "RandomProgram.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tile;
using namespace tile::test;

/// Iterations that one loop runs at most.
static constexpr int64_t kMaxIterations = 5;

static unsigned bitsOf(Type type) {
  return getElementTypeOrSelf(type).getIntOrFloatBitWidth();
}

static ArrayRef<int64_t> sidesOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

void Evaluator::run(KernelOp kernel) { runBlock(kernel.getBody().front()); }

bool Evaluator::runBlock(Block &block) {
  for (Operation &op : block)
    if (!runOp(&op))
      return false;
  return true;
}

bool Evaluator::runLoop(scf::ForOp loop) {
  int64_t upper = at(loop.getUpperBound())[0];
  int64_t step = at(loop.getStep())[0];
  SmallVector<Lanes> carried;
  for (Value init : loop.getInitArgs())
    carried.push_back(at(init));
  int64_t counter = at(loop.getLowerBound())[0];
  int64_t turns = 0;
  for (; counter < upper && turns < kMaxIterations; counter += step, ++turns) {
    known[loop.getInductionVar()] = {counter};
    for (auto [argument, value] :
         llvm::zip_equal(loop.getRegionIterArgs(), carried))
      known[argument] = value;
    if (!runBlock(*loop.getBody()))
      return false;
    for (auto [index, value] : llvm::enumerate(loop.getYieldedValues()))
      carried[index] = at(value);
  }
  // Values of the body are gone.
  loop.getBody()->walk([&](Operation *op) {
    for (Value result : op->getResults())
      known.erase(result);
  });
  for (Value argument : loop.getBody()->getArguments())
    known.erase(argument);
  for (auto [result, value] : llvm::zip_equal(loop.getResults(), carried))
    known[result] = value;
  // A loop cut short ends the run: what follows was not reached.
  return counter >= upper;
}

/// The result of one lane before it is cut; none for division by zero.
static std::optional<__int128> laneOf(Operation *op, __int128 a, __int128 b) {
  if (isa<arith::AddIOp>(op))
    return a + b;
  if (isa<arith::SubIOp>(op))
    return a - b;
  if (isa<arith::MulIOp>(op))
    return a * b;
  if (isa<arith::ShLIOp>(op))
    return a * (static_cast<__int128>(1) << static_cast<int>(b));
  if (isa<arith::MinSIOp>(op))
    return std::min(a, b);
  if (isa<arith::AndIOp>(op))
    return a & b;
  if (b == 0)
    return std::nullopt;
  return isa<arith::DivSIOp>(op) ? a / b : a % b;
}

static bool compareLanes(arith::CmpIPredicate predicate, int64_t a, int64_t b) {
  using Predicate = arith::CmpIPredicate;
  uint64_t unsignedA = a, unsignedB = b;
  switch (predicate) {
  case Predicate::slt:
    return a < b;
  case Predicate::sle:
    return a <= b;
  case Predicate::sgt:
    return a > b;
  case Predicate::sge:
    return a >= b;
  case Predicate::ult:
    return unsignedA < unsignedB;
  case Predicate::ule:
    return unsignedA <= unsignedB;
  case Predicate::ugt:
    return unsignedA > unsignedB;
  case Predicate::uge:
    return unsignedA >= unsignedB;
  case Predicate::eq:
    return a == b;
  case Predicate::ne:
    return a != b;
  }
  return false;
}

bool Evaluator::runArithmetic(Operation *op) {
  const Lanes left = at(op->getOperand(0)), right = at(op->getOperand(1));
  Lanes &result = known[op->getResult(0)];
  result.clear();
  unsigned bits = bitsOf(op->getResult(0).getType());
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  for (auto [a, b] : llvm::zip_equal(left, right)) {
    if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
      result.push_back(compareLanes(compare.getPredicate(), a, b));
      continue;
    }
    std::optional<__int128> exact = laneOf(op, a, b);
    if (!exact)
      return false;
    int64_t cut = static_cast<int64_t>(*exact);
    if (bits == 32)
      cut = static_cast<int32_t>(cut);
    // Poison.
    if (flags && flags.hasNoSignedWrap() && cut != *exact)
      return false;
    result.push_back(cut);
  }
  return true;
}

bool Evaluator::runShape(Operation *op) {
  Value to = op->getResult(0);
  Lanes result;
  if (isa<IotaOp>(op)) {
    for (int64_t i = 0; i < sidesOf(to)[0]; ++i)
      result.push_back(i);
  } else if (isa<SplatOp>(op)) {
    result.assign(cast<RankedTensorType>(to.getType()).getNumElements(),
                  at(op->getOperand(0))[0]);
  } else if (isa<ExpandDimsOp>(op)) {
    result = at(op->getOperand(0));
  } else {
    // From a row or a column.
    auto broadcast = cast<BroadcastOp>(op);
    ArrayRef<int64_t> sides = sidesOf(to),
                      from = sidesOf(broadcast.getSource());
    for (int64_t row = 0; row < sides[0]; ++row)
      for (int64_t column = 0; column < sides[1]; ++column)
        result.push_back(
            at(broadcast.getSource())[(from[0] == 1 ? 0 : row) * from[1] +
                                      (from[1] == 1 ? 0 : column)]);
  }
  known[to] = result;
  return true;
}

bool Evaluator::runOp(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return runLoop(loop);
  if (auto load = dyn_cast<LoadOp>(op)) {
    onLoad(load);
    return true;
  }
  if (isa<ReturnOp, scf::YieldOp>(op))
    return true;
  if (isa<IotaOp, SplatOp, ExpandDimsOp, BroadcastOp>(op))
    return runShape(op);
  Value result = op->getResult(0);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (auto scalar = dyn_cast<IntegerAttr>(constant.getValue())) {
      known[result] = {scalar.getValue().getSExtValue()};
      return true;
    }
    Lanes lanes;
    for (const APInt &value :
         cast<DenseIntElementsAttr>(constant.getValue()).getValues<APInt>())
      lanes.push_back(value.getSExtValue());
    known[result] = lanes;
    return true;
  }
  if (auto offset = dyn_cast<OffsetOp>(op)) {
    known[result] = {static_cast<int64_t>(
        static_cast<uint64_t>(at(offset.getPointer())[0]) +
        4 * static_cast<uint64_t>(at(offset.getElements())[0]))};
    return true;
  }
  if (op->getNumOperands() == 2)
    return runArithmetic(op);
  Lanes lanes = at(op->getOperand(0));
  for (int64_t &lane : lanes) {
    if (isa<arith::ExtUIOp>(op))
      lane = static_cast<uint32_t>(lane);
    else if (isa<arith::TruncIOp>(op))
      lane = static_cast<int32_t>(lane);
  }
  known[result] = lanes;
  return true;
}
