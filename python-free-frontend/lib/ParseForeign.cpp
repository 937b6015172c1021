//===- ParseForeign.cpp - What other languages would write ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constructs of Triton, Python, C and Rust that this language has not, or has
// in another form.  Each is an error, said once with what to write instead, and
// then parsed or left out as a whole, so that nothing follows from it.
//
//===----------------------------------------------------------------------===//

#include "ForeignWords.h"
#include "Parser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace tile::frontend;

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// Says that a '{' is missing in front of the statements, and goes to where it
/// is or should be; false where no statements follow.
bool Parser::parseForeignOpen() {
  bool asksForNone = token.is("is") && behind().contains("None");
  failHere("'{' before the statements",
           asksForNone      ? "nothing is 'None' here: leave the question out"
           : token.is("is") ? "'==' compares"
                            : "statements stand between '{' and '}'");
  if (token.is("else")) {
    skipLine();
    return false;
  }
  const char *end = token.text.begin();
  while (*end != '\0' && *end != '\n' && *end != '{')
    ++end;
  bool isStatement = token.kind == Token::Name && isKeyword(token.text);
  if (*end == '{' && !isStatement)
    while (token.kind != Token::End && token.text.begin() < end)
      advance();
  else if (token.is(":") || token.is("then") || token.is("do"))
    advance();
  return true;
}

/// The one statement of `if (c) return`.
bool Parser::parseForeignBody(Block &block) {
  if (isTooDeep())
    return false;
  SaveAndRestore<unsigned> level(depth, depth + 1);
  SaveAndRestore<bool> body(isBodyOfOne, true);
  if (std::unique_ptr<Stmt> stmt = parseStatement())
    block.push_back(std::move(stmt));
  // The block may end without having begun.
  isUnclosed = true;
  if (isBehindOnLine())
    consume("}");
  return true;
}

/// `else` that belongs to no `if`, of which enough has been said.
bool Parser::parseStrayElse(Stmt &stmt) {
  advance();
  if (token.is("if"))
    return parseIf(stmt);
  makeEmpty(stmt);
  return !token.is("{") || parseBlock(stmt.body);
}

/// A statement that does nothing.
void Parser::makeEmpty(Stmt &stmt) {
  SMLoc start = token.range().Start;
  stmt.kind = Stmt::If;
  stmt.isStatic = true;
  stmt.value = node(Expr::Name, "true", start, {});
  stmt.value->range = {start, start};
}

/// `{ ... }` that belongs to nothing: an error, but its statements are checked.
bool Parser::parseBareBlock(Stmt &stmt) {
  errors.error(token.range(), "expected a statement, got '{'")
      .help("leave the braces out: a block belongs to 'if', 'for' or 'while'");
  makeEmpty(stmt);
  return parseBlock(stmt.body);
}

/// `: type` or `:` behind a name, which is an error.
void Parser::skipType(const Identifier &name) {
  bool isWalrus = token.text.end()[0] == '=';
  errors
      .error(token.range(),
             "expected '=' after '" + name.text + "', got '" + token.text + "'")
      .help((isWalrus ? "write 'let "
                      : "the type follows from the value: write 'let ") +
            name.text + " = ...'" +
            (isWalrus ? ", or '" + name.text + " = ...' where it is a 'var'"
                      : Twine()));
  failedAt = token.text.begin();
  const char *line = token.text.end();
  while (*line != '\n' && *line != '\0')
    ++line;
  size_t outside = brackets.size();
  while (token.kind != Token::End && token.text.begin() < line &&
         !token.is("=") && !token.is("}") &&
         (brackets.size() > outside || !token.is(";")))
    advance();
}

