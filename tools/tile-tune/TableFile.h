//===- TableFile.h - Adds results to the table on disk ----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TUNE_TABLEFILE_H
#define TILE_TOOLS_TUNE_TABLEFILE_H

#include "tile/Runtime/TuningTable.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tile::tune {

/// Whether `addToTable` can do its work: a table that is there can be read, and
/// a file can be written in its place.
runtime::Status checkTable(llvm::StringRef path);

/// Adds the entries to the table in `path`, in place of those with the same
/// keys; a file that is empty or not there yet is an empty table, and through a
/// symbolic link the file that it names is written.  Whoever reads sees
/// the old table or the new one.  Processes that write at the same time wait
/// for each other (`path`.lock), so that no entry is lost; one that has died
/// holds no lock.
runtime::Status addToTable(llvm::StringRef path,
                           llvm::ArrayRef<runtime::TuningEntry> entries);

} // namespace tile::tune

#endif // TILE_TOOLS_TUNE_TABLEFILE_H
