//===- Files.h - Files that the tools read and write ------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every way in and out is here, so that a file that is endless, nests without
// end, or cannot be written ends in a sentence with the file's name.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_FILES_FILES_H
#define TILE_TOOLS_FILES_FILES_H

#include "tile/Runtime/Result.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

namespace tile::files {

/// Reads all of `path`, or standard input for "-".  Of what is no regular file
/// at most 64 MiB are read, more is an error.
runtime::Result<std::unique_ptr<llvm::MemoryBuffer>>
readFile(llvm::StringRef path);

/// Whether the main buffer of `sources` is no source of the .tile language and,
/// as IR in text or bytecode, nests no deeper than kMaxNesting: MLIR's parser
/// may be given it.  If not, that is printed with the place.
bool checkIR(const llvm::SourceMgr &sources);

/// A copy for the lines that MLIR's diagnostics show: a terminal would obey
/// control bytes, which are '?' in it, in their places.
std::unique_ptr<llvm::MemoryBuffer> toShow(const llvm::MemoryBuffer &buffer);

/// Writes `contents` to `path`, or to standard output for "-".
runtime::Status writeFile(llvm::StringRef path, llvm::StringRef contents);

/// Writes a file beside `path` and puts it in its place once all has arrived:
/// whoever reads sees the old contents or the new, and where the disk is full
/// the old ones stay.  `path` must be a regular file or not be there yet, and
/// keeps its permissions; of a link itself a file would take the place.
runtime::Status replaceFile(llvm::StringRef path, llvm::StringRef contents);

/// Sees to it that what was printed to standard output arrives; once, before
/// the process ends.
runtime::Status finishOutput();

} // namespace tile::files

#endif // TILE_TOOLS_FILES_FILES_H
