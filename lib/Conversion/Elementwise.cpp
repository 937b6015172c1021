//===- Elementwise.cpp - arith and math on fragments ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op on tiles becomes the same op on each fragment, an op on scalars stays
// itself; upstream's patterns turn both into LLVM ops afterwards.
//
//===----------------------------------------------------------------------===//

#include "MemoryAccess.h"
#include "tile/Layout/Reshape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/FloatingPointMode.h"

using namespace mlir;
using namespace tile;

/// The elements of a tile by their number in the layout's shape, as the
/// integers that memory holds.
static DenseElementsAttr tableOf(DenseElementsAttr dense,
                                 ArrayRef<int64_t> padded, Type integer) {
  unsigned width = integer.getIntOrFloatBitWidth();
  ArrayRef<int64_t> shape = dense.getType().getShape();
  SmallVector<APInt> table(ShapedType::getNumElements(padded), APInt(width, 0));
  for (auto [number, element] : llvm::enumerate(dense.getValues<Attribute>())) {
    APInt bits = isa<FloatAttr>(element)
                     ? cast<FloatAttr>(element).getValue().bitcastToAPInt()
                     : cast<IntegerAttr>(element).getValue();
    table[flatten(unflatten(number, shape), padded)] = bits.zextOrTrunc(width);
  }
  return DenseElementsAttr::get(
      RankedTensorType::get({int64_t(table.size())}, integer), table);
}

/// A constant whose elements differ: a table in memory.
static LogicalResult lowerTable(KernelLowering &kernel, arith::ConstantOp op,
                                DenseElementsAttr dense) {
  CodeBuilder &code = kernel.code;
  FailureOr<SmallVector<Type>> types = kernel.partTypes(op, op.getType());
  if (failed(types))
    return failure();
  TileLayout layout = layoutOf(op.getType()).getLayout();
  Coord shape = layout.shape();
  Type inRegister = getElementTypeOrSelf(types->front());
  unsigned bits = std::max(8u, inRegister.getIntOrFloatBitWidth());
  Type integer = code.builder.getIntegerType(bits);
  auto array = LLVM::LLVMArrayType::get(
      integer, ShapedType::getNumElements(ArrayRef<int64_t>(shape)));
  Value base = code.constantData(array, tableOf(dense, shape, integer));
  ThreadBits thread = threadBits(layout);
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < layout.numRegs(); ++reg) {
    Value number = code.constI32(0);
    for (auto [dim, entry] : llvm::enumerate(layout.apply(reg, 0, 0))) {
      SmallVector<int64_t> images;
      for (const Coord &bit : thread)
        images.push_back(bit[dim]);
      number = code.add(code.mul(number, code.constI32(shape[dim])),
                        code.threadLinear(images, entry));
    }
    Value loaded = LLVM::LoadOp::create(code.builder, code.loc, integer,
                                        code.gep(base, integer, number));
    loaded = fromMemory(kernel, loaded,
                        inRegister.isInteger(1) ? inRegister : integer);
    registers.push_back(code.bitcast(loaded, inRegister));
  }
  kernel.setRegisters(op, registers);
  return success();
}

/// A constant: one value, shared by all fragments.
static LogicalResult lowerConstant(KernelLowering &kernel,
                                   arith::ConstantOp op) {
  CodeBuilder &code = kernel.code;
  FailureOr<SmallVector<Type>> types = kernel.partTypes(op, op.getType());
  if (failed(types))
    return failure();
  Attribute value = op.getValue();
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (dense) {
    if (!dense.isSplat())
      return lowerTable(kernel, op, dense);
    value = dense.getSplatValue<Attribute>();
  }
  Type element = getElementTypeOrSelf(types->front());
  // 8-bit floats travel as bytes, index as i64.
  if (auto number = dyn_cast<FloatAttr>(value);
      number && isa<IntegerType>(element))
    value = code.builder.getIntegerAttr(element,
                                        number.getValue().bitcastToAPInt());
  else if (auto number = dyn_cast<IntegerAttr>(value))
    value = code.builder.getIntegerAttr(
        element,
        number.getValue().sextOrTrunc(element.getIntOrFloatBitWidth()));
  if (auto vector = dyn_cast<VectorType>(types->front()))
    value = DenseElementsAttr::get(vector, value);
  Value constant;
  auto number = dyn_cast<IntegerAttr>(value);
  if (number && element.getIntOrFloatBitWidth() <= 64)
    constant = code.constant(element, element.isInteger(1)
                                          ? number.getValue().getZExtValue()
                                          : number.getInt());
  else
    constant = code.constantOf(types->front(), value);
  kernel.setParts(op, SmallVector<Value>(types->size(), constant));
  return success();
}

