//===- Dot.cpp - Matrix products of tiles ---------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;

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

/// What a dot of these adds up in where the author does not say.
static Type defaultAccumulator(Builder &builder, Type element) {
  if (element.isF64())
    return element;
  return element.isInteger(8) ? Type(builder.getI32Type())
                              : Type(builder.getF32Type());
}

Value KernelEmitter::emitMatrix(const Expr &expr) {
  Val value = emitExpr(expr);
  if (value.kind == Val::Run && shapeOf(value.value.getType()).size() == 2)
    return value.value;
  if (value)
    errors.error(expr.range,
                 "expected a tile of two dimensions in 'dot', got " +
                     describe(value));
  return {};
}

bool KernelEmitter::checkFactors(const Expr &left, Type leftType,
                                 const Expr &right, Type rightType) {
  ArrayRef<int64_t> a = shapeOf(leftType), b = shapeOf(rightType);
  if (a[1] != b[0]) {
    errors
        .error(right.range,
               "expected " + Twine(a[1]) +
                   " rows in the second tile of 'dot', got " + Twine(b[0]) +
                   " of " + sidesText(b),
               left.range,
               "this tile is " + sidesText(a) + ": its k is " + Twine(a[1]))
        .help(a[1] == b[1] ? "'trans(...)' has as many" : "");
    return false;
  }
  if (elementOf(leftType) == elementOf(rightType))
    return true;
  errors.error(right.range,
               "expected " + describe(elementOf(leftType)) +
                   " in both tiles of 'dot', got " +
                   describe(elementOf(rightType)),
               left.range, "this tile is " + describe(leftType));
  return false;
}

bool KernelEmitter::checkAccumulator(const Expr &expr, Type accumulator,
                                     ArrayRef<int64_t> sides, Type element) {
  if (shapeOf(accumulator) != sides) {
    errors.error(expr.range, "expected an accumulator of " + sidesText(sides) +
                                 ", got " + sidesText(shapeOf(accumulator)));
    return false;
  }
  if (isAccumulator(element, elementOf(accumulator)))
    return true;
  errors.error(expr.range, "expected an accumulator of " +
                               Twine(element.isF16()        ? "f32 or f16"
                                     : element.isF64()      ? "f64"
                                     : element.isInteger(8) ? "i32"
                                                            : "f32") +
                               " for tiles of " + describe(element) + ", got " +
                               describe(elementOf(accumulator)));
  return false;
}

/// `precision = WORD`, for f32 only.
std::optional<Precision> KernelEmitter::emitPrecision(const Expr *word,
                                                      Type element) {
  if (!word)
    return Precision::Ieee;
  std::optional<Precision> precision;
  if (word->kind == Expr::Name)
    precision = symbolizePrecision(word->text);
  if (!precision) {
    errors.error(word->range, "expected ieee, tf32 or tf32x3 as 'precision', "
                              "got another expression");
    return std::nullopt;
  }
  if (*precision == Precision::Ieee || element.isF32())
    return precision;
  errors.error(word->range, "expected tiles of f32 for '" + word->text +
                                "', got " + describe(element));
  return std::nullopt;
}

/// `promote_every = K`, for 8-bit floats only; null where it is absent.
bool KernelEmitter::emitPromotion(const Expr *expr, Type element,
                                  IntegerAttr &result) {
  if (!expr)
    return true;
  std::optional<int64_t> every = emitInteger(*expr, "as 'promote_every'");
  if (!every)
    return false;
  if (*every < 1) {
    errors.error(expr->range, "expected at least 1 as 'promote_every', got " +
                                  Twine(*every));
    return false;
  }
  if (!isa<FloatType>(element) || element.getIntOrFloatBitWidth() != 8) {
    errors.error(expr->range,
                 "expected tiles of 8-bit floats for 'promote_every', got " +
                     describe(element));
    return false;
  }
  result = builder.getI64IntegerAttr(*every);
  return true;
}

Val KernelEmitter::emitDot(const Expr &expr) {
  SmallVector<const Expr *> given;
  if (!bindArguments(expr,
                     {{"a", true},
                      {"b", true},
                      {"acc", false},
                      {"precision", false, /*isNamed=*/true},
                      {"promote_every", false, /*isNamed=*/true}},
                     given))
    return {};
  Value a = emitMatrix(*given[0]), b = emitMatrix(*given[1]), acc;
  if (given[2] && !(acc = emitMatrix(*given[2])))
    return {};
  if (!a || !b || !checkFactors(*given[0], a.getType(), *given[1], b.getType()))
    return {};
  Type element = elementOf(a.getType());
  int64_t sides[] = {shapeOf(a.getType())[0], shapeOf(b.getType())[1]};
  Location loc = location(expr.range);
  if (isa<IntegerType>(element) && !element.isInteger(8)) {
    errors.error(given[0]->range, "expected tiles of floats or of i8 in 'dot', "
                                  "got " +
                                      describe(element));
    return {};
  }
  if (acc && !checkAccumulator(*given[2], acc.getType(), sides, element))
    return {};
  std::optional<Precision> precision = emitPrecision(given[3], element);
  IntegerAttr promoteEvery;
  if (!precision || !emitPromotion(given[4], element, promoteEvery))
    return {};
  if (!acc) {
    if (!isTileShape(sides)) {
      errors.error(expr.range,
                   "expected at most 2^24 elements, got " + sidesText(sides));
      return {};
    }
    auto type =
        RankedTensorType::get(sides, defaultAccumulator(builder, element));
    acc = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  }
  auto dot = DotOp::create(builder, loc, acc.getType(), a, b, acc, *precision,
                           promoteEvery, /*plan=*/nullptr,
                           /*require=*/nullptr);
  return Val::run(placed(dot, expr.range));
}
