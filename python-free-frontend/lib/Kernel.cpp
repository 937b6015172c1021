//===- Kernel.cpp - Signature, parameters, facts and grid -----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForeignWords.h"
#include "KernelEmitter.h"
#include "Runs.h"

#include "tile/Frontend/Numbers.h"
#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;

/// A parameter's value from the command line, or its default.
Val KernelEmitter::parameterValue(const Parameter &parameter) {
  const Identifier &name = parameter.name;
  Val result;
  auto override = overrides.find(name.text);
  if (override != overrides.end()) {
    StringRef text = override->second;
    if (parameter.isType) {
      result.type = builtinType(builder.getContext(), languageTypeName(text));
      result.kind = result.type ? Val::Type : Val::Error;
    } else if (parameter.isBool) {
      if (text == "true" || text == "false")
        result = Val::condition(text == "true");
    } else if (std::optional<int64_t> integer = readInteger(text)) {
      result.integer = *integer;
      result.kind = Val::Int;
    }
    StringRef expected = parameter.isType   ? "a type"
                         : parameter.isBool ? "true or false"
                                            : "an integer";
    if (!result)
      errors
          .optionError("expected " + expected + " for '" + name.text +
                           "', got '" + text + "'",
                       name.range)
          .help(parameter.isType ? helpForType(text) : std::string());
    return result;
  }
  if (!parameter.value) {
    errors
        .error(name.range, "expected a value for '" + name.text +
                               "', which has no default, got none")
        .help("write '" + name.text + " = ...' here, or give '--param " +
              name.text + "=...'");
    return result;
  }
  result = emitExpr(*parameter.value);
  if (!result)
    return result;
  Val::Kind kind = parameter.isType   ? Val::Type
                   : parameter.isBool ? Val::Bool
                                      : Val::Int;
  if (result.kind == kind)
    return result;
  StringRef expected = parameter.isType   ? "a type"
                       : parameter.isBool ? "true or false"
                                          : "a compile-time integer";
  StringRef meant = result.kind == Val::Type   ? "type"
                    : result.kind == Val::Bool ? "bool"
                                               : "";
  errors
      .error(parameter.value->range, "expected " + expected +
                                         " as the default of '" + name.text +
                                         "', got " + describe(result))
      .help(meant.empty() ? Twine()
                          : "write '" + name.text + ": " + meant + " = " +
                                textOf(parameter.value->range) + "'");
  return {};
}

void KernelEmitter::bindParameters(const Kernel &kernel) {
  for (const Parameter &parameter : kernel.parameters)
    declare(parameter.name, parameterValue(parameter));
}

/// Whether an integer type holds what is stated of its argument.
static bool holds(IntegerType type, int64_t limit) {
  return type.getWidth() == 1 ? limit == 0 || limit == 1
                              : llvm::isIntN(type.getWidth(), limit);
}

DictionaryAttr KernelEmitter::factOf(const Argument &argument, Type type) {
  std::optional<int64_t> divisor, min, max;
  StringRef name = argument.name.text;
  if (argument.divisor) {
    divisor = emitInteger(*argument.divisor, "as a divisor");
    if (divisor && *divisor < 1) {
      errors.error(argument.divisor->range,
                   "expected a divisor of at least 1, got " + Twine(*divisor));
      divisor.reset();
    }
  }
  if (argument.min) {
    min = emitInteger(*argument.min, "as the least value");
    max = emitInteger(*argument.max, "as the greatest value");
    if (min && max && *min > *max) {
      errors.error({argument.min->range.Start, argument.max->range.End},
                   "expected a range that is not empty, got " + Twine(*min) +
                       "..=" + Twine(*max));
      min = max = std::nullopt;
    }
  }
  auto integer = dyn_cast<IntegerType>(type);
  for (auto [limit, expr] :
       {std::pair(divisor, &argument.divisor), std::pair(min, &argument.min),
        std::pair(max, &argument.max)})
    if (integer && limit && !holds(integer, *limit))
      errors.error((*expr)->range, "expected a value that " + describe(type) +
                                       " holds, got " + Twine(*limit));
  bool isInteger = bool(integer), isPointer = isa<PointerType>(type);
  if (argument.min && !isInteger)
    errors.error(argument.name.range, "expected an integer to have a range, "
                                      "got '" +
                                          name + "' of " + describe(type));
  if (argument.noalias && !isPointer)
    errors.error(argument.name.range,
                 "expected a pointer to be 'noalias', got '" + name + "' of " +
                     describe(type));
  if (argument.divisor && !isInteger && !isPointer)
    errors.error(argument.name.range,
                 "expected an integer or a pointer to be divisible, got '" +
                     name + "' of " + describe(type));
  if (!errors.empty() || !(divisor || min || argument.noalias))
    return builder.getDictionaryAttr({});
  auto fact =
      FactAttr::get(builder.getContext(), divisor, min, max, argument.noalias);
  return builder.getDictionaryAttr(builder.getNamedAttr(kFactName, fact));
}

