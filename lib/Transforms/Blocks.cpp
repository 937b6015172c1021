//===- Blocks.cpp - Accesses as operands of tile_gpu ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Blocks.h"

#include "tile/GPU/Bounds.h"
#include "tile/Layout/Constructors.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// The type in which the program computes the indices that it masks.
static Type indexTypeOf(OpBuilder &builder, const Access &access) {
  for (const AccessDim &dim : access.dims)
    if (dim.bound && dim.indexType.isInteger(64))
      return builder.getI64Type();
  return builder.getI32Type();
}

ScalarExpr Substitution::apply(ScalarExpr expr) const {
  for (auto [value, replacement] : computed)
    expr = expr.substitute(value, ScalarExpr::value(replacement));
  return expr.substitute(from, to);
}

/// Whether a condition holds, its sides replaced by `move`.
static Value
materializeCondition(OpBuilder &builder, Location loc,
                     const AccessCondition &condition,
                     llvm::function_ref<ScalarExpr(const ScalarExpr &)> move) {
  ScalarExpr left = move(condition.left), right = move(condition.right);
  Value flag = left.getSingleValue();
  if (flag && flag.getType().isInteger(1) && right.isZero() &&
      !condition.orEqual)
    return flag;
  auto predicate =
      condition.orEqual ? arith::CmpIPredicate::sle : arith::CmpIPredicate::slt;
  Value below = left.materialize(builder, loc, condition.type);
  Value above = right.materialize(builder, loc, condition.type);
  return arith::CmpIOp::create(builder, loc, predicate, below, above);
}

MemoryBlock tile::materializeBlock(OpBuilder &builder, Location loc,
                                   const Access &access,
                                   std::optional<Substitution> at) {
  auto move = [&](const ScalarExpr &expr) {
    return at ? at->apply(expr) : expr;
  };
  auto make = [&](const ScalarExpr &expr, Type type) {
    return move(expr).materialize(builder, loc, type);
  };
  Type index = indexTypeOf(builder, access);
  Type i64 = builder.getI64Type();
  MemoryBlock block;
  block.base = access.base;
  if (!access.offset.isZero())
    block.base =
        OffsetOp::create(builder, loc, access.base, make(access.offset, i64));
  for (const AccessDim &dim : access.dims) {
    block.origin.push_back(make(dim.origin, index));
    block.strides.push_back(make(dim.stride, i64));
    int64_t all = gpu::noBound(index.getIntOrFloatBitWidth());
    block.bounds.push_back(
        make(dim.bound ? *dim.bound : ScalarExpr::constant(all), index));
  }
  Value holds;
  for (const AccessCondition &condition : access.conditions) {
    Value one = materializeCondition(builder, loc, condition, move);
    if (holds)
      one = arith::AndIOp::create(builder, loc, holds, one);
    holds = one;
  }
  if (!holds)
    return block;
  // A dimension that has a bound is compared with it anyway.
  auto *bounded = llvm::find_if(
      access.dims, [](const AccessDim &dim) { return dim.bound.has_value(); });
  size_t dim = bounded == access.dims.end() ? 0 : bounded - access.dims.begin();
  unsigned bits = index.getIntOrFloatBitWidth();
  Value none = arith::ConstantOp::create(
      builder, loc,
      builder.getIntegerAttr(index, APInt::getSignedMinValue(bits)));
  Value &bound = block.bounds[dim];
  bound = arith::SelectOp::create(builder, loc, holds, bound, none);
  return block;
}

llvm::Expected<BufferType> tile::ringType(tile::LoadOp load,
                                          const Access &access, int64_t slots) {
  auto tile = dyn_cast<RankedTensorType>(load.getType());
  if (!tile || tile.getRank() != 2)
    return llvm::createStringError("expected a matrix, got a tile of rank " +
                                   Twine(tile ? tile.getRank() : 0));
  // Contiguous in shared memory along the dimension that is so in global.
  bool rowMajor = access.contiguousDim().value_or(1) == 1;
  llvm::Expected<TileLayout> layout =
      sharedImage(tile.getDimSize(0), tile.getDimSize(1),
                  8 * elementBytes(tile.getElementType()), rowMajor);
  if (!layout)
    return layout.takeError();
  return BufferType::get(load.getContext(), slots, tile.getShape(),
                         tile.getElementType(),
                         LayoutAttr::get(load.getContext(), *layout));
}
