//===- CommandValues.cpp - What command lines have in common --------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandValues.h"

#include "options/PlanSetting.h"
#include "options/RepeatedName.h"
#include "tile/Frontend/Numbers.h"
#include "tile/GPU/Target.h"
#include "tile/IR/PlanKeys.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace tile;
using namespace tile::run;
using llvm::StringRef;

Failure run::usage(const llvm::Twine &message) {
  return Failure(ExitCode::Usage, message.str());
}

Failure run::wrongOptions(StringRef message, StringRef program) {
  message.consume_front((llvm::sys::path::filename(program) + ": ").str());
  return usage(message.trim());
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
  if (std::optional<std::string> wrong = describeRepeatedName(texts))
    return usage("--set: " + *wrong);
  for (StringRef text : texts) {
    std::string plain = frontend::withPlainIntegers(text);
    std::optional<StringRef> setting = readPlanSetting(plain);
    if (!setting)
      return usage("--set: " + *describeWrongSetting(plain));
    auto [name, values] = StringRef(plain).split('=');
    for (StringRef value : llvm::split(values, ','))
      if (std::optional<std::string> wrong =
              describeWrongSetting((name + "=" + value).str()))
        return usage("--set: " + *wrong);
    options.settings.push_back(setting->str());
    if (name != "plan.target" || values == options.target)
      continue;
    if (!options.target.empty())
      return usage("expected --arch and plan.target to agree, got '" +
                   options.target + "' and '" + values + "'");
    options.target = values.str();
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
