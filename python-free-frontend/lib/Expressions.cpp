//===- Expressions.cpp - Names, numbers and operators ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "ForeignWords.h"

#include "tile/Frontend/Numbers.h"
#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <cmath>

using namespace mlir;
using namespace tile;
using namespace tile::frontend;
using llvm::SMRange;

/// Integers do not overflow: the author's claim, which analyses build on.
static constexpr auto kNoWrap = arith::IntegerOverflowFlags::nsw;

Val KernelEmitter::emitExpr(const Expr &expr) {
  if (updated && updated->target == &expr)
    return updated->value;
  if (!isWithinLimits(expr.range))
    return {};
  llvm::SaveAndRestore<unsigned> level(numLevels, numLevels + 1);
  Val value = emitExprOfKind(expr);
  if (index && value)
    index->record(expr.range, describe(value));
  return value;
}

Val KernelEmitter::emitExprOfKind(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Name:
    return loadArranged(expr, emitName(expr));
  case Expr::Integer:
  case Expr::Float:
    return emitNumber(expr);
  case Expr::Text:
    errors.error(expr.range, "expected a value, got a text");
    return {};
  case Expr::Unary:
    return emitUnary(expr);
  case Expr::Binary:
    return emitBinary(expr);
  case Expr::Cast:
    return emitCast(expr);
  case Expr::Index:
    return loadArranged(expr, emitIndex(expr));
  case Expr::Call:
    return emitCall(expr);
  case Expr::Member:
    return emitMember(expr);
  case Expr::Method:
    emitMethod(expr);
    return {};
  case Expr::List:
    errors.error(expr.range, "expected a value, got a list")
        .help("several values stand without brackets, as in 'return a, b'");
    return {};
  case Expr::Error:
    return {};
  }
  llvm_unreachable("all kinds are above");
}

/// What the name stands for, if it is defined.
std::optional<Val> KernelEmitter::findName(StringRef name) {
  if (Symbol *symbol = find(name))
    return symbol->isWrong ? Val() : symbol->value;
  if (Val type = Val::ofType(builtinType(builder.getContext(), name)))
    return type;
  if (name == "true" || name == "false")
    return Val::condition(name == "true");
  if (name != "inf" && name != "nan")
    return std::nullopt;
  Val number = Val::constant(0);
  number.kind = Val::Float;
  number.number = name == "inf" ? std::numeric_limits<double>::infinity()
                                : std::numeric_limits<double>::quiet_NaN();
  return number;
}

/// A name that is nearly this one is probably meant; empty where none is.
std::pair<StringRef, SMRange> KernelEmitter::nearestName(StringRef text,
                                                         bool isChanged) {
  std::pair<StringRef, SMRange> nearest;
  unsigned distance = text.size() < 3 ? 1 : 2;
  for (const Scope &scope : scopes)
    for (const auto &[name, symbol] : scope)
      if (unsigned d = text.edit_distance(name, true, distance);
          d <= distance && name.size() > d &&
          (symbol.isVariable || !isChanged)) {
        nearest = {name, symbol.range};
        distance = d;
      }
  return nearest;
}

/// Says so where a function uses a name of the kernel that calls it.
bool KernelEmitter::sayOutside(const Expr &expr, const Twine &message) {
  if (!kernelScopes)
    return false;
  for (const Scope &scope : llvm::reverse(*kernelScopes))
    if (auto *found = scope.find(expr.text); found != scope.end()) {
      errors
          .error(expr.range, message, found->second.range,
                 "'" + expr.text + "' of the kernel is not seen by functions")
          .help("give the function an argument '" + expr.text +
                "', and each call its value");
      return true;
    }
  return false;
}

