//===- Census.h - What PTX is made of ---------------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the instructions that say whether a kernel came out as meant, in the
// text of its PTX.  Each is counted where it stands: a loop's body counts once.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TARGET_CENSUS_H
#define TILE_TARGET_CENSUS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <map>
#include <vector>

namespace tile {

/// How often one kind of instruction occurs.
struct CensusRow {
  /// As PTX spells it, without types: "ldmatrix", "ld.global".
  llvm::StringRef name;
  unsigned count = 0;
  /// Of accesses: how many there are for each number of bytes that one thread
  /// moves.
  std::map<unsigned, unsigned> countByBytes;
};

/// All kinds that are counted, those that do not occur included, in an order
/// that does not change.
struct Census {
  std::vector<CensusRow> rows;
  /// Bytes of local memory that each thread declares: arrays that did not
  /// become registers.  Spills of the assembler come on top.
  uint64_t localBytes = 0;

  /// The row called `name`, or null.
  const CensusRow *find(llvm::StringRef name) const;
};

/// Counts what stands in `ptx`; labels, comments and directives do not count.
Census takeCensus(llvm::StringRef ptx);

/// One line for each row: "ld.global: 6 (2 bytes: 2, 16 bytes: 4)".
void printCensus(const Census &census, llvm::raw_ostream &stream);

} // namespace tile

#endif // TILE_TARGET_CENSUS_H
