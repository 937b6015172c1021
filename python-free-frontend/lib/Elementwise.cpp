//===- Elementwise.cpp - Functions of each element by itself --------------===//
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

/// Integers do not overflow, as with operators.
static constexpr auto kNoWrap = arith::IntegerOverflowFlags::nsw;

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

/// `max(x, y)` element by element; `max(x)` and `max(x, axis = 0)` reduce.
Val KernelEmitter::emitMinMax(const Expr &expr) {
  auto isNamed = [](const Identifier &name) { return !name.text.empty(); };
  if (expr.operands.size() == 1 || llvm::any_of(expr.names, isNamed))
    return emitReduction(expr);
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
  return Val::run(
      elementwise(loc, expr.range, {a.value, b.value}, [&](ValueRange in) {
        return makeExtremum(loc, isMin, in[0], in[1]);
      }));
}

/// `clamp(x, low, high)` is min(max(x, low), high).
Val KernelEmitter::emitClamp(const Expr &expr) {
  SmallVector<const Expr *> given;
  if (!bindArguments(expr, {{"x", true}, {"low", true}, {"high", true}}, given))
    return {};
  Val result = emitExpr(*given[0]);
  Location loc = location(expr.range);
  for (bool isMin : {false, true}) {
    const Expr &limitExpr = *given[isMin ? 2 : 1];
    Val limit = emitExpr(limitExpr);
    if (result.kind == Val::Int && limit.kind == Val::Int) {
      result = Val::constant(isMin ? std::min(result.integer, limit.integer)
                                   : std::max(result.integer, limit.integer));
      continue;
    }
    if (!unify(*given[0], result, limitExpr, limit, expr.range))
      return {};
    result = Val::run(elementwise(
        loc, expr.range, {result.value, limit.value},
        [&](ValueRange in) { return makeExtremum(loc, isMin, in[0], in[1]); }));
  }
  return result;
}

/// NaN on either side gives NaN.
Value KernelEmitter::makeExtremum(Location loc, bool isMin, Value left,
                                  Value right) {
  if (isa<FloatType>(elementOf(left.getType()))) {
    if (isMin)
      return arith::MinimumFOp::create(builder, loc, left, right);
    return arith::MaximumFOp::create(builder, loc, left, right);
  }
  if (isMin)
    return arith::MinSIOp::create(builder, loc, left, right);
  return arith::MaxSIOp::create(builder, loc, left, right);
}

Val KernelEmitter::emitWhere(const Expr &expr) {
  SmallVector<const Expr *> none;
  if (!matchArguments(expr, 3, {}, none))
    return {};
  Val known = emitExpr(*expr.operands[0]);
  // Each operand once: it may update memory.
  const Expr &left = *expr.operands[1], &right = *expr.operands[2];
  Val a = emitExpr(left), b = emitExpr(right);
  auto isKnown = [](const Val &value) {
    return value.isConstant() || value.kind == Val::Type;
  };
  if (known.kind == Val::Bool && isKnown(a) && isKnown(b))
    return known.integer ? a : b;
  Value condition;
  if (!takeRunTime(*expr.operands[0], known, builder.getI1Type(), condition))
    return {};
  if (!elementOf(condition.getType()).isInteger(1)) {
    errors
        .error(expr.operands[0]->range, "expected i1 as a condition, got " +
                                            describe(condition.getType()))
        .help(helpToCompare(*expr.operands[0], "!="));
    return {};
  }
  if (!unify(left, a, right, b, expr.range))
    return {};
  Location loc = location(expr.range);
  return Val::run(elementwise(loc, expr.range, {condition, a.value, b.value},
                              [&](ValueRange in) -> Value {
                                return arith::SelectOp::create(
                                    builder, loc, in[0], in[1], in[2]);
                              }));
}

template <typename OpT>
static Value make(OpBuilder &builder, Location loc, Value in) {
  return OpT::create(builder, loc, in);
}

/// A function of one float, by its name.
static Value makeMath(OpBuilder &builder, Location loc, StringRef name,
                      Value in) {
  using Maker = Value (*)(OpBuilder &, Location, Value);
  auto maker = StringSwitch<Maker>(name)
                   .Case("exp", make<math::ExpOp>)
                   .Case("exp2", make<math::Exp2Op>)
                   .Case("log", make<math::LogOp>)
                   .Case("log2", make<math::Log2Op>)
                   .Case("sqrt", make<math::SqrtOp>)
                   .Case("rsqrt", make<math::RsqrtOp>)
                   .Case("tanh", make<math::TanhOp>)
                   .Case("erf", make<math::ErfOp>)
                   .Case("floor", make<math::FloorOp>)
                   .Case("ceil", make<math::CeilOp>)
                   .Case("sin", make<math::SinOp>)
                   .Case("cos", make<math::CosOp>)
                   .Case("log10", make<math::Log10Op>)
                   .Case("expm1", make<math::ExpM1Op>)
                   .Case("log1p", make<math::Log1pOp>)
                   .Case("erfc", make<math::ErfcOp>)
                   .Case("cbrt", make<math::CbrtOp>)
                   .Case("tan", make<math::TanOp>)
                   .Case("asin", make<math::AsinOp>)
                   .Case("acos", make<math::AcosOp>)
                   .Case("atan", make<math::AtanOp>)
                   .Case("sinh", make<math::SinhOp>)
                   .Case("cosh", make<math::CoshOp>)
                   .Case("asinh", make<math::AsinhOp>)
                   .Case("acosh", make<math::AcoshOp>)
                   .Case("atanh", make<math::AtanhOp>)
                   .Default(make<math::AbsFOp>);
  return maker(builder, loc, in);
}