/// index is i64, so its casts are those of integers.
static LogicalResult lowerIndexCast(KernelLowering &kernel, Operation *op) {
  CodeBuilder &code = kernel.code;
  FailureOr<SmallVector<Type>> types =
      kernel.partTypes(op, op->getResult(0).getType());
  if (failed(types))
    return failure();
  SmallVector<Value> results;
  for (Value part : SmallVector<Value>(kernel.parts(op->getOperand(0)))) {
    Type to = types->front();
    unsigned from =
        getElementTypeOrSelf(part.getType()).getIntOrFloatBitWidth();
    unsigned width = getElementTypeOrSelf(to).getIntOrFloatBitWidth();
    if (from > width)
      part = LLVM::TruncOp::create(code.builder, code.loc, to, part);
    else if (from < width && isa<arith::IndexCastUIOp>(op))
      part = LLVM::ZExtOp::create(code.builder, code.loc, to, part);
    else if (from < width)
      part = LLVM::SExtOp::create(code.builder, code.loc, to, part);
    results.push_back(part);
  }
  kernel.setParts(op->getResult(0), results);
  return success();
}

/// The functions that NVPTX computes without a library.
static bool hasInstruction(Operation *op) {
  if (isa<math::SqrtOp, math::RsqrtOp>(op))
    return true;
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::FloorOp,
             math::TruncOp, math::RoundOp, math::RoundEvenOp, math::CopySignOp,
             math::FmaOp, math::IsNaNOp, math::IsInfOp, math::IsFiniteOp,
             math::CountLeadingZerosOp, math::CountTrailingZerosOp,
             math::CtPopOp>(op);
}

static LogicalResult refuseUnlowered(Operation *op, StringRef reason) {
  return op->emitOpError() << "expected tile-lower-arithmetic to have run: "
                           << reason;
}

/// Refuses numbers that no memory holds, of which LLVM knows too little: it
/// calls libraries for them, or aborts; and 8-bit floats as numbers.
static LogicalResult checkTypes(Operation *op) {
  bool isCast =
      isa<arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp>(
          op);
  bool isMoved = isa<CastOpInterface, arith::SelectOp, arith::ConstantOp>(op);
  for (Type type :
       llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                SmallVector<Type>(op->getResultTypes()))) {
    Type element = getElementTypeOrSelf(type);
    if (isa<FloatType>(element) && !isElementType(element))
      return KernelLowering::refuse(
          op, "expected floats of f64, f32, f16, bf16, f8E4M3FN or f8E5M2, "
              "got " +
                  debugString(element));
    if (isCast && element.isInteger() && element.getIntOrFloatBitWidth() > 64)
      return KernelLowering::refuse(
          op, "expected an integer of at most 64 bits, got " +
                  debugString(element));
    if (isFloat8(type) && !isMoved)
      return refuseUnlowered(op, "it computes with 8-bit floats");
  }
  return success();
}

static LogicalResult check(Operation *op) {
  if (isa<arith::ScalingExtFOp, arith::ScalingTruncFOp>(op))
    return KernelLowering::refuse(
        op, "it scales: write arith.mulf beside a cast that does not");
  auto truncation = dyn_cast<arith::TruncFOp>(op);
  if (truncation && truncation.getRoundingmode())
    return refuseUnlowered(op, "it rounds otherwise than casts do");
  if (isa<math::MathDialect>(op->getDialect()) && !hasInstruction(op))
    return refuseUnlowered(op, "the chip has no instruction for it");
  if (op->getNumRegions() != 0)
    return KernelLowering::refuse(op);
  return success();
}

