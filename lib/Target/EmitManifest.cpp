//===- EmitManifest.cpp - A planned kernel's contract ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitManifest.h"

#include "tile/Conversion/Passes.h"
#include "tile/GPU/Target.h"
#include "tile/GPU/TileGPUOps.h"
#include "tile/IR/TileOps.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tile;

/// The name of the kernel that a variant was made of.
static std::string kernelName(KernelOp kernel) {
  StringRef name = kernel.getSymName();
  if (std::optional<StringRef> variant = kernel.getVariant())
    name.consume_back(("$" + *variant).str());
  return name.str();
}

/// `expr` in the language of Expression.h, symbols being integer arguments.
static std::string spell(AffineExpr expr, ArrayRef<StringRef> names) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::to_string(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return names[symbol.getPosition()].str();
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::string lhs = spell(binary.getLHS(), names);
  std::string rhs = spell(binary.getRHS(), names);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return "(" + lhs + " + " + rhs + ")";
  case AffineExprKind::Mul:
    return lhs + " * " + rhs;
  case AffineExprKind::CeilDiv:
    return "cdiv(" + lhs + ", " + rhs + ")";
  case AffineExprKind::FloorDiv:
    return "floordiv(" + lhs + ", " + rhs + ")";
  default:
    return "mod(" + lhs + ", " + rhs + ")";
  }
}

/// The grid of a kernel along x, y, z; empty strings where it states none.
static std::array<std::string, 3> spellGrid(KernelOp kernel) {
  std::array<std::string, 3> grid;
  std::optional<AffineMap> map = kernel.getGrid();
  if (!map)
    return grid;
  SmallVector<StringRef> names;
  for (BlockArgument argument : kernel.getIntegerArguments())
    names.push_back(kernel.getArgName(argument.getArgNumber()));
  grid.fill("1");
  for (auto [axis, expr] : llvm::enumerate(map->getResults()))
    grid[axis] = spell(expr, names);
  return grid;
}

/// The type of an argument, which the kernel's verifier has checked.
static runtime::ArgumentType argumentType(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto pointer = dyn_cast<PointerType>(type))
    os << '*' << pointer.getElementType();
  else
    os << type;
  return *runtime::symbolizeArgumentType(text);
}

static std::vector<runtime::Argument> arguments(KernelOp kernel) {
  std::vector<runtime::Argument> list;
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    runtime::Argument argument;
    argument.name = kernel.getArgName(index).str();
    argument.type = argumentType(type);
    if (auto pointer = dyn_cast<PointerType>(type))
      argument.divisibility = elementBytes(pointer.getElementType());
    auto fact = kernel.getArgAttrOfType<FactAttr>(index, kFactName);
    if (fact) {
      argument.divisibility =
          std::max(argument.divisibility, fact.getDivisibility().value_or(1));
      argument.min = fact.getMin();
      argument.max = fact.getMax();
    }
    list.push_back(argument);
  }
  return list;
}

/// What a launch must fulfil: the facts that the variant assumes of arguments.
static std::vector<std::string> requirements(KernelOp kernel) {
  std::vector<std::string> list;
  for (AssumeOp assume : kernel.getBody().front().getOps<AssumeOp>()) {
    auto argument = dyn_cast<BlockArgument>(assume.getValue());
    if (!argument)
      continue;
    std::string name = kernel.getArgName(argument.getArgNumber()).str();
    FactAttr fact = assume.getFact();
    if (fact.getDivisibility())
      list.push_back(name + " % " + std::to_string(*fact.getDivisibility()) +
                     " == 0");
    if (fact.getMin() && fact.getMin() == fact.getMax()) {
      list.push_back(name + " == " + std::to_string(*fact.getMin()));
      continue;
    }
    if (fact.getMin())
      list.push_back(name + " >= " + std::to_string(*fact.getMin()));
    if (fact.getMax())
      list.push_back(name + " <= " + std::to_string(*fact.getMax()));
  }
  return list;
}

/// The plan as a JSON object.
static std::string planText(PlanAttr plan) {
  llvm::json::Object object;
  for (NamedAttribute entry : plan.getEntries()) {
    if (auto integer = dyn_cast<IntegerAttr>(entry.getValue()))
      object[entry.getName().getValue()] = integer.getInt();
    else
      object[entry.getName().getValue()] =
          cast<StringAttr>(entry.getValue()).getValue();
  }
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(object));
  return text;
}

