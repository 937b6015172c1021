//===- EntryPoints.h - Functions of a library opened at run time *- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_ENTRYPOINTS_H
#define TILE_RUNTIME_ENTRYPOINTS_H

#include <dlfcn.h>

#include <string>

namespace tile::runtime {

/// Looks up the entry points of a library and notes the first that is missing.
class EntryPoints {
public:
  /// `library` is what dlopen returned.
  explicit EntryPoints(void *library) : library(library) {}

  /// Sets `entry` to the address of `symbol`, or to null.
  template <typename FnT>
  void find(FnT &entry, const char *symbol, bool isOptional = false) {
    void *address = dlsym(library, symbol);
    if (!address && !isOptional && missing.empty())
      missing = symbol;
    entry = reinterpret_cast<FnT>(address);
  }

  /// The first symbol that is missing and not optional, or empty.
  const std::string &firstMissing() const { return missing; }

private:
  void *library;
  std::string missing;
};

} // namespace tile::runtime

#endif // TILE_RUNTIME_ENTRYPOINTS_H
