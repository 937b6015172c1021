//===- PlanKeys.h - The table of plan keys ----------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table of the decisions that concern a whole kernel.  It feeds the
// verifier of #tile.plan, `--set plan.KEY=VALUE`, the manifest and the
// documentation (`tilec --help-plan` prints it).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_IR_PLANKEYS_H
#define TILE_IR_PLANKEYS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tile {

/// One decision: its name, what it may be and what it is when nobody says.
struct PlanKey {
  /// The word before `=`.
  llvm::StringLiteral name;
  /// Words allowed, separated by `|`; empty for an integer.
  llvm::StringLiteral words;
  /// Bounds of an integer, both allowed.
  int64_t min, max;
  /// Whether an integer must be a power of two.
  bool powerOfTwo;
  /// Value when the key is absent: one of `words`, or an integer's text; empty
  /// where the planner has a rule.
  llvm::StringLiteral fallback;
  /// One sentence for people.
  llvm::StringLiteral summary;

  bool isInteger() const { return words.empty(); }
  /// Whether `word` is one of `words`.
  bool allows(llvm::StringRef word) const;
  /// Whether an integer is within the bounds, and a power of two if it must be.
  bool fits(int64_t value) const;
  /// What a value must be, as "a power of two from 1 to 16".
  std::string expectation() const;
  /// Whether `text` is a value of it: one of `words`, or an integer that fits.
  bool takes(llvm::StringRef text) const;
};

/// All keys, in the order of the documentation.
llvm::ArrayRef<PlanKey> planKeys();

/// The key of this name, or null.
const PlanKey *findPlanKey(llvm::StringRef name);

/// "unknown plan key 'warp'; the keys are ...".
std::string describeUnknownPlanKey(llvm::StringRef name);

/// KEY=VALUE out of `plan.KEY=VALUE`, as command lines spell a decision;
/// nothing where `text` is not of that form.  Whether the key is known is not
/// checked.
std::optional<llvm::StringRef> readPlanSetting(llvm::StringRef text);

} // namespace tile

#endif // TILE_IR_PLANKEYS_H
