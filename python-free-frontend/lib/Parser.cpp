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
#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace llvm;
using namespace tile::frontend;

bool tile::frontend::isKeyword(StringRef text) {
  return is_contained(keywords(), text);
}

bool tile::frontend::isConstantName(StringRef text) {
  return is_contained({"true", "false", "inf", "nan"}, text);
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
  if (token.is("(") || token.is("["))
    brackets.push_back(token.range());
  if (!brackets.empty() && (token.is(")") || token.is("]")))
    brackets.pop_back();
  token = lexer.next();
  if (previous.empty())
    return;
  StringRef between(lastEnd.getPointer(),
                    token.text.begin() - lastEnd.getPointer());
  if (size_t line = between.rfind('\n'); line != StringRef::npos)
    indentation = between.size() - line - 1;
}

bool Parser::isBehindOnLine() const {
  // Nothing is in front of the first word.
  if (previous.empty())
    return false;
  StringRef between(lastEnd.getPointer(),
                    token.text.begin() - lastEnd.getPointer());
  return !between.contains('\n');
}

bool Parser::beginsStatement() const {
  bool isName = token.kind == Token::Name && indentation <= statementColumn;
  return !isBehindOnLine() && (isStatementStart() || token.is("}") || isName);
}

StringRef Parser::hiddenCode() const {
  if (previous.empty())
    return "";
  StringRef line(lastEnd.getPointer(), strcspn(lastEnd.getPointer(), "\n"));
  size_t at = line.find("//");
  bool isBehind = at != StringRef::npos && !isBehindOnLine() &&
                  line.take_front(at).trim().empty();
  return isBehind && lexer.hidesCode(line.drop_front(at)) ? line.drop_front(at)
                                                          : "";
}

/// Where a bracket is missing, or the rest of a statement is in a comment, what
/// is to be changed stands further up.
void Parser::noteUnclosed(DiagnosticList::Added &error, StringRef expected) {
  bool isClose = expected.starts_with("')'") || expected.starts_with("']'");
  bool isNext = beginsStatement() || token.kind == Token::End;
  StringRef open = isClose && !brackets.empty() ? textOf(brackets.back()) : "";
  if (isNext && (open == "(" ? expected[1] == ')' : open == "["))
    error.note(brackets.back(), "this '" + open + "' is not closed");
  if (isNext && isClose)
    brackets.clear();
  StringRef comment = hiddenCode();
  if (comment.empty())
    return;
  SMLoc start = SMLoc::getFromPointer(comment.begin());
  error.note({start, SMLoc::getFromPointer(comment.rtrim().end())},
             "'//' begins a comment here");
  error.help("write '/' to divide, or 'floordiv(a, b)', which rounds down");
}

StringRef Parser::behind() const {
  // The source ends with a zero.
  const char *next = token.text.end();
  while (*next == ' ' || *next == '\t')
    ++next;
  return {next, strnlen(next, 16)};
}

bool Parser::consume(StringRef spelling) {
  if (!token.is(spelling))
    return false;
  advance();
  return true;
}

bool Parser::failHere(const Twine &expected, const Twine &ownHelp) {
  // What else this word is not follows from the same mistake.
  if (failedAt == token.text.begin())
    return false;
  failedAt = token.text.begin();
  // What is missing is a word of which enough has been said.
  const char *sign = lexer.skippedSign();
  if (sign && sign >= lastEnd.getPointer() && sign <= token.text.begin())
    return false;
  std::string wanted = expected.str();
  std::string help;
  bool isList = StringRef(wanted).starts_with("')'") ||
                StringRef(wanted).starts_with("']'");
  if (token.kind != Token::End && !(isList && beginsStatement()))
    help = foreignSyntax(token, previous, wanted).str();
  if (help.empty())
    help = ownHelp.str();
  auto error =
      errors.error(token.range(),
                   "expected " + Twine(wanted) + ", got " +
                       (token.kind == Token::End ? Twine("the end of the file")
                                                 : "'" + token.text + "'"));
  error.help(help);
  noteUnclosed(error, wanted);
  return false;
}

bool Parser::expect(StringRef spelling, const Twine &where) {
  return consume(spelling) || failHere("'" + spelling + "' " + where);
}

bool Parser::consumeComma(StringRef end) {
  return consume(",") && !token.is(end);
}

/// Whether the word begins or joins statements, which no name is meant by where
/// an expression is missing.
static bool isStatementWord(StringRef word) {
  return word != "step" && word != "grid" && word != "fn" && word != "kernel";
}

