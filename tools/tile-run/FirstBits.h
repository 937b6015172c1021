//===- FirstBits.h - What the first of several runs left --------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_FIRSTBITS_H
#define TILE_RUN_FIRSTBITS_H

#include "HostTensor.h"

#include <map>

namespace tile::run {

/// The elements that tensors had after the first run, for --same-bits.
class FirstBits {
public:
  /// Whether the tensor's elements have the bits that they had when `name` was
  /// first asked for.
  bool matches(const std::string &name, const HostTensor &tensor);

private:
  std::map<std::string, std::vector<uint8_t>> bits;
};

} // namespace tile::run

#endif // TILE_RUN_FIRSTBITS_H
