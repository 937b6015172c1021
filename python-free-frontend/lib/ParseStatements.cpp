//===- ParseStatements.cpp - Parses blocks and statements -----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForeignWords.h"
#include "Parser.h"
#include "Runs.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace tile::frontend;

bool Parser::parseBlock(Block &block) {
  SMRange open = token.range();
  size_t column = indentation;
  if (!token.is("{") && !parseForeignOpen())
    return false;
  if (!consume("{") && isBehindOnLine())
    return parseForeignBody(block);
  llvm::SaveAndRestore<unsigned> level(depth, depth + 1);
  llvm::SaveAndRestore<unsigned> blocks(numBlocks, numBlocks + 1);
  llvm::SaveAndRestore<bool> body(isBodyOfOne, false);
  if (depth > kMaxDepth) {
    errors.error(open, "expected at most " + Twine(kMaxDepth) +
                           " levels of nesting, got more");
    return false;
  }
  while (token.kind != Token::End && !token.is("}") &&
         (!atDeclaration() || atNested())) {
    const char *before = token.text.begin();
    if (atNested())
      parseNested();
    else if (std::unique_ptr<Stmt> stmt = parseStatement())
      block.push_back(std::move(stmt));
    else
      skipToStatement();
    // Whatever went wrong, the next one is further on.
    bool isStuck = token.text.begin() == before && !token.is("}");
    if (isStuck && token.kind != Token::End && !atDeclaration())
      advance();
    if (errors.isFull())
      return false;
  }
  if (token.is("}")) {
    // Its own '}' is probably missing, and this is one of a block around it.
    if (!misplaced.isValid() && !isBehindOnLine() && indentation < column)
      misplaced = open;
    advance();
    return true;
  }
  isUnclosed |= atDeclaration();
  bool isMisplaced = misplaced.isValid();
  if (errors.empty())
    errors.error(token.range(), "expected '}' to end the statements",
                 isMisplaced ? misplaced : open,
                 isMisplaced ? "these statements end further left than they "
                               "begin"
                             : "the statements begin here");
  return false;
}

bool Parser::atNested() const {
  // What the editor sets in from the margin is part of what is around it.
  return depth > 0 && token.text.begin()[-1] != '\n' && atDeclaration();
}

/// A declaration in a block: an error, but its name is known.
void Parser::parseNested() {
  bool isFunction = token.is("fn"), isKernel = token.is("kernel");
  errors
      .error(token.range(), "expected a statement, got " +
                                Twine(isFunction        ? "a function"
                                      : isKernel        ? "a kernel"
                                      : token.is("run") ? "a run block"
                                                        : "a tune declaration"))
      .help(isFunction
                ? "functions stand outside of kernels and of other functions"
                : "it stands outside of kernels: behind the '}' that ends this "
                  "one");
  llvm::SaveAndRestore<Stmt *> outside(loop, nullptr);
  if (!parseDeclaration(nested, {}))
    skipToStatement();
  if (isKernel)
    nested.kernels.back().isBroken = true;
}

/// Whether `=`, `+=` or the like follows the word.
bool Parser::isAssignedTo() const {
  StringRef next = behind().ltrim("+-*/%&|^<>");
  return next.starts_with("=") && !next.starts_with("==");
}

std::unique_ptr<Stmt> Parser::parseStatement() {
  auto stmt = std::make_unique<Stmt>();
  if (!parseAnnotations(stmt->annotations))
    return nullptr;
  SMLoc start = token.range().Start;
  bool good = true;
  brackets.clear();
  statementColumn = indentation;
  bool isMisnamed = misnamed.contains(token.text) && isAssignedTo();
  if (token.kind == Token::Name && (!isKeyword(token.text) || isMisnamed)) {
    good = parseSimple(*stmt);
  } else if (token.kind == Token::Name) {
    good = parseKeyword(*stmt);
  } else if (token.is("{")) {
    good = parseBareBlock(*stmt);
  } else {
    good = failHere("a statement");
    // A word that starts nothing must not stop the recovery.
    if (token.kind != Token::End && !token.is("}") && !atDeclaration())
      advance();
  }
  if (!good)
    return nullptr;
  stmt->range = {start, lastEnd};
  bool isCall = stmt->kind == Stmt::Call && stmt->value &&
                stmt->value->kind == Expr::Call;
  if (isCall || stmt->isLeave)
    undivided.insert(lastEnd.getPointer());
  takeForeignRest(*stmt);
  consume(";");
  // A value that did not parse stays, so that its name is still declared.
  bool isWhole = stmt->kind == Stmt::If || stmt->kind == Stmt::While ||
                 stmt->kind == Stmt::For;
  const Expr *last =
      stmt->results.empty() ? stmt->value.get() : stmt->results.back().get();
  if (!isWhole && last && last->kind == Expr::Error)
    skipToStatement();
  return stmt;
}

