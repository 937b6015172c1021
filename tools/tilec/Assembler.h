//===- Assembler.h - ptxas, where tilec finds it ----------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TILEC_ASSEMBLER_H
#define TILE_TOOLS_TILEC_ASSEMBLER_H

#include "options/ExitCode.h"
#include "tile/Target/Compile.h"

#include <optional>
#include <string>

namespace tile::tilec {

/// The program that makes cubins of PTX.
class Assembler {
public:
  /// Looks for it on the path; an error says so.
  static std::optional<Assembler> find(llvm::StringRef name);

  /// Gives options without a PTX version one that the assembler reads; an error
  /// says that there is none.  An assembler that does not tell its release
  /// takes what it gets.
  bool settlePTXVersion(CompileOptions &options) const;

  /// Assembles `ptx`; what the assembler writes goes to stderr.
  ExitCode run(llvm::StringRef chip, llvm::StringRef ptx,
               std::string &cubin) const;

private:
  explicit Assembler(std::string program) : program(std::move(program)) {}

  /// Its CUDA, as cuDriverGetVersion counts; 0 where it does not say.
  int release() const;

  std::string program;
};

} // namespace tile::tilec

#endif // TILE_TOOLS_TILEC_ASSEMBLER_H
