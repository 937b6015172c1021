//===- TransactionBarriers.cpp - Slots that fill and empty ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mbarriers (PTX ISA 9.7.13.15).  A fresh barrier is in its phase 0, and the
// phase before counts as over: who waits for data waits for the cursor's phase,
// who waits for space for the one before it, so that the first turn of the ring
// passes at once.
//
//===----------------------------------------------------------------------===//

#include "KernelLowering.h"
#include "tile/GPU/RingLives.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

LogicalResult tile::emitPrologue(KernelLowering &kernel, KernelOp op) {
  CodeBuilder &code = kernel.code;
  SmallVector<BarriersOp> barriers;
  SmallVector<TensorMapOp> maps;
  op.walk([&](BarriersOp inner) { barriers.push_back(inner); });
  op.walk([&](TensorMapOp inner) { maps.push_back(inner); });
  for (BarriersOp inner : barriers)
    if (!inner.getOffset())
      return inner.emitOpError()
             << "expected tile-gpu-allocate-shared to have run: the barriers "
                "have no offset";
  if (barriers.empty() && maps.empty())
    return success();
  code.when(kernel.isRoleLeader(), [&] {
    for (BarriersOp inner : barriers)
      for (int64_t slot = 0; slot < inner.getType().getSlots(); ++slot)
        NVVM::MBarrierInitOp::create(
            code.builder, inner.getLoc(),
            code.gepBytes(kernel.sharedMemory,
                          *inner.getOffset() + slot * kTransactionBarrierBytes),
            code.constI32(inner.getArrivals()), Value());
    if (!barriers.empty())
      NVVM::FenceMbarrierInitOp::create(code.builder, code.loc);
    for (TensorMapOp inner : maps)
      NVVM::PrefetchOp::create(
          code.builder, inner.getLoc(), NVVM::PrefetchCacheLevelAttr(),
          NVVM::CacheEvictionPriorityAttr(), kernel.part(inner), Value(),
          code.builder.getUnitAttr());
  });
  // The other CTA of a cluster signals these barriers, too.
  if (kernel.isCluster)
    kernel.clusterBarrier(/*aligned=*/true);
  else if (!barriers.empty())
    NVVM::Barrier0Op::create(code.builder, code.loc);
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, BarriersOp op) {
  kernel.setParts(op, kernel.code.constI32(*op.getOffset()));
  return success();
}

/// The barrier of the cursor's slot.
static FailureOr<Value> barrierAddress(KernelLowering &kernel, Operation *op,
                                       Value barriers, Value cursor) {
  std::optional<int64_t> offset =
      CodeBuilder::getConstant(kernel.part(barriers));
  if (!offset)
    return KernelLowering::refuse(op, "expected barriers that are known here");
  return kernel.slotAddress(*offset, kernel.part(cursor),
                            kTransactionBarrierBytes);
}

/// Tries until the phase of this parity is over.
static void waitFor(CodeBuilder &code, Value barrier, Value parity) {
  Block *spin = code.appendBlock(), *done = code.appendBlock();
  LLVM::BrOp::create(code.builder, code.loc, ValueRange(), spin);
  code.builder.setInsertionPointToStart(spin);
  Value isOver = NVVM::MBarrierTryWaitOp::create(
      code.builder, code.loc, code.i1(), barrier, parity, Value());
  LLVM::CondBrOp::create(code.builder, code.loc, isOver, done, spin);
  code.builder.setInsertionPointToStart(done);
}

LogicalResult tile::lower(KernelLowering &kernel, WaitFullOp op) {
  FailureOr<Value> barrier =
      barrierAddress(kernel, op, op.getBarriers(), op.getCursor());
  if (failed(barrier))
    return failure();
  waitFor(kernel.code, *barrier, kernel.parts(op.getCursor())[1]);
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, WaitFreeOp op) {
  CodeBuilder &code = kernel.code;
  FailureOr<Value> barrier =
      barrierAddress(kernel, op, op.getBarriers(), op.getCursor());
  if (failed(barrier))
    return failure();
  Value phase = kernel.parts(op.getCursor())[1];
  std::optional<int64_t> known = CodeBuilder::getConstant(phase);
  Value before =
      known ? code.constI32(*known ^ 1) : code.bitXor(phase, code.constI32(1));
  // Only who fills the slot waits.
  kernel.whenRoleLeader([&] { waitFor(code, *barrier, before); });
  return success();
}

/// Two arrivals of a warpgroup, by two of its threads: one for each CTA, or,
/// where `paired` does not hold, both for this one.
static LogicalResult releasePaired(KernelLowering &kernel, ReleaseOp op) {
  CodeBuilder &code = kernel.code;
  std::optional<int64_t> offset =
      CodeBuilder::getConstant(kernel.part(op.getBarriers()));
  if (!kernel.isCluster || !offset)
    return op.emitOpError() << "expected a cluster of two CTAs, got none";
  Value thread = kernel.threadInWarpgroup();
  Value peer =
      code.select(kernel.part(op.getPaired()), thread, kernel.clusterRank());
  Value first = code.gepBytes(kernel.sharedMemory, *offset);
  // For other threads it may be anything.
  Value there = NVVM::MapaOp::create(code.builder, code.loc, code.pointer(7),
                                     first, peer);
  Value slot = kernel.part(op.getCursor());
  Value signals =
      code.compare(LLVM::ICmpPredicate::ult, thread, code.constI32(2));
  code.when(signals, [&] {
    // Only reads by wgmma come before, which the wait has ordered, so that the
    // scope may be the CTA's; a release at the cluster's would flush to all of
    // the GPU, at a fifth of the kernel's speed.
    Value barrier = code.gep(there, code.i64(), slot);
    auto scope = kernel.role.readsSlots ? NVVM::MemScopeKind::CLUSTER
                                        : NVVM::MemScopeKind::CTA;
    NVVM::MBarrierArriveOp::create(code.builder, code.loc, Type(), barrier,
                                   Value(), scope);
  });
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, ReleaseOp op) {
  CodeBuilder &code = kernel.code;
  FailureOr<Value> barrier =
      barrierAddress(kernel, op, op.getBarriers(), op.getCursor());
  if (failed(barrier))
    return failure();
  // A wait for wgmma is one of the whole warpgroup, other reads are a thread's.
  if (kernel.role.readsSlots)
    kernel.warpgroupBarrier();
  if (op.getPaired())
    return releasePaired(kernel, op);
  code.when(kernel.isWarpgroupLeader(), [&] {
    NVVM::MBarrierArriveOp::create(code.builder, code.loc, code.i64(), *barrier,
                                   Value());
  });
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, ExpectOp op) {
  CodeBuilder &code = kernel.code;
  FailureOr<Value> barrier =
      barrierAddress(kernel, op, op.getBarriers(), op.getCursor());
  if (failed(barrier))
    return failure();
  kernel.whenRoleLeader([&] {
    NVVM::MBarrierArriveExpectTxOp::create(
        code.builder, code.loc, Type(), *barrier, code.constI32(op.getBytes()),
        NVVM::MemScopeKind::CTA, /*relaxed=*/false, Value());
  });
  return success();
}
