//===- ArgumentSpec.h - Arguments on the command line -----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   argument := NAME "=" (tensor | "@" FILE | SCALAR)
//   tensor   := TYPE "[" sides (";" strides)? "]" ("+" OFFSET)? (":" fill)?
//   fill     := "zeros" | "ones" | "nan" | "iota" | "randn(" SEED ")"
//             | "uniform(" LOW "," HIGH "," SEED ")"
//             | "int(" LOW "," HIGH "," SEED ")" | "@" FILE
//
// Strides and the offset count elements; strides left out are row-major.  A
// tensor without a fill is uninitialised.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_ARGUMENTSPEC_H
#define TILE_RUN_ARGUMENTSPEC_H

#include "tile/Runtime/ArgumentType.h"
#include "tile/Runtime/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tile::run {

/// Where the elements of a tensor lie, relative to its pointer.
struct TensorShape {
  runtime::ElementType type = runtime::ElementType::F32;
  std::vector<int64_t> sides;
  /// Elements from one index to the next, for each side.
  std::vector<int64_t> strides;
  /// Elements by which the pointer is past a 256-byte boundary.
  int64_t offset = 0;

  int64_t numElements() const;
  bool operator==(const TensorShape &other) const;
};

/// Row-major strides for these sides.
std::vector<int64_t> rowMajorStrides(const std::vector<int64_t> &sides);

/// What the elements are before the run.
struct Fill {
  enum class Kind : uint8_t {
    Uninitialised,
    Zeros,
    Ones,
    NaN,
    Iota,
    Randn,
    Uniform,
    Int,
    File,
  };
  Kind kind = Kind::Uninitialised;
  double low = 0, high = 0;
  uint64_t seed = 0;
  std::string file;

  bool operator==(const Fill &other) const;
};

/// What the command line says of one argument.
struct ArgumentSpec {
  enum class Kind : uint8_t { Tensor, File, Scalar };

  std::string name;
  Kind kind = Kind::Scalar;
  /// Of a Tensor.
  TensorShape shape;
  /// Of a Tensor; of a File, which gives the shape as well.
  Fill fill;
  /// Of a Scalar: its text, which the kernel's type gives a meaning.
  std::string scalar;

  bool operator==(const ArgumentSpec &other) const;
};

/// Reads NAME=SPEC.  An error says what was expected and names the argument.
runtime::Result<ArgumentSpec> parseArgumentSpec(std::string_view text);

/// The bits of a scalar of `type` that is spelled `text`.
runtime::Result<uint64_t> parseScalar(runtime::ElementType type,
                                      const std::string &text);

} // namespace tile::run

#endif // TILE_RUN_ARGUMENTSPEC_H