/// A number of programs, or what else `what` is: integers, integer arguments,
/// + - * / and cdiv.
AffineExpr KernelEmitter::gridExpr(const Expr &expr, KernelOp op,
                                   StringRef what) {
  if (expr.kind == Expr::Error)
    return {};
  MLIRContext *context = builder.getContext();
  bool isSize = expr.kind == Expr::Index && expr.operands.size() == 2 &&
                expr.operands[0]->kind == Expr::Member &&
                expr.operands[0]->text == "shape" &&
                expr.operands[0]->operands[0]->kind == Expr::Name;
  if (isSize)
    return arrangedSize(expr, op);
  if (expr.kind == Expr::Integer || expr.kind == Expr::Unary) {
    std::optional<int64_t> value = emitInteger(expr, "in " + what);
    return value ? getAffineConstantExpr(*value, context) : AffineExpr();
  }
  if (expr.kind == Expr::Name) {
    bool isKnown = findName(expr.text) || functions.contains(expr.text) ||
                   isBuiltin(expr.text);
    if (!isKnown && foreignName(expr.text).empty() &&
        nearestName(expr.text).first.empty()) {
      errors
          .error(expr.range, "expected a defined name, got '" + expr.text + "'")
          .help("add '" + expr.text + ": i32' to the kernel's arguments");
      return {};
    }
    Val value = emitExpr(expr);
    if (value.kind == Val::Int)
      return getAffineConstantExpr(value.integer, context);
    for (auto [i, argument] : llvm::enumerate(op.getIntegerArguments()))
      if (value.kind == Val::Run && value.value == argument)
        return getAffineSymbolExpr(i, context);
    if (value)
      errors.error(expr.range, "expected an integer argument or a compile-time "
                               "integer in " +
                                   what + ", got " + describe(value));
    return {};
  }
  bool isCeilDiv = expr.kind == Expr::Call && expr.text == "cdiv" &&
                   expr.operands.size() == 2;
  bool isKnown = expr.kind == Expr::Binary &&
                 StringRef("+-*/").contains(expr.text) && !expr.text.empty();
  if (!isCeilDiv && !isKnown) {
    errors
        .error(expr.range, "expected + - * / or cdiv of integers in " + what +
                               ", got another expression")
        .help(expr.kind == Expr::List
                  ? (what.str() == "a size"
                         ? "sizes stand without brackets: 'tile(64, 64)'"
                         : "the axes stand without brackets: 'grid cdiv(M, "
                           "64), N'")
                  : "");
    return {};
  }
  AffineExpr left = gridExpr(*expr.operands[0], op, what);
  AffineExpr right = gridExpr(*expr.operands[1], op, what);
  if (!left || !right)
    return {};
  return gridOperator(expr, left, right, what);
}

AffineExpr KernelEmitter::gridOperator(const Expr &expr, AffineExpr left,
                                       AffineExpr right, StringRef what) {
  bool isCeilDiv = expr.kind == Expr::Call;
  auto dividend = dyn_cast<AffineConstantExpr>(left);
  auto divisor = dyn_cast<AffineConstantExpr>(right);
  bool isDivision = isCeilDiv || expr.text == "/";
  if (isDivision && (!divisor || divisor.getValue() < 1)) {
    std::string got =
        divisor ? std::to_string(divisor.getValue()) : "another expression";
    errors.error(expr.operands[1]->range,
                 "expected a positive compile-time integer as a divisor in " +
                     what + ", got " + got);
    return {};
  }
  if (isCeilDiv)
    return left.ceilDiv(right);
  if (isDivision)
    return left.floorDiv(right);
  if (dividend && divisor) {
    Val value = foldIntegers(expr, dividend.getValue(), divisor.getValue());
    return value ? getAffineConstantExpr(value.integer, builder.getContext())
                 : AffineExpr();
  }
  if (expr.text == "*")
    return left * right;
  return expr.text == "+" ? left + right : left - right;
}

/// Whether a launch may have that many programs, where it is known.
bool KernelEmitter::checkGridAxis(const Expr &expr, AffineExpr size,
                                  unsigned axis) {
  int64_t most = axis == 0 ? std::numeric_limits<int32_t>::max() : 65535;
  auto known = dyn_cast<AffineConstantExpr>(size);
  if (!known || (known.getValue() >= 0 && known.getValue() <= most))
    return true;
  errors.error(expr.range, "expected from 0 to " + Twine(most) +
                               " programs along axis " + Twine(axis) +
                               ", got " + Twine(known.getValue()));
  return false;
}

