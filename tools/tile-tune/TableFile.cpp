//===- TableFile.cpp - Adds results to the table on disk ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableFile.h"
#include "tile-run/Tuning.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LockFileManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;
using namespace tile::tune;
using llvm::StringRef;
using runtime::Error;
using runtime::Result;
using runtime::Status;
using runtime::TuningTable;

/// How long another process may hold the lock: it writes one small file.
static constexpr std::chrono::seconds kMaxWait(60);

/// Waits until the lock is ours.
static Status acquire(llvm::LockFileManager &lock, StringRef path) {
  Error held(("expected to be alone in writing '" + path + "', got another " +
              "process that holds '" + path + ".lock' for a minute: remove " +
              "that file if no tile-tune is running")
                 .str());
  while (true) {
    llvm::Expected<bool> isOurs = lock.tryLock();
    if (!isOurs)
      return Error(("expected a folder to write '" + path +
                    "' in: " + llvm::toString(isOurs.takeError()))
                       .str());
    if (*isOurs)
      return Status::success();
    if (lock.waitForUnlockFor(kMaxWait) == llvm::WaitForUnlockResult::Timeout)
      return held;
  }
}

Status tune::addToTable(StringRef path,
                        llvm::ArrayRef<runtime::TuningEntry> entries) {
  llvm::LockFileManager lock(path);
  if (Status status = acquire(lock, path); !status)
    return status;
  Result<TuningTable> table =
      llvm::sys::fs::exists(path) ? run::readTable(path) : TuningTable();
  if (!table)
    return table.takeError();
  for (const runtime::TuningEntry &entry : entries)
    table->set(entry);
  // Writes a file beside it and renames that.
  llvm::Error failure = llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << table->write();
    return llvm::Error::success();
  });
  if (failure)
    return Error(("expected a writable file '" + path +
                  "': " + llvm::toString(std::move(failure)))
                     .str());
  return Status::success();
}
