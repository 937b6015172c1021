//===- JsonDepth.cpp - How deep a JSON text nests -------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/JsonDepth.h"

using namespace tile::runtime;

/// "line:column" of a position.
static std::string placeText(std::string_view text, size_t at) {
  size_t line = 1, column = 1;
  for (char c : text.substr(0, at)) {
    column = c == '\n' ? 1 : column + 1;
    line += c == '\n';
  }
  return std::to_string(line) + ":" + std::to_string(column);
}

/// The position behind the string that starts at `at`.
static size_t skipString(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\')
      ++at;
  return at + 1;
}

Status tile::runtime::checkJsonDepth(std::string_view text) {
  unsigned depth = 0;
  for (size_t at = 0; at < text.size();) {
    char c = text[at];
    if (c == '"') {
      at = skipString(text, at);
      continue;
    }
    if (c == '[' || c == '{')
      ++depth;
    else if ((c == ']' || c == '}') && depth > 0)
      --depth;
    if (depth > kMaxJsonDepth)
      return Error("expected JSON that nests at most " +
                   std::to_string(kMaxJsonDepth) + " deep, got more at " +
                   placeText(text, at));
    ++at;
  }
  return Status::success();
}
