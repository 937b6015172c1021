//===- TableFile.cpp - Adds results to the table on disk ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableFile.h"
#include "files/Files.h"
#include "tile-run/Tuning.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LockFileManager.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <filesystem>
#include <optional>

using namespace tile;
using namespace tile::tune;
using llvm::StringRef;
using runtime::Error;
using runtime::Result;
using runtime::Status;
using runtime::TuningEntry;
using runtime::TuningTable;

/// How long another process may hold the lock: it writes one small file.
static constexpr std::chrono::seconds kMaxWait(10);

/// "process 123 on host", as a lock says who holds it.
static std::string holderText(StringRef lockPath) {
  auto buffer = llvm::MemoryBuffer::getFile(lockPath);
  if (!buffer)
    return "another process";
  auto [host, process] = (*buffer)->getBuffer().split(' ');
  return ("process " + process.trim() + " on " + host).str();
}

/// Waits until the lock is ours.
static Status acquire(std::optional<llvm::LockFileManager> &lock,
                      StringRef path) {
  auto end = std::chrono::steady_clock::now() + kMaxWait;
  while (true) {
    // A manager is for one try.
    lock.emplace(path);
    llvm::Expected<bool> isOurs = lock->tryLock();
    if (!isOurs)
      return Error(("expected a folder to write '" + path +
                    "' in: " + llvm::toString(isOurs.takeError()))
                       .str());
    if (*isOurs)
      return Status::success();
    if (std::chrono::steady_clock::now() >= end)
      break;
    lock->waitForUnlockFor(std::chrono::seconds(1));
  }
  std::string lockPath = (path + ".lock").str();
  return Error("expected to be alone in writing '" + path.str() + "', got " +
               holderText(lockPath) + ", which holds '" + lockPath + "' for " +
               std::to_string(kMaxWait.count()) +
               " s: remove that file if no tile-tune is running");
}

/// "expected a writable file 'x': Permission denied".
static Error cannotWrite(StringRef path, std::error_code code) {
  return Error(
      ("expected a writable file '" + path + "': " + code.message()).str());
}

/// The file behind symbolic links, which need not be there.
static Result<std::string> followLinks(StringRef path) {
  // As many as Linux follows.
  constexpr int kMaxLinks = 40;
  std::filesystem::path file(path.str());
  std::error_code code;
  for (int i = 0; i < kMaxLinks; ++i) {
    if (!std::filesystem::is_symlink(file, code))
      return file.string();
    std::filesystem::path next = std::filesystem::read_symlink(file, code);
    if (code)
      return cannotWrite(path, code);
    file = file.parent_path() / next;
  }
  return cannotWrite(
      path, std::make_error_code(std::errc::too_many_symbolic_link_levels));
}

/// The table in `file`; an empty one where there is none yet.
static Result<TuningTable> readOrMake(StringRef file) {
  return llvm::sys::fs::exists(file) ? run::readTable(file) : TuningTable();
}

Status tune::checkTable(StringRef path) {
  Result<std::string> file = followLinks(path);
  if (!file)
    return file.takeError();
  namespace fs = llvm::sys::fs;
  if (fs::exists(*file) && !fs::is_regular_file(*file))
    return Error("expected a regular file as the table, got '" + path.str() +
                 "'");
  if (Result<TuningTable> table = readOrMake(*file); !table)
    return table.takeError();
  // Another file takes its place, so the folder counts as well.
  StringRef folder = llvm::sys::path::parent_path(*file);
  if (std::error_code code =
          fs::access(folder.empty() ? "." : folder, fs::AccessMode::Write))
    return cannotWrite(path, code);
  if (fs::exists(*file))
    if (std::error_code code = fs::access(*file, fs::AccessMode::Write))
      return cannotWrite(path, code);
  return Status::success();
}

/// Whether times of both compare and the earlier entry is the faster one.
static bool isStillFastest(const TuningEntry &earlier, const Finding &finding) {
  auto isEarlier = [&](const Choice &choice) {
    return choice.parameters == earlier.parameters &&
           choice.settings == earlier.settings;
  };
  return earlier.run == finding.entry.run &&
         earlier.microseconds < finding.entry.microseconds &&
         llvm::none_of(finding.measured, isEarlier);
}

Result<Addition> tune::addToTable(StringRef path, const Finding &finding) {
  Result<std::string> file = followLinks(path);
  if (!file)
    return file.takeError();
  std::optional<llvm::LockFileManager> lock;
  if (Status status = acquire(lock, *file); !status)
    return status.takeError();
  Result<TuningTable> table = readOrMake(*file);
  if (!table)
    return table.takeError();
  Addition result;
  if (const TuningEntry *earlier = table->find(finding.entry.key)) {
    result.earlier = *earlier;
    result.isEarlierKept = isStillFastest(*earlier, finding);
  }
  if (result.isEarlierKept)
    return result;
  table->set(finding.entry);
  if (Status status = files::replaceFile(*file, table->write()); !status)
    return status.takeError();
  return result;
}
