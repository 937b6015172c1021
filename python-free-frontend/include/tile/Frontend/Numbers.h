//===- Numbers.h - How numbers are spelled ----------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a source accepts as a number, its command lines accept: `64`, `1_000`,
// `0x40` and `1.5e-3`, there with a sign in front where that makes sense.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_NUMBERS_H
#define TILE_FRONTEND_NUMBERS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tile::frontend {

/// The integer that `text` spells, perhaps with a sign; nothing where it spells
/// none, or one that 64 bits do not hold.
std::optional<int64_t> readInteger(llvm::StringRef text);

/// The number that `text` spells, perhaps with a sign, rounded to f64; nothing
/// where it spells none, or a larger one than f64 holds.
std::optional<double> readNumber(llvm::StringRef text);

/// Cuts a number, or what looks most like one, off the front of `text`.
llvm::StringRef takeNumber(llvm::StringRef &text);

/// `text` with an integer in decimal digits alone, as those who read no .tile
/// files spell it; anything else stays.
std::string plainInteger(llvm::StringRef text);

/// Likewise each VALUE of "NAME=VALUE,VALUE".
std::string withPlainIntegers(llvm::StringRef text);

} // namespace tile::frontend

#endif // TILE_FRONTEND_NUMBERS_H
