//===- Builtins.cpp - The functions of the .tile language -----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "ForeignWords.h"
#include "Runs.h"

#include "tile/Frontend/Vocabulary.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;

/// Every function of the language.
ArrayRef<KernelEmitter::BuiltinEntry> KernelEmitter::builtins() {
  static constexpr BuiltinEntry kBuiltins[] = {
      {"program_id", &KernelEmitter::emitProgramId},
      {"num_programs", &KernelEmitter::emitProgramId},
      {"arange", &KernelEmitter::emitArange},
      {"zeros", &KernelEmitter::emitFilled},
      {"full", &KernelEmitter::emitFilled},
      {"load", &KernelEmitter::emitLoad},
      {"store", &KernelEmitter::emitStore},
      {"dot", &KernelEmitter::emitDot},
      {"cdiv", &KernelEmitter::emitCeilDiv},
      {"min", &KernelEmitter::emitMinMax},
      {"max", &KernelEmitter::emitMinMax},
      {"clamp", &KernelEmitter::emitClamp},
      {"where", &KernelEmitter::emitWhere},
      {"exp", &KernelEmitter::emitMath},
      {"exp2", &KernelEmitter::emitMath},
      {"log", &KernelEmitter::emitMath},
      {"log2", &KernelEmitter::emitMath},
      {"sqrt", &KernelEmitter::emitMath},
      {"rsqrt", &KernelEmitter::emitMath},
      {"tanh", &KernelEmitter::emitMath},
      {"erf", &KernelEmitter::emitMath},
      {"sin", &KernelEmitter::emitMath},
      {"cos", &KernelEmitter::emitMath},
      {"log10", &KernelEmitter::emitMath},
      {"expm1", &KernelEmitter::emitMath},
      {"log1p", &KernelEmitter::emitMath},
      {"erfc", &KernelEmitter::emitMath},
      {"cbrt", &KernelEmitter::emitMath},
      {"tan", &KernelEmitter::emitMath},
      {"asin", &KernelEmitter::emitMath},
      {"acos", &KernelEmitter::emitMath},
      {"atan", &KernelEmitter::emitMath},
      {"sinh", &KernelEmitter::emitMath},
      {"cosh", &KernelEmitter::emitMath},
      {"asinh", &KernelEmitter::emitMath},
      {"acosh", &KernelEmitter::emitMath},
      {"atanh", &KernelEmitter::emitMath},
      {"pow", &KernelEmitter::emitMathPair},
      {"atan2", &KernelEmitter::emitMathPair},
      {"abs", &KernelEmitter::emitMath},
      {"floor", &KernelEmitter::emitMath},
      {"ceil", &KernelEmitter::emitMath},
      {"fma", &KernelEmitter::emitFma},
      {"floordiv", &KernelEmitter::emitIntegerFunction},
      {"floormod", &KernelEmitter::emitIntegerFunction},
      {"lshr", &KernelEmitter::emitIntegerFunction},
      {"umulhi", &KernelEmitter::emitIntegerFunction},
      {"udiv", &KernelEmitter::emitIntegerFunction},
      {"urem", &KernelEmitter::emitIntegerFunction},
      {"ult", &KernelEmitter::emitIntegerFunction},
      {"wrapping_add", &KernelEmitter::emitIntegerFunction},
      {"wrapping_sub", &KernelEmitter::emitIntegerFunction},
      {"wrapping_mul", &KernelEmitter::emitIntegerFunction},
      {"bitcast", &KernelEmitter::emitBitcast},
      {"grouped", &KernelEmitter::emitGrouped},
      {"sum", &KernelEmitter::emitReduction},
      {"prod", &KernelEmitter::emitReduction},
      {"any", &KernelEmitter::emitReduction},
      {"all", &KernelEmitter::emitReduction},
      {"cumsum", &KernelEmitter::emitReduction},
      {"cumprod", &KernelEmitter::emitReduction},
      {"argmax", &KernelEmitter::emitArgument},
      {"argmin", &KernelEmitter::emitArgument},
      {"reduce", &KernelEmitter::emitFold},
      {"scan", &KernelEmitter::emitFold},
      {"trans", &KernelEmitter::emitTranspose},
      {"reshape", &KernelEmitter::emitReshape},
      {"broadcast_to", &KernelEmitter::emitReshape},
      {"dtype", &KernelEmitter::emitDtype},
      {"side", &KernelEmitter::emitSide},
      {"atomic_add", &KernelEmitter::emitAtomic},
      {"atomic_max", &KernelEmitter::emitAtomic},
      {"atomic_min", &KernelEmitter::emitAtomic},
      {"atomic_and", &KernelEmitter::emitAtomic},
      {"atomic_or", &KernelEmitter::emitAtomic},
      {"atomic_xor", &KernelEmitter::emitAtomic},
      {"atomic_xchg", &KernelEmitter::emitAtomic},
      {"atomic_cas", &KernelEmitter::emitCompareAndSwap},
      {"assert", &KernelEmitter::emitAssert},
      {"print", &KernelEmitter::emitPrint},
  };
  return kBuiltins;
}

