//===- CublasLt.h - cublasLtMatmul, opened at run time ----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_CUBLASLT_H
#define TILE_TOOLS_BENCH_CUBLASLT_H

#include "Cublas.h"

#include <functional>

namespace tile::bench {

/// A cuBLASLt handle on a stream, with the algorithm that its heuristic names
/// first for each product and a workspace as large as it may want.
class CublasLt {
public:
  /// Opens the companion of the cuBLAS at `cublasPath`, or the newest of the
  /// usual names where that is empty.
  static runtime::Result<std::unique_ptr<CublasLt>>
  open(const std::string &cublasPath, const runtime::Device &device,
       runtime::cuda::StreamHandle stream);
  ~CublasLt();
  CublasLt(const CublasLt &) = delete;
  CublasLt &operator=(const CublasLt &) = delete;

  /// Chooses the algorithm; the call launches it.  It must not outlive this.
  runtime::Result<std::function<runtime::Status()>>
  prepare(const CublasGemm &gemm) const;

private:
  struct Api;
  explicit CublasLt(std::unique_ptr<Api> api, runtime::Buffer workspace,
                    runtime::cuda::StreamHandle stream);

  std::unique_ptr<Api> api;
  runtime::Buffer workspace;
  runtime::cuda::StreamHandle stream;
  void *handle = nullptr;
};

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_CUBLASLT_H
