//===- SourceIndex.cpp - What the expressions of a source are -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Frontend/SourceIndex.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace tile::frontend;

void SourceIndex::record(SMRange range, std::string what) {
  if (!range.isValid())
    return;
  std::vector<std::string> &list =
      kinds[{range.Start.getPointer(), range.End.getPointer()}];
  if (list.size() < kMaxKinds && !is_contained(list, what))
    list.push_back(std::move(what));
}

ArrayRef<std::string> SourceIndex::find(SMRange range) const {
  auto found = kinds.find({range.Start.getPointer(), range.End.getPointer()});
  if (found == kinds.end())
    return {};
  return found->second;
}

SMRange SourceIndex::rangeAt(SMLoc place) const {
  const char *at = place.getPointer();
  const Range *best = nullptr;
  for (const auto &[range, unused] : kinds) {
    if (range.first > at)
      break;
    bool holds = at < range.second;
    if (holds &&
        (!best || range.second - range.first < best->second - best->first))
      best = &range;
  }
  if (!best)
    return {};
  return {SMLoc::getFromPointer(best->first),
          SMLoc::getFromPointer(best->second)};
}
