//===- tile-fmt.cpp - Brings .tile sources into their one form ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "files/Files.h"
#include "options/ExitCode.h"
#include "options/RepeatedOption.h"

#include "tile/Frontend/Format.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;
using llvm::StringRef;

static constexpr llvm::StringLiteral kOverview =
    "tile-fmt: bring .tile sources into their one form\n\n"
    "Exit codes: 0 done; 1 --check found files in another form; 2 the command\n"
    "line is wrong; 3 a source cannot be read or does not parse; 4 a result\n"
    "cannot be written.\n";

namespace {
/// What becomes of a formatted source.
enum class Action { Print, Rewrite, Check };
} // namespace

/// Replaces the file at once, so that it is never half a source; links stay,
/// and so do permissions.
static llvm::Error replaceFile(StringRef path, StringRef text) {
  namespace fs = llvm::sys::fs;
  llvm::SmallString<128> target;
  if (std::error_code code = fs::real_path(path, target))
    return llvm::errorCodeToError(code);
  llvm::ErrorOr<fs::perms> permissions = fs::getPermissions(target);
  if (!permissions)
    return llvm::errorCodeToError(permissions.getError());
  // The rename below would not ask.
  if (std::error_code code = fs::access(target, fs::AccessMode::Write))
    return llvm::errorCodeToError(code);
  llvm::Expected<fs::TempFile> file =
      fs::TempFile::create(target + ".tmp%%%%%%", *permissions);
  if (!file)
    return file.takeError();
  llvm::raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
  stream << text;
  stream.flush();
  std::error_code failure = stream.error();
  stream.clear_error();
  if (!failure)
    failure = fs::setPermissions(file->TmpName, *permissions);
  if (!failure)
    return file->keep(target);
  return llvm::joinErrors(llvm::errorCodeToError(failure), file->discard());
}

/// Formats one file, and says on stderr what went wrong.
static ExitCode formatFile(StringRef path, Action action) {
  auto input = files::readFile(path);
  if (!input) {
    llvm::errs() << "tile-fmt: " << input.error().text() << "\n";
    return ExitCode::Compile;
  }
  llvm::SourceMgr sources;
  unsigned id = sources.AddNewSourceBuffer(std::move(*input), llvm::SMLoc());
  StringRef source = sources.getMemoryBuffer(id)->getBuffer();
  frontend::FormatResult result = frontend::format(source);
  frontend::printDiagnostics(sources, result.diagnostics, llvm::errs());
  if (!result.text)
    return ExitCode::Compile;
  bool isSame = *result.text == source;
  if (action == Action::Check) {
    if (!isSame)
      llvm::outs() << path << "\n";
    return isSame ? ExitCode::Ok : ExitCode::Mismatch;
  }
  if (action == Action::Print || path == "-") {
    runtime::Status written = files::writeFile("-", *result.text);
    if (written)
      return ExitCode::Ok;
    llvm::errs() << "tile-fmt: " << written.error().text() << "\n";
    return ExitCode::Runtime;
  }
  if (isSame)
    return ExitCode::Ok;
  llvm::Error failure = replaceFile(path, *result.text);
  if (!failure)
    return ExitCode::Ok;
  llvm::errs() << "tile-fmt: expected a writable file '" << path
               << "': " << llvm::toString(std::move(failure)) << "\n";
  return ExitCode::Runtime;
}

int main(int argc, char **argv) {
  namespace cl = llvm::cl;
  cl::OptionCategory category("tile-fmt options");
  cl::list<std::string> paths(cl::Positional,
                              cl::desc("FILE... (- or none for stdin)"),
                              cl::cat(category));
  cl::opt<bool> rewrite("i", cl::desc("rewrite the files, each at once"),
                        cl::cat(category));
  cl::opt<bool> check("check",
                      cl::desc("only list files that are in another form"),
                      cl::cat(category));
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &llvm::errs()))
    return static_cast<int>(ExitCode::Usage);
  if (std::optional<std::string> wrong = describeRepeatedOption(category)) {
    llvm::errs() << "tile-fmt: " << *wrong << "\n";
    return static_cast<int>(ExitCode::Usage);
  }
  if (rewrite && check) {
    llvm::errs() << "tile-fmt: expected -i or --check, got both\n";
    return static_cast<int>(ExitCode::Usage);
  }
  Action action = check     ? Action::Check
                  : rewrite ? Action::Rewrite
                            : Action::Print;
  std::vector<std::string> files(paths.begin(), paths.end());
  if (files.empty())
    files.push_back("-");
  int worst = static_cast<int>(ExitCode::Ok);
  for (StringRef path : files)
    worst = std::max(worst, static_cast<int>(formatFile(path, action)));
  runtime::Status written = files::finishOutput();
  if (written)
    return worst;
  llvm::errs() << "tile-fmt: " << written.error().text() << "\n";
  return static_cast<int>(ExitCode::Runtime);
}
