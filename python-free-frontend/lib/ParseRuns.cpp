//===- ParseRuns.cpp - Parses run blocks ----------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "Runs.h"

#include "tile/Frontend/Numbers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace tile::frontend;

static constexpr StringLiteral kFills[] = {"zeros", "ones",    "nan", "iota",
                                           "randn", "uniform", "int", "empty"};

bool tile::frontend::isRunFill(StringRef text) {
  return is_contained(kFills, text);
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
  return nearestName(name, SmallVector<StringRef>(ArrayRef(kFills)));
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
  bool fits = isRange ? count == 2 || count == 3
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
  if (canBeTensor && !isRunFill(token.text) && looksLikeFill(token)) {
    StringRef meant = nearestFill(token.text);
    errors
        .error(token.range(), "expected a fill (" +
                                  llvm::join(ArrayRef(kFills), ", ") +
                                  "), got '" + token.text + "'")
        .help(meant.empty() ? "" : "did you mean '" + meant + "'?");
    return false;
  }
  // `nan` alone is a number.
  bool isNumber = token.is("nan") && behind().find_first_of("<[(") != 0;
  if (!canBeTensor || !isRunFill(token.text) || isNumber)
    return parseRunExpr(binding.value);
  return parseRunTensor(binding.tensor.emplace());
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
  bool good = consume("expect")
                  ? parseExpectation(block.expectations.emplace_back())
                  : parseRunBinding(block.bindings.emplace_back(),
                                    /*canBeTensor=*/true);
  consume(";");
  return good;
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
  while (!token.is(")")) {
    if (!parseRunBinding(block.sizes.emplace_back(), /*canBeTensor=*/false))
      return false;
    if (!consume(","))
      break;
  }
  if (!expect(")", "after the sizes"))
    return false;
  if (consume("grid") && !parseRunList(block.grid))
    return false;
  if (!expect("{", "before what is run"))
    return false;
  bool good = true;
  while (good && token.kind != Token::End && !token.is("}") && !atDeclaration())
    good = parseRunStatement(block);
  if (good)
    return expect("}", "after what is run");
  // What follows the block is worth a look.
  while (token.kind != Token::End && !token.is("}") && !token.is("run"))
    advance();
  consume("}");
  return false;
}
