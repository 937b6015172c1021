//===- Tunes.cpp - Parses and checks tune declarations --------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "Runs.h"

#include "tile/IR/PlanKeys.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace tile;
using namespace tile::frontend;

/// Says so where candidates are written as in Python: `(32, 64)`, `range(4)`.
/// What they are follows from the help only, so that their kind is unchecked.
static bool refuseForeign(const Expr &expr, DiagnosticList &errors) {
  bool isList = expr.kind == Expr::List;
  bool isRange = expr.kind == Expr::Call && expr.text == "range";
  if (!isList && !isRange)
    return false;
  std::vector<std::string> texts;
  for (const ExprPtr &operand : expr.operands)
    texts.push_back(StringRef(operand->range.Start.getPointer(),
                              operand->range.End.getPointer() -
                                  operand->range.Start.getPointer())
                        .str());
  bool isInterval = isRange && (texts.size() == 1 || texts.size() == 2);
  std::string help =
      isInterval ? (texts.size() == 1 ? "0.." : texts[0] + "..") + texts.back()
      : isList   ? "[" + join(texts, ", ") + "]"
                 : std::string("[32, 64]");
  errors
      .error(expr.range, Twine("expected candidates such as [32, 64] or 2..5, "
                               "got ") +
                             (isList ? "a list in parentheses" : "'range'"))
      .help("write '" + help + "'");
  return true;
}

/// What follows `in`: `[64, 128]` or `2..6`.
bool Parser::parseCandidates(TuneRange &range) {
  if (consume("[")) {
    if (!parseRunList(range.values, "]"))
      return false;
    bool isOperand = token.kind == Token::Integer ||
                     token.kind == Token::Float || token.kind == Token::Name;
    return consume("]") ||
           failHere("']' after the candidates",
                    isOperand ? "',' stands between two candidates" : "");
  }
  ExprPtr first = parseExpr();
  if (refuseForeign(*first, errors))
    return true;
  range.isInterval = true;
  if (!toRunExpr(*first, range.values.emplace_back(), errors))
    return false;
  if (!consume(".."))
    return failHere("'..' between the limits of the candidates",
                    "candidates stand in brackets, as in '[32, 64]'");
  return parseRunExpr(range.values.emplace_back());
}

bool Parser::parseTuneRange(TuneRange &range) {
  Identifier name;
  if (!expectName(name, "a compile-time parameter, a plan key or 'where'"))
    return false;
  range.name = name.text.str();
  range.range = name.range;
  if (consume("in"))
    return parseCandidates(range);
  if (!consume("="))
    return failHere("'=' or 'in' after '" + name.text + "'",
                    "write '" + name.text + " in [32, 64]'");
  return parseRunExpr(range.values.emplace_back());
}

