//===- Parser.cpp - Parses the .tile language -----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "ForeignWords.h"

#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace tile::frontend;

bool tile::frontend::isKeyword(StringRef text) {
  return is_contained(keywords(), text);
}

Parser::Parser(StringRef source, DiagnosticList &errors)
    : lexer(source, errors), errors(errors) {
  advance();
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

void Parser::advance() {
  lastEnd = SMLoc::getFromPointer(token.text.end());
  previous = token.text;
  token = lexer.next();
}

bool Parser::consume(StringRef spelling) {
  if (!token.is(spelling))
    return false;
  advance();
  return true;
}

bool Parser::failHere(const Twine &expected) {
  // What is missing is the sign in front, of which enough has been said.
  const char *sign = lexer.skippedSign();
  if (sign && sign >= lastEnd.getPointer() && sign < token.text.begin())
    return false;
  std::string wanted = expected.str();
  StringRef help =
      token.kind == Token::End ? "" : foreignSyntax(token, previous, wanted);
  errors
      .error(token.range(),
             "expected " + Twine(wanted) + ", got " +
                 (token.kind == Token::End ? Twine("the end of the file")
                                           : "'" + token.text + "'"))
      .help(help);
  return false;
}

bool Parser::expect(StringRef spelling, const Twine &where) {
  return consume(spelling) || failHere("'" + spelling + "' " + where);
}

bool Parser::expectName(Identifier &name, const Twine &what) {
  if (token.kind != Token::Name || isKeyword(token.text))
    return failHere(what);
  name = {token.text, token.range()};
  advance();
  return true;
}

/// A type's name; `tl.float32` is the one behind the '.'.
bool Parser::expectType(Identifier &name, const Twine &what) {
  if (!expectName(name, what))
    return false;
  if (!token.is("."))
    return true;
  SMLoc start = name.range.Start;
  advance();
  if (!expectName(name, what))
    return false;
  if (StringRef type = foreignType(name.text); !type.empty())
    name.text = type;
  errors
      .error({start, lastEnd}, "expected a type by its own name, got a member")
      .help("write '" + name.text + "'");
  return true;
}

void Parser::skipToStatement() {
  for (unsigned open = 0; token.kind != Token::End; advance()) {
    if (atDeclaration())
      return;
    bool starts = token.is("@");
    for (StringRef word :
         {"let", "var", "for", "while", "if", "return", "static"})
      starts |= token.is(word);
    if (open == 0 && (starts || token.is("}")))
      return;
    if (token.is("{"))
      ++open;
    if (token.is("}"))
      --open;
  }
}

void Parser::skipToDeclaration() {
  while (token.kind != Token::End && !atDeclaration() && !token.is("run") &&
         !token.is("tune"))
    advance();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

SourceFile Parser::parseFile() {
  SourceFile file;
  while (token.kind != Token::End && !errors.isFull()) {
    std::vector<Annotation> annotations;
    if (!parseAnnotations(annotations)) {
      skipToDeclaration();
      continue;
    }
    bool good = false;
    if (token.is("kernel")) {
      std::optional<Kernel> kernel = parseKernel();
      good = kernel.has_value();
      if (good) {
        kernel->annotations = std::move(annotations);
        file.kernels.push_back(std::move(*kernel));
      }
    } else if (token.is("fn")) {
      good = parseFunction(file.functions, std::move(annotations));
    } else if (!annotations.empty()) {
      failHere("'kernel' or 'fn' after an annotation");
    } else if (token.is("run")) {
      RunBlock block;
      good = parseRun(block);
      if (good)
        file.runs.push_back(std::move(block));
    } else if (token.is("tune")) {
      TuneBlock block;
      good = parseTune(block);
      if (good)
        file.tunes.push_back(std::move(block));
    } else if (!isUnclosed) {
      failHere("'kernel', 'fn', 'run' or 'tune'");
    } else {
      // The rest of the block that was not closed.
      isUnclosed = false;
      advance();
    }
    if (!good)
      skipToDeclaration();
  }
  std::move(nested.begin(), nested.end(), std::back_inserter(file.functions));
  file.divisions = lexer.divisions();
  return file;
}

std::optional<Kernel> Parser::parseKernel() {
  Kernel kernel;
  advance();
  if (!expectName(kernel.name, "the kernel's name"))
    return std::nullopt;
  if (consume("<") && !parseParameters(kernel))
    return std::nullopt;
  if (!expect("(", "before the arguments") || !parseArguments(kernel))
    return std::nullopt;
  if (consume("grid"))
    do
      kernel.grid.push_back(parseExpr());
    while (consume(","));
  while (token.kind == Token::Name && !isKeyword(token.text))
    if (token.is("arrange") ? !parseArrange(kernel) : !parseHint(kernel.hints))
      return std::nullopt;
  if (!parseBlock(kernel.body))
    return std::nullopt;
  if (!placeReturns(kernel))
    return std::nullopt;
  return kernel;
}

/// `arrange { name = name.tile(...) ... }`.
bool Parser::parseArrange(Kernel &kernel) {
  advance();
  if (!expect("{", "before the arrangement"))
    return false;
  while (!token.is("}")) {
    Arrange step;
    if (!expectName(step.name, "a tensor to arrange") ||
        !expect("=", "before the arrangement of '" + step.name.text + "'"))
      return false;
    step.value = parseExpr();
    if (step.value->kind == Expr::Error)
      return false;
    kernel.arrangement.push_back(std::move(step));
    consume(";");
  }
  return expect("}", "after the arrangement");
}

bool Parser::parseParameters(Kernel &kernel) {
  do
    if (!parseParameter(kernel))
      return false;
  while (consume(",") && !token.is(">"));
  return expect(">", "after the compile-time parameters");
}

bool Parser::parseParameter(Kernel &kernel) {
  Parameter parameter;
  if (!expectName(parameter.name, "a compile-time parameter"))
    return false;
  if (consume(":")) {
    parameter.isType = token.is("type");
    parameter.isBool = token.is("bool");
    if (!consume("type") && !consume("bool") && !consume("int"))
      return failHere("'type', 'int' or 'bool'");
  }
  // A sum, not a comparison: '>' ends the list.
  if (consume("="))
    parameter.value = parseBinary(/*level=*/3);
  kernel.parameters.push_back(std::move(parameter));
  return true;
}

bool Parser::parseArguments(Kernel &kernel) {
  while (!token.is(")")) {
    if (!parseArgument(kernel))
      return false;
    if (!consume(","))
      break;
  }
  return expect(")", "after the arguments");
}

bool Parser::parseArgument(Kernel &kernel) {
  Argument argument;
  if (!expectName(argument.name, "an argument's name") ||
      !expect(":", "before the argument's type"))
    return false;
  argument.isPointer = consume("*");
  if (!argument.isPointer && consume("[")) {
    argument.isPointer = true;
    do
      if (!expectName(argument.sides.emplace_back(), "the name of a side"))
        return false;
    while (consume(","));
    if (!expect("]", "after the sides"))
      return false;
  }
  if (!expectType(argument.type, "a type such as f16") || !parseFacts(argument))
    return false;
  kernel.arguments.push_back(std::move(argument));
  return true;
}

bool Parser::parseFacts(Argument &argument) {
  for (;;) {
    if (consume("in")) {
      argument.min = parseBinary(3);
      if (!expect("..=", "between the limits of a range"))
        return false;
      argument.max = parseBinary(3);
    } else if (consume("divisible")) {
      if (!expect("(", "after 'divisible'"))
        return false;
      argument.divisor = parseExpr();
      if (!expect(")", "after the divisor"))
        return false;
    } else if (consume("noalias")) {
      argument.noalias = true;
    } else {
      return true;
    }
  }
}