/// Warps of a CTA: those of all roles where there are roles.
static int64_t numWarps(KernelOp kernel) {
  for (auto roles : kernel.getBody().front().getOps<tile::gpu::RolesOp>())
    return roles.getNumWarps();
  return kernel.getPlanAttr().getInt("warps");
}

/// What the launch knows as an expression: an argument's name or a number.
static std::string spell(KernelOp kernel, Value value) {
  if (auto widened = value.getDefiningOp<arith::ExtSIOp>())
    value = widened.getIn();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return std::to_string(constant.getSExtValue());
  return kernel.getArgName(cast<BlockArgument>(value).getArgNumber()).str();
}

/// How the launcher encodes a map, whose dimensions it lists innermost first.
static runtime::TensorMapRecipe makeRecipe(KernelOp kernel,
                                           tile::gpu::TensorMapOp op) {
  tile::gpu::TensorMapType type = op.getType();
  std::string element;
  llvm::raw_string_ostream(element) << type.getMemoryType();
  int64_t bytes = elementBytes(type.getMemoryType());
  runtime::TensorMapRecipe recipe;
  recipe.of = spell(kernel, op.getBase());
  recipe.type = *runtime::symbolizeElementType(element);
  recipe.swizzle = type.getSwizzle();
  recipe.roundToTf32 = type.getMemoryType() != type.getElementType();
  for (Value dim : llvm::reverse(op.getDims()))
    recipe.dims.push_back(spell(kernel, dim));
  for (Value stride : llvm::reverse(op.getStrides()))
    recipe.strides.push_back(spell(kernel, stride) + " * " +
                             std::to_string(bytes));
  for (int64_t side : llvm::reverse(type.getBox()))
    recipe.box.push_back(side);
  return recipe;
}

static runtime::Variant makeVariant(KernelOp kernel) {
  runtime::Variant variant;
  variant.name = kernel.getVariant().value_or("general").str();
  variant.symbol = ptxSymbol(kernel.getSymName());
  variant.requirements = requirements(kernel);
  PlanAttr plan = kernel.getPlanAttr();
  variant.block = 32 * numWarps(kernel);
  bool isCluster = plan.getInt("cluster") == 2;
  if (isCluster)
    variant.cluster = {2, 1, 1};
  if (plan.getString("grid") == "persistent") {
    std::string programs = spellGrid(kernel)[0];
    std::string ctas =
        isCluster ? "2 * min(floordiv(sms, 2), cdiv(" + programs + ", 2))"
                  : "min(sms, " + programs + ")";
    variant.grid = {ctas, "1", "1"};
  }
  if (auto shared = kernel->getAttrOfType<IntegerAttr>(kSharedName))
    variant.shared = shared.getInt();
  kernel.walk([&](tile::gpu::TensorMapOp op) {
    variant.tensorMaps.push_back(makeRecipe(kernel, op));
  });
  variant.plan = planText(plan);
  return variant;
}

/// Appends the kernel's decision log, each line once.
static void appendDecisions(KernelOp kernel, runtime::Manifest &manifest) {
  auto lines = kernel->getAttrOfType<ArrayAttr>(kDecisionsName);
  if (!lines)
    return;
  std::string prefix = kernel.getVariant().value_or("general").str() + ": ";
  for (Attribute line : lines) {
    auto entry = cast<ArrayAttr>(line);
    manifest.decisions.push_back({cast<StringAttr>(entry[0]).str(),
                                  prefix + cast<StringAttr>(entry[1]).str()});
  }
}

std::vector<runtime::Manifest> tile::emitManifests(ModuleOp module) {
  std::vector<runtime::Manifest> manifests;
  for (KernelOp kernel : module.getOps<KernelOp>()) {
    std::string name = kernelName(kernel);
    if (manifests.empty() || manifests.back().kernel != name) {
      runtime::Manifest manifest;
      manifest.kernel = name;
      manifest.target = kernel.getPlanAttr().getString("target").str();
      manifest.arguments = arguments(kernel);
      manifest.grid = spellGrid(kernel);
      manifests.push_back(std::move(manifest));
    }
    manifests.back().variants.push_back(makeVariant(kernel));
    appendDecisions(kernel, manifests.back());
  }
  return manifests;
}
