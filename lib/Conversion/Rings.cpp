//===- Rings.cpp - Buffers, cursors and their order -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelLowering.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

LogicalResult tile::lower(KernelLowering &kernel, AllocOp op) {
  if (!op.getOffset())
    return op.emitOpError() << "expected tile-gpu-allocate-shared to have run: "
                               "the ring has no offset";
  kernel.setParts(op, kernel.code.constI32(*op.getOffset()));
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, CursorOp op) {
  kernel.setParts(op, kernel.code.constI32(0));
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, AdvanceOp op) {
  CodeBuilder &code = kernel.code;
  int64_t slots = op.getType().getSlots();
  int64_t steps = op.getSteps() % slots;
  Value slot = kernel.part(op.getCursor());
  if (std::optional<int64_t> known = CodeBuilder::getConstant(slot)) {
    kernel.setParts(op, code.constI32((*known + steps) % slots));
    return success();
  }
  if (steps == 0) {
    kernel.setParts(op, slot);
    return success();
  }
  // A wrap by selection, since steps is less than slots.
  Value moved = code.add(slot, code.constI32(steps));
  Value wrapped = code.add(slot, code.constI32(steps - slots));
  Value inside =
      code.compare(LLVM::ICmpPredicate::slt, moved, code.constI32(slots));
  kernel.setParts(op, code.select(inside, moved, wrapped));
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, CommitOp op) {
  NVVM::CpAsyncCommitGroupOp::create(kernel.code.builder, op.getLoc());
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, WaitOp op) {
  NVVM::CpAsyncWaitGroupOp::create(kernel.code.builder, op.getLoc(),
                                   op.getGroups());
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, BarrierOp op) {
  NVVM::Barrier0Op::create(kernel.code.builder, op.getLoc());
  return success();
}