KernelEmitter::Builtin KernelEmitter::findBuiltin(StringRef name) {
  for (const BuiltinEntry &entry : builtins())
    if (entry.name == name)
      return entry.emit;
  return nullptr;
}

/// The function that is nearly this one, or what another language means.
std::string KernelEmitter::helpForFunction(StringRef name) {
  if (StringRef help = foreignFunction(name); !help.empty())
    return help.str();
  SmallVector<StringRef> known;
  for (const BuiltinEntry &entry : builtins())
    known.push_back(entry.name);
  size_t numBuiltins = known.size();
  for (const auto &entry : functions)
    known.push_back(entry.getKey());
  // The map has no order of its own.
  llvm::sort(known.begin() + numBuiltins, known.end());
  return helpForName(name, known);
}

/// `f16(x)` and `x.to(tl.float16)` as the language has them.
std::string frontend::helpToCast(const Expr &value, StringRef type) {
  StringRef known = foreignType(type), text = textOf(value.range);
  if (known == "i1")
    return helpToCompare(value, "!=");
  bool isSimple = value.kind == Expr::Name || value.kind == Expr::Call ||
                  value.kind == Expr::Index || value.kind == Expr::Integer;
  StringRef name = known.empty() ? type : known;
  if (text.contains('\n') || text.size() > 40)
    return ("write 'as " + name + "' behind the value").str();
  if (!isSimple && !text.starts_with("("))
    return ("write '(" + text + ") as " + name + "'").str();
  return ("write '" + text + " as " + name + "'").str();
}

std::string frontend::helpToCompare(const Expr &value, StringRef op) {
  StringRef text = textOf(value.range);
  bool isShort = text.size() <= 40 && !text.contains('\n');
  return ("write '" + (isShort ? text : "x") + " " + op + " 0'").str();
}

Val KernelEmitter::emitCall(const Expr &expr) {
  if (auto function = functions.find(expr.text); function != functions.end())
    return emitFunction(expr, *function->second);
  if (Builtin builtin = findBuiltin(expr.text))
    return (this->*builtin)(expr);
  sayUnknownFunction(expr);
  return {};
}

void KernelEmitter::sayUnknownFunction(const Expr &expr) {
  if (Symbol *symbol = find(expr.text); symbol && symbol->value) {
    bool isTensor = symbol->value.kind == Val::Tensor;
    errors
        .error(expr.range,
               "expected a function, got '" + expr.text + "', which is " +
                   describe(symbol->value),
               symbol->range, "'" + expr.text + "' is defined here")
        .help(isTensor ? "write '" + expr.text + "[i, j]'" : Twine());
    return;
  }
  if (Symbol *symbol = find(expr.text)) {
    // Where a call gives it a function, that has been said.
    if (errors.empty())
      errors
          .error(expr.range,
                 "expected a function, got '" + expr.text +
                     "', which is a value",
                 symbol->range, "'" + expr.text + "' is defined here")
          .help("functions are no values: call one by its name");
    return;
  }
  if (!expr.type.text.empty()) {
    errors
        .error(expr.range, "expected 'zeros' or 'full' to fill a tile, got '" +
                               expr.text + "'")
        .help(helpToFill(expr));
    return;
  }
  auto said =
      errors.error(expr.range, "expected a function of the language, got '" +
                                   expr.text + "'");
  if (expr.operands.size() != 1 || !isTypeWord(expr.text))
    return said.help(helpForFunction(expr.text));
  // `float("-inf")`.
  const Expr &value = *expr.operands[0];
  StringRef number = value.kind == Expr::Text ? foreignNumber(value.text) : "";
  said.help(number.empty() ? helpToCast(value, expr.text)
                           : "write '" + number.str() + "'");
}

/// How a function of the language is called.
static std::string helpToCall(StringRef function) {
  StringRef form = functionForm(function);
  return form.empty() ? "" : ("write '" + form + "'").str();
}

/// For a name that none of an argument is.
static std::string helpForArgument(const Expr &call, const Identifier &name,
                                   ArrayRef<StringRef> known) {
  StringRef text;
  for (auto [given, value] : llvm::zip_equal(call.names, call.operands))
    if (given.range.Start == name.range.Start &&
        (value->kind == Expr::Name || value->kind == Expr::Text))
      text = value->text;
  StringRef foreign = foreignArgument(name.text, text);
  return foreign.empty() ? helpForName(name.text, known) : foreign.str();
}