Val KernelEmitter::emitName(const Expr &expr) {
  if (std::optional<Val> value = findName(expr.text))
    return *value;
  if (functions.contains(expr.text) || isBuiltin(expr.text)) {
    std::string form = ("write '" + functionForm(expr.text) + "'").str();
    errors
        .error(expr.range, "expected a value, got the function '" + expr.text +
                               "' without its arguments")
        .help(llvm::StringSwitch<StringRef>(expr.text)
                  .Case("assert", "write 'assert(condition, \"message\")'")
                  .Case("zeros", "write 'zeros<f32>[m, n]'")
                  .Case("full", "write 'full<f32>[m, n](x)'")
                  .Default(isBuiltin(expr.text) &&
                                   !functionForm(expr.text).empty()
                               ? form
                               : "functions are no values: the one that needs "
                                 "it calls it by its name"));
    return {};
  }
  // The lexer has said what is wrong of such a word.
  if (!llvm::isASCII(expr.text))
    return {};
  auto [nearest, place] = nearestName(expr.text);
  std::string message =
      ("expected a defined name, got '" + expr.text + "'").str();
  StringRef foreign = foreignName(expr.text);
  // What a launch calls it.
  auto [tensor, dim] = expr.text.rsplit("_stride");
  if (Symbol *symbol = find(tensor);
      symbol && symbol->value.kind == Val::Tensor && !dim.empty()) {
    errors.error(expr.range, message)
        .help("write '" + tensor + ".stride[" + dim + "]'");
    return {};
  }
  if (sayOutside(expr, message))
    return {};
  if (nearest.empty() || !foreign.empty())
    errors.error(expr.range, message).help(foreign);
  else
    errors.error(expr.range, message, place, "did you mean '" + nearest + "'?");
  return {};
}

/// The sign counts: the least integer has no positive one.
Val KernelEmitter::emitNumber(const Expr &expr, bool isNegative) {
  if (expr.kind == Expr::Integer) {
    std::string digits = (isNegative ? "-" : "") + expr.text.str();
    if (std::optional<int64_t> integer = readInteger(digits))
      return Val::constant(*integer);
  } else if (std::optional<double> number = readNumber(expr.text)) {
    Val result;
    result.kind = Val::Float;
    result.number = *number;
    return result;
  }
  errors.error(expr.range,
               (expr.kind == Expr::Float
                    ? "expected a number that f64 holds, got '"
                    : "expected an integer from -2^63 to 2^63 - 1, got '") +
                   expr.text + "'");
  return {};
}

std::optional<int64_t> KernelEmitter::emitInteger(const Expr &expr,
                                                  const Twine &what) {
  Val value = emitExpr(expr);
  if (value.kind == Val::Int)
    return value.integer;
  if (value)
    errors.error(expr.range, "expected a compile-time integer " + what +
                                 ", got " + describe(value));
  return std::nullopt;
}

Val KernelEmitter::emitUnary(const Expr &expr) {
  if (expr.text == "-" && expr.operands[0]->kind == Expr::Integer)
    return emitNumber(*expr.operands[0], /*isNegative=*/true);
  Val value = emitExpr(*expr.operands[0]);
  if (!value)
    return {};
  if (value.isConstant())
    return foldUnary(expr, value);
  bool isNot = expr.text == "not", isInvert = expr.text == "~";
  Type element =
      value.kind == Val::Run ? elementOf(value.value.getType()) : Type();
  bool isBool = element && element.isInteger(1);
  bool fits =
      element && (isInvert ? isa<IntegerType>(element) : isNot == isBool);
  if (!fits) {
    errors
        .error(expr.range, "expected " +
                               Twine(isNot      ? "i1"
                                     : isInvert ? "integers"
                                                : "a number") +
                               " after '" + expr.text + "', got " +
                               describe(value))
        .help(isNot && element ? helpToCompare(*expr.operands[0], "==") : "");
    return {};
  }
  Location loc = location(expr.range);
  auto make = [&](ValueRange in) -> Value {
    Type type = in[0].getType();
    if (isa<FloatType>(element))
      return arith::NegFOp::create(builder, loc, in[0]);
    // not x and ~x are x xor all ones; -x is 0 - x.
    TypedAttr other = builder.getZeroAttr(type);
    if (isNot || isInvert) {
      APInt ones = APInt::getAllOnes(element.getIntOrFloatBitWidth());
      other = IntegerAttr::get(element, ones);
      if (auto shaped = dyn_cast<ShapedType>(type))
        other = DenseElementsAttr::get(shaped, ones);
    }
    Value constant = arith::ConstantOp::create(builder, loc, other);
    if (isNot || isInvert)
      return arith::XOrIOp::create(builder, loc, in[0], constant);
    return arith::SubIOp::create(builder, loc, constant, in[0], kNoWrap);
  };
  return Val::run(elementwise(loc, expr.range, value.value, make));
}

