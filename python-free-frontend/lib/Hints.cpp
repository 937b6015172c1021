//===- Hints.cpp - Decisions that the author takes ------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "Runs.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;
using llvm::SMRange;

/// A plan's keys that a kernel may set, for a message.
static std::string keyNames() {
  SmallVector<StringRef> names;
  for (const PlanKey &key : planKeys())
    if (key.name != "target")
      names.push_back(key.name);
  return llvm::join(names, ", ");
}

Attribute KernelEmitter::hintValue(const Hint &hint, const PlanKey &key) {
  const Expr &expr = *hint.value;
  if (!key.isInteger()) {
    if (expr.kind == Expr::Name && key.allows(expr.text))
      return builder.getStringAttr(expr.text);
    errors.error(expr.range, "expected " + key.words + " as '" + key.name +
                                 "', got another expression");
    return {};
  }
  std::optional<int64_t> value =
      emitInteger(expr, "as '" + Twine(StringRef(key.name)) + "'");
  if (!value)
    return {};
  if (key.fits(*value))
    return builder.getI64IntegerAttr(*value);
  errors.error(expr.range,
               "expected " +
                   Twine(key.powerOfTwo ? "a power of two" : "a value") +
                   " from " + Twine(key.min) + " to " + Twine(key.max) +
                   " as '" + key.name + "', got " + Twine(*value));
  return {};
}

/// `warps = 8` and the like behind a kernel's grid; null where there is none.
PlanAttr KernelEmitter::planOf(const Kernel &kernel) {
  SmallVector<NamedAttribute> entries;
  llvm::StringMap<SMRange> seen;
  for (const Hint &hint : kernel.hints) {
    const PlanKey *key = findPlanKey(hint.key.text);
    if (!key || key->name == "target") {
      StringRef meant = hint.key.text;
      meant.consume_front("num_");
      SmallVector<StringRef> names;
      for (const PlanKey &entry : planKeys())
        names.push_back(entry.name);
      errors
          .error(hint.key.range, "expected a key of the plan (" + keyNames() +
                                     "), got '" + hint.key.text + "'")
          .help(findPlanKey(meant) ? ("did you mean '" + meant + "'?").str()
                                   : helpForName(meant, names));
      continue;
    }
    auto [place, isNew] = seen.try_emplace(key->name, hint.key.range);
    if (!isNew) {
      errors.error(hint.key.range,
                   "expected one value of '" + key->name + "', got two",
                   place->second, "the first one is here");
      continue;
    }
    if (Attribute value = hintValue(hint, *key))
      entries.push_back(builder.getNamedAttr(key->name, value));
  }
  if (entries.empty())
    return {};
  return PlanAttr::get(builder.getContext(),
                       builder.getDictionaryAttr(entries));
}

/// `pipeline(stages = 3)` of a loop; null where there is none.
PipelineAttr KernelEmitter::pipelineOf(const Stmt &stmt) {
  if (stmt.hints.empty())
    return {};
  const Hint &hint = stmt.hints[0];
  if (hint.key.text != "stages") {
    errors.error(hint.key.range, "expected 'stages' in 'pipeline', got '" +
                                     hint.key.text + "'");
    return {};
  }
  auto stages =
      dyn_cast_if_present<IntegerAttr>(hintValue(hint, *findPlanKey("stages")));
  if (!stages)
    return {};
  return PipelineAttr::get(builder.getContext(), stages.getInt());
}

