//===- Ast.h - The tree of a .tile source -----------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_AST_H
#define TILE_FRONTEND_AST_H

#include "tile/Frontend/TuneBlock.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"

#include <memory>
#include <string>
#include <vector>

namespace tile::frontend {

/// A name and where it stands.
struct Identifier {
  llvm::StringRef text;
  llvm::SMRange range;
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

/// An expression.
struct Expr {
  enum Kind {
    Name,    ///< text
    Integer, ///< text
    Float,   ///< text
    Text,    ///< text, without the quotes
    Unary,   ///< text is the operator, one operand
    Binary,  ///< text is the operator, two operands
    Cast,    ///< operand 0 as the type `type`
    Index,   ///< operand 0; each of `axes` is ":", "None" or empty: an operand
    Call,    ///< text is the function; `<type>` and `[sides]` where written
    Member,  ///< `.text` of operand 0
    Method,  ///< `.text(...)` of operand 0, then arguments as of a call
    List,    ///< `[a, b]` as an argument
    Error    ///< something that did not parse and has been said
  };
  Kind kind = Error;
  llvm::SMRange range;
  llvm::StringRef text;
  /// Operands, or arguments of a call.  Of an index: the indexed, then each
  /// index that is an expression.
  std::vector<ExprPtr> operands;
  /// One for each operand of a call, empty where it has no name.
  std::vector<Identifier> names;
  /// Sides of `zeros<f32>[m, n]`.
  std::vector<ExprPtr> sides;
  std::vector<llvm::StringRef> axes;
  /// `other = x` of an index.
  ExprPtr other;
  /// The type of a cast or of `zeros<f32>`.
  Identifier type;
  /// Levels below this one; bounds the recursion of every walk.
  unsigned depth = 1;
};

/// `@name(word, ...)` in front of a statement.
struct Annotation {
  Identifier name;
  std::vector<Identifier> words;
};

/// `key = value`: a decision that the author takes from the compiler.
struct Hint {
  Identifier key;
  ExprPtr value;
};

/// The variables that `break`, `continue` and `return` become; see
/// ParseLoops.cpp.  No name of a source is spelled so.
inline constexpr llvm::StringLiteral kBreakFlag = "break!";
inline constexpr llvm::StringLiteral kContinueFlag = "continue!";
inline constexpr llvm::StringLiteral kReturnFlag = "return!";

/// The word that the variable comes from; of another variable its name.
inline llvm::StringRef withoutFlagMark(llvm::StringRef name) {
  return name.rtrim('!');
}

struct Stmt;
using Block = std::vector<std::unique_ptr<Stmt>>;

/// A statement.
struct Stmt {
  enum Kind { Let, Var, Assign, Store, For, While, If, Return, Call };
  Kind kind = Call;
  /// For, If and Call: `static`, done by the compiler.
  bool isStatic = false;
  /// Assign: `break`, `continue` or `return`, which became an assignment to a
  /// hidden variable.
  bool isLeave = false;
  /// For and While: whether there are such variables, and whether a kernel may
  /// end in it.
  bool hasBreak = false, hasContinue = false, hasReturn = false;
  std::vector<Annotation> annotations;
  llvm::SMRange range;
  /// What Let and Var bind, what Assign changes, the index of For.
  std::vector<Identifier> names;
  /// Store: the element of a tensor that changes; null where it is the left
  /// side of the value, as in `a[i] += x`.
  ExprPtr target;
  /// The value, or the call; For: the first value; While and If: the condition.
  ExprPtr value;
  /// Return: what the function gives back.
  std::vector<ExprPtr> results;
  /// For: one past the last value, and the step, which may be missing.
  ExprPtr end, step;
  /// For: `pipeline(stages = n)`.
  std::vector<Hint> hints;
  Block body;
  /// If: what runs where the condition, `value`, does not hold.
  Block otherwise;
};

/// Whether an assignment is of `x += y` and the like, with x on both sides.
inline bool isUpdate(const Stmt &stmt) {
  return stmt.value->kind == Expr::Binary &&
         stmt.value->operands[0]->range.Start == stmt.names[0].range.Start;
}

/// `NAME: type = default` or `NAME = default`, known at compile time.
struct Parameter {
  Identifier name;
  bool isType = false;
  bool isBool = false;
  ExprPtr value;
};

/// `name: type`, `name: *type` or `name: [sides] type`, and what is known of
/// it.
struct Argument {
  Identifier name;
  Identifier type;
  bool isPointer = false;
  /// Of a tensor: a name for each.
  std::vector<Identifier> sides;
  /// `in min..=max`.
  ExprPtr min, max;
  /// `divisible(n)`.
  ExprPtr divisor;
  bool noalias = false;
};

/// `name = name.tile(64, 64)` of `arrange`.
struct Arrange {
  Identifier name;
  ExprPtr value;
};

/// A kernel.
struct Kernel {
  /// It did not parse, which has been said; only its name counts.
  bool isBroken = false;
  std::vector<Annotation> annotations;
  Identifier name;
  std::vector<Parameter> parameters;
  std::vector<Argument> arguments;
  std::vector<ExprPtr> grid;
  /// What stands behind the grid, such as `warps = 8`.
  std::vector<Hint> hints;
  /// How tensors lie over the programs, which makes the grid.
  std::vector<Arrange> arrangement;
  Block body;
  /// Whether it may end early by a variable `kReturnFlag`.
  bool hasReturn = false;
};

/// An argument of a helper function: anything, or what `type` says.
struct Formal {
  Identifier name;
  /// `type`, `int`, `bool` or an element type; empty where any value will do.
  Identifier type;
  bool isPointer = false;
  /// What it is where a call does not say.
  ExprPtr fallback;
};

/// A helper function, which every call inlines.
struct Function {
  /// It did not parse, which has been said; only its name counts.
  bool isBroken = false;
  std::vector<Annotation> annotations;
  Identifier name;
  std::vector<Formal> formals;
  /// An element type for each result, where they are written.
  std::vector<Identifier> resultTypes;
  Block body;
};

/// Everything in a file.
struct SourceFile {
  std::vector<Kernel> kernels;
  std::vector<Function> functions;
  std::vector<RunBlock> runs;
  std::vector<TuneBlock> tunes;
  /// Comments that read like divisors; see Lexer.
  std::vector<llvm::StringRef> divisions;
};

} // namespace tile::frontend

#endif // TILE_FRONTEND_AST_H