bool Parser::parseTune(TuneBlock &block) {
  advance();
  Identifier kernel;
  if (!expectName(kernel, "the kernel to tune") ||
      !expect("{", "before the candidates"))
    return false;
  block.kernel = kernel.text.str();
  block.range = kernel.range;
  bool good = true;
  while (good && token.kind != Token::End && !token.is("}") &&
         !atDeclaration()) {
    // `where` is a function of the language elsewhere.
    good = consume("where") ? parseRunExpr(block.constraints.emplace_back())
                            : parseTuneRange(block.ranges.emplace_back());
    consume(";");
    if (token.is(",")) {
      failHere("another name, 'where' or '}'",
               "nothing, or ';', stands between two names' candidates");
      advance();
    }
  }
  return good && expect("}", "after the candidates");
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Whether it is a decision that a kernel may make; the chip is none.
static bool isPlanKey(StringRef name) {
  return findPlanKey(name) && name != "target";
}

/// What is neither one of the kernel's parameters nor a plan key.
static void refuseName(SMRange range, StringRef name,
                       ArrayRef<StringRef> parameters, StringRef kernel,
                       DiagnosticList &errors) {
  SmallVector<StringRef> known(parameters);
  for (const PlanKey &key : planKeys())
    if (isPlanKey(key.name))
      known.push_back(key.name);
  // `num_warps` is what others call it.
  StringRef bare = name;
  bare.consume_front("num_");
  errors
      .error(range, "expected a compile-time parameter of '" + kernel +
                        "' or a plan key, got '" + name + "'")
      .help(is_contained(known, bare) ? ("did you mean '" + bare + "'?").str()
                                      : helpForWord(name, known));
}

/// Names in an expression are parameters or plan keys; those in `sizeof` are
/// types.
static void checkNames(const RunExpr &expr, ArrayRef<StringRef> known,
                       StringRef kernel, ArrayRef<frontend::Function> functions,
                       DiagnosticList &errors) {
  bool isSizeOf = expr.kind == RunExpr::Kind::Call && expr.text == "sizeof";
  if (!isSizeOf)
    checkCall(expr, functions, errors);
  bool isTruth = expr.text == "true" || expr.text == "false";
  bool isKnown =
      isTruth || is_contained(known, expr.text) || isPlanKey(expr.text);
  if (expr.kind == RunExpr::Kind::Name && !isKnown)
    refuseName(expr.range, expr.text, known, kernel, errors);
  for (const RunExpr &operand : expr.operands)
    if (!isSizeOf || operand.kind != RunExpr::Kind::Name ||
        !isTypeName(operand.text))
      checkNames(operand, known, kernel, functions, errors);
}

/// Whether a candidate is a word and no expression: one of a plan key's, `true`
/// or `false`.  Says so where it should be one and is none.
static bool isWord(const RunExpr &value, const TuneRange &range,
                   const Parameter *parameter, DiagnosticList &errors) {
  bool isName = value.kind == RunExpr::Kind::Name;
  if (parameter)
    return isName && parameter->isBool &&
           (value.text == "true" || value.text == "false");
  const PlanKey *key = findPlanKey(range.name);
  if (!key || !isPlanKey(key->name) || key->isInteger())
    return false;
  if (isName && key->allows(value.text))
    return true;
  SmallVector<StringRef> words;
  key->words.split(words, '|');
  errors.error(value.range, "expected a word of '" + Twine(range.name) + "' (" +
                                join(words, ", ") + "), got " +
                                (isName ? "'" + value.text + "'"
                                        : std::string("another expression")));
  return true;
}

/// Says so where a candidate of a type parameter is neither a type nor the name
/// of another parameter.
static void checkType(const RunExpr &value, const TuneRange &range,
                      ArrayRef<StringRef> known, DiagnosticList &errors) {
  bool isName = value.kind == RunExpr::Kind::Name;
  if (isName && (isTypeName(value.text) || is_contained(known, value.text)))
    return;
  errors
      .error(value.range, "expected a type such as f16 as a candidate of '" +
                              Twine(range.name) + "', got " +
                              (isName ? "'" + value.text + "'"
                                      : std::string("another expression")))
      .help(isName ? helpForType(value.text) : "");
}

static void linkTune(TuneBlock &block, const SourceFile &file,
                     DiagnosticList &errors) {
  const Kernel *kernel =
      findKernel(file.kernels, block.kernel, block.range, errors);
  if (!kernel || kernel->isBroken)
    return;
  SmallVector<StringRef> known;
  StringMap<const Parameter *> parameters;
  StringMap<SMRange> places;
  for (const Parameter &parameter : kernel->parameters) {
    known.push_back(parameter.name.text);
    parameters[parameter.name.text] = &parameter;
  }
  for (TuneRange &range : block.ranges) {
    range.isPlanKey = !is_contained(known, range.name);
    if (range.isPlanKey && !isPlanKey(range.name)) {
      refuseName(range.range, range.name, known, block.kernel, errors);
      continue;
    }
    auto [place, isNew] = places.try_emplace(range.name, range.range);
    if (!isNew)
      errors.error(range.range,
                   "expected the candidates of '" + Twine(range.name) +
                       "' once, got them twice",
                   place->second, "the first ones are here");
    const Parameter *parameter = parameters.lookup(range.name);
    for (const RunExpr &value : range.values)
      if (parameter && parameter->isType)
        checkType(value, range, known, errors);
      else if (!isWord(value, range, parameter, errors))
        checkNames(value, known, block.kernel, file.functions, errors);
  }
  if (block.ranges.empty())
    errors.error(block.range, "expected candidates for '" +
                                  Twine(block.kernel) +
                                  "', such as warps in [4, 8], got none");
  for (const RunExpr &constraint : block.constraints)
    checkNames(constraint, known, block.kernel, file.functions, errors);
}

void frontend::linkTunes(SourceFile &file, DiagnosticList &errors) {
  for (TuneBlock &block : file.tunes)
    linkTune(block, file, errors);
}
