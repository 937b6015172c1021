//===- Functions.cpp - Helper functions, inlined by each call -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;
using llvm::SMRange;

/// Calls inside one another; a recursion that does not end stops here.
static constexpr unsigned kMaxCalls = 64;

/// The argument as its head in the function wants it.
Val KernelEmitter::formalValue(const Formal &formal, Val value, SMRange range) {
  StringRef type = formal.type.text;
  auto wrong = [&](const Twine &expected) -> Val {
    errors.error(range,
                 "expected " + expected + " for '" + formal.name.text +
                     "', got " + describe(value),
                 formal.name.range,
                 "'" + formal.name.text + "' is defined here");
    return {};
  };
  if (!value)
    return value;
  if (value.kind == Val::None || value.kind == Val::Tuple)
    return wrong("one value");
  if (type.empty())
    return value;
  if (type == "type")
    return value.kind == Val::Type ? value : wrong("a type");
  if (type == "int")
    return value.kind == Val::Int ? value : wrong("a compile-time integer");
  if (type == "bool")
    return value.kind == Val::Bool ? value : wrong("a compile-time condition");
  Type element = elementType(formal.type);
  if (!element)
    return {};
  if (formal.isPointer) {
    bool fits = value.kind == Val::Pointer &&
                value.value.getType() == PointerType::get(element);
    return fits ? value : wrong("*" + describe(element));
  }
  if (value.isConstant())
    return Val::run(constantOf(location(range), value, element, range));
  bool fits =
      value.kind == Val::Run && elementOf(value.value.getType()) == element;
  return fits ? value : wrong(describe(element));
}

Val KernelEmitter::emitFunction(const Expr &call, const Function &function) {
  if (function.isBroken)
    return {};
  SmallVector<Slot> slots;
  for (const Formal &formal : function.formals)
    slots.push_back({formal.name.text, /*isRequired=*/!formal.fallback});
  SmallVector<const Expr *> given;
  if (!bindArguments(call, slots, given))
    return {};
  std::vector<Val> values;
  for (const Expr *argument : given)
    values.push_back(argument ? emitExpr(*argument) : Val());
  SmallVector<SMRange> places;
  for (auto [argument, value] : llvm::zip_equal(given, values)) {
    if (argument && !value)
      return {};
    places.push_back(argument ? argument->range : SMRange());
  }
  return applyFunction(function, std::move(values), places, call.range);
}

/// `places` says where each argument is; not valid where it is missing.
Val KernelEmitter::applyFunction(const Function &function,
                                 std::vector<Val> values,
                                 ArrayRef<SMRange> places, SMRange call) {
  if (numCalls >= kMaxCalls) {
    errors
        .error(call, "expected at most " + Twine(kMaxCalls) +
                         " calls inside one another, got more")
        .help("what a function calls itself for must end: 'static if N == 0 { "
              "return x }', where each call has another N");
    isTooLarge = true;
    return {};
  }
  // The function sees its own names only.
  SmallVector<Scope> outer;
  std::swap(outer, scopes);
  llvm::SaveAndRestore<const SmallVector<Scope> *> callers(
      kernelScopes, kernelScopes ? kernelScopes : &outer);
  scopes.emplace_back();
  llvm::SaveAndRestore<unsigned> calls(numCalls, numCalls + 1);
  DiagnosticList::Context context(
      errors, call, "in this call of '" + function.name.text.str() + "'");
  llvm::SaveAndRestore<LintSet> lints(allowed, allowedBy(function.annotations));
  bool good = true;
  for (auto [formal, place, value] :
       llvm::zip_equal(function.formals, places, values)) {
    if (!place.isValid())
      value = emitExpr(*formal.fallback);
    value = formalValue(formal, std::move(value),
                        place.isValid() ? place : formal.fallback->range);
    good &= bool(value);
    declare(formal.name, value);
  }
  Val result = good ? inlineBody(function) : Val();
  std::swap(outer, scopes);
  return result;
}

/// Emits the body, whose arguments are in scope.
Val KernelEmitter::inlineBody(const Function &function) {
  Frame own;
  llvm::SaveAndRestore<Frame *> inside(frame, &own);
  emitBlock(function.body);
  if (isTooLarge)
    return {};
  if (!own.result) {
    own.result = own.hasUnused ? Val() : Val::none();
    own.returned = function.name.range;
  }
  Val result = *own.result;
  if (!result || function.resultTypes.empty())
    return result;
  size_t expected = function.resultTypes.size();
  std::vector<Val> parts{result};
  if (result.kind == Val::Tuple)
    parts = result.parts;
  if (result.kind == Val::None)
    parts.clear();
  if (parts.size() != expected) {
    errors.error(own.returned,
                 "expected " + Twine(expected) +
                     (expected == 1 ? " result of '" : " results of '") +
                     function.name.text + "', got " + Twine(parts.size()));
    return {};
  }
  for (auto [part, name] : llvm::zip_equal(parts, function.resultTypes)) {
    Type element = elementType(name);
    if (!element)
      return {};
    if (part.isConstant())
      part = Val::run(
          constantOf(location(own.returned), part, element, own.returned));
    if (!part)
      return {};
    if (part.kind != Val::Run || elementOf(part.value.getType()) != element) {
      errors.error(own.returned,
                   "expected a result of " + describe(element) + ", got " +
                       describe(part),
                   name.range, "the result's type is written here");
      return {};
    }
  }
  return parts.size() == 1 ? parts[0] : Val::tuple(parts);
}

void KernelEmitter::emitReturn(const Stmt &stmt) {
  if (!frame) {
    if (llvm::any_of(stmt.results, [](const ExprPtr &result) {
          return result->kind == Expr::Error;
        }))
      return;
    errors.error(stmt.range, "expected a kernel to return nothing, got a value")
        .help("write it with 'store' or 'a[i] = x'");
    return;
  }
  std::vector<Val> parts;
  bool good = true;
  for (const ExprPtr &result : stmt.results) {
    parts.push_back(emitExpr(*result));
    good &= bool(parts.back());
    if (parts.back().kind != Val::None && parts.back().kind != Val::Tuple)
      continue;
    if (parts.back().kind == Val::Tuple && stmt.results.size() == 1)
      continue;
    errors.error(result->range,
                 "expected one value, got " + describe(parts.back()));
    good = false;
  }
  frame->returned = stmt.range;
  frame->result = Val();
  if (frame->numRegions > 0)
    errors
        .error(stmt.range, "expected 'return' at the end of a function, got "
                           "one in a loop or a branch")
        .help("write 'where(condition, a, b)', or a 'var' that each branch "
              "changes");
  else if (good)
    frame->result = parts.empty()       ? Val::none()
                    : parts.size() == 1 ? parts[0]
                                        : Val::tuple(parts);
}
