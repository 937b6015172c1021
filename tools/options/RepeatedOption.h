//===- RepeatedOption.h - Options that are given twice ----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_OPTIONS_REPEATEDOPTION_H
#define TILE_TOOLS_OPTIONS_REPEATEDOPTION_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"

#include <optional>
#include <string>

namespace tile {

/// What is wrong with a command line that gives an option of the category
/// twice, all but the last of which LLVM drops silently; nothing where none is.
/// Lists may be given more often.
inline std::optional<std::string>
describeRepeatedOption(const llvm::cl::OptionCategory &category) {
  llvm::StringRef first;
  for (const auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (option->getNumOccurrences() > 1 && option->ArgStr == name &&
        option->getNumOccurrencesFlag() == llvm::cl::Optional &&
        llvm::is_contained(option->Categories, &category) &&
        (first.empty() || name < first))
      first = name;
  if (first.empty())
    return std::nullopt;
  return (first.size() == 1 ? "-" : "--") + first.str() +
         ": expected the option once, got it twice";
}

} // namespace tile

#endif // TILE_TOOLS_OPTIONS_REPEATEDOPTION_H
