//===- Builtins.cpp - The functions of the .tile language -----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;

static bool isMath(StringRef name) {
  for (StringRef known : {"exp", "exp2", "log", "log2", "sqrt", "rsqrt", "tanh",
                          "sin", "cos", "abs"})
    if (name == known)
      return true;
  return false;
}

Val KernelEmitter::emitCall(const Expr &expr) {
  StringRef name = expr.text;
  if (name == "program_id" || name == "num_programs")
    return emitProgramId(expr);
  if (name == "arange")
    return emitArange(expr);
  if (name == "zeros" || name == "full")
    return emitFilled(expr);
  if (name == "load")
    return emitLoad(expr);
  if (name == "store")
    return emitStore(expr);
  if (name == "dot")
    return emitDot(expr);
  if (name == "cdiv")
    return emitCeilDiv(expr);
  if (name == "min" || name == "max")
    return emitMinMax(expr);
  if (name == "where")
    return emitWhere(expr);
  if (isMath(name))
    return emitMath(expr);
  if (name == "grouped")
    errors.error(expr.range, "expected 'let ROW, COLUMN = grouped(...)', got a "
                             "use as one value");
  else
    errors.error(expr.range,
                 "expected a function of the language, got '" + name + "'");
  return {};
}

bool KernelEmitter::matchArguments(const Expr &call, unsigned count,
                                   ArrayRef<StringRef> named,
                                   SmallVectorImpl<const Expr *> &byName) {
  byName.assign(named.size(), nullptr);
  unsigned positional = 0;
  for (auto [name, value] : llvm::zip_equal(call.names, call.operands)) {
    if (name.text.empty()) {
      ++positional;
      continue;
    }
    auto known = llvm::find(named, name.text);
    if (known == named.end()) {
      std::string expected = named.empty()
                                 ? "arguments without names"
                                 : "the name " + llvm::join(named, " or ");
      errors.error(name.range, "expected " + expected + " in '" + call.text +
                                   "', got '" + name.text + "'");
      return false;
    }
    const Expr *&slot = byName[known - named.begin()];
    if (slot) {
      errors.error(value->range,
                   "expected one value of '" + name.text + "', got two",
                   slot->range, "the first one is here");
      return false;
    }
    slot = value.get();
  }
  bool inFront = true;
  for (unsigned i = 0; i < positional; ++i)
    inFront &= call.names[i].text.empty();
  if (positional == count && inFront)
    return true;
  errors.error(call.range,
               inFront ? "expected " + Twine(count) +
                             " arguments without a name in '" + call.text +
                             "', got " + Twine(positional)
                       : "expected arguments without a name first in '" +
                             call.text + "', got them mixed");
  return false;
}

Val KernelEmitter::emitProgramId(const Expr &expr) {
  SmallVector<const Expr *> none;
  if (!matchArguments(expr, 1, {}, none))
    return {};
  std::optional<int64_t> axis = emitInteger(*expr.operands[0], "as an axis");
  if (!axis)
    return {};
  if (*axis < 0 || *axis > 2) {
    errors.error(expr.operands[0]->range,
                 "expected an axis of 0, 1 or 2, got " + Twine(*axis));
    return {};
  }
  Location loc = location(expr.range);
  Type type = builder.getI32Type();
  if (expr.text == "program_id")
    return Val::run(ProgramIdOp::create(builder, loc, type, Axis(*axis)));
  return Val::run(NumProgramsOp::create(builder, loc, type, Axis(*axis)));
}

Val KernelEmitter::emitArange(const Expr &expr) {
  SmallVector<const Expr *> none;
  if (!matchArguments(expr, 1, {}, none))
    return {};
  std::optional<int64_t> side = emitInteger(*expr.operands[0], "as a side");
  if (!side)
    return {};
  if (!isTileShape(*side)) {
    errors.error(expr.operands[0]->range,
                 "expected a side from 1 to 2^24, got " + Twine(*side));
    return {};
  }
  auto type = RankedTensorType::get({*side}, builder.getI32Type());
  return Val::run(IotaOp::create(builder, location(expr.range), type));
}

Val KernelEmitter::emitFilled(const Expr &expr) {
  SmallVector<const Expr *> none;
  if (expr.type.text.empty()) {
    errors.error(expr.range, "expected '" + expr.text +
                                 "<TYPE>[SIDES]', got no type and no sides");
    return {};
  }
  if (!matchArguments(expr, expr.text == "full", {}, none))
    return {};
  Type element = elementType(expr.type);
  SmallVector<int64_t> shape;
  bool good = bool(element);
  for (const ExprPtr &side : expr.sides) {
    std::optional<int64_t> value = emitInteger(*side, "as a side");
    good &= value.has_value();
    shape.push_back(value.value_or(1));
  }
  if (!good)
    return {};
  if (!isTileShape(shape)) {
    errors.error(
        {expr.sides.front()->range.Start, expr.sides.back()->range.End},
        "expected sides of at least 1 and at most 2^24 elements, got " +
            sidesText(shape));
    return {};
  }
  Location loc = location(expr.range);
  auto type = RankedTensorType::get(shape, element);
  if (expr.text == "zeros")
    return Val::run(
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type)));
  Value value;
  if (!emitRunTime(*expr.operands[0], element, value))
    return {};
  if (value.getType() != element) {
    errors.error(expr.operands[0]->range, "expected " + describe(element) +
                                              ", got " +
                                              describe(value.getType()));
    return {};
  }
  return Val::run(SplatOp::create(builder, loc, type, value));
}

