//===- SourceIndex.h - What the expressions of a source are -----*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_SOURCEINDEX_H
#define TILE_FRONTEND_SOURCEINDEX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/SMLoc.h"

#include <map>
#include <string>
#include <vector>

namespace tile::frontend {

/// What each expression and each defined name is, for editors; compileSource
/// fills it, also from the right parts of a wrong source.
class SourceIndex {
public:
  /// Says what stands in the range, such as "f16[128, 64]".
  void record(llvm::SMRange range, std::string what);

  /// What the expression in exactly this range is: once for each way in which
  /// it was compiled, since a helper function is inlined by every call and a
  /// `static for` is unrolled.
  llvm::ArrayRef<std::string> find(llvm::SMRange range) const;

  /// The innermost recorded range that holds the place; not valid if none does.
  llvm::SMRange rangeAt(llvm::SMLoc place) const;

  /// More kinds than these are not kept for one range.
  static constexpr size_t kMaxKinds = 4;

private:
  using Range = std::pair<const char *, const char *>;
  std::map<Range, std::vector<std::string>> kinds;
};

} // namespace tile::frontend

#endif // TILE_FRONTEND_SOURCEINDEX_H
