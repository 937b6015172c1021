//===- Reductions.cpp - Reductions and scans ------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;
using llvm::SMRange;

/// Integers of a sum must not overflow, as those of `+` must not.
static constexpr auto kNoWrap = arith::IntegerOverflowFlags::nsw;

std::optional<int64_t> KernelEmitter::emitAxis(const Expr *axis, Value &tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  if (axis) {
    std::optional<int64_t> given = emitInteger(*axis, "as an axis");
    if (!given)
      return std::nullopt;
    int64_t index = *given < 0 ? *given + type.getRank() : *given;
    if (index >= 0 && index < type.getRank())
      return index;
    errors.error(axis->range, "expected an axis of " + describe(type) +
                                  ", got " + Twine(*given));
    return std::nullopt;
  }
  if (type.getRank() > 1) {
    auto line =
        RankedTensorType::get({type.getNumElements()}, type.getElementType());
    tile = ReshapeOp::create(builder, tile.getLoc(), line, tile);
  }
  return 0;
}

SmallVector<Value> KernelEmitter::makeFold(const Expr &expr, ValueRange tiles,
                                           FoldOptions options,
                                           Combine combine) {
  Location loc = location(expr.range);
  SmallVector<Type> results, elements;
  for (Value tile : tiles) {
    auto type = cast<RankedTensorType>(tile.getType());
    elements.push_back(type.getElementType());
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + options.axis);
    if (options.isScan)
      results.push_back(type);
    else if (shape.empty())
      results.push_back(elements.back());
    else
      results.push_back(RankedTensorType::get(shape, elements.back()));
  }
  Operation *op;
  if (options.isScan)
    op = ScanOp::create(builder, loc, results, tiles, options.axis,
                        options.isReverse);
  else
    op = ReduceOp::create(builder, loc, results, tiles, options.axis,
                          options.reassoc);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> arguments(elements);
  llvm::append_range(arguments, elements);
  SmallVector<Location> places(arguments.size(), loc);
  Region &region = op->getRegion(0);
  mlir::Block *body =
      builder.createBlock(&region, region.end(), arguments, places);
  SmallVector<Value> combined;
  if (!combine(body->getArguments(), combined)) {
    op->erase();
    return {};
  }
  YieldOp::create(builder, loc, combined);
  return SmallVector<Value>(op->getResults());
}

/// What two elements make in the reduction of this name.
Value KernelEmitter::makeCombined(Location loc, StringRef name, Value left,
                                  Value right) {
  bool isFloat = isa<FloatType>(left.getType());
  if (name == "sum" || name == "cumsum") {
    if (isFloat)
      return arith::AddFOp::create(builder, loc, left, right);
    return arith::AddIOp::create(builder, loc, left, right, kNoWrap);
  }
  if (name == "prod" || name == "cumprod") {
    if (isFloat)
      return arith::MulFOp::create(builder, loc, left, right);
    return arith::MulIOp::create(builder, loc, left, right, kNoWrap);
  }
  if (name == "any")
    return arith::OrIOp::create(builder, loc, left, right);
  if (name == "all")
    return arith::AndIOp::create(builder, loc, left, right);
  return makeExtremum(loc, name == "min", left, right);
}

/// `sum(x, axis = 1)` and the like; without an axis, of all elements.
Val KernelEmitter::emitReduction(const Expr &expr) {
  StringRef name = expr.text;
  FoldOptions options;
  options.isScan = name.starts_with("cum");
  SmallVector<const Expr *> given;
  Slot option = {options.isScan ? "reverse" : "reassoc", false,
                 /*isNamed=*/true};
  if (!bindArguments(expr, {{"x", true}, {"axis", options.isScan}, option},
                     given))
    return {};
  Value tile = emitTile(*given[0], name);
  if (!tile)
    return {};
  bool flag = emitFlag(given[2], false);
  options.isReverse = options.isScan && flag;
  options.reassoc = !options.isScan && flag;
  std::optional<int64_t> axis = emitAxis(given[1], tile);
  if (!axis)
    return {};
  options.axis = *axis;
  Type element = elementOf(tile.getType());
  bool isLogic = name == "any" || name == "all";
  bool isSum = name == "sum" || name == "cumsum";
  bool isProduct = name == "prod" || name == "cumprod";
  if (isLogic != element.isInteger(1) && !isSum) {
    errors.error(given[0]->range,
                 "expected " + Twine(isLogic ? "i1" : "numbers") + " in '" +
                     name + "', got " + describe(tile.getType()));
    return {};
  }
  // A sum of conditions counts them; one of narrow integers does not overflow,
  // and a product of them has room.
  if ((isSum || isProduct) && isa<IntegerType>(element) &&
      element.getIntOrFloatBitWidth() < 32)
    tile = castElements(tile.getLoc(), tile, builder.getI32Type());
  Location loc = location(expr.range);
  return Val::run(makeFold(expr, tile, options,
                           [&](ValueRange in, SmallVectorImpl<Value> &out) {
                             out.push_back(
                                 makeCombined(loc, name, in[0], in[1]));
                             return true;
                           })
                      .front());
}