/// |x| as max(x, 0 - x): the least integer has none.
Val KernelEmitter::emitIntegerAbs(const Expr &expr, Value value) {
  Location loc = location(expr.range);
  return Val::run(
      elementwise(loc, expr.range, value, [&](ValueRange in) -> Value {
        Value zero = arith::ConstantOp::create(
            builder, loc, builder.getZeroAttr(in[0].getType()));
        Value negative =
            arith::SubIOp::create(builder, loc, zero, in[0], kNoWrap);
        return arith::MaxSIOp::create(builder, loc, in[0], negative);
      }));
}

Val KernelEmitter::emitMath(const Expr &expr) {
  SmallVector<const Expr *> none;
  if (!matchArguments(expr, 1, {}, none))
    return {};
  const Expr &operand = *expr.operands[0];
  Val known = emitExpr(operand);
  bool isAbs = expr.text == "abs";
  if (isAbs && known.kind == Val::Int) {
    if (known.integer != std::numeric_limits<int64_t>::min())
      return Val::constant(std::abs(known.integer));
    errors.error(expr.range, "expected a result of at most 64 bits, got more");
    return {};
  }
  Value value;
  if (!takeRunTime(operand, known, builder.getF32Type(), value))
    return {};
  Type element = elementOf(value.getType());
  if (isAbs && isa<IntegerType>(element) && !element.isInteger(1))
    return emitIntegerAbs(expr, value);
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

Val KernelEmitter::emitMathPair(const Expr &expr) {
  SmallVector<const Expr *> none;
  if (!matchArguments(expr, 2, {}, none))
    return {};
  const Expr &a = *expr.operands[0], &b = *expr.operands[1];
  Val x = emitExpr(a), y = emitExpr(b);
  if (!unify(a, x, b, y, expr.range))
    return {};
  Type element = elementOf(x.value.getType());
  if (!isa<FloatType>(element)) {
    errors.error(expr.range, "expected floats in '" + expr.text + "', got " +
                                 describe(element));
    return {};
  }
  Location loc = location(expr.range);
  return Val::run(elementwise(
      loc, expr.range, {x.value, y.value}, [&](ValueRange in) -> Value {
        if (expr.text == "pow")
          return math::PowFOp::create(builder, loc, in[0], in[1]);
        return math::Atan2Op::create(builder, loc, in[0], in[1]);
      }));
}

Val KernelEmitter::emitFma(const Expr &expr) {
  SmallVector<const Expr *> none;
  if (!matchArguments(expr, 3, {}, none))
    return {};
  const Expr &a = *expr.operands[0], &b = *expr.operands[1],
             &c = *expr.operands[2];
  Val x = emitExpr(a), y = emitExpr(b), z = emitExpr(c);
  // Twice, since the third may be the widest.
  if (!unify(a, x, b, y, expr.range) || !unify(a, x, c, z, expr.range) ||
      !unify(a, x, b, y, expr.range))
    return {};
  Type element = elementOf(x.value.getType());
  if (!isa<FloatType>(element)) {
    errors.error(expr.range,
                 "expected floats in 'fma', got " + describe(element));
    return {};
  }
  Location loc = location(expr.range);
  return Val::run(elementwise(loc, expr.range, {x.value, y.value, z.value},
                              [&](ValueRange in) -> Value {
                                return math::FmaOp::create(builder, loc, in[0],
                                                           in[1], in[2]);
                              }));
}

/// The upper half of the unsigned product: of i32 through i64.
static Value makeHighProduct(OpBuilder &builder, Location loc, Value left,
                             Value right) {
  Type type = left.getType(), wide = builder.getI64Type();
  TypedAttr shift = builder.getI64IntegerAttr(32);
  if (auto tile = dyn_cast<RankedTensorType>(type)) {
    wide = RankedTensorType::get(tile.getShape(), wide);
    shift = DenseElementsAttr::get(cast<ShapedType>(wide), APInt(64, 32));
  }
  Value a = arith::ExtUIOp::create(builder, loc, wide, left);
  Value b = arith::ExtUIOp::create(builder, loc, wide, right);
  Value product = arith::MulIOp::create(builder, loc, a, b);
  Value amount = arith::ConstantOp::create(builder, loc, shift);
  Value high = arith::ShRUIOp::create(builder, loc, product, amount);
  return arith::TruncIOp::create(builder, loc, type, high);
}

/// A function of two integers, by its name.
static Value makeInteger(OpBuilder &builder, Location loc, StringRef name,
                         Value left, Value right) {
  if (name == "wrapping_add")
    return arith::AddIOp::create(builder, loc, left, right);
  if (name == "wrapping_sub")
    return arith::SubIOp::create(builder, loc, left, right);
  if (name == "wrapping_mul")
    return arith::MulIOp::create(builder, loc, left, right);
  if (name == "lshr")
    return arith::ShRUIOp::create(builder, loc, left, right);
  if (name == "umulhi")
    return makeHighProduct(builder, loc, left, right);
  if (name == "udiv")
    return arith::DivUIOp::create(builder, loc, left, right);
  if (name == "urem")
    return arith::RemUIOp::create(builder, loc, left, right);
  if (name == "ult")
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, left,
                                 right);
  Value quotient = arith::FloorDivSIOp::create(builder, loc, left, right);
  if (name == "floordiv")
    return quotient;
  Value product = arith::MulIOp::create(builder, loc, quotient, right);
  return arith::SubIOp::create(builder, loc, left, product);
}

