//===- Diagnostics.h - Where the front end's errors gather ------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_DIAGNOSTICS_H
#define TILE_FRONTEND_DIAGNOSTICS_H

#include "tile/Frontend/Frontend.h"

#include "llvm/ADT/Twine.h"

namespace tile::frontend {

/// Collects errors, up to a number that a person would read.
class DiagnosticList {
public:
  explicit DiagnosticList(std::vector<Diagnostic> &list) : list(list) {}

  void error(llvm::SMRange range, const llvm::Twine &message) {
    if (!isFull())
      list.push_back({range, message.str(), {}});
  }
  void error(llvm::SMRange range, const llvm::Twine &message,
             llvm::SMRange place, const llvm::Twine &note) {
    if (!isFull())
      list.push_back({range, message.str(), {{place, note.str()}}});
  }
  bool empty() const { return list.empty(); }
  /// No more are recorded.
  bool isFull() const { return list.size() >= kMaxErrors; }

private:
  static constexpr size_t kMaxErrors = 20;
  std::vector<Diagnostic> &list;
};

} // namespace tile::frontend

#endif // TILE_FRONTEND_DIAGNOSTICS_H