/// `argmax(x, axis = 1)`: the first place of the greatest; of a NaN where there
/// is one.
Val KernelEmitter::emitArgument(const Expr &expr) {
  SmallVector<const Expr *> given;
  if (!bindArguments(expr, {{"x", true}, {"axis", false}}, given))
    return {};
  Value tile = emitTile(*given[0], expr.text);
  if (!tile)
    return {};
  Type element = elementOf(tile.getType());
  if (element.isInteger(1)) {
    errors.error(given[0]->range, "expected numbers in '" + expr.text +
                                      "', got " + describe(tile.getType()));
    return {};
  }
  FoldOptions options;
  std::optional<int64_t> axis = emitAxis(given[1], tile);
  if (!axis)
    return {};
  options.axis = *axis;
  Location loc = location(expr.range);
  ArrayRef<int64_t> shape = shapeOf(tile.getType());
  Value place = IotaOp::create(
      builder, loc,
      RankedTensorType::get({shape[*axis]}, builder.getI32Type()));
  for (int64_t dim = 0; dim < int64_t(shape.size()); ++dim) {
    if (dim == *axis)
      continue;
    SmallVector<int64_t> sides(shapeOf(place.getType()));
    sides.insert(sides.begin() + dim, 1);
    auto type = RankedTensorType::get(sides, builder.getI32Type());
    place = ExpandDimsOp::create(builder, loc, type, place, dim);
  }
  place = spread(loc, place, shape);
  bool isMin = expr.text == "argmin";
  // The left one is the earlier: it stays unless the right one is better.
  auto combine = [&](ValueRange in, SmallVectorImpl<Value> &out) {
    Value right = makeBetter(loc, isMin, in[2], in[0]);
    for (int i = 0; i < 2; ++i)
      out.push_back(
          arith::SelectOp::create(builder, loc, right, in[i + 2], in[i]));
    return true;
  };
  return Val::run(makeFold(expr, {tile, place}, options, combine)[1]);
}

/// Whether `value` is beyond `other`, or the first NaN.
Value KernelEmitter::makeBetter(Location loc, bool isMin, Value value,
                                Value other) {
  if (isa<IntegerType>(value.getType()))
    return arith::CmpIOp::create(builder, loc,
                                 isMin ? arith::CmpIPredicate::slt
                                       : arith::CmpIPredicate::sgt,
                                 value, other);
  Value beyond = arith::CmpFOp::create(builder, loc,
                                       isMin ? arith::CmpFPredicate::ULT
                                             : arith::CmpFPredicate::UGT,
                                       value, other);
  Value isNumber = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::ORD, other, other);
  return arith::AndIOp::create(builder, loc, beyond, isNumber);
}

/// The arguments of `reduce(x, ..., axis, function)` by what they are.
bool KernelEmitter::splitFold(const Expr &expr, FoldCall &call) {
  bool isScan = expr.text == "scan";
  SmallVector<const Expr *> positional;
  for (auto [name, value] : llvm::zip_equal(expr.names, expr.operands)) {
    if (name.text.empty()) {
      positional.push_back(value.get());
    } else if (name.text == "axis") {
      call.axis = value.get();
    } else if (name.text == (isScan ? "reverse" : "reassoc")) {
      call.flag = value.get();
    } else {
      errors.error(name.range, "expected the name axis or " +
                                   Twine(isScan ? "reverse" : "reassoc") +
                                   " in '" + expr.text + "', got '" +
                                   name.text + "'");
      return false;
    }
  }
  if (!positional.empty()) {
    call.function = positional.pop_back_val();
    if (!call.axis && !positional.empty())
      call.axis = positional.pop_back_val();
  }
  call.tiles = positional;
  if (positional.empty()) {
    errors.error(expr.range, "expected tiles, an axis and a function in '" +
                                 expr.text + "', got less");
    return false;
  }
  if (call.function->kind == Expr::Name &&
      functions.contains(call.function->text))
    return true;
  errors
      .error(call.function->range,
             "expected a function of the file as the last "
             "argument of '" +
                 expr.text + "', got '" + textOf(call.function->range) + "'")
      .help("write 'fn add(a, b) { return a + b }' outside of the kernel, and "
            "'add' here");
  return false;
}

