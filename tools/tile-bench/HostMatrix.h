//===- HostMatrix.h - Matrices of what kernels take -------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_HOSTMATRIX_H
#define TILE_TOOLS_BENCH_HOSTMATRIX_H

#include "tile/Runtime/ArgumentType.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace tile::bench {

/// A dense matrix of f16, bf16, f32, f8E4M3FN, i8 or i32 in host memory, row-
/// or column-major.
class HostMatrix {
public:
  HostMatrix(runtime::ElementType type, int64_t rows, int64_t columns,
             bool isTransposed = false);

  int64_t rows() const { return numRows; }
  int64_t columns() const { return numColumns; }
  /// Elements between neighbours in a column and in a row.
  int64_t rowStride() const { return isTransposed ? 1 : numColumns; }
  int64_t columnStride() const { return isTransposed ? numRows : 1; }
  size_t sizeInBytes() const { return bytes.size(); }
  uint8_t *data() { return bytes.data(); }
  const uint8_t *data() const { return bytes.data(); }

  double at(int64_t row, int64_t column) const;
  /// Fills with independent normal values, i8 with 32 times such values,
  /// rounded and clamped; not for i32.  The same `seed` gives the same
  /// values on every machine.
  void fillNormal(uint64_t seed);

private:
  runtime::ElementType type;
  int64_t numRows, numColumns;
  bool isTransposed;
  std::vector<uint8_t> bytes;
};

/// Calls `work(begin, end)` for parts of [0, size) on all cores.
void parallelFor(int64_t size,
                 const std::function<void(int64_t, int64_t)> &work);

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_HOSTMATRIX_H
