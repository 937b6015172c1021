//===- PlanSetting.h - Decisions of --set -----------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_OPTIONS_PLANSETTING_H
#define TILE_TOOLS_OPTIONS_PLANSETTING_H

#include "tile/IR/PlanKeys.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>

namespace tile {

/// What is wrong with plan.KEY=VALUE of --set; nothing if nothing is.
inline std::optional<std::string> describeWrongSetting(llvm::StringRef text) {
  std::optional<llvm::StringRef> setting = readPlanSetting(text);
  if (!setting)
    return "expected plan.KEY=VALUE, got '" + text.str() + "'";
  auto [name, value] = setting->split('=');
  const PlanKey *key = findPlanKey(name);
  if (key && key->takes(value))
    return std::nullopt;
  std::string result;
  llvm::raw_string_ostream stream(result);
  if (!key) {
    stream << "unknown plan key '" << name << "'; the keys are ";
    llvm::interleaveComma(planKeys(), stream,
                          [&](const PlanKey &known) { stream << known.name; });
    return result;
  }
  stream << "expected plan." << name << " to be ";
  if (key->isInteger())
    stream << (key->powerOfTwo ? "a power of two" : "an integer") << " from "
           << key->min << " to " << key->max;
  else
    stream << "one of " << key->words;
  stream << ", got '" << value << "'";
  return result;
}

} // namespace tile

#endif // TILE_TOOLS_OPTIONS_PLANSETTING_H
