//===- ArrangedAccess.cpp - Parts of arranged tensors ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An index goes one level down; the innermost level is a tile, which is loaded
// where it is used and stored where it is assigned to.  What lies beyond the
// tensor reads as zero and is not written, by an explicit mask.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;
using llvm::SMRange;

static constexpr auto kNoWrap = arith::IntegerOverflowFlags::nsw;

/// The value of an index or a size; all of its parts are at least 0.
Value KernelEmitter::affineValue(AffineExpr expr, ArrayRef<Value> variables,
                                 Type element, Location loc) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constantOf(loc, Val::constant(constant.getValue()), element, {});
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    auto op = cast<KernelOp>(
        builder.getBlock()->getParent()->getParentOfType<KernelOp>());
    return castElements(loc, op.getIntegerArguments()[symbol.getPosition()],
                        element);
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return castElements(loc, variables[dim.getPosition()], element);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value left = affineValue(binary.getLHS(), variables, element, loc);
  Value right = affineValue(binary.getRHS(), variables, element, loc);
  return elementwise(loc, {}, {left, right}, [&](ValueRange in) -> Value {
    switch (expr.getKind()) {
    case AffineExprKind::Add:
      return arith::AddIOp::create(builder, loc, in[0], in[1], kNoWrap);
    case AffineExprKind::Mul:
      return arith::MulIOp::create(builder, loc, in[0], in[1], kNoWrap);
    case AffineExprKind::CeilDiv:
      return arith::CeilDivSIOp::create(builder, loc, in[0], in[1]);
    case AffineExprKind::FloorDiv:
      return arith::DivSIOp::create(builder, loc, in[0], in[1]);
    default:
      return arith::RemSIOp::create(builder, loc, in[0], in[1]);
    }
  });
}

/// The sizes of the level that the next index goes into.
Val KernelEmitter::arrangedShape(const Val &value, Location loc) {
  std::vector<Val> sizes;
  for (const Arrangement::Dim &dim :
       value.arranged->arrangement.levels()[value.level]) {
    if (auto constant = dyn_cast<AffineConstantExpr>(dim.size))
      sizes.push_back(Val::constant(constant.getValue()));
    else
      sizes.push_back(
          Val::run(affineValue(dim.size, {}, builder.getI32Type(), loc)));
  }
  return Val::tuple(sizes);
}

/// `lhs[k]`: the next level.
Val KernelEmitter::indexArranged(const Expr &expr, Val value) {
  const Arrangement &arrangement = value.arranged->arrangement;
  const Arrangement::Level &level = arrangement.levels()[value.level];
  if (value.level + 1 == arrangement.levels().size()) {
    errors.error(expr.range, "expected a level to index, got " +
                                 describe(value) + ", which is a tile");
    return {};
  }
  size_t count = expr.operands.size() - 1;
  if (count != level.size() || count != expr.axes.size() || expr.other) {
    bool isAcross = count > level.size() && count == expr.axes.size() &&
                    value.level + 2 < arrangement.levels().size();
    errors
        .error(expr.range, "expected an index for each of the " +
                               Twine(level.size()) + " dimensions of " +
                               describe(value) + ", got " +
                               (count == level.size() ? "':', 'None' or 'other'"
                                                      : Twine(count).str()))
        .help(isAcross ? "each level has indices of its own, as in 'x[i][j]'"
                       : "");
    return {};
  }
  for (size_t i = 0; i < level.size(); ++i) {
    Value index = arrangedIndex(*expr.operands[i + 1], level[i].size);
    if (!index)
      return {};
    value.indices[level[i].variable] = index;
  }
  ++value.level;
  return value;
}

/// One index of i32; a constant must be within the level.
Value KernelEmitter::arrangedIndex(const Expr &expr, AffineExpr size) {
  Val value = emitExpr(expr);
  auto constant = dyn_cast<AffineConstantExpr>(size);
  bool isInside = value.kind != Val::Int ||
                  (value.integer >= 0 &&
                   (!constant || value.integer < constant.getValue()));
  if (!isInside) {
    auto nameOf = [&](unsigned symbol) { return symbolName(symbol); };
    errors.error(expr.range, "expected an index of at least 0 and less than " +
                                 sizeText(size, nameOf) + ", got " +
                                 Twine(value.integer));
    return {};
  }
  Value index;
  if (!takeRunTime(expr, value, builder.getI32Type(), index))
    return {};
  if (index.getType().isInteger(32))
    return index;
  errors.error(expr.range,
               "expected i32 as an index, got " + describe(index.getType()));
  return {};
}

/// The sides of the innermost level, which are known at compile time.
bool KernelEmitter::arrangedSides(const Val &value, SMRange range,
                                  SmallVectorImpl<int64_t> &sides) {
  const Arrangement &arrangement = value.arranged->arrangement;
  for (const Arrangement::Dim &dim : arrangement.levels().back()) {
    auto constant = dyn_cast<AffineConstantExpr>(dim.size);
    sides.push_back(constant ? constant.getValue() : 0);
  }
  if (sides.empty() || isTileShape(sides))
    return true;
  errors.error(range,
               "expected compile-time sides of at least 1 and at most 2^24 "
               "elements in a tile, got " +
                   describe(value),
               value.arranged->range, "it is arranged here");
  return false;
}

/// The variables along the sides of the innermost level that `expr` has.
static SmallVector<unsigned> axesOf(AffineExpr expr,
                                    const Arrangement::Level &level) {
  SmallVector<unsigned> axes;
  for (auto [axis, dim] : llvm::enumerate(level))
    if (expr.isFunctionOfDim(dim.variable))
      axes.push_back(axis);
  return axes;
}

