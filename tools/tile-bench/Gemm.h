//===- Gemm.h - Matrix products against cuBLAS ------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One measurement: the kernel and cuBLAS in the same process, on the same
// inputs and the same stream, turn and turn about, L2 flushed before each, both
// results checked against each other and against f64 before any time counts.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_GEMM_H
#define TILE_TOOLS_BENCH_GEMM_H

#include "Cublas.h"
#include "HostMatrix.h"

#include "tile/Runtime/Launcher.h"

#include <optional>
#include <string>
#include <vector>

namespace tile::bench {

/// Sides of C[M, N] = A[M, K] * B[K, N].
struct GemmShape {
  int64_t m = 0, n = 0, k = 0;

  /// Reads "MxNxK".
  static std::optional<GemmShape> parse(std::string_view text);
  std::string text() const;
  double flops() const { return 2.0 * double(m) * double(n) * double(k); }
};

/// What holds for all shapes of a run.
struct GemmOptions {
  /// Whether A, B are stored column-major.
  bool isATransposed = false, isBTransposed = false;
  std::optional<std::string> variant;
  int repeats = 30;
  int warmUps = 5;
  uint64_t seed = 7;
};

/// Times of one contender, in microseconds, and its distance from f64.
struct GemmTiming {
  double median = 0, min = 0, max = 0;
  /// Norm of the error over the norm of the reference, on the sample.
  double relativeError = 0;
};

/// The outcome for one shape.
struct GemmResult {
  GemmShape shape;
  std::string variant;
  runtime::FunctionFacts facts;
  GemmTiming ours;
  /// Absent where there is no cuBLAS.
  std::optional<GemmTiming> cublas;
  /// The kernel gave the same bits before and after all repeats.
  bool isReproducible = false;
};

/// Measures matrix products on one device.
class GemmBenchmark {
public:
  /// Checks that the kernel has the arguments of the reference program: a b c,
  /// M N K, sam sak sbk sbn scm scn.  `cublas` may be null.
  static runtime::Result<GemmBenchmark> create(const runtime::Device &device,
                                               runtime::Kernel &kernel,
                                               const runtime::Stream &stream,
                                               const Cublas *cublas,
                                               GemmOptions options);

  /// Checks and times one shape; a wrong result is an error.
  runtime::Result<GemmResult> run(const GemmShape &shape);

  runtime::ElementType inputType() const { return input; }
  runtime::ElementType outputType() const { return output; }

private:
  GemmBenchmark(const runtime::Device &device, runtime::Kernel &kernel,
                const runtime::Stream &stream, const Cublas *cublas,
                GemmOptions options, runtime::Buffer flush)
      : device(device), kernel(kernel), stream(stream), cublas(cublas),
        options(std::move(options)), flush(std::move(flush)) {}

  const runtime::Device &device;
  runtime::Kernel &kernel;
  const runtime::Stream &stream;
  const Cublas *cublas;
  GemmOptions options;
  /// Larger than every L2 so far; filling it evicts everything else.
  runtime::Buffer flush;
  runtime::ElementType input = runtime::ElementType::F16;
  runtime::ElementType output = runtime::ElementType::F16;
};

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_GEMM_H
