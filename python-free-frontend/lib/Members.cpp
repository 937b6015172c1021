//===- Members.cpp - What follows a point ---------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForeignWords.h"
#include "KernelEmitter.h"

#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;
using llvm::SMRange;

/// `value.shape`.
Val KernelEmitter::emitMember(const Expr &expr) {
  if (sayForeignMember(expr))
    return {};
  Val value = emitBase(*expr.operands[0]);
  if (!value)
    return {};
  std::vector<Val> sides;
  bool isTile =
      value.kind == Val::Run && !shapeOf(value.value.getType()).empty();
  bool hasShape =
      isTile || value.kind == Val::Tensor || value.kind == Val::Arranged;
  if (expr.text == "stride" && value.kind == Val::Tensor) {
    for (Value stride : value.strides)
      sides.push_back(Val::run(stride));
    return Val::tuple(sides);
  }
  if (expr.text != "shape" || !hasShape) {
    errors
        .error(expr.range, "expected 'shape' of a tile or a tensor, got '" +
                               expr.text + "' of " + describe(value))
        .help(llvm::StringSwitch<StringRef>(expr.text)
                  .Case("dtype", "write 'dtype(x)'")
                  .Cases({"T", "mT"}, "write 'trans(x)'")
                  .Cases({"stride", "strides"},
                         "'x.stride[0]' is of a tensor of the kernel that is "
                         "not arranged")
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

/// `tl.float32`, `math.inf` and other members of a module of another language;
/// false where it is none.
bool KernelEmitter::sayForeignMember(const Expr &expr) {
  const Expr &base = *expr.operands[0];
  bool isModule = base.kind == Expr::Name && isForeignModule(base.text) &&
                  !findName(base.text);
  if (!isModule)
    return false;
  StringRef type = foreignType(expr.text), number = foreignNumber(expr.text);
  bool isFunction = isBuiltin(expr.text);
  errors.error(expr.range, "expected a value by its own name, got a member")
      .help(!type.empty()     ? "write '" + type + "'"
            : !number.empty() ? "write '" + number + "'"
            : isFunction      ? "write '" + functionForm(expr.text) + "'"
                              : Twine(foreignFunction(expr.text)));
  return true;
}

/// What stands between the parentheses of a method.
static StringRef argumentsOf(const Expr &expr) {
  const char *begin = expr.text.end();
  while (*begin != '(')
    ++begin;
  return StringRef(begin + 1, expr.range.End.getPointer() - begin - 2).trim();
}

/// `x.to(tl.float16)`, `x.half()` and the like; empty of another method.
static std::string helpToCastMember(const Expr &expr) {
  const Expr &value = *expr.operands[0];
  if (expr.operands.size() == 1)
    return foreignType(expr.text).empty() ? "" : helpToCast(value, expr.text);
  if (!llvm::is_contained({"to", "cast", "astype", "type"}, expr.text))
    return "";
  StringRef type = expr.operands[1]->text;
  for (auto [name, operand] : llvm::zip_equal(expr.names, expr.operands))
    if (name.text == "bitcast" && operand->text.lower() == "true")
      return ("write 'bitcast(" + textOf(value.range) + ", " + typeWord(type) +
              ")'")
          .str();
  return helpToCast(value, type);
}

/// `x.sum()`: functions stand alone, methods are for arrangements.
void KernelEmitter::emitMethod(const Expr &expr) {
  SMRange range(expr.range.Start, llvm::SMLoc::getFromPointer(expr.text.end()));
  const Expr &base = *expr.operands[0];
  bool isModule = base.kind == Expr::Name && isForeignModule(base.text) &&
                  !findName(base.text);
  bool isFunction = functions.contains(expr.text) || isBuiltin(expr.text);
  std::string help = isModule ? "" : helpToCastMember(expr);
  StringRef text = textOf(base.range), arguments = argumentsOf(expr);
  bool isShort = text.size() + arguments.size() <= 60 && !text.contains('\n') &&
                 !arguments.contains('\n');
  if (!help.empty())
    ;
  else if (!isFunction)
    help = helpForFunction(expr.text);
  else if (isModule || !isShort)
    help = ("write '" + expr.text + "(...)', without what is before the '.'")
               .str();
  else
    help = ("write '" + expr.text + "(" + text +
            (arguments.empty() ? "" : ", ") + arguments + ")'")
               .str();
  errors
      .error(range, isFunction || !isModule
                        ? "expected a function by its own name, got a member"
                        : "expected a function of the language, got '" +
                              textOf(range) + "'")
      .help(help);
}
