//===- JsonDepth.h - How deep a JSON text nests -----------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's parser of JSON calls itself for what is nested, and so does the
// destructor of what it has read: a text that nests some ten thousands deep
// ends the process.  Whoever reads JSON that others wrote looks here first.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_JSONDEPTH_H
#define TILE_RUNTIME_JSONDEPTH_H

#include "tile/Runtime/Result.h"

#include <string_view>

namespace tile::runtime {

/// Levels that arrays and objects may nest.
inline constexpr unsigned kMaxJsonDepth = 256;

/// Succeeds where arrays and objects of `text` nest at most kMaxJsonDepth deep;
/// the text need not be valid otherwise.  The error says where they do not.
Status checkJsonDepth(std::string_view text);

} // namespace tile::runtime

#endif // TILE_RUNTIME_JSONDEPTH_H
