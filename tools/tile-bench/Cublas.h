//===- Cublas.h - cuBLAS, opened at run time --------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_CUBLAS_H
#define TILE_TOOLS_BENCH_CUBLAS_H

#include "tile/Runtime/ArgumentType.h"
#include "tile/Runtime/Device.h"

#include <memory>
#include <string>

namespace tile::bench {

/// One matrix product C = A * B of row-major C, as cuBLAS is asked for it.
struct CublasGemm {
  int64_t m, n, k;
  runtime::ElementType input, output;
  /// Whether the matrix is stored column-major.
  bool isATransposed, isBTransposed;
  uint64_t a, b, c;
  /// cublasComputeType_t.
  int compute;
};

/// cublasComputeType_t for sums in f32, without tf32; in i32; in f32 of factors
/// that are rounded to tf32.
constexpr int kComputeF32 = 68, kComputeI32 = 72, kComputeTf32 = 77;

/// The factors 1 and 0, in the type of the sums.
struct CublasScalars {
  explicit CublasScalars(int compute)
      : isInteger(compute == kComputeI32), type(isInteger ? 10 : 0) {}
  const void *one() const {
    return isInteger ? static_cast<const void *>(&integerOne) : &floatOne;
  }
  const void *zero() const { return &zeroBits; }

  bool isInteger;
  /// cudaDataType_t.
  int type;

private:
  float floatOne = 1;
  int32_t integerOne = 1, zeroBits = 0;
};

/// cudaDataType_t.
int dataType(runtime::ElementType type);

/// The path of the cuBLASLt that belongs to the cuBLAS at `path`; empty where
/// that does not name one.
std::string cublasLtBeside(std::string path);

/// A cuBLAS handle on a stream.
class Cublas {
public:
  /// Opens `path`, or the newest of the usual names where it is empty.  The
  /// device's context must be current for the life of the object.
  static runtime::Result<std::unique_ptr<Cublas>>
  open(const std::string &path, runtime::cuda::StreamHandle stream);
  ~Cublas();
  Cublas(const Cublas &) = delete;
  Cublas &operator=(const Cublas &) = delete;

  runtime::Status run(const CublasGemm &gemm) const;
  /// "12.8.4".
  std::string version() const;

private:
  Cublas() = default;
  runtime::Status lookUp();

  void *library = nullptr;
  void *handle = nullptr;
  int (*create)(void **);
  int (*destroy)(void *);
  int (*setStream)(void *, runtime::cuda::StreamHandle);
  int (*getVersion)(void *, int *);
  int (*gemmEx)(void *, int, int, int, int, int, const void *, const void *,
                int, int, const void *, int, int, const void *, void *, int,
                int, int, int);
};

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_CUBLAS_H