/// `reduce(x, axis, f)` and `scan(x, axis, f)`, of one tile or of several.
Val KernelEmitter::emitFold(const Expr &expr) {
  FoldCall call;
  if (!splitFold(expr, call))
    return {};
  FoldOptions options;
  options.isScan = expr.text == "scan";
  bool flag = emitFlag(call.flag, false);
  (options.isScan ? options.isReverse : options.reassoc) = flag;
  SmallVector<Value> tiles;
  for (const Expr *operand : call.tiles) {
    Value tile = emitTile(*operand, expr.text);
    if (!tile)
      return {};
    if (!tiles.empty() &&
        shapeOf(tile.getType()) != shapeOf(tiles[0].getType())) {
      errors.error(operand->range,
                   "expected a tile of " +
                       sidesText(shapeOf(tiles[0].getType())) +
                       " beside the first one, got " +
                       sidesText(shapeOf(tile.getType())),
                   call.tiles[0]->range, "the first one is here");
      return {};
    }
    tiles.push_back(tile);
  }
  std::optional<int64_t> axis = emitAxis(call.axis, tiles[0]);
  if (!axis)
    return {};
  options.axis = *axis;
  SmallVector<Value> results = makeFold(
      expr, tiles, options, [&](ValueRange in, SmallVectorImpl<Value> &out) {
        return combineBy(expr, *call.function, in, out);
      });
  std::vector<Val> parts;
  for (Value result : results)
    parts.push_back(Val::run(result));
  if (parts.empty())
    return {};
  return parts.size() == 1 ? parts[0] : Val::tuple(parts);
}

/// Emits the user's function on two groups of elements.
bool KernelEmitter::combineBy(const Expr &expr, const Expr &name, ValueRange in,
                              SmallVectorImpl<Value> &out) {
  const Function &function = *functions.find(name.text)->second;
  if (function.isBroken)
    return false;
  if (function.formals.size() != in.size()) {
    errors.error(name.range,
                 "expected a function of " + Twine(in.size()) +
                     " arguments, left ones first, in '" + expr.text +
                     "', got " + Twine(function.formals.size()),
                 function.name.range, "'" + name.text + "' is defined here");
    return false;
  }
  std::vector<Val> values;
  for (Value value : in)
    values.push_back(Val::run(value));
  SmallVector<SMRange> places(in.size(), name.range);
  Val result = applyFunction(function, std::move(values), places, name.range);
  if (!result)
    return false;
  std::vector<Val> parts{result};
  if (result.kind == Val::Tuple)
    parts = result.parts;
  size_t count = in.size() / 2;
  bool fits = parts.size() == count;
  for (size_t i = 0; fits && i < count; ++i) {
    Type type = in[i].getType();
    if (parts[i].isConstant())
      parts[i] = Val::run(
          constantOf(location(name.range), parts[i], type, name.range));
    if (!parts[i])
      return false;
    fits = parts[i].kind == Val::Run && parts[i].value.getType() == type;
    out.push_back(parts[i].value);
  }
  if (!fits) {
    std::string types = describe(in[0].getType());
    for (size_t i = 1; i < count; ++i)
      types += ", " + describe(in[i].getType());
    errors.error(name.range,
                 "expected a result of " + types + " for '" + expr.text +
                     "', got " + describe(result),
                 function.name.range, "'" + name.text + "' is defined here");
    return false;
  }
  for (Operation &op : *builder.getInsertionBlock())
    if (!isMemoryEffectFree(&op)) {
      errors.error(name.range,
                   "expected a function without effects in '" + expr.text +
                       "', got one that reads, writes or prints",
                   function.name.range, "'" + name.text + "' is defined here");
      return false;
    }
  return true;
}
