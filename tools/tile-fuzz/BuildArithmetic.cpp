//===- BuildArithmetic.cpp - Arithmetic of a recipe ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

Value KernelBuilder::buildUnary(const Statement &statement) {
  Value a = values[statement.a];
  switch (static_cast<UnaryCode>(statement.code)) {
  case UnaryCode::Negate:
    return arith::NegFOp::create(builder, loc, a);
  case UnaryCode::Absolute:
    return math::AbsFOp::create(builder, loc, a);
  case UnaryCode::Floor:
    return math::FloorOp::create(builder, loc, a);
  case UnaryCode::Ceil:
    return math::CeilOp::create(builder, loc, a);
  case UnaryCode::Trunc:
    return math::TruncOp::create(builder, loc, a);
  case UnaryCode::Round:
    return math::RoundOp::create(builder, loc, a);
  case UnaryCode::RoundEven:
    return math::RoundEvenOp::create(builder, loc, a);
  case UnaryCode::Sqrt:
    return math::SqrtOp::create(builder, loc, a);
  case UnaryCode::Rsqrt:
    return math::RsqrtOp::create(builder, loc, a);
  case UnaryCode::Exp:
    return math::ExpOp::create(builder, loc, a);
  case UnaryCode::Exp2:
    return math::Exp2Op::create(builder, loc, a);
  case UnaryCode::Log:
    return math::LogOp::create(builder, loc, a);
  case UnaryCode::Log2:
    return math::Log2Op::create(builder, loc, a);
  case UnaryCode::Log10:
    return math::Log10Op::create(builder, loc, a);
  case UnaryCode::Sin:
    return math::SinOp::create(builder, loc, a);
  case UnaryCode::Cos:
    return math::CosOp::create(builder, loc, a);
  case UnaryCode::Tanh:
    return math::TanhOp::create(builder, loc, a);
  case UnaryCode::Erf:
    return math::ErfOp::create(builder, loc, a);
  }
  return {};
}

Value KernelBuilder::buildFloatBinary(BinaryCode code, Value a, Value b) {
  switch (code) {
  case BinaryCode::Add:
    return make<arith::AddFOp>(a, b);
  case BinaryCode::Subtract:
    return make<arith::SubFOp>(a, b);
  case BinaryCode::Multiply:
    return make<arith::MulFOp>(a, b);
  case BinaryCode::Max:
    return make<arith::MaximumFOp>(a, b);
  case BinaryCode::Min:
    return make<arith::MinimumFOp>(a, b);
  default:
    return make<arith::DivFOp>(a, b);
  }
}

Value KernelBuilder::buildBinary(int code, Kind kind, Value a, Value b) {
  auto binary = static_cast<BinaryCode>(code);
  if (!isInteger(kind))
    return buildFloatBinary(binary, a, b);
  switch (binary) {
  case BinaryCode::Add:
    return make<arith::AddIOp>(a, b);
  case BinaryCode::Subtract:
    return make<arith::SubIOp>(a, b);
  case BinaryCode::Multiply:
    return make<arith::MulIOp>(a, b);
  case BinaryCode::Max:
    return make<arith::MaxSIOp>(a, b);
  case BinaryCode::Min:
    return make<arith::MinSIOp>(a, b);
  case BinaryCode::And:
    return make<arith::AndIOp>(a, b);
  case BinaryCode::Or:
    return make<arith::OrIOp>(a, b);
  default:
    return make<arith::XOrIOp>(a, b);
  }
}

Value KernelBuilder::buildSelect(const Statement &statement) {
  Value a = values[statement.a], b = values[statement.b];
  Value less = isInteger(statement.kind)
                   ? Value(arith::CmpIOp::create(
                         builder, loc, arith::CmpIPredicate::slt, a, b))
                   : Value(arith::CmpFOp::create(
                         builder, loc, arith::CmpFPredicate::OLT, a, b));
  return arith::SelectOp::create(builder, loc, less, a, values[statement.c]);
}

/// Between -kMostInteger and kMostInteger; NaN becomes one of them.
Value KernelBuilder::clamped(Value a, Kind kind) {
  int64_t whole[] = {recipe.m, recipe.n};
  Value least = splat(constant(-kMostInteger, kind), whole);
  Value most = splat(constant(kMostInteger, kind), whole);
  return make<arith::MinNumFOp>(make<arith::MaxNumFOp>(a, least), most);
}

Value KernelBuilder::buildCast(const Statement &statement) {
  Value a = values[statement.a];
  auto to = tileOf(statement.kind);
  bool isWider = bytesOf(statement.kind) > bytesOf(statement.from);
  if (isInteger(statement.from) && isInteger(statement.kind))
    return isWider ? Value(arith::ExtSIOp::create(builder, loc, to, a))
                   : Value(arith::TruncIOp::create(builder, loc, to, a));
  if (isInteger(statement.from))
    return arith::SIToFPOp::create(builder, loc, to, a);
  if (isInteger(statement.kind))
    return arith::FPToSIOp::create(builder, loc, to,
                                   clamped(a, statement.from));
  if (isWider)
    return arith::ExtFOp::create(builder, loc, to, a);
  return arith::TruncFOp::create(builder, loc, to, a);
}
