//===- Operators.h - Operators of the manifest's expressions ----*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_RUNTIME_OPERATORS_H
#define TILE_LIB_RUNTIME_OPERATORS_H

#include "tile/Runtime/Expression.h"

namespace tile::runtime {

/// Applies an operator, where that is quick; false where there is no value, or
/// it takes the evaluator to find it.
inline bool applyOperator(Expression::Kind kind, int64_t a, int64_t b,
                          int64_t &value) {
  using Kind = Expression::Kind;
  switch (kind) {
  case Kind::Negate:
    return !__builtin_sub_overflow(int64_t(0), a, &value);
  case Kind::Not:
    value = a == 0;
    return true;
  case Kind::Add:
    return !__builtin_add_overflow(a, b, &value);
  case Kind::Subtract:
    return !__builtin_sub_overflow(a, b, &value);
  case Kind::Multiply:
    return !__builtin_mul_overflow(a, b, &value);
  case Kind::CeilDiv:
    // Of divisions the common cases.
    if (a < 0 || b <= 0)
      return false;
    value = a / b + (a % b != 0);
    return true;
  case Kind::Divide:
  case Kind::FloorDiv:
    if (a < 0 || b <= 0)
      return false;
    value = a / b;
    return true;
  case Kind::Remainder:
    if (b <= 0)
      return false;
    value = a % b;
    return true;
  case Kind::Min:
    value = a < b ? a : b;
    return true;
  case Kind::Max:
    value = a > b ? a : b;
    return true;
  case Kind::Equal:
    value = a == b;
    return true;
  case Kind::NotEqual:
    value = a != b;
    return true;
  case Kind::Less:
    value = a < b;
    return true;
  case Kind::LessEqual:
    value = a <= b;
    return true;
  case Kind::Greater:
    value = a > b;
    return true;
  case Kind::GreaterEqual:
    value = a >= b;
    return true;
  case Kind::And:
    value = a != 0 && b != 0;
    return true;
  case Kind::Or:
    value = a != 0 || b != 0;
    return true;
  default:
    return false;
  }
}

} // namespace tile::runtime

#endif // TILE_LIB_RUNTIME_OPERATORS_H
