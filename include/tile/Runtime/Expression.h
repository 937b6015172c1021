//===- Expression.h - Integer expressions of the manifest -------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The language in which a manifest states grids, preconditions and sizes over
// the arguments of a launch.
//
//   or         := and ("or" and)*
//   and        := not ("and" not)*
//   not        := "not" not | comparison
//   comparison := sum (("==" | "!=" | "<" | "<=" | ">" | ">=") sum)?
//   sum        := product (("+" | "-") product)*
//   product    := unary (("*" | "/" | "%") unary)*
//   unary      := "-" unary | primary
//   primary    := INTEGER | NAME | NAME "(" or "," or ")" | "(" or ")"
//
// All values are signed 64-bit integers; overflow and division by zero are
// errors, never wrapped or trapped.  Truth is "not 0", comparisons give 0 or 1.
// "and" and "or" evaluate their right side only where it matters, so that
// "n == 0 or m % n == 0" is safe.
//
//   a / b, a % b     truncate toward zero, as in C
//   floordiv(a, b)   rounds toward minus infinity
//   mod(a, b)        a - b * floordiv(a, b), has the sign of b
//   cdiv(a, b)       rounds toward plus infinity
//   min(a, b), max(a, b)
//
// A name is a letter or "_" followed by letters, digits, "_", "." and "$".
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_EXPRESSION_H
#define TILE_RUNTIME_EXPRESSION_H

#include "tile/Runtime/Result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tile::runtime {

/// Values of names by name.
using Bindings = std::map<std::string, int64_t, std::less<>>;

/// A parsed expression.  Parsing costs once; evaluation allocates nothing
/// unless it fails.
class Expression {
public:
  /// Operators and leaves.
  enum class Kind : uint8_t {
    Literal,
    Name,
    Negate,
    Not,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    CeilDiv,
    FloorDiv,
    Modulo,
    Min,
    Max,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
  };

  /// A node of the tree, kept in one array in which operands precede users.
  struct Node {
    Kind kind;
    /// Index of the operands, -1 where there is none.
    int32_t left = -1, right = -1;
    /// The literal, or the index into names().
    int64_t value = 0;
  };

  /// Parses `text`; the error names the column, counted from 1.
  static Result<Expression> parse(std::string_view text);

  /// The text that was parsed.
  const std::string &text() const { return source; }
  /// The names that occur, each once, in order of first occurrence.
  const std::vector<std::string> &names() const { return nameTable; }
  /// The nodes; the last one is the root.
  const std::vector<Node> &nodes() const { return tree; }

  /// The value under `bindings`; a name without a value is an error.
  Result<int64_t> evaluate(const Bindings &bindings) const;
  /// The value where `values[i]` belongs to `names()[i]`.
  Result<int64_t> evaluate(const int64_t *values) const;

  /// Whether `name` can be used as a name in an expression: well formed and
  /// none of "and", "or", "not".
  static bool isName(std::string_view name);

private:
  friend class ExpressionParser;
  // Only the parser makes expressions, so that there is always a root.
  Expression() = default;

  std::string source;
  std::vector<std::string> nameTable;
  std::vector<Node> tree;
};

} // namespace tile::runtime

#endif // TILE_RUNTIME_EXPRESSION_H
