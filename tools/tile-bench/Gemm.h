//===- Gemm.h - Matrix products on one device -------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One problem: its inputs on the host and the device, what the right result is,
// and how each contender is asked for it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_GEMM_H
#define TILE_TOOLS_BENCH_GEMM_H

#include "Cublas.h"
#include "Problem.h"

#include "tile/IR/TileAttrs.h"
#include "tile/Runtime/Launcher.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
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

/// One product to compute.
struct GemmCase {
  GemmShape shape;
  runtime::ElementType input = runtime::ElementType::F16;
  runtime::ElementType output = runtime::ElementType::F16;
  /// Whether A, B are stored column-major.
  bool isATransposed = false, isBTransposed = false;
  /// gelu(A B + bias) + residual rather than A B.
  bool isFused = false;
  /// How f32 is multiplied.
  Precision precision = Precision::Ieee;
  /// Ours is the arrangement of matmul-arranged.tile, not pointers and masks.
  bool isArranged = false;

  /// "f16", "i8", ...; "tf32" and "tf32x3" for f32 of that precision.
  std::string kind() const;
  /// "nn", "nt", ...: n row-major, t column-major.
  std::string layout() const;
  /// Bytes that must be read or written at least.
  double bytes() const;
  /// How far from the product a contender may be.
  Tolerance tolerance() const;
};

/// The data of one case.
class GemmProblem : public Problem {
public:
  static runtime::Result<std::unique_ptr<GemmProblem>>
  create(const runtime::Device &device, const GemmCase &gemm, uint64_t seed);

  const GemmCase &gemm() const { return theCase; }
  /// What the reference program takes, with C in `c`; with bias and residual
  /// if `isFused`.
  std::vector<runtime::LaunchValue> values(const GuardedBuffer &c,
                                           bool isFused) const;
  /// The plain product, with C in `c`; of `tf32x3`, which cuBLAS has not, that
  /// of f32.
  CublasGemm cublasGemm(const GuardedBuffer &c) const;
  /// Against samples of the plain and of the fused product.
  runtime::Result<double> check(const HostMatrix &output, Work work,
                                const std::string &who) const override;
  Tolerance tolerance() const override { return theCase.tolerance(); }

private:
  GemmProblem(const GemmCase &gemm);
  runtime::Status upload(const runtime::Device &device);

  GemmCase theCase;
  HostMatrix a, b, bias, residual;
  std::optional<GemmReference> plainReference, fusedReference;
  /// A, B, bias, residual.
  std::vector<runtime::Buffer> buffers;
};

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_GEMM_H
