//===- ParseRuns.cpp - Parses run blocks ----------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "Runs.h"

#include "tile/Frontend/Numbers.h"
#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace tile::frontend;

/// The names of fills.
static SmallVector<StringRef> fillNames() {
  SmallVector<StringRef> names;
  for (const FunctionInfo &info : runFills())
    names.push_back(info.name);
  return names;
}

bool tile::frontend::isRunFill(StringRef text) {
  return any_of(runFills(),
                [&](const FunctionInfo &info) { return info.name == text; });
}

bool tile::frontend::looksLikeFill(const Token &name) {
  // The source ends with a zero.
  const char *at = name.text.end();
  if (name.kind != Token::Name || *at++ != '<')
    return false;
  while (isAlnum(*at) || *at == '_')
    ++at;
  return at[0] == '>' &&
         (at[1] == '[' || (at[1] == '(' && isRunFill(name.text)));
}

/// The fill that is probably meant; empty if none is.
static StringRef nearestFill(StringRef name) {
  if (name == "random" || name == "normal" || name == "rand")
    return "randn";
  if (name == "arange" || name == "range")
    return "iota";
  return nearestName(name, fillNames());
}

bool Parser::parseRunExpr(RunExpr &result) {
  return toRunExpr(*parseExpr(), result, errors);
}

bool Parser::parseRunList(std::vector<RunExpr> &list, StringRef end) {
  do
    if (!parseRunExpr(list.emplace_back()))
      return false;
  while (end.empty() ? consume(",") : consumeComma(end));
  return true;
}

/// What follows `randn`: `<f16>[M, K; K, 1](7)`.
bool Parser::parseRunTensor(RunTensor &tensor) {
  Identifier type;
  tensor.fill = token.text.str();
  advance();
  if (!expect("<", "after '" + Twine(tensor.fill) + "'") ||
      !expectName(type, "a type such as f16") ||
      !expect(">", "after the type") || !expect("[", "before the sides") ||
      !parseRunList(tensor.sides, "]"))
    return false;
  tensor.type = type.text.str();
  tensor.typeRange = type.range;
  SMRange strides = token.range();
  if (consume(";") && !parseRunList(tensor.strides, "]"))
    return false;
  if (!tensor.strides.empty() && tensor.strides.size() != tensor.sides.size()) {
    errors.error({strides.Start, lastEnd},
                 "expected a stride for each of " + Twine(tensor.sides.size()) +
                     " sides, got " + Twine(tensor.strides.size()));
    return false;
  }
  if (!expect("]", "after the sides"))
    return false;
  SMLoc start = token.range().Start;
  if (consume("(") && !(parseRunList(tensor.parameters, ")") &&
                        expect(")", "after the fill's parameters")))
    return false;
  size_t count = tensor.parameters.size();
  bool isRange = tensor.fill == "uniform" || tensor.fill == "int";
  bool fits = !isRunFill(tensor.fill) ? true
              : isRange               ? count == 2 || count == 3
                                      : count <= size_t(tensor.fill == "randn");
  if (fits)
    return true;
  StringRef expected = isRange ? "values (LOW, HIGH) or (LOW, HIGH, SEED)"
                       : tensor.fill == "randn" ? "a value (SEED) or none"
                                                : "no values";
  errors.error({start, lastEnd}, "expected " + expected + " after '" +
                                     Twine(tensor.fill) + "', got " +
                                     Twine(count));
  return false;
}

bool Parser::parseRunBinding(RunBinding &binding, bool canBeTensor) {
  Identifier name;
  if (!expectName(name, canBeTensor ? "a name, or 'expect'"
                                    : "a size, an argument or a parameter") ||
      !expect("=", "before the value"))
    return false;
  binding.name = name.text.str();
  binding.range = name.range;
  // `nan` alone is a number.
  bool isNumber = token.is("nan") && behind().find_first_of("<[(") != 0;
  bool isFill = canBeTensor && isRunFill(token.text) && !isNumber;
  if (canBeTensor && !isRunFill(token.text) && looksLikeFill(token)) {
    StringRef meant = nearestFill(token.text);
    errors
        .error(token.range(), "expected a fill (" +
                                  llvm::join(fillNames(), ", ") + "), got '" +
                                  token.text + "'")
        .help(token.is("full") ? "a constant is 'uniform<f32>[n](x, x)', or "
                                 "'int<i32>[n](x, x)' of integers"
              : meant.empty()  ? Twine()
                               : "did you mean '" + meant + "'?");
    // What stands behind it may be right.
    isFill = true;
  }
  return isFill ? parseRunTensor(binding.tensor.emplace())
                : parseRunExpr(binding.value);
}

