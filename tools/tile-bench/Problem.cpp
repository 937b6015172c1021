//===- Problem.cpp - What contenders compute, and what is right
//-----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem.h"

using namespace tile::bench;
using namespace tile::runtime;

Result<std::unique_ptr<GuardedBuffer>>
Problem::makeOutput(const Device &device) const {
  return GuardedBuffer::allocate(device, size_t(rows) * size_t(columns) *
                                             sizeInBytes(type));
}
