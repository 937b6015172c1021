//===- Kinds.h - Element types of random programs ---------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FUZZ_KINDS_H
#define TILE_FUZZ_KINDS_H

#include <cstdint>

namespace tile::fuzz {

/// Element types of values and arrays.
enum class Kind { F32, F16, BF16, I32, F64, I8, F8E4M3, F8E5M2 };

/// What is to be known of an element type.
struct KindFacts {
  const char *name;
  int64_t bytes;
  bool isInteger;
  /// Of floats: bits of the significand, the exponent of the least number, and
  /// the largest number.
  int bits, least;
  double largest;
};

inline constexpr KindFacts kKinds[] = {
    {"f32", 4, false, 24, -149, 0x1.fffffep127},
    {"f16", 2, false, 11, -24, 65504},
    {"bf16", 2, false, 8, -133, 0x1.fep127},
    {"i32", 4, true, 0, 0, 0},
    {"f64", 8, false, 53, -1074, 0x1.fffffffffffffp1023},
    {"i8", 1, true, 0, 0, 0},
    {"f8E4M3FN", 1, false, 4, -9, 448},
    {"f8E5M2", 1, false, 3, -16, 57344},
};

inline const KindFacts &factsOf(Kind kind) {
  return kKinds[static_cast<int>(kind)];
}
/// Bytes of an element in memory.
inline int64_t bytesOf(Kind kind) { return factsOf(kind).bytes; }
inline bool isInteger(Kind kind) { return factsOf(kind).isInteger; }
inline bool isFloat8(Kind kind) {
  return kind == Kind::F8E4M3 || kind == Kind::F8E5M2;
}

/// The number rounded to `bits` bits, to nearest even, none of them below
/// 2^least.
double roundToBits(double value, int bits, int least);
/// The number as `kind` holds it: what is too large becomes infinite, or the
/// largest number of f8E4M3FN; integers wrap.
double roundTo(double value, Kind kind);

} // namespace tile::fuzz

#endif // TILE_FUZZ_KINDS_H