bool KernelEmitter::emitRunTime(const Expr &expr, Type element, Value &result) {
  Val value = emitExpr(expr);
  if (value.isConstant())
    result = constantOf(location(expr.range), value, element, expr.range);
  else if (value.kind == Val::Run)
    result = value.value;
  else if (value)
    errors.error(expr.range, "expected a value, got " + describe(value));
  return bool(result);
}

/// What a dot of these elements may add up in.
static bool isAccumulator(Type element, Type accumulator) {
  if (element.isF16())
    return accumulator.isF32() || accumulator.isF16();
  if (element.isF64())
    return accumulator.isF64();
  if (element.isInteger(8))
    return accumulator.isInteger(32);
  return isa<FloatType>(element) && accumulator.isF32();
}

Val KernelEmitter::emitDot(const Expr &expr) {
  SmallVector<const Expr *> none;
  if (!matchArguments(expr, 3, {}, none))
    return {};
  Value values[3];
  Type types[3];
  bool good = true;
  for (int i = 0; i < 3; ++i) {
    const Expr &operand = *expr.operands[i];
    Val value = emitExpr(operand);
    bool isMatrix =
        value.kind == Val::Run && shapeOf(value.value.getType()).size() == 2;
    if (value && !isMatrix)
      errors.error(operand.range, "expected a tile of two dimensions in 'dot', "
                                  "got " +
                                      describe(value));
    good &= isMatrix;
    values[i] = value.value;
    if (isMatrix)
      types[i] = value.value.getType();
  }
  if (!good)
    return {};
  ArrayRef<int64_t> a = shapeOf(types[0]), b = shapeOf(types[1]);
  if (a[1] != b[0]) {
    errors.error(expr.operands[1]->range,
                 "expected " + Twine(a[1]) +
                     " rows in the second tile of "
                     "'dot', got " +
                     Twine(b[0]) + " of " + sidesText(b),
                 expr.operands[0]->range,
                 "this tile is " + sidesText(a) + ": its k is " + Twine(a[1]));
    return {};
  }
  Type element = elementOf(types[0]), accumulator = elementOf(types[2]);
  if (elementOf(types[1]) != element) {
    errors.error(expr.operands[1]->range,
                 "expected " + describe(element) +
                     " in both tiles of 'dot', "
                     "got " +
                     describe(elementOf(types[1])),
                 expr.operands[0]->range, "this tile is " + describe(types[0]));
    return {};
  }
  SmallVector<int64_t> sides = {a[0], b[1]};
  if (shapeOf(types[2]) != ArrayRef<int64_t>(sides)) {
    errors.error(expr.operands[2]->range, "expected an accumulator of " +
                                              sidesText(sides) + ", got " +
                                              sidesText(shapeOf(types[2])));
    return {};
  }
  if (!isAccumulator(element, accumulator)) {
    errors.error(expr.operands[2]->range,
                 "expected another accumulator for tiles of " +
                     describe(element) + ", got " + describe(accumulator));
    return {};
  }
  return Val::run(DotOp::create(builder, location(expr.range), types[2],
                                values[0], values[1], values[2],
                                Precision::Ieee, /*promote_every=*/nullptr,
                                /*plan=*/nullptr, /*require=*/nullptr));
}

Val KernelEmitter::emitCeilDiv(const Expr &expr) {
  SmallVector<const Expr *> none;
  if (!matchArguments(expr, 2, {}, none))
    return {};
  const Expr &left = *expr.operands[0], &right = *expr.operands[1];
  Val a = emitExpr(left), b = emitExpr(right);
  if (b.kind == Val::Int && b.integer == 0) {
    errors.error(right.range, "expected a divisor other than 0, got 0");
    return {};
  }
  if (a.kind == Val::Int && b.kind == Val::Int && b.integer != -1)
    return Val::constant(
        a.integer / b.integer +
        (a.integer % b.integer != 0 && (a.integer > 0) == (b.integer > 0)));
  if (!unify(left, a, right, b, expr.range))
    return {};
  Type element = elementOf(a.value.getType());
  if (!isa<IntegerType>(element) || element.isInteger(1)) {
    errors.error(expr.range,
                 "expected integers in 'cdiv', got " + describe(element));
    return {};
  }
  Location loc = location(expr.range);
  return Val::run(elementwise(
      loc, expr.range, {a.value, b.value}, [&](ValueRange in) -> Value {
        return arith::CeilDivSIOp::create(builder, loc, in[0], in[1]);
      }));
}

