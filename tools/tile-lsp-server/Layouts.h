//===- Layouts.h - What the compiler makes of a source's tiles --*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_LSPSERVER_LAYOUTS_H
#define TILE_TOOLS_LSPSERVER_LAYOUTS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <utility>
#include <vector>

namespace tile::editor {

/// Layouts and decisions of the most specialised variant of each kernel, under
/// the plan that the compiler makes by itself.
class Layouts {
public:
  /// A line and a column, from 1.
  using Place = std::pair<unsigned, unsigned>;

  /// Lowers a copy of each kernel; one that does not lower has no layouts.
  Layouts(mlir::ModuleOp module, llvm::StringRef target);

  /// Of tiles that begin at the place, of the kind `kind`, such as "f32[64]".
  std::vector<std::string> at(Place place, llvm::StringRef kind) const;
  /// Of tiles that have this name in the source, between two places.
  std::vector<std::string> named(llvm::StringRef name, Place first, Place last,
                                 llvm::StringRef kind) const;
  /// What was decided about what begins at the place.
  std::vector<std::string> decisions(Place place) const;

private:
  struct Entry {
    Place place;
    std::string name, kind, layout;
  };
  void lower(mlir::Operation *kernel, mlir::MLIRContext *context,
             llvm::StringRef target);
  void record(mlir::Value value);
  void recordDecisions(mlir::Operation *kernel);

  std::vector<Entry> entries;
  std::vector<std::pair<Place, std::string>> decided;
};

} // namespace tile::editor

#endif // TILE_TOOLS_LSPSERVER_LAYOUTS_H
