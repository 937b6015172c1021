//===- Members.cpp - What follows a point ---------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;
using llvm::SMRange;

/// `value.shape`.
Val KernelEmitter::emitMember(const Expr &expr) {
  Val value = emitBase(*expr.operands[0]);
  if (!value)
    return {};
  std::vector<Val> sides;
  bool isTile =
      value.kind == Val::Run && !shapeOf(value.value.getType()).empty();
  bool hasShape =
      isTile || value.kind == Val::Tensor || value.kind == Val::Arranged;
  if (expr.text != "shape" || !hasShape) {
    errors
        .error(expr.range, "expected 'shape' of a tile or a tensor, got '" +
                               expr.text + "' of " + describe(value))
        .help(llvm::StringSwitch<StringRef>(expr.text)
                  .Case("dtype", "write 'dtype(x)'")
                  .Cases({"T", "mT"}, "write 'trans(x)'")
                  .Default(""));
    return {};
  }
  if (value.kind == Val::Arranged)
    return arrangedShape(value, location(expr.range));
  if (isTile)
    for (int64_t side : shapeOf(value.value.getType()))
      sides.push_back(Val::constant(side));
  for (Value side : value.sides)
    sides.push_back(Val::run(side));
  return Val::tuple(sides);
}

/// What stands before an index or a property: not loaded yet.
Val KernelEmitter::emitBase(const Expr &expr) {
  if (expr.kind == Expr::Name)
    return emitName(expr);
  if (expr.kind == Expr::Index)
    return emitIndex(expr);
  return emitExpr(expr);
}

/// `x.shape[0]`.
Val KernelEmitter::emitPart(const Expr &expr, const Val &tuple) {
  std::optional<int64_t> index;
  if (expr.operands.size() == 2 && expr.axes.size() == 1)
    index = emitInteger(*expr.operands[1], "as an index of several values");
  else
    errors.error(expr.range,
                 "expected one index of several values, got others");
  if (!index)
    return {};
  if (*index >= 0 && *index < int64_t(tuple.parts.size()))
    return tuple.parts[*index];
  errors.error(expr.operands[1]->range,
               "expected an index from 0 to " +
                   Twine(int64_t(tuple.parts.size()) - 1) + ", got " +
                   Twine(*index));
  return {};
}

/// `x.sum()`: functions stand alone, methods are for arrangements.
void KernelEmitter::emitMethod(const Expr &expr) {
  SMRange range(expr.range.Start, llvm::SMLoc::getFromPointer(expr.text.end()));
  std::string help =
      ("write '" + expr.text + "(...)', without what is before the '.'").str();
  // `x.to(tl.float16)`.
  if (expr.text == "to" || expr.text == "cast")
    help =
        helpToCast(*expr.operands[0],
                   expr.operands.size() > 1 ? expr.operands[1]->text : "f16");
  errors.error(range, "expected a function by its own name, got a member")
      .help(help);
}
