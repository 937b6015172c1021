//===- FuzzArguments.cpp - Feeds the parsers of tile-run's words ----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NAME=SPEC and the expressions of --expect: any text is refused with an error
// or read; an expression's text reads as the same expression.
//
//===----------------------------------------------------------------------===//

#include "tile-run/ArgumentSpec.h"
#include "tile-run/Expectation.h"

#include <cstdint>
#include <cstdlib>

using namespace tile;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  if (auto spec = run::parseArgumentSpec(text)) {
    for (auto type : {runtime::ElementType::F16, runtime::ElementType::I32})
      (void)run::parseScalar(type, spec->scalar);
    (void)spec->shape.numElements();
  }
  auto expected = run::parseExpectation(text);
  if (!expected)
    return 0;
  std::string spelled = expected->name + "=" + expected->value.text();
  auto again = run::parseExpectation(spelled);
  if (!again || again->name + "=" + again->value.text() != spelled)
    abort();
  return 0;
}
