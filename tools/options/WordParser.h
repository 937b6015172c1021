//===- WordParser.h - Options whose values are words ------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_OPTIONS_WORDPARSER_H
#define TILE_TOOLS_OPTIONS_WORDPARSER_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

namespace tile {

/// LLVM's parser of the words of an enumeration, with an error that says which
/// there are: cl::opt<T, false, WordParser<T>>.
template <typename T>
class WordParser : public llvm::cl::parser<T> {
public:
  using llvm::cl::parser<T>::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef text, T &value) {
    std::string words;
    for (const auto &entry : this->Values) {
      if (entry.Name == text) {
        value = entry.V.getValue();
        return false;
      }
      words += (words.empty() ? "" : ", ") + entry.Name.str();
    }
    return option.error("expected one of " + words + ", got '" + text + "'");
  }
};

} // namespace tile

#endif // TILE_TOOLS_OPTIONS_WORDPARSER_H
