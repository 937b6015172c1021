//===- Files.cpp - Files that the tools read and write --------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Files.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "tile/IR/Nesting.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;
using llvm::MemoryBuffer;
using llvm::StringRef;
using runtime::Error;
using runtime::Result;
using runtime::Status;
namespace fs = llvm::sys::fs;

/// "expected a readable file 'x': No such file or directory".
static Error cannotRead(StringRef path, const std::string &why) {
  return Error(
      ("expected a readable file '" + path + "': " + llvm::Twine(why)).str());
}

/// "expected a writable file 'x': No space left on device".
static Error cannotWrite(StringRef path, std::error_code code) {
  return Error(
      ("expected a writable file '" + path + "': " + code.message()).str());
}

/// Reads a pipe or a device to its end, within reason.
static Result<std::unique_ptr<MemoryBuffer>> readStream(fs::file_t file,
                                                        StringRef name) {
  constexpr size_t kMaxBytes = size_t(64) << 20, kChunk = size_t(1) << 16;
  llvm::SmallVector<char, 0> contents;
  while (contents.size() <= kMaxBytes) {
    size_t size = contents.size();
    contents.resize_for_overwrite(size + kChunk);
    llvm::Expected<size_t> got = fs::readNativeFile(
        file, llvm::MutableArrayRef(contents).drop_front(size));
    if (!got)
      return cannotRead(name, llvm::toString(got.takeError()));
    contents.truncate(size + *got);
    if (*got == 0)
      return MemoryBuffer::getMemBufferCopy(
          StringRef(contents.data(), contents.size()), name);
  }
  return Error(("expected '" + name +
                "', which is no regular file, to end within 64 MiB, got more")
                   .str());
}

Result<std::unique_ptr<MemoryBuffer>> files::readFile(StringRef path) {
  if (path == "-")
    return readStream(fs::getStdinHandle(), "<stdin>");
  fs::file_status status;
  if (std::error_code code = fs::status(path, status))
    return cannotRead(path, code.message());
  if (fs::is_regular_file(status)) {
    auto buffer = MemoryBuffer::getFile(path);
    if (!buffer)
      return cannotRead(path, buffer.getError().message());
    return std::move(*buffer);
  }
  if (fs::is_directory(status))
    return cannotRead(path, "Is a directory");
  llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file)
    return cannotRead(path, llvm::toString(file.takeError()));
  llvm::scope_exit closeFile([&] { (void)fs::closeFile(*file); });
  return readStream(*file, path);
}

/// The word with which a source of the .tile language begins; empty for others.
static StringRef languageWord(StringRef text) {
  text.consume_front("\xEF\xBB\xBF");
  for (text = text.ltrim(); text.starts_with("//"); text = text.ltrim())
    text = text.drop_until([](char c) { return c == '\n'; });
  StringRef word =
      text.take_until([](char c) { return c != '@' && !llvm::isAlpha(c); });
  StringRef words[] = {"kernel", "fn", "run", "tune", "@allow"};
  return llvm::is_contained(words, word) ? word : StringRef();
}

std::unique_ptr<MemoryBuffer> files::toShow(const MemoryBuffer &buffer) {
  std::string text = buffer.getBuffer().str();
  for (size_t begin = 0, size; begin < text.size(); begin += size) {
    StringRef rest = StringRef(text).substr(begin);
    size =
        std::min<size_t>(llvm::getNumBytesForUTF8(rest.front()), rest.size());
    StringRef letter = rest.take_front(size);
    if (llvm::isPrint(letter.front()) || StringRef("\t\n\r").contains(letter) ||
        llvm::sys::unicode::columnWidthUTF8(letter) >= 0)
      continue;
    // What is no letter may be several: one byte at a time.
    size = 1;
    text[begin] = '?';
  }
  return MemoryBuffer::getMemBufferCopy(text, buffer.getBufferIdentifier());
}

bool files::checkIR(const llvm::SourceMgr &sources) {
  const MemoryBuffer *buffer = sources.getMemoryBuffer(sources.getMainFileID());
  if (mlir::isBytecode(buffer->getMemBufferRef()))
    return true;
  if (StringRef word = languageWord(buffer->getBuffer()); !word.empty()) {
    sources.PrintMessage(
        llvm::SMLoc::getFromPointer(word.begin()), llvm::SourceMgr::DK_Error,
        "expected IR, got '" + word +
            "' of the .tile language, which is read from files whose names end "
            "in .tile; tilec --emit=tile makes IR of them");
    return false;
  }
  std::optional<size_t> place = findDeepNesting(buffer->getBuffer());
  if (!place)
    return true;
  sources.PrintMessage(
      llvm::errs(),
      llvm::SMLoc::getFromPointer(buffer->getBufferStart() + *place),
      llvm::SourceMgr::DK_Error,
      "expected IR that nests at most " + llvm::Twine(kMaxNesting) +
          " deep, got more: take inner regions or attributes apart");
  return false;
}

/// Flushes, and says whether all has been written to `name`.
static Status finish(llvm::raw_fd_ostream &stream, StringRef name) {
  stream.flush();
  std::error_code code = stream.error();
  // What is not cleared ends the process.
  stream.clear_error();
  if (!code)
    return Status::success();
  return cannotWrite(name, code);
}

Status files::finishOutput() { return finish(llvm::outs(), "<stdout>"); }

Status files::writeFile(StringRef path, StringRef contents) {
  if (path == "-") {
    llvm::outs() << contents;
    return finishOutput();
  }
  std::error_code code;
  llvm::raw_fd_ostream file(path, code, fs::OF_None);
  if (code)
    return cannotWrite(path, code);
  file << contents;
  return finish(file, path);
}

/// Writes all to a temporary file, which is still to be kept.
static Status writeTemporary(const fs::TempFile &file, StringRef path,
                             StringRef contents,
                             std::optional<fs::perms> permissions) {
  if (permissions)
    if (std::error_code code = fs::setPermissions(file.FD, *permissions))
      return cannotWrite(path, code);
  llvm::raw_fd_ostream stream(file.FD, /*shouldClose=*/false);
  stream << contents;
  return finish(stream, path);
}

Status files::replaceFile(StringRef path, StringRef contents) {
  fs::file_status status;
  std::error_code code = fs::status(path, status, /*Follow=*/false);
  bool isNew = status.type() == fs::file_type::file_not_found;
  if (code && !isNew)
    return cannotWrite(path, code);
  if (!isNew && !fs::is_regular_file(status))
    return Error(
        ("expected a regular file to write, got '" + path + "'").str());
  llvm::Expected<fs::TempFile> file =
      fs::TempFile::create(path + ".%%%%%%.tmp");
  if (!file)
    return cannotWrite(path, llvm::errorToErrorCode(file.takeError()));
  std::optional<fs::perms> permissions;
  if (!isNew)
    permissions = status.permissions();
  if (Status written = writeTemporary(*file, path, contents, permissions);
      !written) {
    llvm::consumeError(file->discard());
    return written;
  }
  if (llvm::Error failure = file->keep(path))
    return cannotWrite(path, llvm::errorToErrorCode(std::move(failure)));
  return Status::success();
}
