//===- RepeatedName.h - NAME=VALUE that is given twice ----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_OPTIONS_REPEATEDNAME_H
#define TILE_TOOLS_OPTIONS_REPEATEDNAME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"

#include <optional>
#include <string>

namespace tile {

/// What is wrong with a list of NAME=VALUE that gives one NAME two values, one
/// of which would do nothing; nothing where none does.
inline std::optional<std::string>
describeRepeatedName(llvm::ArrayRef<std::string> list) {
  llvm::StringSet<> names;
  for (llvm::StringRef text : list) {
    llvm::StringRef name = text.split('=').first;
    if (!names.insert(name).second)
      return "expected one value for '" + name.str() + "', got two";
  }
  return std::nullopt;
}

} // namespace tile

#endif // TILE_TOOLS_OPTIONS_REPEATEDNAME_H
