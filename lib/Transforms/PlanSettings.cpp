//===- PlanSettings.cpp - Decisions that are given as text ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Transforms/PlanSettings.h"

#include "tile/IR/PlanKeys.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tile;

FailureOr<PlanAttr>
tile::withSettings(PlanAttr plan, ArrayRef<std::string> settings,
                   llvm::function_ref<InFlightDiagnostic()> emitError) {
  Builder builder(plan.getContext());
  NamedAttrList entries(plan.getEntries());
  llvm::StringMap<StringRef> given;
  for (StringRef setting : settings) {
    auto [name, text] = setting.split('=');
    if (name.empty() || name.size() == setting.size())
      return emitError() << "expected a setting KEY=VALUE, got '" << setting
                         << "'";
    auto [earlier, isFirst] = given.insert({name, setting});
    if (!isFirst)
      return emitError() << "expected one value for plan key '" << name
                         << "', got '" << earlier->getValue() << "' and '"
                         << setting << "'";
    Attribute value = builder.getStringAttr(text);
    const PlanKey *key = findPlanKey(name);
    int64_t integer;
    if (key && key->isInteger() && !text.getAsInteger(10, integer))
      value = builder.getI64IntegerAttr(integer);
    entries.set(name, value);
  }
  auto changed = PlanAttr::getChecked(emitError, plan.getContext(),
                                      entries.getDictionary(plan.getContext()));
  if (!changed)
    return failure();
  return changed;
}