/// What follows `expect`.
bool Parser::parseExpectation(RunExpectation &expectation) {
  Identifier name;
  if (!expectName(name, "the argument that is checked") ||
      !expect("==", "after the argument that is checked"))
    return false;
  expectation.name = name.text.str();
  expectation.range = name.range;
  RunExpr &value = expectation.value;
  SMLoc start = token.range().Start;
  if (consume("kernel")) {
    Identifier kernel;
    if (!expectName(kernel, "the kernel to compare with"))
      return false;
    value.kind = RunExpr::Kind::Kernel;
    value.text = kernel.text.str();
    value.range = {start, lastEnd};
  } else {
    SaveAndRestore<bool> expecting(isExpecting, true);
    if (!parseRunExpr(value))
      return false;
  }
  return !consume("within") || parseTolerance(expectation);
}

/// `2e-2`, or `1e-6, 1e-3`: absolute and relative.
bool Parser::parseTolerance(RunExpectation &expectation) {
  std::optional<double> *const kTargets[] = {&expectation.absolute,
                                             &expectation.relative};
  for (std::optional<double> *target : kTargets) {
    bool isNumber = token.kind == Token::Integer || token.kind == Token::Float;
    if (!isNumber)
      return failHere("a number after 'within'");
    *target = readNumber(token.text);
    if (!*target)
      return failHere("a number that f64 holds after 'within'");
    advance();
    if (!consume(","))
      break;
  }
  if (!expectation.relative)
    expectation.relative = expectation.absolute;
  return true;
}

bool Parser::parseRunStatement(RunBlock &block) {
  // What is cut short is no part of the block.
  bool good = false;
  if (consume("expect")) {
    good = parseExpectation(block.expectations.emplace_back());
    if (!good)
      block.expectations.pop_back();
  } else {
    good = parseRunBinding(block.bindings.emplace_back(), /*canBeTensor=*/true);
    if (!good)
      block.bindings.pop_back();
  }
  consume(";");
  return good;
}

/// Whether `NAME =` or `expect NAME` begins here.
bool Parser::atRunStatement() const {
  if (token.kind != Token::Name || isKeyword(token.text))
    return false;
  StringRef next = behind();
  if (token.is("expect"))
    return !next.empty() && (isAlpha(next.front()) || next.front() == '_');
  return next.consume_front("=") && !next.starts_with("=");
}

/// Skips what is left of a wrong statement that began at `start`: words in its
/// brackets begin no other one.
void Parser::skipToRunStatement(SMLoc start) {
  StringRef read(start.getPointer(), token.text.begin() - start.getPointer());
  size_t opened = read.count('(') + read.count('[');
  size_t closed = read.count(')') + read.count(']');
  size_t depth = opened > closed ? opened - closed : 0;
  for (; token.kind != Token::End && !token.is("}") && !atDeclaration();
       advance()) {
    if (depth == 0 && atRunStatement())
      return;
    if (token.is("(") || token.is("["))
      ++depth;
    if (depth > 0 && (token.is(")") || token.is("]")))
      --depth;
  }
}

/// What stands in parentheses behind the kernel's name.
bool Parser::parseRunSizes(RunBlock &block) {
  while (!token.is(")")) {
    if (!parseRunBinding(block.sizes.emplace_back(), /*canBeTensor=*/false)) {
      block.sizes.pop_back();
      return false;
    }
    if (!consume(","))
      break;
  }
  return expect(")", "after the sizes") &&
         (!consume("grid") || parseRunList(block.grid));
}

bool Parser::parseRun(RunBlock &block) {
  advance();
  Identifier kernel;
  if (!expectName(kernel, "the kernel to run"))
    return false;
  block.kernels.emplace_back().name = kernel.text.str();
  block.range = kernel.range;
  if (!expect("(", "before the sizes"))
    return false;
  if (!parseRunSizes(block)) {
    block.isBroken = true;
    while (token.kind != Token::End && !token.is("{") && !token.is("}") &&
           !atDeclaration())
      advance();
  }
  if (!expect("{", "before what is run"))
    return false;
  while (token.kind != Token::End && !token.is("}") && !atDeclaration()) {
    SMLoc start = token.range().Start;
    if (parseRunStatement(block))
      continue;
    block.isBroken = true;
    skipToRunStatement(start);
  }
  return expect("}", "after what is run") && !block.isBroken;
}
