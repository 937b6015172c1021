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
  FailureOr<SmallVector<Type>> types = kernel.partTypes(op, op.getType());
  if (failed(types))
    return failure();
  kernel.setParts(op,
                  SmallVector<Value>(types->size(), kernel.code.constI32(0)));
  return success();
}

/// The phase after `turns` turns of the ring, and one more where `wraps`, an i1
/// or null for never, holds.
static Value movePhase(CodeBuilder &code, Value phase, int64_t turns,
                       Value wraps) {
  std::optional<int64_t> known = CodeBuilder::getConstant(phase);
  if (known)
    phase = code.constI32(*known ^ (turns & 1));
  else
    phase = code.bitXor(phase, code.constI32(turns & 1));
  if (!wraps)
    return phase;
  Value flips = LLVM::ZExtOp::create(code.builder, code.loc, code.i32(), wraps);
  return code.bitXor(phase, flips);
}

LogicalResult tile::lower(KernelLowering &kernel, AdvanceOp op) {
  CodeBuilder &code = kernel.code;
  int64_t slots = op.getType().getSlots();
  int64_t steps = op.getSteps() % slots, turns = op.getSteps() / slots;
  SmallVector<Value> cursor(kernel.parts(op.getCursor()));
  bool hasPhase = cursor.size() > 1;
  if (std::optional<int64_t> known = CodeBuilder::getConstant(cursor[0])) {
    cursor[0] = code.constI32((*known + steps) % slots);
    turns += (*known + steps) / slots;
    steps = 0;
  }
  Value wraps;
  if (steps != 0) {
    // A wrap by selection, since steps is less than slots.
    Value moved = code.add(cursor[0], code.constI32(steps));
    Value wrapped = code.add(cursor[0], code.constI32(steps - slots));
    if (hasPhase) {
      wraps =
          code.compare(LLVM::ICmpPredicate::sge, moved, code.constI32(slots));
      cursor[0] = code.select(wraps, wrapped, moved);
    } else {
      Value inside =
          code.compare(LLVM::ICmpPredicate::slt, moved, code.constI32(slots));
      cursor[0] = code.select(inside, moved, wrapped);
    }
  }
  if (hasPhase)
    cursor[1] = movePhase(code, cursor[1], turns, wraps);
  kernel.setParts(op, cursor);
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
  CodeBuilder &code = kernel.code;
  if (kernel.role.barrierId == 0) {
    NVVM::Barrier0Op::create(code.builder, op.getLoc());
    return success();
  }
  NVVM::BarrierOp::create(code.builder, code.loc, Type(),
                          code.constI32(kernel.role.barrierId),
                          code.constI32(code.numThreads), nullptr, Value());
  return success();
}