AffineMapAttr KernelEmitter::gridMap(const Kernel &kernel, KernelOp op) {
  SmallVector<AffineExpr> results;
  if (kernel.grid.size() > 3) {
    errors.error(kernel.grid[3]->range,
                 "expected at most 3 axes of a grid, got " +
                     Twine(kernel.grid.size()));
    return {};
  }
  for (auto [axis, expr] : llvm::enumerate(kernel.grid)) {
    AffineExpr result = gridExpr(*expr, op);
    if (!result || !checkGridAxis(*expr, result, axis))
      return {};
    results.push_back(result);
  }
  unsigned symbols = 0;
  for (AffineExpr result : results)
    result.walk([&](AffineExpr part) {
      if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
        symbols = std::max(symbols, symbol.getPosition() + 1);
    });
  return AffineMapAttr::get(
      AffineMap::get(/*dimCount=*/0, symbols, results, builder.getContext()));
}

/// Binds what is written, and the sides of tensors, to the kernel's arguments.
void KernelEmitter::declareArguments(const Kernel &kernel, KernelOp op,
                                     const Signature &signature) {
  for (auto [i, argument] : llvm::enumerate(kernel.arguments)) {
    Val value;
    value.value = op.getArgument(i);
    value.kind = argument.isPointer ? Val::Pointer : Val::Run;
    for (auto [dim, side] : llvm::enumerate(argument.sides)) {
      value.kind = Val::Tensor;
      value.sides.push_back(op.getArgByName(side.text));
      value.strides.push_back(
          op.getArgByName((argument.name.text + "_stride" + Twine(dim)).str()));
    }
    declare(argument.name, value);
    // It may be used as what is known at compile time.
    if (argument.type.text == "int" && !argument.isPointer)
      find(argument.name.text)->isWrong = true;
  }
  for (size_t i = kernel.arguments.size(); i < signature.names.size(); ++i) {
    SMRange range = signature.ranges[i];
    if (!range.isValid())
      continue;
    StringRef text(range.Start.getPointer(), signature.names[i].size());
    declare({text, range}, Val::run(op.getArgument(i)));
  }
}

Type KernelEmitter::argumentType(const Argument &argument) {
  StringRef name = argument.name.text;
  if (argument.type.text != "int" || argument.isPointer ||
      find(argument.type.text))
    return elementType(argument.type);
  errors.error(argument.type.range, "expected a type such as i32, got 'int'")
      .help("write '" + name + ": i32', or '<" + name +
            " = 128>' behind the kernel's name for what is known at compile "
            "time");
  return {};
}

void KernelEmitter::emit(const Kernel &kernel) {
  scopes.emplace_back();
  allowed = allowedBy(kernel.annotations);
  bindParameters(kernel);
  Signature signature;
  for (const Argument &argument : kernel.arguments) {
    Type type = argumentType(argument);
    if (!type)
      type = builder.getI32Type();
    if (argument.isPointer)
      type = PointerType::get(type);
    signature.types.push_back(type);
    signature.names.push_back(argument.name.text.str());
    signature.ranges.push_back(argument.name.range);
    signature.facts.push_back(factOf(argument, type));
  }
  if (!addTensors(kernel, signature)) {
    scopes.pop_back();
    return;
  }
  Location loc = location(kernel.name.range);
  SmallVector<StringRef> names(signature.names.begin(), signature.names.end());
  auto op = KernelOp::create(
      builder, loc, builder.getStringAttr(kernel.name.text),
      TypeAttr::get(builder.getFunctionType(signature.types, {})),
      builder.getStrArrayAttr(names), /*grid=*/nullptr, /*variant=*/nullptr,
      /*plan=*/nullptr, builder.getArrayAttr(signature.facts),
      /*res_attrs=*/nullptr);
  OpBuilder::InsertionGuard guard(builder);
  mlir::Block *body = builder.createBlock(&op.getBody());
  for (auto [type, range] : llvm::zip_equal(signature.types, signature.ranges))
    body->addArgument(type, range.isValid() ? location(range) : loc);
  declareArguments(kernel, op, signature);
  if (!kernel.arrangement.empty())
    emitArrangement(kernel, op);
  else if (!kernel.grid.empty())
    if (AffineMapAttr grid = gridMap(kernel, op))
      op.setGridAttr(grid);
  if (PlanAttr plan = planOf(kernel))
    op.setPlanAttr(plan);
  pushLeave(kReturnFlag, kernel.hasReturn, kernel.name.range);
  emitBlock(kernel.body);
  scopes.pop_back();
  ReturnOp::create(builder, loc);
  scopes.pop_back();
  if (!errors.empty())
    return;
  lintKernel(op, lintPlaces, errors);
  lintAccesses(op, lintPlaces, errors);
  lintOutputs(op, lintPlaces, runs, errors);
  lintOrder(op, lintPlaces, errors);
}
