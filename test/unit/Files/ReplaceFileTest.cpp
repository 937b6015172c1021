//===- ReplaceFileTest.cpp - Tests of files that are replaced -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "files/Files.h"

#include "gtest/gtest.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sys/resource.h>

using namespace tile;
namespace stdfs = std::filesystem;

namespace {

/// A folder of its own for each test.
class ReplaceFileTest : public testing::Test {
protected:
  ReplaceFileTest() {
    std::string name = (stdfs::temp_directory_path() / "tile-XXXXXX").string();
    folder = mkdtemp(name.data());
    path = folder / "table.json";
  }
  ~ReplaceFileTest() override { stdfs::remove_all(folder); }

  std::string contents() const {
    auto buffer = files::readFile(path.string());
    return buffer ? (*buffer)->getBuffer().str() : buffer.error().text();
  }
  size_t numFiles() const {
    return size_t(std::distance(stdfs::directory_iterator(folder),
                                stdfs::directory_iterator()));
  }

  stdfs::path folder, path;
};

/// What replacing the file ends in while no file may have more than `bytes`.
std::string replaceUnderLimit(const stdfs::path &path, rlim_t bytes) {
  // What is written beyond ends in EFBIG then.
  auto *handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit limit = {bytes, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &limit);
  runtime::Status status =
      files::replaceFile(path.string(), std::string(100000, 'x'));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  return status ? "written" : status.error().text();
}

// A file is made, and replaced with its permissions; nothing is left beside it.
TEST_F(ReplaceFileTest, Replaces) {
  ASSERT_TRUE(files::replaceFile(path.string(), "one"));
  EXPECT_EQ(contents(), "one");
  stdfs::permissions(path, stdfs::perms(0640));
  ASSERT_TRUE(files::replaceFile(path.string(), "two"));
  EXPECT_EQ(contents(), "two");
  EXPECT_EQ(stdfs::status(path).permissions(), stdfs::perms(0640));
  EXPECT_EQ(numFiles(), 1u);
}

// What does not fit leaves the old contents, and nothing beside them.
TEST_F(ReplaceFileTest, KeepsWhatThereIsWhereAllDoesNotFit) {
  ASSERT_TRUE(files::replaceFile(path.string(), "old"));
  for (rlim_t bytes : {0, 5000})
    EXPECT_EQ(replaceUnderLimit(path, bytes), "expected a writable file '" +
                                                  path.string() +
                                                  "': File too large");
  EXPECT_EQ(contents(), "old");
  EXPECT_EQ(numFiles(), 1u);
  EXPECT_EQ(replaceUnderLimit(path, 200000), "written");
}

// Only regular files are replaced: a device, a folder and a link stay.
TEST_F(ReplaceFileTest, RefusesOthers) {
  ASSERT_TRUE(files::writeFile(path.string(), "old"));
  stdfs::path link = folder / "link";
  stdfs::create_symlink(path, link);
  for (const stdfs::path &other : {stdfs::path("/dev/null"), folder, link}) {
    runtime::Status status = files::replaceFile(other.string(), "new");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().text(),
              "expected a regular file to write, got '" + other.string() + "'");
  }
  EXPECT_EQ(contents(), "old");
  EXPECT_TRUE(stdfs::is_symlink(link));
}

} // namespace
