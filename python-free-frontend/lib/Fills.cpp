//===- Fills.cpp - Tiles that are filled with one value -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "ForeignWords.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;

/// What to write in a kernel instead of a fill of run blocks.
static std::string helpToRunFill(const Expr &call) {
  std::string sides = "m, n", type = call.type.text.str();
  if (!call.sides.empty())
    sides =
        textOf({call.sides.front()->range.Start, call.sides.back()->range.End})
            .str();
  if (call.text == "ones" || call.text == "nan")
    return "write 'full<" + type + ">[" + sides + "](" +
           (call.text == "ones" ? "1" : "nan") + ")'";
  if (call.text == "empty")
    return "write 'zeros<" + type + ">[" + sides + "]'";
  if (call.text == "iota")
    return "write 'arange(" + sides + ")'";
  if (call.text != "randn" && call.text != "uniform" && call.text != "int")
    return "write 'zeros<" + type + ">[" + sides + "]', or 'full<" + type +
           ">[" + sides + "](x)'";
  return "a run block fills tensors with random numbers; a kernel loads them";
}

/// `zeros((m, n), tl.float32)` as the language has it; empty if it is another.
std::string KernelEmitter::helpToFill(const Expr &call) {
  bool isFull = call.text == "full";
  if (!call.type.text.empty())
    return helpToRunFill(call);
  // `zeros(f32)[4]` has its sides behind it; the source ends with a zero.
  StringRef sidesBehind(call.range.End.getPointer());
  sidesBehind = sidesBehind.consume_front("[")
                    ? sidesBehind.take_until([](char c) { return c == ']'; })
                    : "m, n";
  if (call.operands.size() == 1 && isTypeWord(call.operands[0]->text))
    return ("write '" + call.text + "<" + typeWord(call.operands[0]->text) +
            ">[" + sidesBehind + "]" + (isFull ? "(x)'" : "'"))
        .str();
  if (call.operands.empty() || call.operands.size() > (isFull ? 3u : 2u))
    return "";
  StringRef sides = textOf(call.operands[0]->range), value = "x", type = "f32";
  if (call.operands[0]->kind == Expr::List)
    sides = sides.drop_front().drop_back().rtrim(" ,");
  if (isFull && call.operands.size() > 1)
    value = textOf(call.operands[1]->range);
  if (call.operands.size() > (isFull ? 2u : 1u)) {
    type = typeWord(call.operands.back()->text);
  }
  std::string help =
      ("write '" + call.text + "<" + type + ">[" + sides + "]").str();
  return help + (isFull ? ("(" + value + ")'").str() : "'");
}

Val KernelEmitter::emitFilled(const Expr &expr) {
  SmallVector<const Expr *> none;
  if (expr.type.text.empty()) {
    errors
        .error(expr.range, "expected '" + expr.text +
                               "<TYPE>[SIDES]', got no type and no sides")
        .help(helpToFill(expr));
    return {};
  }
  if (!matchArguments(expr, expr.text == "full", {}, none))
    return {};
  Type element = elementType(expr.type);
  SmallVector<int64_t> shape;
  bool good = bool(element);
  for (const ExprPtr &side : expr.sides) {
    // `zeros<f32>[x.shape]` has the sides of x.
    if (side->kind == Expr::Member) {
      Val sides = emitExpr(*side);
      good &= bool(sides);
      for (const Val &part : sides.parts) {
        good &= part.kind == Val::Int;
        shape.push_back(part.integer);
      }
      if (sides && !good)
        errors.error(side->range,
                     "expected compile-time integers as sides, got others");
      continue;
    }
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