/// `int x = 4` of other languages, whose first word has been read: an error,
/// and then a variable.
bool Parser::parseTypedBinding(Stmt &stmt, const Expr &type) {
  while (token.kind == Token::Name && !isKeyword(token.text)) {
    stmt.names.assign(1, {token.text, token.range()});
    advance();
  }
  StringRef name = stmt.names[0].text;
  errors
      .error(type.range, "expected 'let' or 'var' before a new name, got '" +
                             type.text + "'")
      .help("the type follows from the value: write 'let " + name +
            " = ...', or 'var " + name + " = ...' if it changes");
  stmt.kind = Stmt::Var;
  if (!consume("="))
    return false;
  stmt.value = parseExpr();
  return true;
}

/// `constexpr`, `tl.constexpr` or `i32` of a parameter, which is an error;
/// false where no name stands there.
bool Parser::skipForeignKind(StringRef parameter) {
  failHere("'type', 'int' or 'bool'", "write '" + parameter +
                                          ": int', which may be left out; '" +
                                          parameter + ": type' is a type");
  if (token.kind != Token::Name || isKeyword(token.text))
    return false;
  advance();
  while (consume("."))
    advance();
  return true;
}

/// Whether what follows the expression that a statement begins with makes it a
/// statement of another language: `int x = 4`, `x: f32 = 4`, `loop { }`.
bool Parser::atForeignStatement(const Expr &value) const {
  bool isName = value.kind == Expr::Name;
  if (isName && token.is(":"))
    return true;
  bool isPointer = token.is("=") && value.kind == Expr::Binary &&
                   value.text == "*" && value.operands[0]->kind == Expr::Name &&
                   value.operands[1]->kind == Expr::Name &&
                   isDeclarationWord(value.operands[0]->text);
  if (isPointer)
    return true;
  if (!isBehindOnLine())
    return false;
  if (token.is("{"))
    return isName ||
           (value.kind == Expr::Call && !foreignStatement(value.text).empty());
  bool isOperand = token.kind == Token::Name ? !isKeyword(token.text)
                                             : token.kind == Token::Integer ||
                                                   token.kind == Token::Float ||
                                                   token.kind == Token::Text;
  return isName && isOperand;
}

/// Says what to write, and takes the statement for what it means, or leaves it
/// out with its block.
bool Parser::parseForeignStatement(Stmt &stmt, ExprPtr value) {
  if (token.is(":")) {
    stmt.kind = Stmt::Var;
    stmt.names.push_back({value->text, value->range});
    skipType(stmt.names[0]);
    stmt.value =
        consume("=") ? parseExpr() : node(Expr::Error, "", lastEnd, {});
    return true;
  }
  if (value->kind == Expr::Binary) {
    const Expr &name = *value->operands[1];
    stmt.names.push_back({name.text, name.range});
    return parseTypedBinding(stmt, *value->operands[0]);
  }
  StringRef word = value->text, meant = nearestStatementWord(word);
  bool isBinding = isDeclarationWord(word) || meant == "let" || meant == "var";
  if (isBinding && token.kind == Token::Name)
    return parseTypedBinding(stmt, *value);
  StringRef help = foreignStatement(word);
  if (help.empty())
    help = foreignName(word);
  errors.error(value->range, "expected a statement, got '" + word + "'")
      .help(help.empty() && !meant.empty() ? "did you mean '" + meant + "'?"
                                           : Twine(help));
  if (meant == "return")
    return parseReturn(stmt);
  makeEmpty(stmt);
  skipLine();
  return true;
}

/// `a, b = b, a` and `let a, b = 1, 2`, whose first value has been read.
void Parser::sayValueList(const Stmt &stmt) {
  std::string first = stmt.names[0].text.str(),
              second = stmt.names[1].text.str();
  std::string word = stmt.kind == Stmt::Let   ? "let "
                     : stmt.kind == Stmt::Var ? "var "
                                              : "";
  bool isSwap = stmt.kind == Stmt::Assign && stmt.names.size() == 2 &&
                stmt.value->kind == Expr::Name && stmt.value->text == second;
  failHere("a call that gives " + Twine(stmt.names.size()) + " values",
           isSwap ? "a swap needs a third name: 'let old = " + first + "; " +
                        first + " = " + second + "; " + second + " = old'"
                  : "each name has a statement of its own: '" + word + first +
                        " = ...; " + word + second + " = ...'");
  stmt.value->kind = Expr::Error;
  skipLine();
}

