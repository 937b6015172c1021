//===- Formulas.h - Comments that read like divisors ------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_FORMULAS_H
#define TILE_FRONTEND_FORMULAS_H

#include "llvm/ADT/StringSet.h"

namespace tile::frontend {

/// Whether the comment, with its `//`, is what Python would divide by: a
/// number, a name of the source, or operators, calls and indices of such. Prose
/// is not, and neither is one name in parentheses, which is a remark.
bool readsLikeDivisor(llvm::StringRef comment, const llvm::StringSet<> &names);

} // namespace tile::frontend

#endif // TILE_FRONTEND_FORMULAS_H
