//===- FillTensor.h - Deterministic contents of a tensor --------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element i (its row-major number) of a random fill is a function of the seed
// and of i alone, so the same spec gives the same data whatever the strides:
//
//   bits(j)    = splitmix64 of seed * 2^32 + j (Steele, Lea, Flood 2014)
//   real(j)    = the top 53 bits of bits(j), in [0, 1)
//   uniform    = low + (high - low) * real(i)
//   int        = low + floor((high - low + 1) * real(i))
//   randn      = sqrt(-2 ln(1 - real(2i))) * cos(2 pi real(2i + 1))
//   iota       = i
//
// all in f64, then rounded to the element type.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_FILLTENSOR_H
#define TILE_RUN_FILLTENSOR_H

#include "HostTensor.h"

namespace tile::run {

/// Gives every element of `tensor` the value that `fill` says.
runtime::Status fillTensor(HostTensor &tensor, const Fill &fill);

} // namespace tile::run

#endif // TILE_RUN_FILLTENSOR_H