/// The last value of the statement; null where it has none.
static Expr *lastValue(Stmt &stmt) {
  return stmt.results.empty() ? stmt.value.get() : stmt.results.back().get();
}

/// `max n, 3)` and `a + max n, 3)`, whose '(' is missing; false where the
/// statement ends with none of a call.
bool Parser::takeUnopenedCall(Stmt &stmt) {
  Expr *value = lastValue(stmt), *callee = value;
  while (callee &&
         (callee->kind == Expr::Binary || callee->kind == Expr::Unary))
    callee = callee->operands.back().get();
  bool isOperand = token.kind == Token::Name ? !isKeyword(token.text)
                                             : token.kind == Token::Integer ||
                                                   token.kind == Token::Float;
  if (!isOperand || !isBehindOnLine() || !callee || callee->kind != Expr::Name)
    return false;
  // No statement has more brackets that end than begin.
  const char *end = token.text.begin();
  for (unsigned open = 0; open > 0 || *end != ')'; ++end) {
    if (*end == '\n' || *end == '\0' || *end == '{' || *end == '}')
      return false;
    open += *end == '(';
    open -= *end == ')';
  }
  StringRef arguments(token.text.begin(), end - token.text.begin());
  failHere("'(' before the arguments of '" + callee->text + "'",
           "write '" + callee->text + "(" + arguments + ")'");
  value->kind = Expr::Error;
  while (token.kind != Token::End && token.text.begin() <= end)
    advance();
  return true;
}

/// A bracket that closes nothing behind the value of a statement, which may go
/// on behind it; false where there is none.
bool Parser::takeStrayClose(Stmt &stmt) {
  bool isClose = token.is(")") || token.is("]");
  Expr *value = lastValue(stmt);
  // What did not parse may have left it.
  bool isSaid = value && value->kind == Expr::Error;
  if (!isClose || isSaid || !isBehindOnLine())
    return false;
  failHere("a statement", "this '" + token.text + "' closes nothing");
  if (value)
    value->kind = Expr::Error;
  skipLine();
  return true;
}

/// Whether only blanks are in front of it on its line.
static bool startsLine(const char *place) {
  do
    --place;
  while (*place == ' ' || *place == '\t');
  return *place == '\n';
}

/// What goes on behind the value of a statement as other languages have it.
void Parser::takeForeignRest(Stmt &stmt) {
  if (takeUnopenedCall(stmt) || takeStrayClose(stmt))
    return;
  if (token.is(",") && stmt.names.size() > 1 && stmt.value &&
      isBehindOnLine() && stmt.value->kind != Expr::Error)
    return sayValueList(stmt);
  bool isWord = token.is("is") || token.is("in") || token.is("xor") ||
                token.is("mod") || token.is("div");
  bool goesOn = isWord || token.is("=") || token.is(",");
  // `*p = x` on a line of its own goes on with the product in front of it.
  bool isPointer =
      token.is("=") && stmt.value && stmt.value->kind == Expr::Binary &&
      stmt.value->text == "*" && startsLine(stmt.value->text.begin());
  bool isNext = token.text.end()[0] == '<' || token.text.end()[0] == '>';
  if (!goesOn || !isBehindOnLine() || !stmt.value)
    return;
  failHere("a statement",
           isPointer
               ? "write 'store(" + textOf(stmt.value->operands[1]->range) +
                     ", x)' to write what a pointer points to"
           : token.is("is")  ? "'==' compares"
           : token.is("xor") ? "write '^'"
           : token.is("mod") ? "write '%'"
           : token.is("div") ? "write '/'"
           : isWord || isNext
               ? ""
               : "each name has a statement of its own: 'let a = 3 let b = 4'");
  if (token.is("="))
    stmt.value->kind = Expr::Error;
  skipLine();
}

