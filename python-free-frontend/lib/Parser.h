//===- Parser.h - Parses the .tile language ---------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_PARSER_H
#define TILE_FRONTEND_PARSER_H

#include "Ast.h"
#include "Lexer.h"

#include "llvm/ADT/StringSet.h"

#include <optional>

namespace tile::frontend {

/// Deeper sources end in an error, before the stack does.
inline constexpr unsigned kMaxDepth = 200;

/// Recursive descent; after an error it goes on at the next statement, argument
/// or kernel.
class Parser {
public:
  Parser(llvm::StringRef source, DiagnosticList &errors);

  SourceFile parseFile();

private:
  bool parseDeclaration(SourceFile &file, std::vector<Annotation> annotations);
  bool parseKernel(Kernel &kernel);
  bool parseGrid(Kernel &kernel);
  bool parseParameters(Kernel &kernel);
  bool skipForeignKind(llvm::StringRef parameter);
  bool parseParameter(Kernel &kernel);
  bool parseArguments(Kernel &kernel);
  bool parseArgument(Kernel &kernel);
  bool parseFacts(Argument &argument);
  bool parseArrange(Kernel &kernel);

  // ParseRuns.cpp
  bool parseRun(RunBlock &block);
  bool parseRunSizes(RunBlock &block);
  bool parseRunStatement(RunBlock &block);
  bool atRunStatement() const;
  void skipToRunStatement(llvm::SMLoc start);
  bool parseRunBinding(RunBinding &binding, bool canBeTensor);
  bool parseRunTensor(RunTensor &tensor);
  bool parseExpectation(RunExpectation &expectation);
  bool parseTolerance(RunExpectation &expectation);
  bool parseRunExpr(RunExpr &result);
  bool parseRunList(std::vector<RunExpr> &list, llvm::StringRef end = "");

  // Tunes.cpp
  bool parseTune(TuneBlock &block);
  bool parseTuneRange(TuneRange &range);
  bool parseCandidates(TuneRange &range);

  // ParseFunctions.cpp
  bool parseFunction(Function &function);
  bool parseFormal(Function &function);
  bool parseHint(std::vector<Hint> &hints);

  // ParseStatements.cpp
  bool parseBlock(Block &block);
  bool isAssignedTo() const;
  std::unique_ptr<Stmt> parseStatement();
  bool parseAnnotations(std::vector<Annotation> &annotations);
  bool parseAnnotation(Annotation &annotation);
  bool parseKeyword(Stmt &stmt);
  bool parseBinding(Stmt &stmt);
  bool parseSimple(Stmt &stmt);
  bool parseCompound(Stmt &stmt, ExprPtr target);
  bool parseReturn(Stmt &stmt);
  bool isTooDeep();
  bool parseCondition(Stmt &stmt);
  bool parseIf(Stmt &stmt);

  // ParseForeign.cpp
  bool parseForeignOpen();
  bool parseForeignBody(Block &block);
  bool parseStrayElse(Stmt &stmt);
  void makeEmpty(Stmt &stmt);
  bool parseBareBlock(Stmt &stmt);
  void skipType(const Identifier &name);
  bool parseTypedBinding(Stmt &stmt, const Expr &type);
  bool atForeignStatement(const Expr &value) const;
  bool parseForeignStatement(Stmt &stmt, ExprPtr value);
  void skipLine();
  void skipChoice();
  void takeForeignRest(Stmt &stmt);
  void sayValueList(const Stmt &stmt);
  bool takeUnopenedCall(Stmt &stmt);
  bool takeStrayClose(Stmt &stmt);
  ExprPtr takeForeignValue(const Expr *inner);
  ExprPtr takeForeignCall(ExprPtr base);
  bool isTypedCall() const;
  ExprPtr takeTypedCall(Identifier function);
  ExprPtr takeMatrixProduct(ExprPtr left);

  // ParseForeignLoops.cpp
  bool isForeignRange(const Expr &expr) const;
  void takeForeignRange(Stmt &stmt);
  void parseForeignStep(Stmt &stmt);

  // ParseLoops.cpp
  bool parseFor(Stmt &stmt);
  bool parseWhile(Stmt &stmt);
  bool parseLoopBody(Stmt &stmt);
  bool parseLimits(Stmt &stmt);
  void moveBehindReturns(Block &body);
  bool parseLeave(Stmt &stmt);
  bool guardRest(const Stmt &loop, Block &block, unsigned &count);
  std::unique_ptr<Stmt> guardBy(llvm::ArrayRef<llvm::StringRef> names,
                                Block body);
  bool guardReturns(Block &block, unsigned &count);
  bool placeReturns(Kernel &kernel);

