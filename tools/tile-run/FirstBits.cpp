//===- FirstBits.cpp - What the first of several runs left ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FirstBits.h"

using namespace tile::run;

bool FirstBits::matches(const std::string &name, const HostTensor &tensor) {
  std::vector<uint8_t> now;
  tensor.forEachElement([&](size_t position) {
    const uint8_t *element = tensor.memory().data() + position;
    now.insert(now.end(), element, element + tensor.elementBytes());
  });
  auto [first, isNew] = bits.try_emplace(name, std::move(now));
  return isNew || first->second == now;
}