bool KernelEmitter::matchArguments(const Expr &call, unsigned count,
                                   ArrayRef<StringRef> named,
                                   SmallVectorImpl<const Expr *> &byName) {
  byName.assign(named.size(), nullptr);
  unsigned positional = 0;
  for (auto [name, value] : llvm::zip_equal(call.names, call.operands)) {
    if (name.text.empty()) {
      ++positional;
      continue;
    }
    auto known = llvm::find(named, name.text);
    if (known == named.end()) {
      std::string expected = named.empty()
                                 ? "arguments without names"
                                 : "the name " + llvm::join(named, " or ");
      errors
          .error(name.range, "expected " + expected + " in '" + call.text +
                                 "', got '" + name.text + "'")
          .help(helpForArgument(call, name, named));
      return false;
    }
    const Expr *&slot = byName[known - named.begin()];
    if (slot) {
      errors.error(value->range,
                   "expected one value of '" + name.text + "', got two",
                   slot->range, "the first one is here");
      return false;
    }
    slot = value.get();
  }
  bool inFront = true;
  for (unsigned i = 0; i < positional; ++i)
    inFront &= call.names[i].text.empty();
  if (positional == count && inFront)
    return true;
  errors
      .error(call.range, inFront
                             ? "expected " + Twine(count) +
                                   (count == 1 ? " argument" : " arguments") +
                                   " without a name in '" + call.text +
                                   "', got " + Twine(positional)
                             : "expected arguments without a name first in '" +
                                   call.text + "', got them mixed")
      .help(inFront ? helpToName(call, count, named) : helpToCall(call.text));
  return false;
}

/// The call with names in front of the arguments that need one.
std::string KernelEmitter::helpToName(const Expr &call, unsigned count,
                                      ArrayRef<StringRef> named) {
  size_t given = call.operands.size();
  if (given <= count || given > count + named.size())
    return helpToCall(call.text);
  SmallVector<std::string> parts;
  for (auto [i, operand] : llvm::enumerate(call.operands)) {
    StringRef text = textOf(operand->range);
    if (text.contains('\n') || !call.names[i].text.empty())
      return "";
    parts.push_back(i < count ? text.str()
                              : (named[i - count] + " = " + text).str());
  }
  return ("write '" + call.text + "(" + llvm::join(parts, ", ") + ")'").str();
}

bool KernelEmitter::bindArguments(const Expr &call, ArrayRef<Slot> slots,
                                  SmallVectorImpl<const Expr *> &given) {
  given.assign(slots.size(), nullptr);
  size_t numPositional =
      llvm::count_if(slots, [](const Slot &slot) { return !slot.isNamed; });
  size_t next = 0;
  bool inFront = true;
  for (auto [name, value] : llvm::zip_equal(call.names, call.operands)) {
    size_t index = next++;
    if (!name.text.empty()) {
      inFront = false;
      for (index = 0; index < slots.size(); ++index)
        if (slots[index].name == name.text)
          break;
      if (index == slots.size())
        return unknownName(call, slots, name);
    } else if (!inFront || index >= numPositional) {
      errors
          .error(value->range,
                 inFront
                     ? "expected at most " + Twine(numPositional) +
                           (numPositional == 1 ? " argument" : " arguments") +
                           " without a name in '" + call.text + "', got more"
                     : "expected arguments without a name first in '" +
                           call.text + "', got them mixed")
          .help(helpToCall(call.text));
      return false;
    }
    if (given[index]) {
      errors.error(value->range,
                   "expected one value of '" + slots[index].name + "', got two",
                   given[index]->range, "the first one is here");
      return false;
    }
    given[index] = value.get();
  }
  for (auto [slot, value] : llvm::zip_equal(slots, given))
    if (slot.isRequired && !value) {
      errors
          .error(call.range, "expected a value of '" + slot.name + "' in '" +
                                 call.text + "', got none")
          .help(helpToCall(call.text));
      return false;
    }
  return true;
}

/// Says which names there are.
bool KernelEmitter::unknownName(const Expr &call, ArrayRef<Slot> slots,
                                const Identifier &name) {
  SmallVector<StringRef> known;
  for (const Slot &slot : slots)
    known.push_back(slot.name);
  errors
      .error(name.range,
             (known.empty()
                  ? Twine("expected no arguments")
                  : "expected the name " + Twine(llvm::join(known, " or "))) +
                 " in '" + call.text + "', got '" + name.text + "'")
      .help(helpForArgument(call, name, known));
  return false;
}

