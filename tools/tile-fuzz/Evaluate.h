//===- Evaluate.h - What a program must store -------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Works on the description alone, in f64, and bounds what rounding may do to
// each value, so that no tolerance is chosen.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FUZZ_EVALUATE_H
#define TILE_FUZZ_EVALUATE_H

#include "Numbers.h"

#include <map>

namespace tile::fuzz {

/// What the outputs and the arrays that atomic operations update hold after a
/// launch, row by row.  On a device, tensor cores cut the sums of dots, and
/// functions are approximations.
std::map<int, std::vector<Number>> evaluate(const Recipe &recipe,
                                            bool onDevice);

} // namespace tile::fuzz

#endif // TILE_FUZZ_EVALUATE_H
