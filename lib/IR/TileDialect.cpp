//===- TileDialect.cpp - The tile dialect ---------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/IR/TileDialect.h"

#include "tile/IR/TileOps.h"

using namespace mlir;
using namespace tile;

#include "tile/IR/TileDialect.cpp.inc"

void TileDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "tile/IR/TileOps.cpp.inc"
      >();
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kPipelineName) {
    if (!isa<scf::ForOp>(op))
      return op->emitOpError() << "expected '" << name << "' on an scf.for";
    if (!isa<PipelineAttr>(attribute.getValue()))
      return op->emitOpError()
             << "expected '" << name << "' to be a #tile.pipeline, got "
             << attribute.getValue();
    return success();
  }
  if (name == kStageName) {
    auto stage = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!stage || !stage.getType().isSignlessInteger(64) || stage.getInt() < 0)
      return op->emitOpError()
             << "expected '" << name << "' to be an i64 of at least 0, got "
             << attribute.getValue();
    return success();
  }
  if (name == kDecisionsName) {
    if (!isa<ArrayAttr>(attribute.getValue()))
      return op->emitOpError()
             << "expected '" << name << "' to be an array, got "
             << attribute.getValue();
    return success();
  }
  return op->emitOpError() << "unknown attribute '" << name
                           << "' of dialect 'tile'";
}

/// The rule of `tile.contiguous` on argument `index` of `op`.
static LogicalResult verifyContiguous(Operation *op, unsigned index,
                                      Attribute value) {
  auto kernel = dyn_cast<KernelOp>(op);
  if (!kernel)
    return op->emitOpError() << "expected '" << kContiguousName
                             << "' on an argument of a tile.kernel";
  if (!isa<UnitAttr>(value))
    return op->emitOpError() << "expected '" << kContiguousName
                             << "' to be a unit attribute, got " << value;
  // Constraint C5 of tile.kernel.
  Type type = kernel.getArgumentTypes()[index];
  if (!type.isInteger())
    return op->emitOpError() << "expected '" << kContiguousName
                             << "' on an integer, got it on argument " << index
                             << " of type " << type;
  return success();
}

LogicalResult TileDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                    unsigned index,
                                                    NamedAttribute attribute) {
  if (attribute.getName() == kContiguousName)
    return verifyContiguous(op, index, attribute.getValue());
  if (attribute.getName() != kFactName)
    return op->emitOpError()
           << "unknown attribute '" << attribute.getName().strref()
           << "' on an argument";
  auto kernel = dyn_cast<KernelOp>(op);
  if (!kernel)
    return op->emitOpError()
           << "expected '" << kFactName << "' on an argument of a tile.kernel";
  auto fact = dyn_cast<FactAttr>(attribute.getValue());
  if (!fact)
    return op->emitOpError()
           << "expected '" << kFactName << "' to be a #tile.fact, got "
           << attribute.getValue();
  // Constraint C5 of tile.kernel.  Names are not verified yet: say the index.
  Type type = kernel.getArgumentTypes()[index];
  auto emitWrong = [&](StringRef what, StringRef where) {
    return op->emitOpError()
           << "expected " << what << " on " << where << ", got it on argument "
           << index << " of type " << type;
  };
  if (!type.isInteger() && !isa<PointerType>(type))
    return emitWrong("a fact", "an integer or a pointer");
  if ((fact.getMin() || fact.getMax()) && !type.isInteger())
    return emitWrong("a range", "an integer");
  if (fact.getNoalias() && !isa<PointerType>(type))
    return emitWrong("noalias", "a pointer");
  return success();
}
