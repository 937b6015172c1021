//===- Verify.cpp - Checks that ops of tile_gpu share ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "tile/IR/MmaShapes.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

LogicalResult tile::gpu::verifyCursor(Operation *op, int64_t slots,
                                      CursorType cursor) {
  if (slots == cursor.getSlots())
    return success();
  return op->emitOpError() << "expected a cursor over " << slots
                           << " slots, got " << cursor.getSlots();
}

/// Checks that the accumulator is in the layout of its plan.
static LogicalResult verifyAccumulator(Operation *op, RankedTensorType acc,
                                       MmaAttr plan) {
  auto encoding = dyn_cast_if_present<LayoutAttr>(acc.getEncoding());
  if (!encoding)
    return success();
  llvm::Expected<TileLayout> want = accumulatorLayout(plan, acc.getShape());
  if (!want)
    return op->emitOpError() << "has no layout for its accumulator: "
                             << llvm::toString(want.takeError());
  if (*want != encoding.getLayout())
    return op->emitOpError()
           << "expected the accumulator in the layout of its plan, "
           << LayoutAttr::get(op->getContext(), *want) << ", got " << encoding;
  return success();
}

RankedTensorType ProductOperand::tile() const {
  if (auto buffer = dyn_cast<BufferType>(value.getType()))
    return buffer.getTileType();
  return cast<RankedTensorType>(value.getType());
}

/// Checks the cursor of an operand that is a slot.
static LogicalResult verifySlot(Operation *op, ProductOperand operand) {
  auto buffer = dyn_cast<BufferType>(operand.value.getType());
  if (!buffer)
    return success();
  return verifyCursor(op, buffer.getSlots(),
                      cast<CursorType>(operand.cursor.getType()));
}

LogicalResult tile::gpu::verifyMatrixProduct(Operation *op, ProductOperand left,
                                             ProductOperand right,
                                             RankedTensorType acc, MmaAttr plan,
                                             Precision precision) {
  RankedTensorType a = left.tile(), b = right.tile();
  // (C1)
  bool matrices = a.getRank() == 2 && b.getRank() == 2 && acc.getRank() == 2;
  if (!matrices || a.getDimSize(1) != b.getDimSize(0) ||
      a.getDimSize(0) != acc.getDimSize(0) ||
      b.getDimSize(1) != acc.getDimSize(1) ||
      a.getElementType() != b.getElementType())
    return op->emitOpError()
           << "expected tiles of m x k and k x n and an m x n "
              "accumulator, got "
           << a << ", " << b << " and " << acc;
  // (C2)
  if (failed(verifySlot(op, left)) || failed(verifySlot(op, right)))
    return failure();
  // (C3)
  if (!hasMmaShape(plan.getInstruction(), a.getElementType(),
                   acc.getElementType(), precision, plan.getM(), plan.getN(),
                   plan.getK()))
    return op->emitOpError()
           << "expected an instruction of the table for " << a.getElementType()
           << " into " << acc.getElementType() << ", got " << plan;
  // (C4)
  if (failed(verifyAccumulator(op, acc, plan)))
    return failure();
  // (C5)
  if (plan.getInstruction() == Instruction::Wgmma &&
      a.getDimSize(1) % plan.getK() != 0)
    return op->emitOpError()
           << "expected k to be a multiple of the instruction's " << plan.getK()
           << ", got " << a.getDimSize(1);
  return success();
}
