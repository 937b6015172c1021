//===- PlanSetting.h - Decisions of --set -----------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_OPTIONS_PLANSETTING_H
#define TILE_TOOLS_OPTIONS_PLANSETTING_H

#include "tile/IR/PlanKeys.h"

#include "llvm/ADT/Twine.h"

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
  if (!key)
    return describeUnknownPlanKey(name);
  return ("expected plan." + name + " to be " + key->expectation() + ", got '" +
          value + "'")
      .str();
}

} // namespace tile

#endif // TILE_TOOLS_OPTIONS_PLANSETTING_H
