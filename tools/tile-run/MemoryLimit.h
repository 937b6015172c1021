//===- MemoryLimit.h - What the tensors of a run may take -------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_MEMORYLIMIT_H
#define TILE_RUN_MEMORYLIMIT_H

#include <cstdint>

namespace tile::run {

/// A quarter of the machine's memory in bytes; no limit where that is not
/// known.
uint64_t defaultMemoryLimit();

/// Has the process end in a sentence of `tool`, which must stay, where a limit
/// was above what there is.
void reportMissingMemory(const char *tool);

} // namespace tile::run

#endif // TILE_RUN_MEMORYLIMIT_H
