//===- LeastValue.cpp - The least value of a kernel's scalar --------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LeastValue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

/// How deep expressions are followed.
static constexpr unsigned kMaxDepth = 64;

/// The greater of two bounds, either of which may be missing.
static std::optional<int64_t> tighter(std::optional<int64_t> bound,
                                      std::optional<int64_t> other) {
  if (!bound || !other)
    return bound ? bound : other;
  return std::max(*bound, *other);
}

namespace {
/// Finds least values; each value's once.
class Finder {
public:
  explicit Finder(KernelOp kernel) : kernel(kernel) {}

  std::optional<int64_t> leastOf(Value value, unsigned depth);

private:
  std::optional<int64_t> compute(Value value, unsigned depth);
  /// What the op that computes a value says of it.
  std::optional<int64_t> leastOfOp(Operation *op, unsigned depth);

  KernelOp kernel;
  DenseMap<Value, std::optional<int64_t>> known;
};
} // namespace

std::optional<int64_t> Finder::leastOfOp(Operation *op, unsigned depth) {
  auto ofOperand = [&](unsigned operand) {
    return leastOf(op->getOperand(operand), depth);
  };
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case([&](arith::ExtSIOp) { return ofOperand(0); })
      .Case([&](arith::MaxSIOp) { return tighter(ofOperand(0), ofOperand(1)); })
      .Case([&](arith::CeilDivSIOp) -> std::optional<int64_t> {
        APInt divisor;
        std::optional<int64_t> least = ofOperand(0);
        if (!least || !matchPattern(op->getOperand(1), m_ConstantInt(&divisor)))
          return std::nullopt;
        if (!divisor.isStrictlyPositive())
          return std::nullopt;
        return llvm::divideCeilSigned(*least, divisor.getSExtValue());
      })
      .Default(std::optional<int64_t>());
}

std::optional<int64_t> Finder::leastOf(Value value, unsigned depth) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  std::optional<int64_t> least = compute(value, depth);
  known.try_emplace(value, least);
  return least;
}

std::optional<int64_t> Finder::compute(Value value, unsigned depth) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 64)
    return constant.getSExtValue();
  std::optional<int64_t> least;
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && argument.getOwner() == &kernel.getBody().front())
    if (auto fact = kernel.getArgAttrOfType<FactAttr>(argument.getArgNumber(),
                                                      kFactName))
      least = fact.getMin();
  for (Operation *user : value.getUsers())
    if (auto assume = dyn_cast<AssumeOp>(user))
      if (assume->getParentOp() == kernel)
        least = tighter(least, assume.getFact().getMin());
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return least;
  return tighter(least, leastOfOp(op, depth - 1));
}

std::optional<int64_t> tile::leastValue(Value value, KernelOp kernel) {
  return Finder(kernel).leastOf(value, kMaxDepth);
}