/// floordiv, or floormod, of two integers of which the second is not 0; nothing
/// for -2^63 / -1.
static std::optional<int64_t> foldFloor(bool isQuotient, int64_t a, int64_t b) {
  if (b == -1 && isQuotient && a == std::numeric_limits<int64_t>::min())
    return std::nullopt;
  if (isQuotient)
    return llvm::divideFloorSigned(a, b);
  int64_t left = b == -1 ? 0 : a % b;
  return left != 0 && (left < 0) != (b < 0) ? left + b : left;
}

Val KernelEmitter::emitIntegerFunction(const Expr &expr) {
  SmallVector<const Expr *> none;
  if (!matchArguments(expr, 2, {}, none))
    return {};
  StringRef name = expr.text;
  const Expr &left = *expr.operands[0], &right = *expr.operands[1];
  Val a = emitExpr(left), b = emitExpr(right);
  const Val written = b;
  bool isDivision =
      name.starts_with("floor") || name == "udiv" || name == "urem";
  if (isDivision && b.kind == Val::Int && b.integer == 0) {
    errors.error(right.range, "expected a divisor other than 0, got 0");
    return {};
  }
  if (name.starts_with("floor") && a.kind == Val::Int && b.kind == Val::Int) {
    std::optional<int64_t> result =
        foldFloor(name == "floordiv", a.integer, b.integer);
    if (result)
      return Val::constant(*result);
    errors.error(expr.range, "expected a result of at most 64 bits, got more");
    return {};
  }
  if (!unify(left, a, right, b, expr.range))
    return {};
  Type element = elementOf(a.value.getType());
  bool fits = isa<IntegerType>(element) && !element.isInteger(1);
  if (name == "umulhi")
    fits = element.isInteger(32);
  if (!fits) {
    errors.error(expr.range,
                 "expected " + Twine(name == "umulhi" ? "i32" : "integers") +
                     " in '" + name + "', got " + describe(element));
    return {};
  }
  if (name == "lshr" && !checkShift(right, written, element))
    return {};
  Location loc = location(expr.range);
  return Val::run(
      elementwise(loc, expr.range, {a.value, b.value}, [&](ValueRange in) {
        return makeInteger(builder, loc, name, in[0], in[1]);
      }));
}

/// `bitcast(x, T)`: the same bits as a type of the same width.
Val KernelEmitter::emitBitcast(const Expr &expr) {
  SmallVector<const Expr *> given;
  if (!bindArguments(expr, {{"x", true}, {"type", true}}, given))
    return {};
  Val value = emitExpr(*given[0]), type = emitExpr(*given[1]);
  if (!value || !type)
    return {};
  if (type.kind != Val::Type) {
    errors.error(given[1]->range,
                 "expected a type in 'bitcast', got " + describe(type));
    return {};
  }
  if (value.kind != Val::Run) {
    errors.error(given[0]->range,
                 "expected a value that has a type in 'bitcast', got " +
                     describe(value));
    return {};
  }
  Type from = elementOf(value.value.getType());
  if (from.getIntOrFloatBitWidth() != type.type.getIntOrFloatBitWidth()) {
    errors.error(expr.range, "expected types of one width in 'bitcast', got " +
                                 describe(from) + " and " +
                                 describe(type.type));
    return {};
  }
  Location loc = location(expr.range);
  return Val::run(
      elementwise(loc, expr.range, value.value, [&](ValueRange in) -> Value {
        Type result = type.type;
        if (auto tile = dyn_cast<RankedTensorType>(in[0].getType()))
          result = RankedTensorType::get(tile.getShape(), result);
        return arith::BitcastOp::create(builder, loc, result, in[0]);
      }));
}