/// A choice between pointers, cursors or values that are no numbers.
static LogicalResult lowerSelect(KernelLowering &kernel, arith::SelectOp op) {
  CodeBuilder &code = kernel.code;
  SmallVector<Value> results;
  for (auto [yes, no] :
       llvm::zip_equal(SmallVector<Value>(kernel.parts(op.getTrueValue())),
                       SmallVector<Value>(kernel.parts(op.getFalseValue()))))
    results.push_back(code.select(kernel.part(op.getCondition()), yes, no));
  kernel.setParts(op, results);
  return success();
}

/// Upstream has no lowering for it.
static LogicalResult lowerIsInf(KernelLowering &kernel, math::IsInfOp op) {
  CodeBuilder &code = kernel.code;
  FailureOr<SmallVector<Type>> types = kernel.partTypes(op, op.getType());
  if (failed(types))
    return failure();
  SmallVector<Value> results;
  for (auto [part, type] : llvm::zip_equal(
           SmallVector<Value>(kernel.parts(op.getOperand())), *types))
    results.push_back(LLVM::IsFPClass::create(code.builder, code.loc, type,
                                              part, llvm::fcInf));
  kernel.setParts(op, results);
  return success();
}

/// The same op on the parts of its operands.
static LogicalResult lowerEachPart(KernelLowering &kernel, Operation *op) {
  SmallVector<SmallVector<Type>> types;
  for (Type type : op->getResultTypes()) {
    FailureOr<SmallVector<Type>> parts = kernel.partTypes(op, type);
    if (failed(parts))
      return failure();
    types.push_back(*parts);
  }
  size_t numParts = types.front().size();
  SmallVector<NamedAttribute> attributes;
  for (NamedAttribute attribute : op->getAttrs())
    if (!attribute.getName().getValue().contains('.'))
      attributes.push_back(attribute);
  SmallVector<SmallVector<Value>> operands;
  for (Value operand : op->getOperands())
    operands.push_back(SmallVector<Value>(kernel.parts(operand)));
  auto hasOtherCount = [&](const auto &parts) {
    return parts.size() != numParts;
  };
  if (llvm::any_of(operands, hasOtherCount) ||
      llvm::any_of(types, hasOtherCount))
    return KernelLowering::refuse(op, "expected all tiles to have one layout");
  SmallVector<SmallVector<Value>> results(types.size());
  for (size_t index = 0; index < numParts; ++index) {
    OperationState state(op->getLoc(), op->getName());
    for (ArrayRef<Value> operand : operands)
      state.operands.push_back(operand[index]);
    for (ArrayRef<Type> parts : types)
      state.types.push_back(parts[index]);
    state.addAttributes(attributes);
    Operation *part = kernel.code.builder.create(state);
    kernel.leftovers.push_back(part);
    for (auto [all, result] : llvm::zip_equal(results, part->getResults()))
      all.push_back(result);
  }
  for (auto [result, parts] : llvm::zip_equal(op->getResults(), results))
    kernel.setParts(result, parts);
  return success();
}

LogicalResult tile::lowerElementwise(KernelLowering &kernel, Operation *op) {
  if (failed(checkTypes(op)))
    return failure();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return lowerConstant(kernel, constant);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return lowerIndexCast(kernel, op);
  if (auto select = dyn_cast<arith::SelectOp>(op);
      select && select.getCondition().getType().isInteger(1))
    return lowerSelect(kernel, select);
  bool isDouble = getElementTypeOrSelf(op->getResult(0).getType()).isF64();
  if (isDouble && isDoubleFunction(op))
    return lowerDoubleMath(kernel, op);
  if (isExpandedFunction(op) && !(isDouble && hasInstruction(op)))
    return lowerMath(kernel, op);
  if (isLoopedFunction(op))
    return lowerLoopedFunction(kernel, op);
  if (failed(check(op)))
    return failure();
  if (isNarrowCast(op))
    return lowerNarrowCast(kernel, op);
  if (auto isInf = dyn_cast<math::IsInfOp>(op))
    return lowerIsInf(kernel, isInf);
  return lowerEachPart(kernel, op);
}
