//===- DotKernel.h - Matrix products as chains of fma -----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_INTERPRETER_DOTKERNEL_H
#define TILE_LIB_INTERPRETER_DOTKERNEL_H

#include <cstdint>

namespace tile::interpreter {

/// The sides of a product: a is m x k, b is k x n, c is m x n, all row-major.
struct DotShape {
  int64_t m, n, k;
};

/// c[m, n] = fma(a[m, k], b[k, n], c[m, n]) for ascending k.  The bits do not
/// depend on the processor.
void multiplyAdd(DotShape shape, const float *a, const float *b, float *c);
void multiplyAdd(DotShape shape, const double *a, const double *b, double *c);

/// The same on integers, wrapping.
void multiplyAdd(DotShape shape, const int32_t *a, const int32_t *b,
                 uint32_t *c);

/// The same on f16 values held as floats, the sum rounded to f16 at each k.
void multiplyAddF16(DotShape shape, const float *a, const float *b, float *c);

/// The same for each `run` of k's from zero, whose sum is then added to c.
void multiplyAddInRuns(DotShape shape, int64_t run, const float *a,
                       const float *b, float *c);

/// The f32 product by three tf32 products at each k, the small ones first, in
/// runs: a number is the sum of its rounding to tf32 and the rounding of what
/// that left.
void multiplyAddTf32x3(DotShape shape, int64_t run, const float *a,
                       const float *b, float *c);

} // namespace tile::interpreter

#endif // TILE_LIB_INTERPRETER_DOTKERNEL_H
