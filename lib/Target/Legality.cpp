//===- Legality.cpp - Ops that a chip can execute -------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's code generator ends the process on an op that it cannot select, so
// such ops are looked for first.  One table: op, element types that work, and
// the lowest chip.
//
//===----------------------------------------------------------------------===//

#include "Legality.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

namespace {

/// A restriction of one op.
struct OpRule {
  /// The op, or the start of its name where it ends in a dot.
  llvm::StringLiteral name;
  /// Element types of the result that have an instruction, separated by `|`;
  /// "*" for all, "" for none.
  llvm::StringLiteral types;
  /// The lowest compute capability times ten, and whether only that chip's own
  /// instruction set (the `a` in sm_90a) has it.
  unsigned minChip;
  bool archSpecific;
};

} // namespace

// NVPTX has sqrt and fma in all precisions, exp2 in f32 only, and no other
// elementary function but approximations of sin, cos and tanh.
static constexpr OpRule kRules[] = {
    {"llvm.intr.acos", "", 0, false},
    {"llvm.intr.asin", "", 0, false},
    {"llvm.intr.atan", "", 0, false},
    {"llvm.intr.atan2", "", 0, false},
    {"llvm.intr.cos", "", 0, false},
    {"llvm.intr.cosh", "", 0, false},
    {"llvm.intr.exp", "", 0, false},
    {"llvm.intr.exp10", "", 0, false},
    {"llvm.intr.exp2", "f32|f16|bf16", 0, false},
    {"llvm.intr.frexp", "", 0, false},
    {"llvm.intr.ldexp", "", 0, false},
    {"llvm.intr.log", "", 0, false},
    {"llvm.intr.log10", "", 0, false},
    {"llvm.intr.log2", "", 0, false},
    {"llvm.intr.pow", "", 0, false},
    {"llvm.intr.powi", "", 0, false},
    {"llvm.intr.sin", "", 0, false},
    {"llvm.intr.sincos", "", 0, false},
    {"llvm.intr.sinh", "", 0, false},
    {"llvm.intr.sqrt", "f32|f64", 0, false},
    {"llvm.intr.tan", "", 0, false},
    {"llvm.intr.tanh", "", 0, false},
    {"llvm.frem", "f32|f64", 0, false},
    {"nvvm.cp.async.bulk.", "*", 90, false},
    {"nvvm.cluster.", "*", 90, false},
    {"nvvm.setmaxregister", "*", 90, true},
    {"nvvm.stmatrix", "*", 90, false},
    {"nvvm.tcgen05.", "*", 100, true},
    {"nvvm.wgmma.", "*", 90, true},
};

static bool matches(const OpRule &rule, StringRef name) {
  return rule.name.ends_with(".") ? name.starts_with(rule.name)
                                  : name == rule.name;
}

static bool allowsType(const OpRule &rule, Operation *op) {
  if (rule.types == "*" || op->getNumResults() != 1)
    return rule.types == "*";
  std::string spelled;
  llvm::raw_string_ostream(spelled)
      << getElementTypeOrSelf(op->getResult(0).getType());
  SmallVector<StringRef> allowed;
  rule.types.split(allowed, '|');
  return llvm::is_contained(allowed, spelled);
}

/// Whether an op asks for one of the approximations that the chip has.
static bool isApproximation(Operation *op) {
  auto flags = dyn_cast<LLVM::FastmathFlagsInterface>(op);
  return isa<LLVM::CosOp, LLVM::SinOp, LLVM::TanhOp>(op) &&
         getElementTypeOrSelf(op->getResult(0).getType()).isF32() &&
         bitEnumContainsAll(flags.getFastmathAttr().getValue(),
                            LLVM::FastmathFlags::afn);
}

/// Reports an op that breaks a rule.
static LogicalResult checkOp(Operation *op, const TargetInfo &target) {
  StringRef name = op->getName().getStringRef();
  for (const OpRule &rule : kRules) {
    if (!matches(rule, name))
      continue;
    if (!allowsType(rule, op) && !isApproximation(op))
      return op->emitError()
             << "'" << name << "' on " << op->getResult(0).getType()
             << " has no instruction on " << target.name
             << " and there is no library to call";
    bool isArchSpecific = target.name.ends_with("a");
    unsigned chip = target.capability;
    if (chip < rule.minChip ||
        (rule.archSpecific && (chip != rule.minChip || !isArchSpecific)))
      return op->emitError()
             << "'" << name << "' needs sm_" << rule.minChip
             << (rule.archSpecific ? "a" : "") << ", got " << target.name;
  }
  return success();
}

/// Bytes of a kernel's parameters, each at a place that its size divides.
static uint64_t parameterBytes(LLVM::LLVMFuncOp func) {
  DataLayout layout = DataLayout::closest(func);
  uint64_t bytes = 0;
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes())) {
    auto map = func.getArgAttrOfType<TypeAttr>(
        index, LLVM::LLVMDialect::getByValAttrName());
    auto align = func.getArgAttrOfType<IntegerAttr>(
        index, LLVM::LLVMDialect::getAlignAttrName());
    uint64_t size = layout.getTypeSize(map ? map.getValue() : type);
    bytes = llvm::alignTo(bytes, map && align ? align.getInt() : size) + size;
  }
  return bytes;
}

LogicalResult tile::checkParameters(ModuleOp module, unsigned ptxVersion) {
  // PTX ISA 5.1.6.1, of the chips from sm_70 on.
  bool isOld = ptxVersion < 81;
  uint64_t most = isOld ? 4352 : 32764;
  for (auto func : module.getOps<LLVM::LLVMFuncOp>()) {
    uint64_t bytes = parameterBytes(func);
    if (!func->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()) ||
        bytes <= most)
      continue;
    return func->emitError()
           << "expected at most " << most
           << " bytes of arguments, strides and tensor maps in PTX "
           << ptxVersion / 10 << "." << ptxVersion % 10 << ", got " << bytes
           << (isOld ? ": PTX 8.1 takes 32764" : ": pass them in memory");
  }
  return success();
}

LogicalResult tile::checkLegality(ModuleOp module, const TargetInfo &target) {
  bool legal = true;
  module.walk([&](Operation *op) {
    Dialect *dialect = op->getDialect();
    bool translatable =
        isa<ModuleOp>(op) ||
        isa_and_present<LLVM::LLVMDialect, NVVM::NVVMDialect>(dialect);
    if (!translatable) {
      op->emitError() << "expected only llvm and nvvm ops, got '"
                      << op->getName() << "'";
      legal = false;
    } else if (failed(checkOp(op, target))) {
      legal = false;
    }
  });
  return success(legal);
}