/// Leaves out what is left of the line, and blocks that begin on it.
void Parser::skipLine() {
  unsigned open = 0;
  while (token.kind != Token::End && !(token.is("}") && open == 0) &&
         (open > 0 || isBehindOnLine())) {
    open += token.is("{");
    open -= token.is("}");
    advance();
  }
}

//===----------------------------------------------------------------------===//
// Expressions and limits
//===----------------------------------------------------------------------===//

/// Leaves out `if c { a } else { b }`, which is no expression.
void Parser::skipChoice() {
  do {
    while (token.kind != Token::End && !token.is("{") && !token.is("}"))
      advance();
    if (!token.is("{"))
      return;
    unsigned open = 0;
    do {
      open += token.is("{");
      open -= token.is("}");
      advance();
    } while (open > 0 && token.kind != Token::End);
  } while (consume("else"));
}

/// `lambda x: x`, `|x| x` and `(f32) x`, each an error; null where it is none.
ExprPtr Parser::takeForeignValue(const Expr *inner) {
  SMLoc start = inner ? inner->range.Start : token.range().Start;
  if (inner) {
    bool isValue = token.kind == Token::Name     ? !isKeyword(token.text)
                   : token.kind == Token::Symbol ? token.is("(")
                                                 : token.kind != Token::End;
    if (inner->kind != Expr::Name || !isTypeWord(inner->text) || !isValue ||
        !isBehindOnLine() || depth >= kMaxDepth)
      return nullptr;
    SaveAndRestore<unsigned> level(depth, depth + 1);
    ExprPtr value = parseUnary();
    StringRef text(value->range.Start.getPointer(),
                   value->range.End.getPointer() -
                       value->range.Start.getPointer());
    errors.error(inner->range, "expected a value, got a type in parentheses")
        .help("write '" + (value->kind == Expr::Error ? "x" : text) + " as " +
              typeWord(inner->text) + "'");
    return node(Expr::Error, "", start, {});
  }
  bool isLambda = token.is("lambda") || token.is("|");
  if (!isLambda)
    return nullptr;
  failHere("an expression", "a function has a name, and stands outside of "
                            "kernels: 'fn name(x) { return ... }'");
  advance();
  skipLine();
  return node(Expr::Error, "", start, {});
}

/// `full[4](x)`: an error with its arguments.
ExprPtr Parser::takeForeignCall(ExprPtr base) {
  const Expr &callee = *base->operands[0];
  bool isFill = callee.kind == Expr::Name &&
                (callee.text == "full" || callee.text == "zeros");
  failHere("an operator", isFill ? "the type stands in front of the sides: "
                                   "'full<f32>[m, n](x)'"
                                 : "a part of a tensor is no function");
  Expr call;
  parseCall(call);
  return node(Expr::Error, "", base->range.Start, {});
}

/// Whether `<type>(` stands here, which no function takes.
bool Parser::isTypedCall() const {
  StringRef next = behind();
  StringRef type =
      next.take_while([](char c) { return isAlnum(c) || c == '_'; });
  return isTypeWord(type) && next.drop_front(type.size()).starts_with(">(");
}

/// `max<f32>(a, b)`: an error with its arguments.
ExprPtr Parser::takeTypedCall(Identifier function) {
  failHere("'(' before the arguments of '" + function.text + "'",
           "a function finds the type of its arguments: write '" +
               function.text + "(...)'");
  while (!token.is("("))
    advance();
  Expr call;
  parseCall(call);
  return node(Expr::Error, "", function.range.Start, {});
}

/// `left @ right` of other languages.
ExprPtr Parser::takeMatrixProduct(ExprPtr left) {
  SMRange sign = token.range();
  SMLoc start = left->range.Start;
  std::string a = textOf(left->range).str();
  advance();
  ExprPtr right = parseUnary();
  bool isKnown = right->kind != Expr::Error;
  errors.error(sign, "expected an operator of the language, got '@'")
      .help("write '" + Twine(isExpecting ? "matmul(" : "dot(") + a + ", " +
            (isKnown ? textOf(right->range) : "b") + ")'");
  return node(Expr::Error, "", start, {});
}
