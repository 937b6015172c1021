//===- ShapeOps.cpp - Ops that make and reshape tiles ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile that repeats or relabels the elements of another one costs nothing
// where both layouts give an element to the same thread: the registers are
// renamed.
//
//===----------------------------------------------------------------------===//

#include "AddressMap.h"
#include "tile/Layout/Reshape.h"

using namespace mlir;
using namespace tile;

LogicalResult tile::lower(KernelLowering &kernel, SplatOp op) {
  FailureOr<SmallVector<Type>> types = kernel.partTypes(op, op.getType());
  if (failed(types))
    return failure();
  CodeBuilder &code = kernel.code;
  Value value = kernel.part(op.getValue());
  if (auto vector = dyn_cast<VectorType>(types->front())) {
    Value first = code.insert(code.poison(vector), value, 0);
    SmallVector<int32_t> zeros(vector.getNumElements(), 0);
    value = LLVM::ShuffleVectorOp::create(code.builder, code.loc, first, first,
                                          zeros);
  }
  kernel.setParts(op, SmallVector<Value>(types->size(), value));
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, IotaOp op) {
  FailureOr<SmallVector<Type>> types = kernel.partTypes(op, op.getType());
  if (failed(types))
    return failure();
  TileLayout layout = layoutOf(op.getType()).getLayout();
  SmallVector<int64_t> images;
  for (const Coord &bit : threadBits(layout))
    images.push_back(bit[0]);
  Type element = getElementTypeOrSelf(types->front());
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < layout.numRegs(); ++reg) {
    Value index = kernel.code.threadLinear(images, layout.apply(reg, 0, 0)[0]);
    registers.push_back(kernel.code.castInt(index, element));
  }
  kernel.setRegisters(op, registers);
  return success();
}

/// Gives each register of the result the one of the operand that holds the
/// element at `source` of its coordinate, which is linear in its bits.
static LogicalResult renameRegisters(KernelLowering &kernel, Operation *op,
                                     function_ref<Coord(Coord)> source) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  if (failed(kernel.partTypes(op, result.getType())))
    return failure();
  TileLayout from = layoutOf(operand.getType()).getLayout();
  TileLayout to = layoutOf(result.getType()).getLayout();
  ThreadBits held = threadBits(from), wanted = threadBits(to);
  size_t numBits = std::max(held.size(), wanted.size());
  held.resize(numBits, Coord(from.rank(), 0));
  wanted.resize(numBits, Coord(to.rank(), 0));
  bool isSameThread = true;
  for (auto [has, wants] : llvm::zip_equal(held, wanted))
    isSameThread &= has == source(wants);
  std::map<std::vector<int64_t>, int64_t> registerOf;
  for (int64_t reg = 0; reg < from.numRegs(); ++reg) {
    Coord coord = from.apply(reg, 0, 0);
    registerOf.try_emplace({coord.begin(), coord.end()}, reg);
  }
  SmallVector<Value> all = kernel.unpack(operand), registers;
  for (int64_t reg = 0; reg < to.numRegs() && isSameThread; ++reg) {
    Coord coord = source(to.apply(reg, 0, 0));
    auto found = registerOf.find({coord.begin(), coord.end()});
    if (found != registerOf.end())
      registers.push_back(all[found->second]);
  }
  if (int64_t(registers.size()) != to.numRegs())
    return KernelLowering::refuse(
        op, "expected each element of the result in a thread that holds it in "
            "the operand");
  kernel.setRegisters(result, registers);
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, ExpandDimsOp op) {
  int64_t axis = op.getAxis();
  return renameRegisters(kernel, op, [&](Coord coord) {
    coord.erase(coord.begin() + axis);
    return coord;
  });
}

LogicalResult tile::lower(KernelLowering &kernel, BroadcastOp op) {
  auto from = cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = cast<RankedTensorType>(op.getType());
  return renameRegisters(kernel, op, [&](Coord coord) {
    for (int64_t dim = 0; dim < to.getRank(); ++dim)
      if (from.getDimSize(dim) != to.getDimSize(dim))
        coord[dim] = 0;
    return coord;
  });
}

LogicalResult tile::lower(KernelLowering &kernel, TransposeOp op) {
  return renameRegisters(kernel, op, [&](Coord coord) {
    Coord before(coord.size(), 0);
    for (auto [dim, original] : llvm::enumerate(op.getOrder()))
      before[original] = coord[dim];
    return before;
  });
}

LogicalResult tile::lower(KernelLowering &kernel, ReshapeOp op) {
  ArrayRef<int64_t> from = op.getSource().getType().getShape();
  ArrayRef<int64_t> to = op.getType().getShape();
  // Linear in the bits only where no odd factor carries.
  TileLayout layout = layoutOf(op.getSource().getType()).getLayout();
  if (!reshapeLayout(layout, from, to))
    return op.emitOpError() << "expected tile-gpu-lower-exchanges to have run: "
                               "elements cross threads";
  return renameRegisters(kernel, op, [&](Coord coord) {
    return unflatten(flatten(coord, to), from);
  });
}
