//===- CommandValues.h - What command lines have in common ------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_COMMANDVALUES_H
#define TILE_RUN_COMMANDVALUES_H

#include "Options.h"

#include "llvm/ADT/StringSet.h"

namespace tile::run {

/// What ends a process whose command line is wrong.
Failure usage(const llvm::Twine &message);

/// What LLVM's parser of options says, without its name of the tool.
Failure wrongOptions(llvm::StringRef message, llvm::StringRef program);

/// Reads each NAME=SPEC.  `names` has those that are taken, and gets these.
StepResult readArguments(llvm::ArrayRef<std::string> texts,
                         llvm::StringSet<> &names, Options &options);

/// Reads each plan.KEY=VALUE of --set, with commas between several values; the
/// target of the options is that of the plan where they have none.
StepResult readSettings(llvm::ArrayRef<std::string> texts, Options &options);

/// Whether --arch names a chip.
StepResult checkChip(llvm::StringRef chip);

} // namespace tile::run

#endif // TILE_RUN_COMMANDVALUES_H
