//===- DotKernel.cpp - Matrix products as chains of fma -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of c stay in registers while k runs; the compiler vectorises along n.
// On x86 the blocks are compiled twice, with and without the fma instruction,
// and the processor is asked at run time; std::fma rounds the same in both.
//
//===----------------------------------------------------------------------===//

#include "DotKernel.h"
#include "FloatFormat.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tile::interpreter {

#if defined(__x86_64__)
#define TILE_TARGET_AVX2 __attribute__((target("avx2,fma")))
static bool hasAvx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#endif

namespace {
struct FloatStep {
  using A = float;
  using C = float;
  static inline __attribute__((always_inline)) float apply(float a, float b,
                                                           float c) {
    return __builtin_fmaf(a, b, c);
  }
};
struct DoubleStep {
  using A = double;
  using C = double;
  static inline __attribute__((always_inline)) double apply(double a, double b,
                                                            double c) {
    return __builtin_fma(a, b, c);
  }
};
struct IntegerStep {
  using A = int32_t;
  using C = uint32_t;
  static inline __attribute__((always_inline)) uint32_t apply(int32_t a,
                                                              int32_t b,
                                                              uint32_t c) {
    return uint32_t(a) * uint32_t(b) + c;
  }
};
/// A finite f16 sum fits into a double, so it is rounded once.
struct F16Step {
  using A = float;
  using C = float;
  static float apply(float a, float b, float c) {
    return F16Format::decode(F16Format::encode(double(a) * b + c));
  }
};

/// Rows and columns of a block of c.
constexpr int64_t kRows = 4;
constexpr int64_t kColumns = 16;
} // namespace

/// One block of c; `rows` and `columns` are at most kRows and kColumns.
template <class S, bool full>
static inline __attribute__((always_inline)) void
runBlock(DotShape shape, const typename S::A *a, const typename S::A *b,
         typename S::C *c, int64_t rows, int64_t columns) {
  typename S::C sums[kRows][kColumns];
  if (full) {
    rows = kRows;
    columns = kColumns;
  }
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      sums[i][j] = c[i * shape.n + j];
  for (int64_t k = 0; k < shape.k; ++k)
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        sums[i][j] =
            S::apply(a[i * shape.k + k], b[k * shape.n + j], sums[i][j]);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      c[i * shape.n + j] = sums[i][j];
}

template <class S>
static inline __attribute__((always_inline)) void
runBlocks(DotShape shape, const typename S::A *a, const typename S::A *b,
          typename S::C *c) {
  for (int64_t n = 0; n < shape.n; n += kColumns)
    for (int64_t m = 0; m < shape.m; m += kRows) {
      int64_t rows = std::min(kRows, shape.m - m);
      int64_t columns = std::min(kColumns, shape.n - n);
      const typename S::A *left = a + m * shape.k, *right = b + n;
      typename S::C *block = c + m * shape.n + n;
      if (rows == kRows && columns == kColumns)
        runBlock<S, true>(shape, left, right, block, rows, columns);
      else
        runBlock<S, false>(shape, left, right, block, rows, columns);
    }
}

template <class S>
static void runPlain(DotShape shape, const typename S::A *a,
                     const typename S::A *b, typename S::C *c) {
  runBlocks<S>(shape, a, b, c);
}

#if defined(__x86_64__)
template <class S>
TILE_TARGET_AVX2 static void runAvx2(DotShape shape, const typename S::A *a,
                                     const typename S::A *b, typename S::C *c) {
  runBlocks<S>(shape, a, b, c);
}
#endif

template <class S>
static void dispatch(DotShape shape, const typename S::A *a,
                     const typename S::A *b, typename S::C *c) {
#if defined(__x86_64__)
  if (hasAvx2())
    return runAvx2<S>(shape, a, b, c);
#endif
  runPlain<S>(shape, a, b, c);
}

void multiplyAdd(DotShape shape, const float *a, const float *b, float *c) {
  dispatch<FloatStep>(shape, a, b, c);
}
void multiplyAdd(DotShape shape, const double *a, const double *b, double *c) {
  dispatch<DoubleStep>(shape, a, b, c);
}
void multiplyAdd(DotShape shape, const int32_t *a, const int32_t *b,
                 uint32_t *c) {
  dispatch<IntegerStep>(shape, a, b, c);
}
void multiplyAddF16(DotShape shape, const float *a, const float *b, float *c) {
  runPlain<F16Step>(shape, a, b, c);
}

void multiplyAddInRuns(DotShape shape, int64_t run, const float *a,
                       const float *b, float *c) {
  std::vector<float> left, sums;
  for (int64_t first = 0; first < shape.k; first += run) {
    DotShape part{shape.m, shape.n, std::min(run, shape.k - first)};
    left.clear();
    for (int64_t m = 0; m < shape.m; ++m) {
      const float *row = a + m * shape.k + first;
      left.insert(left.end(), row, row + part.k);
    }
    sums.assign(shape.m * shape.n, 0.0f);
    multiplyAdd(part, left.data(), b + first * shape.n, sums.data());
    for (size_t i = 0; i < sums.size(); ++i)
      c[i] += sums[i];
  }
}

void multiplyAddTf32x3(DotShape shape, int64_t run, const float *a,
                       const float *b, float *c) {
  // Each k becomes three: a's columns (small, large, large), b's rows (large,
  // small, large); the chain over them is the one wanted.
  DotShape wide{shape.m, shape.n, 3 * shape.k};
  std::vector<float> left(wide.m * wide.k), right(wide.k * wide.n);
  // Large, small, and large beside a small one: infinity leaves nothing.
  auto split = [](float value) -> std::array<float, 3> {
    float large = roundToTf32(value);
    if (!std::isfinite(large))
      return {large, 0.0f, 0.0f};
    return {large, roundToTf32(value - large), large};
  };
  for (int64_t i = 0; i < shape.m * shape.k; ++i) {
    auto [large, small, beside] = split(a[i]);
    left[3 * i] = small;
    left[3 * i + 1] = beside;
    left[3 * i + 2] = large;
  }
  for (int64_t k = 0; k < shape.k; ++k)
    for (int64_t n = 0; n < shape.n; ++n) {
      auto [large, small, beside] = split(b[k * shape.n + n]);
      float *rows = right.data() + 3 * k * shape.n + n;
      rows[0] = beside;
      rows[shape.n] = small;
      rows[2 * shape.n] = large;
    }
  multiplyAddInRuns(wide, 3 * run, left.data(), right.data(), c);
}

} // namespace tile::interpreter
