//===- StaticControl.cpp - What the compiler branches on and unrolls ------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;
using llvm::SMRange;

/// A loop with more iterations should run.
static constexpr uint64_t kMaxUnrolled = 1024;
/// Expressions and statements of a source with everything inlined.
static constexpr unsigned kMaxSteps = 1 << 19;
/// Nesting through calls, which the stack must hold.
static constexpr unsigned kMaxLevels = 1000;

bool KernelEmitter::isWithinLimits(SMRange range) {
  if (isTooLarge)
    return false;
  if (++numSteps > kMaxSteps)
    errors.error(range, "expected at most 2^19 expressions and statements "
                        "after inlining and unrolling, got more");
  else if (numLevels > kMaxLevels)
    errors.error(range, "expected at most " + Twine(kMaxLevels) +
                            " levels of calls and expressions, got more");
  else
    return true;
  isTooLarge = true;
  return false;
}

std::optional<bool> KernelEmitter::emitStaticCondition(const Expr &expr) {
  Val value = emitExpr(expr);
  if (value.kind == Val::Bool)
    return value.integer != 0;
  if (!value)
    return std::nullopt;
  auto error = errors.error(expr.range, "expected a condition that is known at "
                                        "compile time, got " +
                                            describe(value));
  if (value.kind == Val::Int)
    error.help("compare it, as in '" + textOf(expr.range) + " != 0'");
  else if (value.kind == Val::Run)
    error.help("leave 'static' out: what a launch gives is known at run time");
  return std::nullopt;
}

/// The side that is not taken is not even checked: it may be wrong for these
/// types.
void KernelEmitter::emitStaticIf(const Stmt &stmt) {
  std::optional<bool> condition = emitStaticCondition(*stmt.value);
  if (condition)
    emitBlock(*condition ? stmt.body : stmt.otherwise);
}

void KernelEmitter::emitStaticFor(const Stmt &stmt) {
  constexpr StringLiteral kWhat = "as a limit of 'static for'";
  std::optional<int64_t> low = emitInteger(*stmt.value, kWhat);
  std::optional<int64_t> high = emitInteger(*stmt.end, kWhat);
  std::optional<int64_t> step = 1;
  if (stmt.step)
    step = emitInteger(*stmt.step, "as a loop's step");
  if (!stmt.hints.empty())
    errors.error(stmt.hints[0].key.range,
                 "expected no 'pipeline' on a loop that is unrolled, got one");
  if (!low || !high || !step)
    return;
  if (*step < 1) {
    errors.error(stmt.step->range, "expected a positive compile-time integer "
                                   "as a loop's step, got " +
                                       Twine(*step));
    return;
  }
  uint64_t count = 0;
  if (*high > *low)
    count = (uint64_t(*high) - uint64_t(*low) - 1) / uint64_t(*step) + 1;
  if (count > kMaxUnrolled) {
    errors.error({stmt.value->range.Start, stmt.end->range.End},
                 "expected at most " + Twine(kMaxUnrolled) +
                     " iterations to unroll, got " + Twine(count));
    return;
  }
  DiagnosticList::Unrolling unrolling(errors);
  pushLeave(kBreakFlag, stmt.hasBreak, stmt.range);
  for (uint64_t i = 0; i < count && !errors.isFull(); ++i) {
    // A turn without statements counts, too.
    if (!isWithinLimits(stmt.range))
      break;
    pushLeave(kContinueFlag, stmt.hasContinue, stmt.range);
    int64_t index = *low + int64_t(i) * *step;
    DiagnosticList::Context context(errors, stmt.names[0].range,
                                    "in the turn in which '" +
                                        stmt.names[0].text.str() + "' is " +
                                        std::to_string(index));
    declare(stmt.names[0], Val::constant(index));
    emitBlock(stmt.body);
    scopes.pop_back();
    if (frame && frame->result)
      break;
  }
  scopes.pop_back();
}

void KernelEmitter::emitStaticAssert(const Stmt &stmt) {
  const Expr &call = *stmt.value;
  SmallVector<const Expr *> given;
  if (call.kind != Expr::Call || call.text != "assert" ||
      !bindArguments(call, {{"condition", true}, {"message", true}}, given))
    return;
  std::optional<bool> condition = emitStaticCondition(*given[0]);
  if (given[1]->kind != Expr::Text)
    errors.error(given[1]->range, "expected a text in quotes as a message, got "
                                  "another expression");
  else if (condition && !*condition)
    errors.error(given[0]->range, given[1]->text);
}
