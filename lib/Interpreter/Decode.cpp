//===- Decode.cpp - From ops to steps -------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tile/GPU/TileGPUOps.h"

using namespace mlir;

namespace tile::interpreter {

/// Slots start on cache lines.
static constexpr size_t kSlotAlignment = 64;
/// Far above what a program of a GPU can hold.
static constexpr int64_t kMaxElements = int64_t(1) << 26;
static constexpr size_t kMaxFrameBytes = size_t(1) << 32;

FailureOr<SlotIndex> Decoder::slotOf(Value value) {
  auto known = slots.find(value);
  if (known != slots.end())
    return known->second;
  Type type = value.getType();
  // What is pending is computed at once; its type forbids to look.
  if (auto pending = dyn_cast<gpu::PendingType>(type))
    type = pending.getTensor();
  std::optional<Kind> kind = kindOf(getElementTypeOrSelf(type));
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!kind || (!tensor && isa<ShapedType>(type)) ||
      (tensor && !tensor.hasStaticShape())) {
    emitError(value.getLoc())
        << "the interpreter has no values of type " << value.getType();
    return failure();
  }
  Slot slot;
  slot.kind = *kind;
  if (tensor) {
    for (int64_t side : tensor.getShape())
      if (llvm::MulOverflow(slot.count, side, slot.count) ||
          slot.count > kMaxElements) {
        emitError(value.getLoc())
            << "the interpreter expected at most " << kMaxElements
            << " elements, got a " << tensor;
        return failure();
      }
    llvm::append_range(slot.shape, tensor.getShape());
  }
  slot.frameOffset = code.frameBytes;
  code.frameBytes += llvm::alignTo(slot.sizeInBytes(), kSlotAlignment);
  SlotIndex index = code.slots.size();
  code.slots.push_back(std::move(slot));
  slots[value] = index;
  if (auto pointer = dyn_cast<PointerType>(value.getType())) {
    unsigned bytes = elementBytes(pointer.getElementType());
    code.granuleBytes = std::min(code.granuleBytes, bytes);
  }
  return index;
}

LogicalResult Decoder::alias(Value value, Value source) {
  FailureOr<SlotIndex> from = slotOf(source);
  FailureOr<SlotIndex> to = slotOf(value);
  if (failed(from) || failed(to))
    return failure();
  code.slots[*to].frameOffset = code.slots[*from].frameOffset;
  return success();
}

LogicalResult Decoder::decode(KernelOp kernel) {
  if (failed(decodeBlock(kernel.getBody().front())))
    return failure();
  if (code.frameBytes > kMaxFrameBytes)
    return kernel.emitError()
           << "the interpreter expected values of at most " << kMaxFrameBytes
           << " bytes in all, got " << code.frameBytes;
  return success();
}

FailureOr<uint32_t> Decoder::decodeBlock(mlir::Block &source) {
  if (!llvm::hasSingleElement(*source.getParent())) {
    source.getParentOp()->emitError()
        << "the interpreter expected a region of one block, got "
        << source.getParent()->getBlocks().size();
    return failure();
  }
  uint32_t index = code.blocks.size();
  code.blocks.emplace_back();
  Block block;
  for (BlockArgument argument : source.getArguments()) {
    FailureOr<SlotIndex> slot = slotOf(argument);
    if (failed(slot))
      return failure();
    block.arguments.push_back(*slot);
  }
  for (Operation &op : source)
    if (failed(decodeOp(op, block)))
      return failure();
  code.blocks[index] = std::move(block);
  return index;
}

LogicalResult Decoder::decodeOp(Operation &op, Block &block) {
  Step step;
  step.op = &op;
  step.opIndex = code.ops.size();
  code.ops.push_back(&op);
  for (Value operand : op.getOperands())
    step.operands.push_back(slots.lookup(operand));
  if (isa<scf::YieldOp, scf::ConditionOp, YieldOp, ReturnOp>(op)) {
    block.yields = step.operands;
    return success();
  }
  for (Value result : op.getResults()) {
    FailureOr<SlotIndex> slot = slotOf(result);
    if (failed(slot))
      return failure();
    step.results.push_back(*slot);
  }
  if (code.checksPoison)
    addPoisonChecks(*this, &op, step, block.steps);
  for (auto *family :
       {decodeIntegerArith, decodeFloatArith, decodeCast, decodeConstant,
        decodeShape, decodeControlFlow, decodeMemory, decodeDot, decodeMath,
        decodeReduce, decodeAtomic, decodeDebug, decodeRing, decodeBlockAccess,
        decodeRole, decodeTransaction, decodeTensorMap}) {
    switch (family(*this, &op, step)) {
    case Decoded::Unknown:
      continue;
    case Decoded::Failed:
      return failure();
    case Decoded::Step:
      block.steps.push_back(std::move(step));
      return success();
    case Decoded::NoStep:
      return success();
    }
  }
  return op.emitError() << "the interpreter does not know the op '"
                        << op.getName() << "'";
}

} // namespace tile::interpreter
