//===- Expectation.h - What a result should be ------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   expectation := NAME "=" sum
//   sum         := product (("+" | "-") product)*
//   product     := factor ("*" factor)*
//   factor      := "-" factor | NUMBER | NAME | FUNCTION "(" sum, ... ")"
//                | "(" sum ")"
//
// Names are the kernel's arguments with their values before the run; a scalar
// combines with every element.  + - * work element by element.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_EXPECTATION_H
#define TILE_RUN_EXPECTATION_H

#include "tile/Runtime/Result.h"

#include <memory>
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
    Add,
    Subtract,
    Multiply,
    Call,
  };
  Kind kind = Kind::Number;
  double number = 0;
  /// The argument of a Name, the function of a Call.
  std::string name;
  std::vector<Expectation> operands;

  /// The expression in one spelling: "matmul(a, b) + c".
  std::string text() const;
};

/// NAME and what it should be.
struct ExpectedResult {
  std::string name;
  Expectation value;
};

/// Reads "c=matmul(a,b)".
runtime::Result<ExpectedResult> parseExpectation(std::string_view text);

} // namespace tile::run

#endif // TILE_RUN_EXPECTATION_H
