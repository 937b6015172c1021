//===- Vocabulary.cpp - Words of the language and what they mean ----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Frontend/Vocabulary.h"

using namespace llvm;
using namespace tile::frontend;

ArrayRef<StringLiteral> tile::frontend::keywords() {
  static constexpr StringLiteral kWords[] = {
      "kernel", "fn",     "let",    "var",  "for",   "while",   "if",
      "else",   "in",     "step",   "grid", "as",    "and",     "or",
      "not",    "return", "static", "None", "break", "continue"};
  return kWords;
}

ArrayRef<StringLiteral> tile::frontend::contextualWords() {
  static constexpr StringLiteral kWords[] = {
      "run",      "expect",  "within", "divisible", "noalias",
      "type",     "int",     "bool",   "true",      "false",
      "pipeline", "require", "allow",  "arrange",   "tune"};
  return kWords;
}

ArrayRef<StringLiteral> tile::frontend::elementTypeNames() {
  static constexpr StringLiteral kNames[] = {"f64",    "f32",    "f16", "bf16",
                                             "f8e4m3", "f8e5m2", "i64", "i32",
                                             "i16",    "i8",     "i1"};
  return kNames;
}

StringRef tile::frontend::irTypeName(StringRef name) {
  return name == "f8e4m3" ? "f8E4M3FN" : name == "f8e5m2" ? "f8E5M2" : name;
}

StringRef tile::frontend::languageTypeName(StringRef name) {
  for (StringRef known : elementTypeNames())
    if (irTypeName(known) == name)
      return known;
  return name;
}

StringRef tile::frontend::functionForm(StringRef name) {
  for (const FunctionInfo &info : functionInfos())
    if (info.name == name)
      return info.form;
  return "";
}