bool Parser::expectName(Identifier &name, const Twine &what) {
  if (token.kind != Token::Name)
    return failHere(what);
  bool isExpr =
      what.isSingleStringRef() && what.getSingleStringRef() == "an expression";
  if (isKeyword(token.text) && !(isExpr && misnamed.contains(token.text))) {
    return failHere(what, isExpr && isStatementWord(token.text)
                              ? Twine()
                              : "'" + token.text +
                                    "' is a word of the language: choose "
                                    "another name");
  }
  name = {token.text, token.range()};
  advance();
  return true;
}

/// A word of the language as a new name, which is an error: from here on it is
/// that name where the language has no use for the word.
bool Parser::takeMisnamed(Identifier &name, StringRef behindIt) {
  if (token.kind != Token::Name || !isKeyword(token.text) ||
      !behind().starts_with(behindIt))
    return false;
  misnamed.insert(token.text);
  name = {token.text, token.range()};
  advance();
  return true;
}

/// `const` of other languages in front of a name, which is an error.
void Parser::skipConst(const Twine &what) {
  StringRef next = behind();
  bool isWord = token.is("const") || token.is("mut") || token.is("constexpr");
  if (!isWord || next.empty() || !isAlpha(next.front()))
    return;
  failHere(what, "leave '" + token.text + "' out");
  advance();
}

