//===- RunNumber.h - Sizes and constraints of .tile files -------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a run block says of sizes, and a tune declaration of candidates, is
// about what kernels compute with: integers are of 64 bits, `/` cuts toward
// zero, and conditions are no numbers.  `expect` is another matter: it compares
// with whole tensors in f64 (Reference.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_RUNNUMBER_H
#define TILE_RUN_RUNNUMBER_H

#include "PlacedError.h"

#include "tile/Frontend/RunBlock.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tile::run {

/// An integer, a number with a fraction, or a condition.
struct RunNumber {
  enum class Kind : uint8_t { Integer, Real, Condition };
  Kind kind = Kind::Integer;
  int64_t integer = 0;
  double real = 0;

  static RunNumber integerOf(int64_t value);
  static RunNumber realOf(double value);
  static RunNumber conditionOf(bool holds);
  /// An integer if `value` is one that f64 has exactly.
  static RunNumber of(double value);
  /// What a command line spells: a number, `true` or `false`.
  static std::optional<RunNumber> read(llvm::StringRef text);

  bool isInteger() const { return kind == Kind::Integer; }
  bool isReal() const { return kind == Kind::Real; }
  bool isCondition() const { return kind == Kind::Condition; }
  /// The number as an f64; 1 and 0 for conditions.
  double value() const;
  /// "16", "0.5", "a condition".
  std::string text() const;
  /// "16", "0.5", "true": as one would type it.
  std::string spelling() const;
};

/// Gives a leaf, such as a name, its number: returns whether it has one, or
/// what is wrong with it.
using NumberLookup = llvm::function_ref<bool(
    const frontend::RunExpr &expr, RunNumber &result, BindResult &error)>;

/// Evaluates an expression of numbers as kernels do.
BindResult evaluateNumber(const frontend::RunExpr &expr, NumberLookup lookup,
                          RunNumber &result);

} // namespace tile::run

#endif // TILE_RUN_RUNNUMBER_H
