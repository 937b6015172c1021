//===- PlanKeys.cpp - The table of plan keys ------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/IR/PlanKeys.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;

static constexpr PlanKey kPlanKeys[] = {
    {"target", "sm_80|sm_86|sm_89|sm_90a|sm_100a|sm_120", 0, 0, false, "sm_80",
     "chip that the kernel is compiled for"},
    {"warps", "", 1, 16, true, "4", "warps that share one program"},
    {"stages", "", 1, 16, false, "", "ring slots of a pipelined loop"},
    {"instruction", "auto|fma|mma_sync|wgmma", 0, 0, false, "auto",
     "what every dot is made of"},
    {"copy", "auto|plain|cp_async|tma", 0, 0, false, "auto",
     "how tiles reach shared memory"},
    {"roles", "auto|single|split", 0, 0, false, "auto",
     "whether all warps do the same, or some load for the others"},
    {"grid", "auto|program|persistent", 0, 0, false, "auto",
     "whether a CTA runs one program or walks several"},
    {"cluster", "", 1, 2, true, "",
     "CTAs that share what they load, in a split persistent kernel"},
    {"epilogue", "auto|direct|staged", 0, 0, false, "auto",
     "whether results leave from the fragment or through shared memory"},
    {"tail", "auto|masked|split", 0, 0, false, "auto",
     "whether a loop masks the copies of every step, or of those that need it"},
};

bool PlanKey::allows(llvm::StringRef word) const {
  llvm::SmallVector<llvm::StringRef> allowed;
  words.split(allowed, '|');
  return llvm::is_contained(allowed, word);
}

bool PlanKey::fits(int64_t value) const {
  return value >= min && value <= max &&
         (!powerOfTwo || llvm::isPowerOf2_64(uint64_t(value)));
}

std::string PlanKey::expectation() const {
  if (!isInteger())
    return "one of " + words.str();
  return std::string(powerOfTwo ? "a power of two" : "an integer") + " from " +
         std::to_string(min) + " to " + std::to_string(max);
}

bool PlanKey::takes(llvm::StringRef text) const {
  int64_t value;
  if (!isInteger())
    return allows(text);
  return !text.getAsInteger(10, value) && fits(value);
}

llvm::ArrayRef<PlanKey> tile::planKeys() { return kPlanKeys; }

const PlanKey *tile::findPlanKey(llvm::StringRef name) {
  const auto *key = llvm::find_if(
      kPlanKeys, [&](const PlanKey &entry) { return entry.name == name; });
  return key == std::end(kPlanKeys) ? nullptr : key;
}

std::string tile::describeUnknownPlanKey(llvm::StringRef name) {
  std::string text = "unknown plan key '" + name.str() + "'; the keys are ";
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(planKeys(), stream,
                        [&](const PlanKey &known) { stream << known.name; });
  return text;
}

std::optional<llvm::StringRef> tile::readPlanSetting(llvm::StringRef text) {
  if (!text.consume_front("plan.") || !text.contains('='))
    return std::nullopt;
  return text;
}
