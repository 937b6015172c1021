//===- Npy.h - NumPy's file format ------------------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Version 1.0, 2.0 and 3.0 of the .npy format, little endian.  NumPy has no
// bf16 and no 8-bit floats: these are written as f4, which holds them exactly.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_NPY_H
#define TILE_RUN_NPY_H

#include "HostTensor.h"

namespace tile::run {

/// The contents of a file.
struct NpyArray {
  runtime::ElementType type = runtime::ElementType::F32;
  std::vector<int64_t> sides;
  bool fortranOrder = false;
  std::string data;

  /// Element number `i` in row-major order.
  double value(int64_t i) const;
  void copyElement(int64_t i, uint8_t *target) const;

private:
  const uint8_t *address(int64_t i) const;
};

/// Reads a file.
runtime::Result<NpyArray> readNpy(const std::string &file);

/// Writes a tensor's elements in row-major order.
runtime::Status writeNpy(const std::string &file, const HostTensor &tensor);

/// "[65, 97]".
std::string sidesText(const std::vector<int64_t> &sides);

} // namespace tile::run

#endif // TILE_RUN_NPY_H
