//===- LineTable.cpp - Places of a text as editors count them -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LineTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace tile::editor;

/// UTF-16 units of the character that begins with this byte; 0 inside of one.
static int unitsOf(char byte) {
  auto value = static_cast<unsigned char>(byte);
  if ((value & 0xc0) == 0x80)
    return 0;
  return value >= 0xf0 ? 2 : 1;
}

LineTable::LineTable(StringRef text) : text(text) {
  starts.push_back(text.begin());
  for (const char &c : text)
    if (c == '\n')
      starts.push_back(&c + 1);
}

lsp::Position LineTable::position(const char *place) const {
  if (!place)
    return {0, 0};
  size_t line = upper_bound(starts, place) - starts.begin() - 1;
  int character = 0;
  for (const char *at = starts[line]; at < place && at < text.end(); ++at)
    character += unitsOf(*at);
  return {static_cast<int>(line), character};
}

lsp::Range LineTable::range(SMRange range) const {
  return {position(range.Start.getPointer()), position(range.End.getPointer())};
}

SMLoc LineTable::place(lsp::Position position) const {
  if (position.line < 0 || size_t(position.line) >= starts.size())
    return SMLoc::getFromPointer(text.end());
  const char *at = starts[position.line];
  int character = 0;
  while (at < text.end() && *at != '\n') {
    int units = unitsOf(*at);
    if (units > 0 && character >= position.character)
      break;
    character += units;
    ++at;
  }
  return SMLoc::getFromPointer(at);
}