LintSet KernelEmitter::allowedBy(ArrayRef<Annotation> annotations,
                                 bool isStatement) {
  LintSet result = allowed;
  for (const Annotation &annotation : annotations) {
    bool isRequire = annotation.name.text == "require" && isStatement;
    if (annotation.name.text != "allow" && !isRequire)
      errors
          .error(annotation.name.range,
                 "expected '" +
                     Twine(isStatement ? "require' or 'allow" : "allow") +
                     "' after '@', got '" + annotation.name.text + "'")
          .help(isStatement ? "" : "'@require' stands in front of a statement");
    if (annotation.name.text != "allow")
      continue;
    for (const Identifier &word : annotation.words) {
      if (std::optional<Lint> lint = findLint(word.text)) {
        result |= bitOf(*lint);
        continue;
      }
      SmallVector<StringRef> names;
      StringRef longer;
      for (const LintInfo &info : lints()) {
        names.push_back(info.name);
        if (names.back().starts_with(word.text))
          longer = names.back();
      }
      errors
          .error(word.range, "expected a lint (" + llvm::join(names, ", ") +
                                 "), got '" + word.text + "'")
          .help(longer.empty() ? helpForName(word.text, names)
                               : "did you mean '" + longer.str() + "'?");
    }
  }
  return result;
}

/// Emits the statement; what it makes gets what is required of it.
void KernelEmitter::emitAnnotated(const Stmt &stmt) {
  LintSet outside = allowed;
  allowed = allowedBy(stmt.annotations, /*isStatement=*/true);
  mlir::Block *block = builder.getInsertionBlock();
  auto next = builder.getInsertionPoint();
  Operation *before = next == block->begin() ? nullptr : &*std::prev(next);
  emitStatementOfKind(stmt);
  allowed = outside;
  SmallVector<Operation *> ops;
  auto first = before ? std::next(before->getIterator()) : block->begin();
  for (Operation &op : llvm::make_range(first, builder.getInsertionPoint()))
    op.walk([&](Operation *inner) { ops.push_back(inner); });
  for (const Annotation &annotation : stmt.annotations)
    if (annotation.name.text == "require")
      require(annotation, ops);
}

/// The features that the annotation names, each with its place.
SmallVector<std::pair<Feature, SMRange>>
KernelEmitter::featuresOf(const Annotation &annotation) {
  SmallVector<std::pair<Feature, SMRange>> features;
  for (const Identifier &word : annotation.words)
    if (std::optional<Feature> feature = symbolizeFeature(word.text))
      features.emplace_back(*feature, word.range);
    else
      errors.error(word.range, "expected a feature (mma_sync, wgmma, cp_async, "
                               "tma, pipelined), got '" +
                                   word.text + "'");
  return features;
}

/// What can have the feature, for a message.
static StringRef placesOf(Feature feature) {
  if (feature == Feature::MmaSync || feature == Feature::Wgmma)
    return "a dot";
  return feature == Feature::Tma ? "a load or a store" : "a load";
}

void KernelEmitter::require(const Annotation &annotation,
                            ArrayRef<Operation *> ops) {
  for (auto [feature, range] : featuresOf(annotation))
    if (!requireOne(feature, ops) && errors.empty())
      errors.error(range, "expected " + placesOf(feature) +
                              " in the statement, for which '" +
                              stringifyFeature(feature) +
                              "' is required, got none");
}

/// Adds the feature to what the op insists on.
template <typename OpT>
static void addFeature(OpT op, Feature feature) {
  SmallVector<Feature> features;
  if (std::optional<RequireAttr> require = op.getRequire())
    llvm::append_range(features, require->getFeatures());
  if (!llvm::is_contained(features, feature))
    features.push_back(feature);
  op.setRequireAttr(RequireAttr::get(op.getContext(), features));
}

/// Whether some op of the statement can have the feature.
bool KernelEmitter::requireOne(Feature feature, ArrayRef<Operation *> ops) {
  bool isOfDot = feature == Feature::MmaSync || feature == Feature::Wgmma;
  bool found = false;
  for (Operation *op : ops) {
    if (auto dot = dyn_cast<DotOp>(op); dot && isOfDot) {
      addFeature(dot, feature);
      found = true;
    } else if (auto load = dyn_cast<LoadOp>(op); load && !isOfDot) {
      addFeature(load, feature);
      found = true;
    } else if (auto store = dyn_cast<StoreOp>(op);
               store && feature == Feature::Tma) {
      addFeature(store, feature);
      found = true;
    }
  }
  return found;
}
