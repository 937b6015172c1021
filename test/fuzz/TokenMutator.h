//===- TokenMutator.h - Changes texts by words of the language --*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FUZZ_TOKENMUTATOR_H
#define TILE_FUZZ_TOKENMUTATOR_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tile::fuzz {

/// `source`, a text in the .tile language, changed in one to three places so
/// that it mostly still parses.  What is put in is of the language, of the
/// source or of `other`.  The same seed makes the same change.
std::string mutateWords(llvm::StringRef source, llvm::StringRef other,
                        unsigned seed);

} // namespace tile::fuzz

#endif // TILE_FUZZ_TOKENMUTATOR_H
