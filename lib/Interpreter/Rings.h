//===- Rings.h - Reading and writing slots ----------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_INTERPRETER_RINGS_H
#define TILE_LIB_INTERPRETER_RINGS_H

#include "Program.h"
#include "tile/GPU/TileGPUOps.h"

namespace tile::interpreter {

/// The elements of the slot that a ring and a cursor name, for reading; null
/// and an error of the program where it may not be read.
const char *readSlot(Program &program, const Step &step, SlotIndex ring,
                     SlotIndex cursor, Reader reader = Reader::Threads);

/// The same for writing all of it.
char *writeSlot(Program &program, const Step &step, SlotIndex ring,
                SlotIndex cursor, Writer writer);

/// Records what stands against an access.
llvm::LogicalResult report(Program &program, const Step &step,
                           const SlotProblem &problem);

} // namespace tile::interpreter

#endif // TILE_LIB_INTERPRETER_RINGS_H
