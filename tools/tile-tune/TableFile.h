//===- TableFile.h - Adds results to the table on disk ----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TUNE_TABLEFILE_H
#define TILE_TOOLS_TUNE_TABLEFILE_H

#include "Choices.h"

#include "tile/Runtime/TuningTable.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tile::tune {

/// Whether `addToTable` can do its work: a table that is there can be read, and
/// a file can be written in its place.
runtime::Status checkTable(llvm::StringRef path);

/// What a search found.
struct Finding {
  /// Of the fastest choice.
  runtime::TuningEntry entry;
  /// All choices that were measured, with the settings that an entry has.
  std::vector<Choice> measured;
};

/// What became of a finding.
struct Addition {
  /// The table's entry for the same key, if there was one.
  std::optional<runtime::TuningEntry> earlier;
  /// Whether it stays: it was measured for the same run, is faster, and the
  /// search did not measure its choice again.
  bool isEarlierKept = false;
};

/// Adds the finding to the table in `path`, in place of an entry with the same
/// key unless that stays; a file that is empty or not there yet is an empty
/// table, and through a symbolic link the file that it names is written.
/// Whoever reads sees the old table or the new one.  Processes that write at
/// the same time wait for each other (`path`.lock), so that no entry is lost;
/// one that has died holds no lock.
runtime::Result<Addition> addToTable(llvm::StringRef path,
                                     const Finding &finding);

} // namespace tile::tune

#endif // TILE_TOOLS_TUNE_TABLEFILE_H