/// Whether every value of `from` is one of `to`.
static bool widens(Type from, Type to) {
  if (isa<IntegerType>(from) && isa<IntegerType>(to))
    return !from.isInteger(1) &&
           from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
  if (!isa<FloatType>(from) || !isa<FloatType>(to))
    return false;
  return from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth() &&
         (to.isF32() || to.isF64());
}

/// Whether the name is given a whole number where it is defined, `x = 0`.
static bool beginsWhole(SMRange name) {
  // The source ends with a zero.
  const char *at = name.End.getPointer();
  auto skip = [&](StringRef signs) {
    while (*at != '\0' && signs.contains(*at))
      ++at;
  };
  skip(" ");
  if (*at++ != '=')
    return false;
  skip(" -");
  const char *digits = at;
  skip("0123456789_");
  return at > digits && *at != '.' && !llvm::isAlnum(*at);
}

/// Says that two types do not go together; of a sum of floats that begins as an
/// integer, what is meant.
void KernelEmitter::sayTypes(const Expr &left, const Expr &right, Type leftType,
                             Type rightType, SMRange range) {
  std::string message = "expected operands of one type, got " +
                        describe(leftType) + " and " + describe(rightType) +
                        ": write 'as' to convert";
  for (auto [expr, type, other] : {std::tuple(&left, leftType, rightType),
                                   std::tuple(&right, rightType, leftType)}) {
    Symbol *symbol = expr->kind == Expr::Name ? find(expr->text) : nullptr;
    bool isWhole = symbol && symbol->isVariable && isa<IntegerType>(type) &&
                   isa<FloatType>(other) && beginsWhole(symbol->range);
    if (!isWhole)
      continue;
    errors
        .error(range, message, symbol->range,
               "'" + expr->text + "' is " + describe(type) + " since here")
        .help("a sum of floats begins with one: write 'var " + expr->text +
              " = 0.0', which is f32");
    symbol->isWrong = true;
    return;
  }
  auto error = errors.error(range, message);
  for (auto [expr, type, other] : {std::tuple(&left, leftType, rightType),
                                   std::tuple(&right, rightType, leftType)}) {
    Type own = elementOf(type), wanted = elementOf(other);
    if (isa<IntegerType>(own) && !own.isInteger(1) && isa<FloatType>(wanted))
      error.help(helpToCast(*expr, describe(wanted)));
  }
}

