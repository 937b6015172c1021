//===- LaneStrides.cpp - How far apart neighbouring lanes are -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneStrides.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;

using Stride = std::optional<LaneStride>;

Value frontend::withoutShape(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<SplatOp, BroadcastOp, ExpandDimsOp, ReshapeOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

static Stride add(Stride a, Stride b, bool isDifference) {
  if (!a || !b)
    return std::nullopt;
  if (isDifference && llvm::MulOverflow(b->factor, int64_t(-1), b->factor))
    return std::nullopt;
  if (a->isZero())
    return b;
  if (b->isZero())
    return a;
  // A sum of different products is not one.
  if (a->symbols != b->symbols ||
      llvm::AddOverflow(a->factor, b->factor, a->factor))
    return std::nullopt;
  return a->isZero() ? LaneStride() : a;
}

static Stride multiply(const LaneStride &a, const LaneStride &b) {
  LaneStride result;
  if (llvm::MulOverflow(a.factor, b.factor, result.factor))
    return std::nullopt;
  if (result.isZero())
    return result;
  result.symbols = a.symbols;
  result.symbols.append(b.symbols.begin(), b.symbols.end());
  llvm::sort(result.symbols, [](Value left, Value right) {
    return left.getAsOpaquePointer() < right.getAsOpaquePointer();
  });
  return result;
}

/// Longer chains of ops are not followed: unrolled loops make them.
static constexpr unsigned kMaxLevels = 500, kMaxFactors = 4;

/// The value as a product, with what is no product as a symbol.
static Stride productOf(Value value, unsigned level = 0) {
  value = withoutShape(value);
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return LaneStride{constant.getSExtValue(), {}};
  if (auto wide = value.getDefiningOp<arith::ExtSIOp>())
    return productOf(wide.getIn(), level);
  auto product = value.getDefiningOp<arith::MulIOp>();
  if (product && level < kMaxFactors) {
    Stride left = productOf(product.getLhs(), level + 1);
    Stride right = productOf(product.getRhs(), level + 1);
    return left && right ? multiply(*left, *right) : std::nullopt;
  }
  return LaneStride{1, {value}};
}

//===----------------------------------------------------------------------===//
// LaneStrides
//===----------------------------------------------------------------------===//

Stride LaneStrides::along(Value value, unsigned axis) {
  return of(value, {axis, {}});
}

Stride LaneStrides::perTurn(Value value, scf::ForOp loop) {
  if (turns.first != loop)
    turns = {loop, llvm::DenseMap<Value, Stride>()};
  return of(value, {0, loop});
}

Stride LaneStrides::of(Value value, Direction direction) {
  // A value that depends on itself, through a loop, has no stride until it has
  // been found.
  bool isNew = direction.loop
                   ? turns.second.try_emplace(value, std::nullopt).second
                   : alongAxes.try_emplace({value, direction.axis}).second;
  auto entry = [&]() -> Stride & {
    return direction.loop ? turns.second[value]
                          : alongAxes[{value, direction.axis}];
  };
  if (!isNew)
    return entry();
  llvm::SaveAndRestore<unsigned> deeper(numLevels, numLevels + 1);
  Stride result;
  if (numLevels < kMaxLevels)
    result = compute(value, direction);
  return entry() = result;
}

/// What a loop carries, and its index.
Stride LaneStrides::ofArgument(BlockArgument argument, Direction direction) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop)
    return std::nullopt;
  if (argument == loop.getInductionVar())
    return productOf(loop.getStep());
  // A place that each turn moves by as much on all lanes.
  unsigned i = argument.getArgNumber() - loop.getNumInductionVars();
  auto next = loop.getYieldedValues()[i].getDefiningOp<arith::AddIOp>();
  if (!next || next.getLhs() != argument)
    return std::nullopt;
  if (!direction.loop) {
    Stride moved = of(next.getRhs(), direction);
    return moved && moved->isZero() ? of(loop.getInitArgs()[i], direction)
                                    : std::nullopt;
  }
  Stride moved = of(next.getRhs(), direction);
  return loop == direction.loop && moved && moved->isZero()
             ? productOf(next.getRhs())
             : std::nullopt;
}

/// `l * r` grows by l times what r grows by where l stays as it is.
Stride LaneStrides::ofProduct(Value left, Value right, Direction direction) {
  Stride a = of(left, direction), b = of(right, direction);
  if (!a || !b)
    return std::nullopt;
  if (!a->isZero()) {
    std::swap(a, b);
    std::swap(left, right);
  }
  if (b->isZero())
    return b;
  Stride factor = productOf(left);
  return a->isZero() && factor ? multiply(*factor, *b) : std::nullopt;
}

/// Ops that only place elements.
Stride LaneStrides::ofShape(Operation *op, Direction direction) {
  Value from = op->getOperand(0);
  if (direction.loop)
    return of(from, direction);
  unsigned axis = direction.axis;
  if (isa<SplatOp>(op))
    return LaneStride();
  if (auto expand = dyn_cast<ExpandDimsOp>(op)) {
    unsigned added = unsigned(expand.getAxis());
    if (axis == added)
      return LaneStride();
    return of(from, {axis > added ? axis - 1 : axis, {}});
  }
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return of(from, {unsigned(transpose.getOrder()[axis]), {}});
  auto type = cast<RankedTensorType>(from.getType());
  return type.getDimSize(axis) == 1 ? LaneStride() : of(from, direction);
}

Stride LaneStrides::compute(Value value, Direction direction) {
  bool isTile = isa<RankedTensorType>(value.getType());
  Operation *op = value.getDefiningOp();
  Region *region = value.getParentRegion();
  bool stays =
      direction.loop ? !direction.loop.getRegion().isAncestor(region) : !isTile;
  if (stays || matchPattern(value, m_Constant()))
    return LaneStride();
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofArgument(argument, direction);
  return llvm::TypeSwitch<Operation *, Stride>(op)
      .Case([&](IotaOp) { return LaneStride{direction.loop ? 0 : 1, {}}; })
      .Case<ProgramIdOp, NumProgramsOp>([](auto) { return LaneStride(); })
      .Case<SplatOp, BroadcastOp, ExpandDimsOp, TransposeOp>(
          [&](Operation *shaped) { return ofShape(shaped, direction); })
      .Case([&](arith::ExtSIOp wide) { return of(wide.getIn(), direction); })
      .Case<arith::AddIOp, arith::SubIOp>([&](auto sum) {
        return add(of(sum.getLhs(), direction), of(sum.getRhs(), direction),
                   isa<arith::SubIOp>(sum));
      })
      .Case([&](arith::MulIOp product) {
        return ofProduct(product.getLhs(), product.getRhs(), direction);
      })
      .Default([&](Operation *other) -> Stride {
        // What is made of the same numbers on all lanes is the same on them.
        bool isArithmetic =
            isa_and_present<arith::ArithDialect>(other->getDialect());
        for (Value operand : other->getOperands()) {
          Stride own = of(operand, direction);
          isArithmetic &= own && own->isZero();
        }
        return isArithmetic ? Stride(LaneStride()) : std::nullopt;
      });
}