/// A type's name; `tl.float32` is the one behind the '.'.
bool Parser::expectType(Identifier &name, const Twine &what) {
  skipConst(what);
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

bool Parser::isStatementStart() const {
  return any_of(std::initializer_list<StringRef>{"let", "var", "for", "while",
                                                 "if", "return", "break",
                                                 "continue", "static"},
                [&](StringRef word) { return token.is(word); });
}

/// Whether a line begins with a name, and what is in front ends there.
bool Parser::atLineOfName() const {
  if (token.kind != Token::Name || !brackets.empty() || isBehindOnLine())
    return false;
  char last = previous.empty() ? ' ' : previous.back();
  return isAlnum(last) || last == '_' || last == ')' || last == ']' ||
         last == '"';
}

void Parser::skipToStatement() {
  for (unsigned open = 0; token.kind != Token::End; advance()) {
    if (atDeclaration())
      return;
    // A bracket that is not closed does not hide what follows.
    if (beginsStatement())
      brackets.clear();
    bool starts = token.is("@") || isStatementStart();
    // `[x for x in y]` begins no loop.
    starts &= brackets.empty() || !isBehindOnLine();
    starts |= atLineOfName();
    if (open == 0 && (starts || token.is("}")))
      return;
    if (token.is("{"))
      ++open;
    if (token.is("}"))
      --open;
  }
}

/// Says so once; nothing of the declaration is looked at behind it.
void Parser::sayTooDeep() {
  bool isOfBlocks = numBlocks > kMaxDepth / 2;
  failHere("at most " + Twine(kMaxDepth) + " levels of " +
               (isOfBlocks ? "nesting" : "expressions"),
           isOfBlocks ? "part of it can be a function"
                      : "give part of it a name");
  while (token.kind != Token::End &&
         !(atDeclaration() && token.text.begin()[-1] == '\n'))
    advance();
  // What is open there has been said.
  failedAt = token.text.begin();
}

void Parser::skipToDeclaration() {
  // `expect y == kernel ref` declares nothing.
  while (token.kind != Token::End &&
         (previous == "==" ||
          !(atDeclaration() || token.is("run") || token.is("tune"))))
    advance();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

bool Parser::atDeclaration() const {
  // A word that was taken for a name begins nothing where it is changed.
  if (token.is("kernel") || token.is("fn"))
    return !(misnamed.contains(token.text) && isAssignedTo());
  if (!token.is("run") && !token.is("tune"))
    return false;
  // Two names side by side are no statement.
  StringRef word =
      behind().take_while([](char c) { return isAlnum(c) || c == '_'; });
  return !word.empty() && !isDigit(word.front()) && !isKeyword(word);
}

/// Whether a function begins here as another language has it.
bool Parser::atForeignFunction() const {
  bool isWord = token.is("fun") || token.is("func") || token.is("function");
  StringRef line(token.text.begin(), strcspn(token.text.begin(), "\n"));
  return isWord && line.contains('(') && line.contains('{');
}

/// The declaration that begins here; what of it did not parse leaves its name.
bool Parser::parseDeclaration(SourceFile &file,
                              std::vector<Annotation> annotations) {
  if (depth == 0)
    misplaced = {};
  if (token.is("kernel")) {
    Kernel kernel;
    kernel.annotations = std::move(annotations);
    kernel.isBroken = !parseKernel(kernel);
    file.kernels.push_back(std::move(kernel));
    return !file.kernels.back().isBroken;
  }
  bool isForeign = atForeignFunction();
  if (isForeign)
    failHere("'kernel', 'fn', 'run' or 'tune'", "write 'fn'");
  if (token.is("fn") || isForeign) {
    Function function;
    function.annotations = std::move(annotations);
    function.isBroken = !parseFunction(function);
    file.functions.push_back(std::move(function));
    return !file.functions.back().isBroken;
  }
  if (!annotations.empty())
    return failHere("'kernel' or 'fn' after an annotation");
  if (token.is("run")) {
    RunBlock block;
    bool good = parseRun(block);
    // What of it is there is worth a look.
    if (good || block.isBroken)
      file.runs.push_back(std::move(block));
    return good;
  }
  if (!token.is("tune"))
    return failHere("'kernel', 'fn', 'run' or 'tune'");
  TuneBlock block;
  if (!parseTune(block))
    return false;
  file.tunes.push_back(std::move(block));
  return true;
}

SourceFile Parser::parseFile() {
  SourceFile file;
  while (token.kind != Token::End && !errors.isFull()) {
    std::vector<Annotation> annotations;
    if (!parseAnnotations(annotations)) {
      skipToDeclaration();
      continue;
    }
    bool isRest = isUnclosed && annotations.empty() && !atDeclaration();
    if (isRest) {
      // The rest of the block that was not closed.
      isUnclosed = false;
      advance();
      skipToDeclaration();
    } else if (!parseDeclaration(file, std::move(annotations))) {
      skipToDeclaration();
    }
  }
  std::move(nested.functions.begin(), nested.functions.end(),
            std::back_inserter(file.functions));
  std::move(nested.kernels.begin(), nested.kernels.end(),
            std::back_inserter(file.kernels));
  file.divisions = lexer.divisions(undivided);
  return file;
}

bool Parser::parseKernel(Kernel &kernel) {
  advance();
  if (!expectName(kernel.name, "the kernel's name") ||
      (consume("<") && !parseParameters(kernel)) ||
      !expect("(", "before the arguments") || !parseArguments(kernel) ||
      (consume("grid") && !parseGrid(kernel)))
    return false;
  while (token.kind == Token::Name && !isKeyword(token.text))
    if (token.is("arrange") ? !parseArrange(kernel) : !parseHint(kernel.hints))
      return false;
  if (token.kind == Token::Integer) {
    failHere("'grid' or '{' behind the arguments",
             "'grid' stands before the number of programs: 'grid " +
                 token.text + "'");
    parseGrid(kernel);
  }
  return parseBlock(kernel.body) && placeReturns(kernel);
}

/// What follows `grid`.
bool Parser::parseGrid(Kernel &kernel) {
  if (token.is("=") || token.is(":") || token.is("{")) {
    failHere("the number of programs", "write 'grid cdiv(n, 64)'");
    if (token.is("{"))
      return true;
    advance();
  }
  do
    kernel.grid.push_back(parseExpr());
  while (consume(","));
  return true;
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
  while (consumeComma(">"));
  return expect(">", "after the compile-time parameters");
}

bool Parser::parseParameter(Kernel &kernel) {
  Parameter parameter;
  skipConst("a compile-time parameter");
  if (!expectName(parameter.name, "a compile-time parameter"))
    return false;
  bool isKind = true;
  if (consume(":")) {
    parameter.isType = token.is("type");
    parameter.isBool = token.is("bool");
    isKind = consume("type") || consume("bool") || consume("int");
    if (!isKind && !skipForeignKind(parameter.name.text))
      return false;
  }
  // A sum, not a comparison: '>' ends the list.
  if (consume("="))
    parameter.value = parseBinary(/*level=*/3);
  // Of which kind the value is to be has been said.
  if (!isKind && parameter.value && parameter.value->kind != Expr::Integer)
    parameter.value->kind = Expr::Error;
  kernel.parameters.push_back(std::move(parameter));
  return true;
}

bool Parser::parseArguments(Kernel &kernel) {
  while (!token.is(")")) {
    if (!parseArgument(kernel))
      return false;
    undivided.insert(lastEnd.getPointer());
    if (!consume(","))
      break;
  }
  return expect(")", "after the arguments");
}

bool Parser::parseArgument(Kernel &kernel) {
  Argument argument;
  skipConst("an argument's name");
  if (!expectName(argument.name, "an argument's name") ||
      !expect(":", "before the argument's type"))
    return false;
  argument.isPointer = consume("*");
  if (!argument.isPointer && consume("[")) {
    argument.isPointer = true;
    do
      if (!expectName(argument.sides.emplace_back(), "the name of a side"))
        return false;
    while (consumeComma("]"));
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