bool KernelEmitter::unify(const Expr &left, Val &leftValue, const Expr &right,
                          Val &rightValue, SMRange range) {
  if (!leftValue || !rightValue)
    return false;
  for (auto [expr, value] :
       {std::pair(&left, &leftValue), std::pair(&right, &rightValue)})
    if (value->kind != Val::Run && !value->isConstant()) {
      errors.error(expr->range, "expected a value, got " + describe(*value))
          .help(value->kind == Val::Pointer
                    ? "a pointer moves by '+', back as in 'p + (-n)'"
                : value->kind != Val::Tensor
                    ? ""
                    : "'a[i, j]' is part of a tensor, in 'atomic_add(a[i, "
                      "j], x)' too; a pointer, as in 'a: *f32', has an "
                      "address to count from");
      return false;
    }
  // A fraction beside integers makes no integer.
  for (auto [expr, value, other] :
       {std::tuple(&left, &leftValue, &rightValue),
        std::tuple(&right, &rightValue, &leftValue)}) {
    Type type =
        other->kind == Val::Run ? elementOf(other->value.getType()) : Type();
    if (value->kind != Val::Float || !type || !isa<IntegerType>(type) ||
        type.isInteger(1))
      continue;
    const Expr &whole = expr == &left ? right : left;
    Symbol *symbol = whole.kind == Expr::Name ? find(whole.text) : nullptr;
    Type real = builder.getF32Type();
    if (symbol && symbol->isVariable && beginsWhole(symbol->range))
      sayTypes(left, right, expr == &left ? real : type,
               expr == &left ? type : real, range);
    else
      errors
          .error(expr->range,
                 "expected " + describe(type) + ", got " + describe(*value))
          .help(helpToCast(whole, "f32"));
    return false;
  }
  // Literals take the other side's type.
  if (leftValue.isConstant() && rightValue.isConstant()) {
    bool isSecond =
        rightValue.kind == Val::Float ||
        (leftValue.kind == Val::Bool && rightValue.kind == Val::Int);
    Type type = typeAlone(isSecond ? rightValue : leftValue);
    leftValue = isSecond ? Val::run(constantOf(location(left.range), leftValue,
                                               type, left.range))
                         : Val::run(constantAlone(left, leftValue));
  }
  if (!leftValue)
    return false;
  if (leftValue.isConstant())
    leftValue =
        Val::run(constantOf(location(left.range), leftValue,
                            elementOf(rightValue.value.getType()), left.range));
  if (leftValue && rightValue.isConstant())
    rightValue =
        Val::run(constantOf(location(right.range), rightValue,
                            elementOf(leftValue.value.getType()), right.range));
  if (!leftValue || !rightValue)
    return false;
  Type a = elementOf(leftValue.value.getType());
  Type b = elementOf(rightValue.value.getType());
  if (widens(a, b)) {
    leftValue.value = castElements(location(left.range), leftValue.value, b);
  } else if (widens(b, a)) {
    rightValue.value = castElements(location(right.range), rightValue.value, a);
  } else if (a != b) {
    sayTypes(left, right, a, b, range);
    return false;
  }
  return true;
}

/// Says so where an operand of `and` or `or` is a number.
bool KernelEmitter::areConditions(const Expr &expr, const Expr &operand,
                                  const Val &value) {
  bool isNumber = value.kind == Val::Int || value.kind == Val::Float ||
                  (value.kind == Val::Run &&
                   !elementOf(value.value.getType()).isInteger(1));
  if (isNumber)
    errors
        .error(operand.range, "expected i1 on both sides of '" + expr.text +
                                  "', got " + describe(value))
        .help(helpToCompare(operand, "!="));
  return !isNumber;
}

Val KernelEmitter::emitBinary(const Expr &expr) {
  const Expr &left = *expr.operands[0], &right = *expr.operands[1];
  Val leftValue = emitExpr(left), rightValue = emitExpr(right);
  if (!leftValue || !rightValue)
    return {};
  const Val written = rightValue;
  StringRef op = expr.text;
  bool isLogic = op == "and" || op == "or";
  if (leftValue.kind == Val::Pointer && op == "+")
    return advancePointer(expr, leftValue, right, rightValue);
  if (rightValue.kind == Val::Pointer && op == "+")
    return advancePointer(expr, rightValue, left, leftValue);
  bool areTypes = leftValue.kind == Val::Type && rightValue.kind == Val::Type;
  if ((leftValue.isConstant() && rightValue.isConstant()) || areTypes)
    return fold(expr, leftValue, rightValue);
  if (isLogic && !(areConditions(expr, left, leftValue) &&
                   areConditions(expr, right, rightValue)))
    return {};
  if (!unify(left, leftValue, right, rightValue, expr.range))
    return {};
  Type element = elementOf(leftValue.value.getType());
  bool isBool = element.isInteger(1), isEquality = op == "==" || op == "!=";
  bool isBits = op == "&" || op == "|" || op == "^";
  if (isLogic != isBool && !(isBool && (isEquality || isBits))) {
    errors.error(expr.range, "expected " + Twine(isLogic ? "i1" : "numbers") +
                                 " on both sides of '" + op + "', got " +
                                 describe(element));
    return {};
  }
  bool isShift = op == "<<" || op == ">>";
  if ((op == "%" || isBits || isShift) && !isa<IntegerType>(element)) {
    errors.error(expr.range, "expected integers on both sides of '" + op +
                                 "', got " + describe(element));
    return {};
  }
  if (isShift && !checkShift(right, written, element))
    return {};
  bool isDivision = (op == "/" || op == "%") && isa<IntegerType>(element);
  if (isDivision && written.kind == Val::Int && written.integer == 0) {
    errors.error(right.range, "expected a divisor other than 0, got 0");
    return {};
  }
  Location loc = location(expr.range);
  return Val::run(elementwise(
      loc, expr.range, {leftValue.value, rightValue.value},
      [&](ValueRange in) { return operation(expr, in[0], in[1]); }));
}

