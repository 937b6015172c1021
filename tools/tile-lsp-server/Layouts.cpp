//===- Layouts.cpp - What the compiler makes of a source's tiles ----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layouts.h"

#include "tile/GPU/TileGPUOps.h"
#include "tile/IR/TileAttrs.h"
#include "tile/IR/TileOps.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tile;
using namespace tile::editor;

Layouts::Layouts(ModuleOp module, StringRef target) {
  MLIRContext *context = module.getContext();
  // Whether a kernel lowers is not asked here.
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
  for (KernelOp kernel : module.getOps<KernelOp>())
    lower(kernel, context, target);
}

void Layouts::lower(Operation *kernel, MLIRContext *context, StringRef target) {
  OwningOpRef<ModuleOp> copy = ModuleOp::create(kernel->getLoc());
  copy->push_back(kernel->clone());
  PassManager variants(context);
  buildVariantPipeline(variants);
  if (failed(variants.run(*copy)))
    return;
  auto kernels = llvm::to_vector(copy->getOps<KernelOp>());
  if (kernels.empty())
    return;
  for (KernelOp other : llvm::drop_begin(kernels))
    other.erase();
  PipelineOptions options;
  options.target = target.str();
  PassManager passes(context);
  buildPlanPipeline(passes, options);
  buildTileGPUPipeline(passes);
  if (failed(passes.run(*copy)))
    return;
  copy->walk([&](Operation *op) {
    for (Value result : op->getResults())
      record(result);
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        record(argument);
  });
  // A pass may have put another op in the kernel's place.
  for (KernelOp planned : copy->getOps<KernelOp>())
    recordDecisions(planned);
}

/// The type as the front end writes it: "f32[64, 128]".
static std::string kindOf(RankedTensorType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (isa<Float8E4M3FNType>(type.getElementType()))
    os << "f8e4m3";
  else if (isa<Float8E5M2Type>(type.getElementType()))
    os << "f8e5m2";
  else
    os << type.getElementType();
  os << "[";
  llvm::interleaveComma(type.getShape(), os);
  os << "]";
  return text;
}

void Layouts::record(Value value) {
  // What an instruction is still working on has a layout as well.
  Type whole = value.getType();
  if (auto pending = dyn_cast<gpu::PendingType>(whole))
    whole = pending.getTensor();
  auto type = dyn_cast<RankedTensorType>(whole);
  auto layout =
      type ? dyn_cast_if_present<LayoutAttr>(type.getEncoding()) : LayoutAttr();
  auto place = value.getLoc()->findInstanceOf<FileLineColLoc>();
  if (!layout || !place)
    return;
  auto named = value.getLoc()->findInstanceOf<NameLoc>();
  std::string text;
  llvm::raw_string_ostream os(text);
  layout.getLayout().print(os);
  entries.push_back({{place.getLine(), place.getColumn()},
                     named ? named.getName().str() : std::string(),
                     kindOf(type),
                     text});
}

/// The log's places are "FILE:LINE:COLUMN".
void Layouts::recordDecisions(Operation *kernel) {
  auto log = kernel->getAttrOfType<ArrayAttr>(kDecisionsName);
  if (!log)
    return;
  for (Attribute line : log) {
    auto parts = cast<ArrayAttr>(line);
    StringRef where = cast<StringAttr>(parts[0]).getValue();
    auto [front, column] = where.rsplit(':');
    Place place;
    if (!front.rsplit(':').second.getAsInteger(10, place.first) &&
        !column.getAsInteger(10, place.second))
      decided.emplace_back(place, cast<StringAttr>(parts[1]).getValue().str());
  }
}

/// Adds what is not there yet.
static void addNew(std::vector<std::string> &list, const std::string &text) {
  if (!llvm::is_contained(list, text))
    list.push_back(text);
}

std::vector<std::string> Layouts::at(Place place, StringRef kind) const {
  std::vector<std::string> found;
  for (const Entry &entry : entries)
    if (entry.place == place && entry.kind == kind)
      addNew(found, entry.layout);
  return found;
}

std::vector<std::string> Layouts::named(StringRef name, Place first, Place last,
                                        StringRef kind) const {
  std::vector<std::string> found;
  for (const Entry &entry : entries)
    if (entry.name == name && entry.kind == kind && first <= entry.place &&
        entry.place <= last)
      addNew(found, entry.layout);
  return found;
}

std::vector<std::string> Layouts::decisions(Place place) const {
  std::vector<std::string> found;
  for (const auto &[where, text] : decided)
    if (where == place)
      addNew(found, text);
  return found;
}
