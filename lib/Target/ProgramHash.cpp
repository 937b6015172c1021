//===- ProgramHash.cpp - Whether a kernel has changed ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Target/ProgramHash.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

std::string tile::programHash(KernelOp kernel) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  // What a context or a command line prints besides must not count.
  kernel->print(stream, mlir::OpPrintingFlags()
                            .enableDebugInfo(false)
                            .printNameLocAsPrefix(false)
                            .useLocalScope());
  uint64_t hash = llvm::xxh3_64bits(llvm::StringRef(text));
  return llvm::utohexstr(hash, /*LowerCase=*/true, /*Width=*/16);
}
