//===- ParseFunctions.cpp - Parses helper functions and hints -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

using namespace llvm;
using namespace tile::frontend;

bool Parser::parseFunction(Function &function) {
  advance();
  if (!expectName(function.name, "the function's name") ||
      !expect("(", "before the arguments"))
    return false;
  while (!token.is(")")) {
    if (!parseFormal(function))
      return false;
    if (!consume(","))
      break;
  }
  if (!expect(")", "after the arguments"))
    return false;
  if (consume("->"))
    do
      if (!expectName(function.resultTypes.emplace_back(),
                      "a type such as f16"))
        return false;
    while (consume(","));
  return parseBlock(function.body);
}

/// `name`, `name: f32`, `name: *f32`, `name: int = 4`.
bool Parser::parseFormal(Function &function) {
  Formal formal;
  if (!expectName(formal.name, "an argument's name"))
    return false;
  if (consume(":")) {
    formal.isPointer = consume("*");
    if (!expectName(formal.type, "a type such as f16, 'type', 'int' or 'bool'"))
      return false;
  }
  if (consume("=")) {
    formal.fallback = parseExpr();
    if (formal.fallback->kind == Expr::Error)
      return false;
  }
  function.formals.push_back(std::move(formal));
  return true;
}

/// `key = value`.
bool Parser::parseHint(std::vector<Hint> &hints) {
  Hint hint;
  if (!expectName(hint.key, "a hint such as 'warps = 8'") ||
      !expect("=", "before the hint's value"))
    return false;
  hint.value = parseExpr();
  if (hint.value->kind == Expr::Error)
    return false;
  hints.push_back(std::move(hint));
  return true;
}