  // ParseExpressions.cpp

  ExprPtr parseExpr();
  ExprPtr parseBinary(unsigned level);
  bool atMatrixProduct() const;
  void sayChain(Expr &first);
  ExprPtr parseCast();
  ExprPtr parseUnary();
  ExprPtr parsePostfix(ExprPtr base);
  ExprPtr parseMember(ExprPtr base);
  ExprPtr parseList();
  ExprPtr parseRestOfList(ExprPtr first, llvm::SMLoc start,
                          llvm::StringRef end);
  ExprPtr parseIndex(ExprPtr base);
  ExprPtr parsePrimary();
  bool parseCall(Expr &call);
  ExprPtr parseTyped(Identifier function);
  bool sayNoValue(Expr &call);
  bool parseSides(Expr &call);
  ExprPtr node(Expr::Kind kind, llvm::StringRef text, llvm::SMLoc start,
               std::vector<ExprPtr> operands);

  void advance();
  bool consume(llvm::StringRef spelling);
  /// The first few characters behind the word and blanks.
  llvm::StringRef behind() const;
  /// Whether the word stands on the line of the one before.
  bool isBehindOnLine() const;
  /// Whether the word probably begins a statement: on a line that is not set in
  /// behind the one before.
  bool beginsStatement() const;
  /// The comment in front of the word that hides the rest of a statement.
  llvm::StringRef hiddenCode() const;
  void noteUnclosed(DiagnosticList::Added &error, llvm::StringRef expected);
  /// Takes this word, or says that it was expected.
  bool expect(llvm::StringRef spelling, const llvm::Twine &where);
  bool expectName(Identifier &name, const llvm::Twine &what);
  bool takeMisnamed(Identifier &name, llvm::StringRef behindIt);
  bool expectType(Identifier &name, const llvm::Twine &what);
  void skipConst(const llvm::Twine &what);
  /// Says what was expected here; false.  The help is for a word of which no
  /// better is known.
  bool failHere(const llvm::Twine &expected, const llvm::Twine &help = "");
  /// Whether a list goes on, up to the bracket that ends it; its last comma may
  /// have nothing behind it.
  bool consumeComma(llvm::StringRef end);
  /// Whether a kernel, a function, a run block or a tune declaration begins
  /// here.
  bool atDeclaration() const;
  bool atForeignFunction() const;
  /// Whether one begins within a line, and so within a block.
  bool atNested() const;
  void parseNested();
  /// Whether the word begins statements and nothing else.
  bool isStatementStart() const;
  bool atLineOfName() const;
  void sayTooDeep();
  void skipToStatement();
  void skipToDeclaration();

  Lexer lexer;
  DiagnosticList &errors;
  Token token;
  llvm::SMLoc lastEnd;
  /// The word before `token`.
  llvm::StringRef previous;
  unsigned depth = 0;
  /// Blocks among them, and branches of one chain.
  unsigned numBlocks = 0;
  /// Parentheses and brackets of the statement that are open.
  std::vector<llvm::SMRange> brackets;
  /// Where the last error was said by `failHere`.
  const char *failedAt = nullptr;
  /// Whether what is parsed is computed over whole tensors.
  bool isExpecting = false;
  /// The innermost loop around what is parsed.
  Stmt *loop = nullptr;
  /// The column that the line of `token` begins in.
  size_t indentation = 0;
  /// That of the statement.
  size_t statementColumn = 0;
  /// Whether the statement is the only one of `if c return`.
  bool isBodyOfOne = false;
  /// The first '{' of the declaration whose '}' stands further left, if any.
  llvm::SMRange misplaced;
  /// Whether a '}' was missing in front of a declaration, so that one too many
  /// may follow.
  bool isUnclosed = false;
  /// Ends of calls that are statements, and of other words that are no value: a
  /// comment behind one is no divisor.
  llvm::DenseSet<const char *> undivided;
  /// Words of the language that a declaration has taken for names.
  llvm::StringSet<> misnamed;
  /// Declarations that stand in blocks, where they are errors.
  SourceFile nested;
};

/// Whether `<type>[` or `<type>(` follows the name, as it does of a fill.
bool looksLikeFill(const Token &name);
/// Whether the word fills tensors in run blocks.
bool isRunFill(llvm::StringRef text);

/// Whether the word cannot be a name.
bool isKeyword(llvm::StringRef text);
/// Whether the word is a number or a condition of the language.
bool isConstantName(llvm::StringRef text);

} // namespace tile::frontend

#endif // TILE_FRONTEND_PARSER_H