/// `expr` in the tile: along one axis a line, else of the tile's rank.
Value KernelEmitter::arrangedPlace(AffineExpr expr, const Val &value,
                                   ArrayRef<int64_t> sides, Location loc) {
  const Arrangement &arrangement = value.arranged->arrangement;
  const Arrangement::Level &level = arrangement.levels().back();
  SmallVector<Value, 4> variables = value.indices;
  SmallVector<unsigned> axes = axesOf(expr, level);
  for (unsigned axis : axes) {
    auto type = RankedTensorType::get({sides[axis]}, builder.getI32Type());
    Value line = IotaOp::create(builder, loc, type);
    variables[level[axis].variable] =
        axes.size() == 1 ? line : alongAxis(line, axis, sides.size(), loc);
  }
  Type element = builder.getIntegerType(arrangement.isFlattened() ? 64 : 32);
  return affineValue(expr, variables, element, loc);
}

/// A line as a tile with sides of 1 along the other axes.
Value KernelEmitter::alongAxis(Value line, unsigned axis, size_t rank,
                               Location loc) {
  for (unsigned other = 0; other < rank; ++other) {
    if (other == axis)
      continue;
    SmallVector<int64_t> shape(shapeOf(line.getType()));
    shape.insert(shape.begin() + other, 1);
    auto type = RankedTensorType::get(shape, elementOf(line.getType()));
    line = ExpandDimsOp::create(builder, loc, type, line, other);
  }
  return line;
}

/// Whether the coordinate is that of a program, of which there are as many as
/// the tensor has indices.
bool KernelEmitter::isInsideByProgram(const Arranged &tensor, unsigned dim) {
  AffineExpr coordinate = tensor.arrangement.coordinates()[dim];
  for (const Arrangement::Dim &outer : tensor.arrangement.levels()[0]) {
    auto index = dyn_cast<AffineDimExpr>(coordinate);
    auto size = dyn_cast<AffineSymbolExpr>(outer.size);
    if (index && size && index.getPosition() == outer.variable)
      return tensor.sides[dim] == size;
  }
  return false;
}

/// The elements of the innermost level, and which of them exist.
std::optional<KernelEmitter::Part>
KernelEmitter::arrangedPart(const Expr &expr, const Val &value) {
  const Arrangement &arrangement = value.arranged->arrangement;
  const Arrangement::Level &level = arrangement.levels().back();
  SmallVector<int64_t> sides;
  if (!arrangedSides(value, expr.range, sides))
    return std::nullopt;
  Location loc = location(expr.range);
  Part part;
  for (auto [dim, coordinate] : llvm::enumerate(arrangement.coordinates())) {
    Value place = arrangedPlace(coordinate, value, sides, loc);
    SmallVector<unsigned> axes = axesOf(coordinate, level), newAxes;
    if (axes.size() == 1)
      for (unsigned other = 0; other < sides.size(); ++other)
        if (other != axes[0])
          newAxes.push_back(other);
    addIndex(expr, place, value.arranged->tensor, dim, newAxes,
             isInsideByProgram(*value.arranged, dim), part);
    if (!part.offsets)
      return std::nullopt;
  }
  for (const Arrangement::Bound &bound : arrangement.bounds()) {
    Value index = arrangedPlace(bound.index, value, sides, loc);
    Value size = affineValue(bound.size, {}, elementOf(index.getType()), loc);
    Value inside =
        elementwise(loc, expr.range, {index, size}, [&](ValueRange in) {
          return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       in[0], in[1]);
        });
    SmallVector<unsigned> axes = axesOf(bound.index, level);
    if (axes.size() == 1)
      inside = alongAxis(inside, axes[0], sides.size(), loc);
    if (!part.inside) {
      part.inside = inside;
      continue;
    }
    part.inside = elementwise(
        loc, expr.range, {part.inside, inside}, [&](ValueRange in) -> Value {
          return arith::AndIOp::create(builder, loc, in[0], in[1]);
        });
  }
  if (!sides.empty()) {
    part.offsets = spread(loc, part.offsets, sides);
    if (part.inside)
      part.inside = spread(loc, part.inside, sides);
  }
  return part;
}

/// The innermost level becomes a tile where it is used.
Val KernelEmitter::loadArranged(const Expr &expr, const Val &value) {
  bool isTile = value.kind == Val::Arranged &&
                value.level + 1 == value.arranged->arrangement.levels().size();
  if (!isTile)
    return value;
  std::optional<Part> part = arrangedPart(expr, value);
  if (!part)
    return {};
  return loadFrom(value.arranged->tensor, *part, nullptr, expr);
}

/// `out = x` and `out[k] = x`.
void KernelEmitter::storeArranged(const Expr &target, const Val &value,
                                  const Expr &stored, SMRange stmt) {
  const Arranged &tensor = *value.arranged;
  if (tensor.arrangement.isShared()) {
    errors.error(target.range,
                 "expected an output, got '" + tensor.name +
                     "', parts of which several places share",
                 tensor.shared, "they share them since here");
    return;
  }
  if (value.level + 1 != tensor.arrangement.levels().size()) {
    errors.error(target.range, "expected a tile to assign to, got " +
                                   describe(value) + ": index it");
    return;
  }
  if (std::optional<Part> part = arrangedPart(target, value))
    storeTo(tensor.tensor, *part, target, stored, stmt);
}