Val KernelEmitter::emitProgramId(const Expr &expr) {
  SmallVector<const Expr *> given;
  if (!bindArguments(expr, {{"axis", true}}, given))
    return {};
  std::optional<int64_t> axis = emitInteger(*given[0], "as an axis");
  if (!axis)
    return {};
  if (*axis < 0 || *axis > 2) {
    errors.error(given[0]->range,
                 "expected an axis of 0, 1 or 2, got " + Twine(*axis));
    return {};
  }
  Location loc = location(expr.range);
  Type type = builder.getI32Type();
  if (expr.text == "program_id")
    return Val::run(ProgramIdOp::create(builder, loc, type, Axis(*axis)));
  return Val::run(NumProgramsOp::create(builder, loc, type, Axis(*axis)));
}

Val KernelEmitter::emitArange(const Expr &expr) {
  if (expr.operands.size() == 2) {
    StringRef low = textOf(expr.operands[0]->range);
    StringRef high = textOf(expr.operands[1]->range);
    errors.error(expr.range, "expected one side in 'arange', got two limits")
        .help(low == "0" ? "write 'arange(" + high + ")'"
                         : "write '" + low + " + arange(n)' for n numbers");
    return {};
  }
  SmallVector<const Expr *> none;
  if (!matchArguments(expr, 1, {}, none))
    return {};
  Val given = emitExpr(*expr.operands[0]);
  if (given.kind != Val::Int) {
    if (given)
      errors
          .error(expr.operands[0]->range,
                 "expected a compile-time integer as a side, got " +
                     describe(given))
          .help(given.kind == Val::Run
                    ? "a tile has a side of its own, such as '<B = 128>' of "
                      "the kernel, and a mask where the data ends"
                    : "");
    return {};
  }
  std::optional<int64_t> side = given.integer;
  if (!isTileShape(*side)) {
    errors.error(expr.operands[0]->range,
                 "expected a side from 1 to 2^24, got " + Twine(*side));
    return {};
  }
  auto type = RankedTensorType::get({*side}, builder.getI32Type());
  return Val::run(IotaOp::create(builder, location(expr.range), type));
}

bool KernelEmitter::takeRunTime(const Expr &expr, const Val &value,
                                Type element, Value &result) {
  if (value.isConstant())
    result = constantOf(location(expr.range), value, element, expr.range);
  else if (value.kind == Val::Run)
    result = value.value;
  else if (value)
    errors.error(expr.range, "expected a value, got " + describe(value));
  return bool(result);
}

Value KernelEmitter::emitTile(const Expr &expr, StringRef function) {
  Val value = emitExpr(expr);
  if (value.kind == Val::Run && !shapeOf(value.value.getType()).empty())
    return value.value;
  if (value)
    errors.error(expr.range, "expected a tile in '" + function + "', got " +
                                 describe(value));
  return {};
}

bool KernelEmitter::emitFlag(const Expr *expr, bool fallback) {
  if (!expr)
    return fallback;
  return emitStaticCondition(*expr).value_or(fallback);
}

/// Programs with neighbouring ids take `group` rows of tiles, column by column,
/// so that what they read meets in the L2 cache.
Val KernelEmitter::emitGrouped(const Expr &expr) {
  SmallVector<const Expr *> none;
  if (!matchArguments(expr, 4, {}, none))
    return {};
  Value values[4];
  for (int i = 0; i < 4; ++i) {
    const Expr &operand = *expr.operands[i];
    if (!emitRunTime(operand, builder.getI32Type(), values[i]))
      return {};
    if (!values[i].getType().isInteger(32)) {
      errors.error(operand.range, "expected i32 in 'grouped', got " +
                                      describe(values[i].getType()));
      return {};
    }
  }
  auto [row, column] = groupedOrder(location(expr.range), values[0], values[1],
                                    values[2], values[3]);
  return Val::tuple({Val::run(row), Val::run(column)});
}

std::pair<Value, Value> KernelEmitter::groupedOrder(Location loc, Value pid,
                                                    Value rows, Value columns,
                                                    Value group) {
  Value inGroup = arith::MulIOp::create(builder, loc, group, columns);
  Value groupId = arith::DivSIOp::create(builder, loc, pid, inGroup);
  Value first = arith::MulIOp::create(builder, loc, groupId, group);
  Value left = arith::SubIOp::create(builder, loc, rows, first);
  // The last group has fewer rows where `group` does not divide them.
  Value height = arith::MinSIOp::create(builder, loc, left, group);
  Value place = arith::RemSIOp::create(builder, loc, pid, inGroup);
  Value inside = arith::RemSIOp::create(builder, loc, place, height);
  Value row = arith::AddIOp::create(builder, loc, first, inside);
  Value column = arith::DivSIOp::create(builder, loc, place, height);
  return {row, column};
}
