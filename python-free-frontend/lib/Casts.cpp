//===- Casts.cpp - Conversions between element types ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include <cmath>

using namespace mlir;
using namespace tile;
using namespace tile::frontend;

/// A conversion's op for one value; the types differ and neither is i1 unless
/// it is the source.
static Value convert(OpBuilder &builder, Location loc, Value value, Type to) {
  Type from = elementOf(value.getType()), result = to;
  if (auto tile = dyn_cast<RankedTensorType>(value.getType()))
    result = RankedTensorType::get(tile.getShape(), to);
  bool isWider = to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth();
  if (isa<IntegerType>(from) && isa<IntegerType>(to)) {
    if (!isWider)
      return arith::TruncIOp::create(builder, loc, result, value);
    if (from.isInteger(1))
      return arith::ExtUIOp::create(builder, loc, result, value);
    return arith::ExtSIOp::create(builder, loc, result, value);
  }
  if (isa<IntegerType>(from)) {
    if (from.isInteger(1))
      return arith::UIToFPOp::create(builder, loc, result, value);
    return arith::SIToFPOp::create(builder, loc, result, value);
  }
  if (isa<IntegerType>(to))
    return arith::FPToSIOp::create(builder, loc, result, value);
  if (isWider)
    return arith::ExtFOp::create(builder, loc, result, value);
  return arith::TruncFOp::create(builder, loc, result, value);
}

Value KernelEmitter::castElements(Location loc, Value value, Type element) {
  Type from = elementOf(value.getType());
  if (from == element)
    return value;
  // Before `[:, None]` it is cheaper; see elementwise.
  if (auto line = value.getDefiningOp<ExpandDimsOp>()) {
    Value source = castElements(loc, line.getSource(), element);
    auto type = RankedTensorType::get(shapeOf(line.getType()), element);
    return ExpandDimsOp::create(builder, loc, type, source, line.getAxis());
  }
  // f16 to bf16, and between the 8-bit floats, have no op of their own.
  bool areFloats = isa<FloatType>(from) && isa<FloatType>(element);
  bool isStep = areFloats && !from.isF32() && !from.isF64() &&
                !element.isF32() && !element.isF64();
  if (isStep)
    value = convert(builder, loc, value, builder.getF32Type());
  return convert(builder, loc, value, element);
}

/// A number with a fraction, cut as one that is known at run time only; an
/// error where the type does not hold its integer part.
Value KernelEmitter::cutNumber(const Expr &expr, const Val &value,
                               Type element) {
  double whole = std::trunc(value.number);
  unsigned bits = element.getIntOrFloatBitWidth();
  bool fits = std::fabs(whole) < 0x1p63 && llvm::isIntN(bits, int64_t(whole));
  if (!fits) {
    errors.error(expr.range, "expected a number whose integer part " +
                                 describe(element) + " holds, got '" +
                                 textOf(expr.operands[0]->range) + "'");
    return {};
  }
  return constantOf(location(expr.range), Val::constant(int64_t(whole)),
                    element, expr.range);
}

Val KernelEmitter::emitCast(const Expr &expr) {
  Val value = emitExpr(*expr.operands[0]);
  Type type = elementType(expr.type);
  if (!value || !type)
    return {};
  Location loc = location(expr.range);
  if (value.kind == Val::Bool && !type.isInteger(1))
    value = Val::constant(value.integer);
  if (value.kind == Val::Float && isa<IntegerType>(type) && !type.isInteger(1))
    return Val::run(cutNumber(expr, value, type));
  if (value.isConstant() && !(value.kind == Val::Float && type.isInteger(1)))
    return Val::run(constantOf(loc, value, type, expr.range));
  if (value.kind != Val::Run && !value.isConstant()) {
    errors.error(expr.operands[0]->range, "expected a value to convert to " +
                                              describe(type) + ", got " +
                                              describe(value));
    return {};
  }
  bool isCondition =
      value.kind == Val::Run && elementOf(value.value.getType()).isInteger(1);
  if (type.isInteger(1) && !isCondition) {
    errors.error(expr.range, "expected a comparison such as x != 0 to make i1, "
                             "got a conversion of " +
                                 describe(value));
    return {};
  }
  return Val::run(castElements(loc, value.value, type));
}
