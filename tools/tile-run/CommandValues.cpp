//===- CommandValues.cpp - What command lines have in common --------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandValues.h"

#include "tile/Frontend/Numbers.h"
#include "tile/GPU/Target.h"
#include "tile/IR/PlanKeys.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile;
using namespace tile::run;
using llvm::StringRef;

Failure run::usage(const llvm::Twine &message) {
  return Failure(ExitCode::Usage, message.str());
}

StepResult run::readArguments(llvm::ArrayRef<std::string> texts,
                              llvm::StringSet<> &names, Options &options) {
  for (const std::string &text : texts) {
    runtime::Result<ArgumentSpec> spec = parseArgumentSpec(text);
    if (!spec)
      return Failure(ExitCode::Usage, spec.error());
    if (!names.insert(spec->name).second)
      return usage("argument '" + spec->name +
                   "': expected one value, got two");
    options.arguments.push_back(std::move(*spec));
  }
  return {};
}

StepResult run::readSettings(llvm::ArrayRef<std::string> texts,
                             Options &options) {
  for (StringRef text : texts) {
    std::optional<StringRef> setting = readPlanSetting(text);
    if (!setting)
      return usage("--set: expected plan.KEY=VALUE, got '" + text + "'");
    options.settings.push_back(frontend::withPlainIntegers(*setting));
  }
  return {};
}

StepResult run::checkChip(StringRef chip) {
  if (findTarget(chip))
    return {};
  llvm::SmallVector<StringRef> names;
  for (const TargetInfo &target : targets())
    names.push_back(target.name);
  return usage("--arch: expected one of " + llvm::join(names, ", ") +
               ", got '" + chip + "'");
}
