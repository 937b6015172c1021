//===- Target.cpp - What the chips have -----------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/GPU/Target.h"

#include "llvm/ADT/STLExtras.h"

using namespace tile;

static constexpr TargetInfo kTargets[] = {
    {"sm_80", 80, 163 * 1024, 164 * 1024, false, 70},
    {"sm_86", 86, 99 * 1024, 100 * 1024, false, 71},
    {"sm_89", 89, 99 * 1024, 100 * 1024, false, 78},
    {"sm_90a", 90, 227 * 1024, 228 * 1024, true, 80},
    {"sm_100a", 100, 227 * 1024, 228 * 1024, false, 86},
    {"sm_120", 120, 99 * 1024, 100 * 1024, false, 87},
};

llvm::ArrayRef<TargetInfo> tile::targets() { return kTargets; }

const TargetInfo *tile::findTarget(llvm::StringRef name) {
  const auto *target = llvm::find_if(
      kTargets, [&](const TargetInfo &entry) { return entry.name == name; });
  return target == std::end(kTargets) ? nullptr : target;
}
