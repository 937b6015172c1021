//===- Assembler.cpp - ptxas, where tilec finds it ------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assembler.h"

#include "files/Files.h"
#include "tile/Target/PTX.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"

using namespace tile;
using namespace tile::tilec;

std::optional<Assembler> Assembler::find(llvm::StringRef name) {
  llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName(name);
  if (program)
    return Assembler(*program);
  llvm::errs() << "tilec: expected the assembler '" << name
               << "' on the path (or --ptxas=FILE): "
               << program.getError().message() << "\n";
  return std::nullopt;
}

int Assembler::release() const {
  llvm::SmallString<64> answer;
  if (llvm::sys::fs::createTemporaryFile("tilec", "txt", answer))
    return 0;
  llvm::FileRemover remove(answer);
  llvm::StringRef nothing("");
  llvm::sys::ExecuteAndWait(program, {program, "--version"}, std::nullopt,
                            {nothing, llvm::StringRef(answer), nothing},
                            /*SecondsToWait=*/10);
  auto text = llvm::MemoryBuffer::getFile(answer);
  llvm::SmallVector<llvm::StringRef, 3> found;
  if (!text || !llvm::Regex("release ([0-9]+)\\.([0-9]+)")
                    .match((*text)->getBuffer(), &found))
    return 0;
  int major = 0, minor = 0;
  if (found[1].getAsInteger(10, major) || found[2].getAsInteger(10, minor))
    return 0;
  return 1000 * major + 10 * minor;
}

bool Assembler::settlePTXVersion(CompileOptions &options) const {
  int cuda = options.ptxVersion == 0 ? release() : 0;
  if (cuda == 0)
    return true;
  options.ptxVersion = choosePTXVersion(options.target, cuda);
  if (options.ptxVersion != 0)
    return true;
  llvm::errs() << "tilec: expected an assembler of CUDA "
               << oldestCudaFor(options.target) << " or newer for "
               << options.target << ", got '" << program << "' of CUDA "
               << cuda / 1000 << "." << cuda % 1000 / 10 << "\n";
  return false;
}

ExitCode Assembler::run(llvm::StringRef chip, llvm::StringRef ptx,
                        std::string &cubin) const {
  llvm::SmallString<64> source, binary;
  if (llvm::sys::fs::createTemporaryFile("tilec", "ptx", source) ||
      llvm::sys::fs::createTemporaryFile("tilec", "cubin", binary)) {
    llvm::errs() << "tilec: cannot create a temporary file\n";
    return ExitCode::Runtime;
  }
  llvm::FileRemover removeSource(source), removeBinary(binary);
  if (runtime::Status written = files::writeFile(source, ptx); !written) {
    llvm::errs() << "tilec: " << written.error().text() << "\n";
    return ExitCode::Runtime;
  }
  std::string arch = "--gpu-name=" + chip.str();
  std::string message;
  int status = llvm::sys::ExecuteAndWait(
      program, {program, arch, source, "-o", binary}, std::nullopt, {},
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &message);
  auto bytes = llvm::MemoryBuffer::getFile(binary, /*IsText=*/false);
  if (status != 0 || !bytes) {
    llvm::errs() << "tilec: '" << program << "' ended with status " << status
                 << (message.empty() ? "" : ": ") << message << "\n";
    return ExitCode::Runtime;
  }
  if ((*bytes)->getBuffer().empty()) {
    llvm::errs() << "tilec: expected a cubin from '" << program
                 << "', got nothing\n";
    return ExitCode::Runtime;
  }
  cubin = (*bytes)->getBuffer().str();
  return ExitCode::Ok;
}
