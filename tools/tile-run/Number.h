//===- Number.h - Element types as bits and as numbers ----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the bits in a tensor mean, as f64 values: the checker's own conversions,
// written without the compiler's so that one cannot hide the other's faults.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_NUMBER_H
#define TILE_RUN_NUMBER_H

#include "tile/Runtime/ArgumentType.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tile::run {

using runtime::ElementType;

/// The element type that is spelled so in the language, or in IR.
std::optional<ElementType> readElementType(llvm::StringRef text);

/// The value that `bits` (in the low bytes) stand for.  An i64 beyond 2^53 is
/// rounded.
double decode(ElementType type, uint64_t bits);

/// `value` in `type`: floats round to nearest even, f8E4M3FN saturates;
/// integers truncate toward zero and wrap; i1 is whether the value is not 0.
uint64_t encode(ElementType type, double value);

/// Whether `type` holds `value` up to rounding: infinity and the largest number
/// of f8E4M3FN stand for themselves only, and an integer is not rounded.
bool holds(ElementType type, double value);

/// The element at `address`, and how to put one there.
double load(ElementType type, const uint8_t *address);
void store(ElementType type, uint8_t *address, double value);

/// Distance between neighbouring values of `type` at `value`; 1 for integers.
double ulp(ElementType type, double value);

/// Largest relative error of one rounding to `type`; 0 for integers.
double unitRoundoff(ElementType type);

/// Whether a value is an integer whose neighbours are integers of f64, too: at
/// most 2^53.
bool isExactInteger(double value);

/// Reads a number as the language spells it, or as C does (`.5`, `inf`, `nan`);
/// nothing where `text` is none, or has digits of a number that f64 does not
/// hold.
std::optional<double> readNumber(llvm::StringRef text);

/// The shortest text that reads back as `value`.
std::string numberText(double value);

} // namespace tile::run

#endif // TILE_RUN_NUMBER_H
