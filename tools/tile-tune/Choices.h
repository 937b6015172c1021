//===- Choices.h - What a tune declaration has to try -----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TUNE_CHOICES_H
#define TILE_TOOLS_TUNE_CHOICES_H

#include "tile-run/RunBinder.h"

#include "tile/Frontend/TuneBlock.h"

namespace tile::tune {

/// One way to compile a kernel.
struct Choice {
  /// Compile-time parameters, and decisions of the plan, each NAME=VALUE.  Both
  /// empty: the program as it stands.
  std::vector<std::string> parameters, settings;

  bool operator==(const Choice &other) const {
    return parameters == other.parameters && settings == other.settings;
  }
  bool isStanding() const { return parameters.empty() && settings.empty(); }
  /// "BM=128 warps=8"; "as it stands".
  std::string text() const;
};

/// What is made of one or more declarations for a kernel.
struct Choices {
  /// In the order of the declarations; the last name changes fastest.
  std::vector<Choice> list;
  /// How many more the constraints exclude.
  size_t numExcluded = 0;
};

/// What names stand for besides their candidates.
struct Surroundings {
  /// Compile-time parameters of the program as it stands, and decisions of the
  /// plan that are given.
  llvm::StringMap<std::string> values;
  /// Compile-time parameters of the kernel.
  llvm::ArrayRef<frontend::RunParameter> parameters;
  /// Parameters whose default follows from others, in order.
  std::vector<const frontend::RunParameter *> defaults;
  /// What the command line says: of these names the only candidate.
  llvm::StringMap<std::string> given;
};

/// Whether an expression has a name in it.
bool hasName(const frontend::RunExpr &expr);

/// Lists the choices of `block` that its constraints allow, behind those that
/// `choices` has.
run::BindResult listChoices(const frontend::TuneBlock &block,
                            const Surroundings &surroundings, Choices &choices);

} // namespace tile::tune

#endif // TILE_TOOLS_TUNE_CHOICES_H