/// The op for two values of one type.
Value KernelEmitter::operation(const Expr &expr, Value left, Value right) {
  Location loc = location(expr.range);
  StringRef op = expr.text;
  bool isFloat = isa<FloatType>(elementOf(left.getType()));
  if (isComparison(op) && isFloat) {
    // Ordered, but for !=, which is the negation of ==.
    auto predicate = llvm::StringSwitch<arith::CmpFPredicate>(op)
                         .Case("<", arith::CmpFPredicate::OLT)
                         .Case("<=", arith::CmpFPredicate::OLE)
                         .Case(">", arith::CmpFPredicate::OGT)
                         .Case(">=", arith::CmpFPredicate::OGE)
                         .Case("==", arith::CmpFPredicate::OEQ)
                         .Default(arith::CmpFPredicate::UNE);
    return arith::CmpFOp::create(builder, loc, predicate, left, right);
  }
  if (isComparison(op)) {
    auto predicate = llvm::StringSwitch<arith::CmpIPredicate>(op)
                         .Case("<", arith::CmpIPredicate::slt)
                         .Case("<=", arith::CmpIPredicate::sle)
                         .Case(">", arith::CmpIPredicate::sgt)
                         .Case(">=", arith::CmpIPredicate::sge)
                         .Case("==", arith::CmpIPredicate::eq)
                         .Default(arith::CmpIPredicate::ne);
    return arith::CmpIOp::create(builder, loc, predicate, left, right);
  }
  if (op == "and")
    return arith::AndIOp::create(builder, loc, left, right);
  if (op == "or")
    return arith::OrIOp::create(builder, loc, left, right);
  if (op == "<<")
    return placed(arith::ShLIOp::create(builder, loc, left, right), expr.range);
  if (op == ">>")
    return arith::ShRSIOp::create(builder, loc, left, right);
  switch (op[0]) {
  case '&':
    return arith::AndIOp::create(builder, loc, left, right);
  case '|':
    return arith::OrIOp::create(builder, loc, left, right);
  case '^':
    return arith::XOrIOp::create(builder, loc, left, right);
  case '+':
    if (isFloat)
      return arith::AddFOp::create(builder, loc, left, right);
    return arith::AddIOp::create(builder, loc, left, right, kNoWrap);
  case '-':
    if (isFloat)
      return arith::SubFOp::create(builder, loc, left, right);
    return arith::SubIOp::create(builder, loc, left, right, kNoWrap);
  case '*':
    if (isFloat)
      return arith::MulFOp::create(builder, loc, left, right);
    return placed(arith::MulIOp::create(builder, loc, left, right, kNoWrap),
                  expr.range);
  case '/':
    if (isFloat)
      return arith::DivFOp::create(builder, loc, left, right);
    return arith::DivSIOp::create(builder, loc, left, right);
  default:
    return arith::RemSIOp::create(builder, loc, left, right);
  }
}
