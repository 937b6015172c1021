//===- Indices.cpp - Offsets of pointers, indices of tiles ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;

/// Integers do not overflow: the author's claim, which analyses build on.
static constexpr auto kNoWrap = arith::IntegerOverflowFlags::nsw;

/// A pointer moves by elements; its offsets gather, the base stays.
Val KernelEmitter::advancePointer(const Expr &expr, Val pointer,
                                  const Expr &offsetExpr, const Val &offset) {
  bool isInteger = offset.kind == Val::Int;
  if (offset.kind == Val::Run) {
    Type element = elementOf(offset.value.getType());
    isInteger = isa<IntegerType>(element) && !element.isInteger(1);
  }
  if (!isInteger) {
    errors.error(offsetExpr.range, "expected integers to add to " +
                                       describe(pointer) + ", got " +
                                       describe(offset));
    return {};
  }
  Location loc = location(expr.range);
  Val added = offset;
  if (pointer.offsets) {
    Val before = Val::run(pointer.offsets);
    if (!unify(offsetExpr, before, offsetExpr, added, expr.range))
      return {};
    pointer.offsets = elementwise(
        loc, expr.range, {before.value, added.value}, [&](ValueRange in) {
          return arith::AddIOp::create(builder, loc, in[0], in[1], kNoWrap);
        });
  } else if (added.kind == Val::Int) {
    pointer.offsets =
        constantOf(loc, added, builder.getI64Type(), offsetExpr.range);
  } else {
    pointer.offsets = added.value;
    Type element = elementOf(added.value.getType());
    // Offsets are i32 or i64.
    if (element.getIntOrFloatBitWidth() < 32)
      pointer.offsets = castElements(loc, added.value, builder.getI32Type());
  }
  if (!pointer.offsets)
    return {};
  return pointer;
}

Val KernelEmitter::emitIndex(const Expr &expr) {
  Val value = emitBase(*expr.operands[0]);
  if (!value)
    return {};
  if (value.kind == Val::Tensor)
    return loadPart(expr, value);
  bool isReshaped = !llvm::is_contained(expr.axes, "") && !expr.other;
  if (value.kind == Val::Arranged && isReshaped)
    value = loadArranged(*expr.operands[0], value);
  if (!value)
    return {};
  if (value.kind == Val::Arranged)
    return indexArranged(expr, value);
  if (value.kind == Val::Tuple)
    return emitPart(expr, value);
  if (!isReshaped) {
    bool isTile =
        value.kind == Val::Run && !shapeOf(value.value.getType()).empty();
    errors
        .error(expr.range, "expected ':' and 'None' as indices of " +
                               describe(value) + ", got a value")
        .help(isTile ? "'sum(where(arange(n) == i, x, 0))' picks an element"
              : value.kind == Val::Pointer ? "write 'load(p + i)'"
                                           : "");
    return {};
  }
  bool isTile =
      value.kind == Val::Run && isa<RankedTensorType>(value.value.getType());
  if (!isTile) {
    errors.error(expr.operands[0]->range,
                 "expected a tile to index, got " + describe(value));
    return {};
  }
  size_t rank = shapeOf(value.value.getType()).size();
  size_t kept = llvm::count(expr.axes, ":");
  if (kept != rank) {
    errors.error(expr.range, "expected a ':' for each of the " + Twine(rank) +
                                 " dimensions of " + describe(value) +
                                 ", got " + Twine(kept));
    return {};
  }
  if (expr.axes.size() > 8) {
    errors.error(expr.range, "expected at most 8 dimensions, got " +
                                 Twine(expr.axes.size()));
    return {};
  }
  Location loc = location(expr.range);
  for (auto [axis, word] : llvm::enumerate(expr.axes)) {
    if (word == ":")
      continue;
    auto type = cast<RankedTensorType>(value.value.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.insert(shape.begin() + axis, 1);
    value.value = ExpandDimsOp::create(
        builder, loc, RankedTensorType::get(shape, type.getElementType()),
        value.value, axis);
  }
  return value;
}
