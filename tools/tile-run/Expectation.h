//===- Expectation.h - What a result should be ------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   expectation := NAME "=" expr
//   expr        := conj ("or" conj)*
//   conj        := inverse ("and" inverse)*
//   inverse     := "not" inverse | sum (("<" | "<=" | ">" | ">=" | "==" | "!=")
//                  sum)?
//   sum         := product (("+" | "-") product)*
//   product     := factor (("*" | "/" | "%") factor)*
//   factor      := "-" factor | NUMBER | NAME | FUNCTION "(" expr, ... ")"
//                | "(" expr ")"
//
// Names are the kernel's arguments with their values before the run.  Operators
// work element by element; a scalar, and a side of 1, is repeated.  A
// comparison is 1 where it holds and 0 where it does not.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_EXPECTATION_H
#define TILE_RUN_EXPECTATION_H

#include "ArgumentSpec.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tile::run {

/// One node of an expression.
struct Expectation {
  enum class Kind : uint8_t {
    Number,
    Name,
    Negate,
    Not,
    Or,
    And,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Call,
    /// What another kernel leaves in the argument.
    Kernel,
  };
  Kind kind = Kind::Number;
  double number = 0;
  /// The number itself, where it is an integer of 64 bits.
  std::optional<int64_t> integer;
  /// The argument of a Name, the function of a Call, the kernel of a Kernel.
  std::string name;
  std::vector<Expectation> operands;

  /// The expression in one spelling: "matmul(a, b) + c".
  std::string text() const;
};

/// The operator of two operands that is spelled so.
std::optional<Expectation::Kind> symbolizeOperator(std::string_view spelling);

/// NAME and what it should be.
struct ExpectedResult {
  std::string name;
  Expectation value;
  /// Where the program states it, as FILE:LINE:COLUMN; empty for --expect.
  std::string place;
  /// Where its value stands there, in bytes of the file.
  size_t begin = 0, end = 0;
  /// Tolerances where the program states them.
  std::optional<double> absolute, relative;
  /// Arguments of a Kernel.
  std::vector<ArgumentSpec> kernelArguments;
};

/// Reads "c=matmul(a,b)".
runtime::Result<ExpectedResult> parseExpectation(std::string_view text);

} // namespace tile::run

#endif // TILE_RUN_EXPECTATION_H