Val KernelEmitter::emitMinMax(const Expr &expr) {
  SmallVector<const Expr *> none;
  if (!matchArguments(expr, 2, {}, none))
    return {};
  const Expr &left = *expr.operands[0], &right = *expr.operands[1];
  Val a = emitExpr(left), b = emitExpr(right);
  bool isMin = expr.text == "min";
  if (a.kind == Val::Int && b.kind == Val::Int)
    return Val::constant(isMin ? std::min(a.integer, b.integer)
                               : std::max(a.integer, b.integer));
  if (!unify(left, a, right, b, expr.range))
    return {};
  Location loc = location(expr.range);
  auto make = [&](ValueRange in) -> Value {
    if (isa<FloatType>(elementOf(in[0].getType()))) {
      // NaN on either side gives NaN.
      if (isMin)
        return arith::MinimumFOp::create(builder, loc, in[0], in[1]);
      return arith::MaximumFOp::create(builder, loc, in[0], in[1]);
    }
    if (isMin)
      return arith::MinSIOp::create(builder, loc, in[0], in[1]);
    return arith::MaxSIOp::create(builder, loc, in[0], in[1]);
  };
  return Val::run(elementwise(loc, expr.range, {a.value, b.value}, make));
}

Val KernelEmitter::emitWhere(const Expr &expr) {
  SmallVector<const Expr *> none;
  if (!matchArguments(expr, 3, {}, none))
    return {};
  Value condition;
  if (!emitRunTime(*expr.operands[0], builder.getI1Type(), condition))
    return {};
  if (!elementOf(condition.getType()).isInteger(1)) {
    errors.error(expr.operands[0]->range, "expected i1 as a condition, got " +
                                              describe(condition.getType()));
    return {};
  }
  const Expr &left = *expr.operands[1], &right = *expr.operands[2];
  Val a = emitExpr(left), b = emitExpr(right);
  if (!unify(left, a, right, b, expr.range))
    return {};
  Location loc = location(expr.range);
  return Val::run(elementwise(loc, expr.range, {condition, a.value, b.value},
                              [&](ValueRange in) -> Value {
                                return arith::SelectOp::create(
                                    builder, loc, in[0], in[1], in[2]);
                              }));
}

/// A function of one float, by its name.
static Value makeMath(OpBuilder &builder, Location loc, StringRef name,
                      Value in) {
  if (name == "exp")
    return math::ExpOp::create(builder, loc, in);
  if (name == "exp2")
    return math::Exp2Op::create(builder, loc, in);
  if (name == "log")
    return math::LogOp::create(builder, loc, in);
  if (name == "log2")
    return math::Log2Op::create(builder, loc, in);
  if (name == "sqrt")
    return math::SqrtOp::create(builder, loc, in);
  if (name == "rsqrt")
    return math::RsqrtOp::create(builder, loc, in);
  if (name == "tanh")
    return math::TanhOp::create(builder, loc, in);
  if (name == "sin")
    return math::SinOp::create(builder, loc, in);
  if (name == "cos")
    return math::CosOp::create(builder, loc, in);
  return math::AbsFOp::create(builder, loc, in);
}

Val KernelEmitter::emitMath(const Expr &expr) {
  SmallVector<const Expr *> none;
  if (!matchArguments(expr, 1, {}, none))
    return {};
  Value value;
  if (!emitRunTime(*expr.operands[0], builder.getF32Type(), value))
    return {};
  if (!isa<FloatType>(elementOf(value.getType()))) {
    errors.error(expr.operands[0]->range, "expected floats in '" + expr.text +
                                              "', got " +
                                              describe(value.getType()));
    return {};
  }
  Location loc = location(expr.range);
  return Val::run(elementwise(loc, expr.range, value, [&](ValueRange in) {
    return makeMath(builder, loc, expr.text, in[0]);
  }));
}

/// Programs with neighbouring ids take `group` rows of tiles, column by column,
/// so that what they read meets in the L2 cache.
bool KernelEmitter::emitGrouped(const Expr &expr, Val &row, Val &column) {
  SmallVector<const Expr *> none;
  if (!matchArguments(expr, 4, {}, none))
    return false;
  Value values[4];
  for (int i = 0; i < 4; ++i) {
    const Expr &operand = *expr.operands[i];
    if (!emitRunTime(operand, builder.getI32Type(), values[i]))
      return false;
    if (!values[i].getType().isInteger(32)) {
      errors.error(operand.range, "expected i32 in 'grouped', got " +
                                      describe(values[i].getType()));
      return false;
    }
  }
  auto [pid, rows, columns, group] = values;
  Location loc = location(expr.range);
  Value inGroup = arith::MulIOp::create(builder, loc, group, columns);
  Value groupId = arith::DivSIOp::create(builder, loc, pid, inGroup);
  Value first = arith::MulIOp::create(builder, loc, groupId, group);
  Value left = arith::SubIOp::create(builder, loc, rows, first);
  // The last group has fewer rows where `group` does not divide them.
  Value height = arith::MinSIOp::create(builder, loc, left, group);
  Value place = arith::RemSIOp::create(builder, loc, pid, inGroup);
  Value inside = arith::RemSIOp::create(builder, loc, place, height);
  row = Val::run(arith::AddIOp::create(builder, loc, first, inside));
  column = Val::run(arith::DivSIOp::create(builder, loc, place, height));
  return true;
}
