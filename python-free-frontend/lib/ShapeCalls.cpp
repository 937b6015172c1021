//===- ShapeCalls.cpp - Functions that change or ask a shape --------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;

bool KernelEmitter::emitSides(const Expr &call, size_t from,
                              SmallVectorImpl<int64_t> &sides) {
  for (size_t i = 0; i < call.operands.size(); ++i) {
    if (!call.names[i].text.empty()) {
      errors.error(call.names[i].range,
                   "expected arguments without names in '" + call.text +
                       "', got '" + call.names[i].text + "'");
      return false;
    }
    if (i < from)
      continue;
    if (call.operands[i]->kind == Expr::List) {
      StringRef list = textOf(call.operands[i]->range);
      errors
          .error(call.operands[i]->range,
                 "expected a compile-time integer in '" + call.text +
                     "', got a list")
          .help("the numbers stand without brackets: '" +
                list.drop_front().drop_back().rtrim(" ,") + "'");
      return false;
    }
    std::optional<int64_t> side =
        emitInteger(*call.operands[i], "in '" + call.text + "'");
    if (!side)
      return false;
    sides.push_back(*side);
  }
  if (call.operands.size() >= from)
    return true;
  errors.error(call.range, "expected a tile in '" + call.text + "', got none");
  return false;
}

/// `trans(x)` of a matrix, `trans(x, 2, 0, 1)`: the dimensions in this order.
Val KernelEmitter::emitTranspose(const Expr &expr) {
  SmallVector<int64_t> order;
  if (!emitSides(expr, 1, order))
    return {};
  const Expr &operand = *expr.operands[0];
  Value tile = emitTile(operand, expr.text);
  if (!tile)
    return {};
  ArrayRef<int64_t> shape = shapeOf(tile.getType());
  if (order.empty() && shape.size() != 2) {
    errors
        .error(operand.range,
               "expected a matrix in 'trans', got " + describe(tile.getType()))
        .help(shape.size() == 1
                  ? "'x[:, None]' and 'x[None, :]' make a matrix of it"
                  : "say the order of dimensions, as in 'trans(x, 2, 0, 1)'");
    return {};
  }
  if (order.empty())
    order = {1, 0};
  SmallVector<bool> seen(shape.size(), false);
  bool good = order.size() == shape.size();
  SmallVector<int64_t> sides;
  for (int64_t dim : order) {
    good = good && dim >= 0 && dim < int64_t(shape.size()) && !seen[dim];
    if (!good)
      break;
    seen[dim] = true;
    sides.push_back(shape[dim]);
  }
  if (!good) {
    errors.error(expr.range, "expected each dimension of " +
                                 describe(tile.getType()) +
                                 " once in 'trans', got " + sidesText(order));
    return {};
  }
  auto type = RankedTensorType::get(sides, elementOf(tile.getType()));
  return Val::run(
      TransposeOp::create(builder, location(expr.range), type, tile, order));
}

/// `reshape(x, m, n)`: as many elements, in row-major order;
/// `broadcast_to(x, m, n)`: sides of 1, or a scalar, repeated.
Val KernelEmitter::emitReshape(const Expr &expr) {
  SmallVector<int64_t> sides;
  if (!emitSides(expr, 1, sides))
    return {};
  const Expr &operand = *expr.operands[0];
  bool isReshape = expr.text == "reshape";
  Value value;
  if (isReshape)
    value = emitTile(operand, expr.text);
  else
    emitRunTime(operand, builder.getF32Type(), value);
  if (!value)
    return {};
  if (sides.empty() || !isTileShape(sides)) {
    errors.error(expr.range, "expected sides of at least 1 and at most 2^24 "
                             "elements, got " +
                                 sidesText(sides));
    return {};
  }
  ArrayRef<int64_t> own = shapeOf(value.getType());
  auto count = [](ArrayRef<int64_t> shape) { return llvm::product_of(shape); };
  bool fits = isReshape ? count(own) == count(sides)
                        : own.empty() || own.size() == sides.size();
  for (size_t i = 0; !isReshape && fits && i < own.size(); ++i)
    fits = own[i] == sides[i] || own[i] == 1;
  if (!fits) {
    errors.error(expr.range,
                 isReshape
                     ? "expected as many elements as " +
                           describe(value.getType()) + " has, " +
                           Twine(count(own)) + ", got " + sidesText(sides)
                     : "expected sides that " + describe(value.getType()) +
                           " spreads to, got " + sidesText(sides));
    return {};
  }
  Location loc = location(expr.range);
  if (!isReshape)
    return Val::run(spread(loc, value, sides));
  auto type = RankedTensorType::get(sides, elementOf(value.getType()));
  return Val::run(ReshapeOp::create(builder, loc, type, value));
}

/// The type of an element: of a value, or of what a pointer or a tensor holds.
Val KernelEmitter::emitDtype(const Expr &expr) {
  SmallVector<const Expr *> given;
  if (!bindArguments(expr, {{"x", true}}, given))
    return {};
  Val value = emitExpr(*given[0]);
  if (value.kind == Val::Run)
    return Val::ofType(elementOf(value.value.getType()));
  if (value.kind == Val::Pointer || value.kind == Val::Tensor)
    return Val::ofType(
        cast<PointerType>(value.value.getType()).getElementType());
  if (value)
    errors.error(given[0]->range,
                 "expected a value that has a type, got " + describe(value));
  return {};
}

/// A side: of a tile known at compile time, of a tensor when it runs.
Val KernelEmitter::emitSide(const Expr &expr) {
  SmallVector<const Expr *> given;
  if (!bindArguments(expr, {{"x", true}, {"axis", true}}, given))
    return {};
  Val value = emitExpr(*given[0]);
  std::optional<int64_t> axis = emitInteger(*given[1], "as an axis");
  if (!value || !axis)
    return {};
  bool isTensor = value.kind == Val::Tensor;
  ArrayRef<int64_t> shape;
  if (value.kind == Val::Run)
    shape = shapeOf(value.value.getType());
  if (value.kind == Val::Pointer && value.offsets)
    shape = shapeOf(value.offsets.getType());
  int64_t rank = isTensor ? value.sides.size() : shape.size();
  int64_t index = *axis < 0 ? *axis + rank : *axis;
  if (index < 0 || index >= rank) {
    errors.error(given[1]->range, "expected an axis of " + describe(value) +
                                      ", got " + Twine(*axis));
    return {};
  }
  return isTensor ? Val::run(value.sides[index]) : Val::constant(shape[index]);
}