ArrayRef<FunctionInfo> tile::frontend::functionInfos() {
  static constexpr FunctionInfo kFunctions[] = {
      {"program_id", "program_id(axis)",
       "This program's place along an axis of the grid, an i32."},
      {"num_programs", "num_programs(axis)",
       "How many programs an axis of the grid has, an i32."},
      {"arange", "arange(n)", "0, 1, ..., n - 1 as a tile of i32."},
      {"zeros", "zeros<T>[sides]", "A tile of zeros."},
      {"full", "full<T>[sides](x)", "A tile whose elements are all x."},
      {"grouped", "grouped(id, rows, columns, group)",
       "The row and column of a program's tile where ids walk groups of rows "
       "column by column, which shares the L2 cache."},
      {"load", "load(p, mask =, other =)",
       "What p points to. Lanes off by the mask read other, or 0, and touch no "
       "memory."},
      {"store", "store(p, x, mask =)",
       "Writes x. Lanes off by the mask touch no memory."},
      {"dot", "dot(a, b, acc, precision =)",
       "acc + a * b of matrices; without acc, a * b. f32 is ieee unless the "
       "precision says otherwise."},
      {"cdiv", "cdiv(a, b)", "The quotient of integers, rounded up."},
      {"min", "min(a, b)",
       "The lesser of two, NaN where one is; of one tile along an axis as "
       "min(x, axis =)."},
      {"max", "max(a, b)",
       "The greater of two, NaN where one is; of one tile along an axis as "
       "max(x, axis =)."},
      {"clamp", "clamp(x, low, high)",
       "x, but at least low and at most high; NaN where one is."},
      {"where", "where(c, a, b)", "a where c holds, else b."},
      {"exp", "exp(x)", "e to the power x."},
      {"exp2", "exp2(x)", "2 to the power x."},
      {"log", "log(x)", "The natural logarithm."},
      {"log2", "log2(x)", "The logarithm to base 2."},
      {"sqrt", "sqrt(x)", "The square root."},
      {"rsqrt", "rsqrt(x)", "1 over the square root."},
      {"tanh", "tanh(x)", "The hyperbolic tangent."},
      {"erf", "erf(x)", "The error function."},
      {"sin", "sin(x)", "The sine."},
      {"cos", "cos(x)", "The cosine."},
      {"log10", "log10(x)", "The logarithm to base 10."},
      {"expm1", "expm1(x)", "exp(x) - 1, with all digits where x is small."},
      {"log1p", "log1p(x)", "log(1 + x), with all digits where x is small."},
      {"erfc", "erfc(x)", "1 - erf(x), with all digits where that is small."},
      {"cbrt", "cbrt(x)", "The cube root."},
      {"tan", "tan(x)", "The tangent."},
      {"asin", "asin(x)", "The angle whose sine is x."},
      {"acos", "acos(x)", "The angle whose cosine is x."},
      {"atan", "atan(x)", "The angle whose tangent is x."},
      {"sinh", "sinh(x)", "The hyperbolic sine."},
      {"cosh", "cosh(x)", "The hyperbolic cosine."},
      {"asinh", "asinh(x)", "The inverse hyperbolic sine."},
      {"acosh", "acosh(x)", "The inverse hyperbolic cosine."},
      {"atanh", "atanh(x)", "The inverse hyperbolic tangent."},
      {"pow", "pow(x, y)", "x to the power y, of floats."},
      {"atan2", "atan2(y, x)", "The angle of the point (x, y)."},
      {"abs", "abs(x)", "The absolute value."},
      {"floor", "floor(x)", "Rounded down, as a float."},
      {"ceil", "ceil(x)", "Rounded up, as a float."},
      {"fma", "fma(a, b, c)", "a * b + c, rounded once."},
      {"bitcast", "bitcast(x, T)", "The same bits as another type."},
      {"floordiv", "floordiv(a, b)",
       "The quotient of integers, rounded down; a / b cuts toward zero."},
      {"floormod", "floormod(a, b)",
       "What floordiv leaves, with the sign of b; a % b has the sign of a."},
      {"lshr", "lshr(a, b)", "a shifted right by b, zeros from the left."},
      {"umulhi", "umulhi(a, b)",
       "The high half of the product of unsigned integers."},
      {"udiv", "udiv(a, b)", "The quotient of unsigned integers."},
      {"urem", "urem(a, b)", "The remainder of unsigned integers."},
      {"ult", "ult(a, b)", "Whether a is below b, both unsigned."},
      {"wrapping_add", "wrapping_add(a, b)", "a + b, which may overflow."},
      {"wrapping_sub", "wrapping_sub(a, b)", "a - b, which may overflow."},
      {"wrapping_mul", "wrapping_mul(a, b)", "a * b, which may overflow."},
      {"sum", "sum(x, axis =)", "The sum along an axis, or of all elements."},
      {"prod", "prod(x, axis =)",
       "The product along an axis, or of all elements."},
      {"any", "any(x, axis =)", "Whether an element along an axis holds."},
      {"all", "all(x, axis =)", "Whether all elements along an axis hold."},
      {"argmax", "argmax(x, axis =)", "The first place of the greatest."},
      {"argmin", "argmin(x, axis =)", "The first place of the least."},
      {"cumsum", "cumsum(x, axis, reverse =)", "Running sums along an axis."},
      {"cumprod", "cumprod(x, axis, reverse =)",
       "Running products along an axis."},
      {"reduce", "reduce(x, axis, f)",
       "Combines the elements along an axis by a helper function; several "
       "tiles "
       "at once where several stand in front."},
      {"scan", "scan(x, axis, f)",
       "Running combinations along an axis by a helper function."},
      {"trans", "trans(x)", "The transpose."},
      {"reshape", "reshape(x, sides)",
       "The same elements, in order, with other sides."},
      {"broadcast_to", "broadcast_to(x, sides)",
       "x repeated along its sides of 1."},
      {"dtype", "dtype(x)", "The element type."},
      {"side", "side(x, axis)", "A side, known at compile time."},
      {"atomic_add", "atomic_add(p, x, mask =)",
       "Adds x to memory; the value is what was there."},
      {"atomic_max", "atomic_max(p, x, mask =)",
       "Leaves the greater in memory; the value is what was there."},
      {"atomic_min", "atomic_min(p, x, mask =)",
       "Leaves the lesser in memory; the value is what was there."},
      {"atomic_and", "atomic_and(p, x, mask =)",
       "Leaves the common bits in memory; the value is what was there."},
      {"atomic_or", "atomic_or(p, x, mask =)",
       "Leaves the bits of both in memory; the value is what was there."},
      {"atomic_xor", "atomic_xor(p, x, mask =)",
       "Leaves the bits of one in memory; the value is what was there."},
      {"atomic_xchg", "atomic_xchg(p, x, mask =)",
       "Writes x; the value is what was there."},
      {"atomic_cas", "atomic_cas(p, expected, x)",
       "Writes x where memory holds expected; the value is what was there."},
      {"assert", "assert(c, \"message\")",
       "For debugging: stops where c does not hold."},
      {"print", "print(\"label\", x)", "For debugging: prints x."},
  };
  return kFunctions;
}