/// `@name(word, ...)`, any number of them.
bool Parser::parseAnnotations(std::vector<Annotation> &annotations) {
  while (consume("@"))
    if (!parseAnnotation(annotations.emplace_back()))
      return false;
  return true;
}

/// The annotation that is meant.
static std::string sayAnnotation(StringRef word, bool isDeclaration) {
  std::string help = helpForName(word, {"require", "allow"});
  if (help.empty() && isDeclaration)
    return "a kernel needs no decorator: write 'kernel name(...)'";
  return help;
}

/// What follows '@'.
bool Parser::parseAnnotation(Annotation &annotation) {
  if (!token.is("require") && !token.is("allow"))
    return failHere("'require' or 'allow' after '@'",
                    sayAnnotation(token.text, /*isDeclaration=*/depth == 0));
  if (!expectName(annotation.name, "an annotation") ||
      !expect("(", "after '" + annotation.name.text + "'"))
    return false;
  StringRef words = annotation.name.text == "allow"
                        ? "the name of a lint, such as 'tf32'"
                        : "a feature, such as 'wgmma'";
  do
    if (!expectName(annotation.words.emplace_back(), words))
      return false;
  while (consumeComma(")"));
  return expect(")", "after the annotation's words");
}

/// A statement that begins with a word of the language.
bool Parser::parseKeyword(Stmt &stmt) {
  if (consume("static")) {
    stmt.isStatic = true;
    if (token.is("let"))
      failHere("'if', 'for' or 'assert' after 'static'",
               "leave 'static' out: what is made of known values is known");
    if (token.is("let") || token.is("var"))
      return parseBinding(stmt);
    bool isAssert = token.kind == Token::Name && token.text == "assert";
    if (isAssert)
      return parseSimple(stmt);
    if (!token.is("if") && !token.is("for"))
      return failHere("'if', 'for' or 'assert' after 'static'");
  }
  if (token.is("let") || token.is("var"))
    return parseBinding(stmt);
  if (token.is("for"))
    return parseFor(stmt);
  if (token.is("if"))
    return parseIf(stmt);
  if (consume("return"))
    return parseReturn(stmt);
  if (token.is("while"))
    return parseWhile(stmt);
  if (token.is("break") || token.is("continue"))
    return parseLeave(stmt);
  failHere("a statement",
           token.is("else") ? "'else' stands behind the '}' of an 'if'" : "");
  if (token.is("else"))
    return parseStrayElse(stmt);
  if (!atDeclaration())
    advance();
  return false;
}

bool Parser::parseBinding(Stmt &stmt) {
  stmt.kind = token.is("let") ? Stmt::Let : Stmt::Var;
  advance();
  if (token.is("(") || token.is("[")) {
    failHere("a name", "names stand without brackets: 'let a, b = ...'");
    advance();
  }
  do {
    if (token.is(",") && !stmt.names.empty()) {
      failHere("a name", "one ',' stands between two names");
      advance();
    }
    if (!expectName(stmt.names.emplace_back(), "a name") &&
        !takeMisnamed(stmt.names.back(), "=") &&
        !takeMisnamed(stmt.names.back(), ","))
      return false;
    if (stmt.names.back().text == "mut" && token.kind == Token::Name) {
      errors.error(stmt.names.back().range, "expected a name, got 'mut'")
          .help("write 'var " + token.text + " = ...'");
      stmt.kind = Stmt::Var;
      if (!expectName(stmt.names.back(), "a name"))
        return false;
    }
  } while (consume(","));
  if (!brackets.empty() && (token.is(")") || token.is("]")))
    advance();
  bool isTyped = token.is(":");
  if (isTyped)
    skipType(stmt.names.back());
  // Without its value the name is still declared.
  const Identifier &last = stmt.names.back();
  bool isAlone = !token.is("=") && !isBehindOnLine();
  if (isAlone && !isTyped)
    errors
        .error(last.range, "expected a value for '" + last.text + "', got none")
        .help("write '" + Twine(stmt.kind == Stmt::Var ? "var " : "let ") +
              last.text + " = ...': its type follows from the value");
  bool hasValue =
      isAlone || isTyped ? consume("=") : expect("=", "before the value");
  stmt.value =
      hasValue ? parseExpr() : node(Expr::Error, "", token.range().Start, {});
  return true;
}

