//===- Debug.cpp - Assertions and printing --------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;

/// `assert(condition, "message")`, of each lane.
Val KernelEmitter::emitAssert(const Expr &expr) {
  SmallVector<const Expr *> given;
  if (!bindArguments(expr, {{"condition", true}, {"message", true}}, given))
    return {};
  Value condition;
  if (!emitRunTime(*given[0], builder.getI1Type(), condition))
    return {};
  if (!elementOf(condition.getType()).isInteger(1)) {
    errors
        .error(given[0]->range, "expected i1 as a condition, got " +
                                    describe(condition.getType()))
        .help(helpToCompare(*given[0], "!="));
    return {};
  }
  if (given[1]->kind != Expr::Text) {
    errors.error(given[1]->range, "expected a text in quotes as a message, got "
                                  "another expression");
    return {};
  }
  AssertOp::create(builder, location(expr.range), condition,
                   builder.getStringAttr(given[1]->text));
  return Val::none();
}

/// `print("label", x, y)`.
Val KernelEmitter::emitPrint(const Expr &expr) {
  SmallVector<Value> values;
  for (auto [i, operand] : llvm::enumerate(expr.operands)) {
    if (!expr.names[i].text.empty()) {
      errors.error(expr.names[i].range,
                   "expected arguments without names in 'print', got '" +
                       expr.names[i].text + "'");
      return {};
    }
    if (i == 0 && operand->kind == Expr::Text)
      continue;
    Value value;
    if (i == 0)
      break;
    Val given = emitExpr(*operand);
    if (given.isConstant())
      given = Val::run(constantAlone(*operand, given));
    if (!takeRunTime(*operand, given, typeAlone(given), value))
      return {};
    values.push_back(value);
  }
  if (expr.operands.empty() || expr.operands[0]->kind != Expr::Text) {
    errors.error(expr.range, "expected a text in quotes as the first argument "
                             "of 'print', got none");
    return {};
  }
  PrintOp::create(builder, location(expr.range),
                  builder.getStringAttr(expr.operands[0]->text), values);
  return Val::none();
}
