//===- ParseForeignLoops.cpp - Loops of other languages -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace tile::frontend;

/// What `range(...)` of Python and Triton is given.
namespace {
struct ForeignRange {
  std::vector<ExprPtr> limits;
  ExprPtr step, stages;
};
} // namespace

/// Whether the operand is the limits' or the step's.
static bool isLimit(StringRef name) { return name.empty() || name == "step"; }

/// Whether it is `range(...)` of Python, also with a module in front.
bool Parser::isForeignRange(const Expr &expr) const {
  bool isCall = expr.kind == Expr::Call || expr.kind == Expr::Method;
  if (!isCall || (expr.text != "range" && expr.text != "static_range"))
    return false;
  size_t count = count_if(
      expr.names, [](const Identifier &name) { return isLimit(name.text); });
  count -= expr.kind == Expr::Method;
  return count >= 1 && count <= 3 && expr.names[0].text.empty();
}

static ForeignRange splitRange(Expr &call) {
  ForeignRange range;
  for (size_t i = call.kind == Expr::Method; i < call.operands.size(); ++i) {
    StringRef name = call.names[i].text;
    bool isStep = name == "step" || (name.empty() && range.limits.size() == 2);
    if (isStep)
      range.step = std::move(call.operands[i]);
    else if (name.empty())
      range.limits.push_back(std::move(call.operands[i]));
    else if (name == "num_stages")
      range.stages = std::move(call.operands[i]);
  }
  return range;
}

/// The operand of a sum, in parentheses where it binds less tightly.
static std::string inSum(const Expr &expr, bool isNegated) {
  StringRef text = textOf(expr.range);
  bool isTight = is_contained({"*", "/", "%"}, expr.text) ||
                 (!isNegated && is_contained({"+", "-"}, expr.text));
  bool isLoose = (expr.kind == Expr::Binary || expr.kind == Expr::Unary) &&
                 !isTight && !text.starts_with("(");
  return isLoose ? ("(" + text + ")").str() : text.str();
}

/// The loop that counts up in place of `range(first, last, -step)`.
static std::string helpToCountDown(StringRef index, const Expr &first,
                                   const Expr &last, StringRef step) {
  std::string from = inSum(first, /*isNegated=*/false), count = from;
  StringRef turns = from;
  if (textOf(last.range) == "-1" && first.text == "-" &&
      turns.consume_back("- 1"))
    count = turns.rtrim().str();
  else if (last.kind == Expr::Unary && last.text == "-")
    count += " + " + inSum(*last.operands[0], /*isNegated=*/false);
  else if (last.text != "0")
    count += " - " + inSum(last, /*isNegated=*/true);
  return ("loops count up: write 'for up in 0.." + count +
          (step == "1" ? "" : " step " + step) + "' and in it 'let " + index +
          " = " + from + " - up'")
      .str();
}

/// Says how the limits are written, and goes on with them.
void Parser::takeForeignRange(Stmt &stmt) {
  ExprPtr call = std::move(stmt.value);
  ForeignRange range = splitRange(*call);
  if (range.limits.size() == 1)
    range.limits.insert(range.limits.begin(),
                        node(Expr::Integer, "0", call->range.Start, {}));
  const Expr &low = *range.limits[0], &high = *range.limits[1];
  StringRef index = stmt.names[0].text;
  StringRef step = range.step ? textOf(range.step->range) : "";
  stmt.isStatic |= call->text == "static_range";
  auto added =
      errors.error(call->range, "expected two limits of a loop, got a call "
                                "of '" +
                                    call->text + "'");
  if (step.consume_front("-")) {
    added.help(helpToCountDown(index, low, high, step));
    range.step = nullptr;
  } else {
    added.help("write '" + Twine(stmt.isStatic ? "static for " : "for ") +
               index + " in " + (low.text == "0" ? "0" : textOf(low.range)) +
               ".." + textOf(high.range) +
               (range.step ? " step " + step : Twine()) +
               (range.stages
                    ? " pipeline(stages = " + textOf(range.stages->range) + ")"
                    : Twine()) +
               "'");
  }
  stmt.value = std::move(range.limits[0]);
  stmt.end = std::move(range.limits[1]);
  stmt.step = std::move(range.step);
}

/// A step behind the limits of a loop without the word 'step'.
void Parser::parseForeignStep(Stmt &stmt) {
  bool isStep =
      token.is(",") || token.is("..") || token.is("by") ||
      (token.is(":") && !behind().empty() && isDigit(behind().front()));
  if (!isStep || stmt.end->kind == Expr::Error)
    return;
  failHere("'step' or '{' behind the limits", "write 'for i in 0..n step 2'");
  advance();
  stmt.step = parseExpr();
}