/// `+=` and its kin.
static bool isCompound(const Token &token) {
  static constexpr StringLiteral kWords[] = {
      "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  return token.kind == Token::Symbol && is_contained(kWords, token.text);
}

/// A call, `name = value`, `a, b = value`, `name += value`, `a[i] = value`.
bool Parser::parseSimple(Stmt &stmt) {
  if (isElseIf(token.text)) {
    failHere("a statement", "write 'else if'");
    if (!parseIf(stmt))
      return false;
    // Of what it is the other side nothing is known.
    stmt.value->kind = Expr::Error;
    return true;
  }
  ExprPtr value = parseExpr();
  if (atForeignStatement(*value))
    return parseForeignStatement(stmt, std::move(value));
  bool isName = value->kind == Expr::Name;
  if (isName && (token.is("=") || token.is(","))) {
    stmt.kind = Stmt::Assign;
    stmt.names.push_back({value->text, value->range});
    while (consume(","))
      if (!expectName(stmt.names.emplace_back(), "a variable"))
        return false;
    if (!expect("=", "before the value"))
      return false;
    value = parseExpr();
  } else if (isName || value->kind == Expr::Index) {
    if (isCompound(token))
      return parseCompound(stmt, std::move(value));
    // `a[i] := x` of other languages.
    if (!isName && token.is(":")) {
      failHere("'=' before the value", "write '='");
      advance();
    }
    if (!isName && consume("=")) {
      stmt.kind = Stmt::Store;
      stmt.target = std::move(value);
      value = parseExpr();
    }
  }
  stmt.value = std::move(value);
  return stmt.value->kind != Expr::Error;
}

/// `name += value` means `name = name + value`; of part of a tensor, the value
/// has the target as its left side.
bool Parser::parseCompound(Stmt &stmt, ExprPtr target) {
  StringRef op = token.text.drop_back();
  SMLoc start = target->range.Start;
  stmt.kind = target->kind == Expr::Index ? Stmt::Store : Stmt::Assign;
  if (stmt.kind == Stmt::Assign)
    stmt.names.push_back({target->text, target->range});
  advance();
  std::vector<ExprPtr> operands;
  operands.push_back(std::move(target));
  operands.push_back(parseExpr());
  stmt.value = node(Expr::Binary, op, start, std::move(operands));
  return stmt.value->kind != Expr::Error;
}

bool Parser::parseReturn(Stmt &stmt) {
  stmt.kind = Stmt::Return;
  if (isBodyOfOne && !isBehindOnLine())
    return true;
  if (token.is("}") || token.is(";") || isStatementStart())
    return true;
  do {
    stmt.results.push_back(parseExpr());
    // What did not parse stays, so that the function returns something.
    if (stmt.results.back()->kind == Expr::Error)
      return true;
  } while (consume(","));
  return true;
}

/// Says so where the blocks around the statement are too many.
bool Parser::isTooDeep() {
  if (depth < kMaxDepth)
    return false;
  errors.error(token.range(), "expected at most " + Twine(kMaxDepth) +
                                  " levels of nesting, got more");
  return true;
}

bool Parser::parseCondition(Stmt &stmt) {
  SMLoc start = token.range().Start;
  stmt.value = parseExpr();
  if (stmt.value->kind == Expr::Error)
    return false;
  // What goes on with something else is no condition of this language.
  bool isForeign = token.kind == Token::Name && !isKeyword(token.text) &&
                   !token.is("then") && !token.is("do");
  if (isForeign || !hiddenCode().empty())
    stmt.value->kind = Expr::Error;
  if (!token.is("="))
    return true;
  // `if a = b` of who means '=='.
  failHere("'{' before the statements");
  advance();
  std::vector<ExprPtr> operands;
  operands.push_back(std::move(stmt.value));
  operands.push_back(parseExpr());
  stmt.value = node(Expr::Binary, "==", start, std::move(operands));
  return stmt.value->kind != Expr::Error;
}

bool Parser::parseIf(Stmt &stmt) {
  stmt.kind = Stmt::If;
  advance();
  if (isTooDeep())
    return false;
  if (!parseCondition(stmt) || !parseBlock(stmt.body))
    return false;
  if (!consume("else"))
    return true;
  if (!token.is("if") && !token.is("static"))
    return parseBlock(stmt.otherwise);
  llvm::SaveAndRestore<unsigned> level(depth, depth + 1);
  llvm::SaveAndRestore<unsigned> blocks(numBlocks, numBlocks + 1);
  std::unique_ptr<Stmt> next = parseStatement();
  if (!next)
    return false;
  // `else if` goes on as the chain began.
  next->isStatic |= stmt.isStatic;
  stmt.otherwise.push_back(std::move(next));
  return true;
}
