//===- PlanShared.cpp - What shared memory a loop may take ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tile-gpu-allocate-shared places rings, and refuses what does not fit. Before,
// stages are chosen so that it need not, if one fits: the loops around a loop
// and inside it, and what a turn sends through slots of its own, are counted
// in.
//
//===----------------------------------------------------------------------===//

#include "PlanShared.h"

#include "Blocks.h"
#include "PlanChecks.h"
#include "Planner.h"
#include "Roles.h"
#include "Schedule.h"

using namespace mlir;
using namespace tile;

/// Room for transaction barriers.
static constexpr int64_t kBarrierBytes = 1024;

int64_t tile::tileBytes(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? tile.getNumElements() * elementBytes(tile.getElementType()) : 0;
}

int64_t tile::slotBytes(const LoadAccess &staged) {
  return llvm::cantFail(ringType(staged.load, staged.access, 1)).getSlotBytes();
}

int64_t tile::turnBytes(ArrayRef<LoadAccess> loads) {
  int64_t bytes = 0;
  for (const LoadAccess &staged : loads)
    bytes += slotBytes(staged);
  return bytes;
}

bool tile::isTma(const LoadAccess &staged) {
  LoadOp load = staged.load;
  return load.getPlan()->getMechanism() == CopyMechanism::Tma;
}

std::vector<LoadAccess> Planner::stagedLoads(scf::ForOp loop) {
  std::vector<LoadAccess> loads;
  for (LoadOp load : loop.getBody()->getOps<LoadOp>())
    if (isStaged(load))
      loads.push_back({load, *analysis.analyze(load, nullptr)});
  return loads;
}

int64_t Planner::stagingBytes() {
  int64_t bytes = 0;
  kernel.walk([&](StoreOp store) {
    if (store.getPlan() &&
        store.getPlan()->getMechanism() == CopyMechanism::Tma)
      bytes += plan.getInt("warps") / 4 * kStagingSlots * kStagingRows *
               store.getPlan()->getSwizzle();
  });
  return bytes;
}

/// The bytes that a loop's rings may take.  Those that the copy engine fills
/// share none with rings before them, since it does not see what threads have
/// done there.
int64_t Planner::roomFor(ArrayRef<LoadAccess> loads) {
  if (isSplit)
    return target->sharedBytes - stagingBytes() - kBarrierBytes;
  if (llvm::none_of(loads, isTma))
    return target->sharedBytes;
  return target->sharedBytes - kBarrierBytes - engineRingBytes -
         threadRingBytes;
}

/// The bytes of the rings of loops inside, which have been planned; those that
/// the copy engine fills have been counted already for a loop that has such.
int64_t Planner::ringBytesInside(scf::ForOp loop, bool withEngine) {
  int64_t most = 0;
  loop.walk<WalkOrder::PreOrder>([&](scf::ForOp inner) {
    if (inner == loop)
      return WalkResult::advance();
    std::vector<LoadAccess> loads = stagedLoads(inner);
    int64_t bytes = ringBytesInside(inner, withEngine);
    if (withEngine || llvm::none_of(loads, isTma))
      bytes += numStages(inner) * turnBytes(loads);
    most = std::max(most, bytes);
    return WalkResult::skip();
  });
  return most;
}

/// The bytes that an op sends through shared memory where its operands and
/// results are held by threads in different ways.
static int64_t exchangedBytes(Operation *op, int64_t warps) {
  int64_t bytes = 0;
  if (isa<ReduceOp>(op))
    for (Value result : op->getResults())
      bytes += warps * tileBytes(result.getType());
  if (isa<ScanOp, ReshapeOp, TransposeOp>(op))
    for (Value operand : op->getOperands())
      bytes +=
          operand.getDefiningOp<LoadOp>() ? 0 : tileBytes(operand.getType());
  return bytes;
}

/// The bytes that a loop needs in shared memory beside its rings: a turn of the
/// loops around it, the rings of those inside, the slots of operands that were
/// loaded before it, and, at the turn's fullest, of those that are computed and
/// of what is exchanged.
int64_t Planner::besideBytes(scf::ForOp loop, ArrayRef<LoadAccess> loads) {
  int64_t held = ringBytesInside(loop, llvm::none_of(loads, isTma));
  for (auto outer = loop->getParentOfType<scf::ForOp>(); outer;
       outer = outer->getParentOfType<scf::ForOp>())
    held +=
        std::max<int64_t>(1, numStages(outer)) * turnBytes(stagedLoads(outer));
  llvm::SmallPtrSet<Value, 4> before;
  int64_t inTurn = 0;
  loop.walk([&](Operation *op) {
    inTurn = std::max(inTurn, exchangedBytes(op, plan.getInt("warps")));
    auto dot = dyn_cast<DotOp>(op);
    if (!dot)
      return;
    bool fromRegisters =
        dot.getPlan()->getInstruction() == Instruction::Wgmma &&
        dot.getPlan()->getWarps()[1] == 1;
    int64_t computed = 0;
    for (Value operand : {dot.getA(), dot.getB()}) {
      auto load = operand.getDefiningOp<LoadOp>();
      if (!load && !(fromRegisters && operand == dot.getA()))
        computed += tileBytes(operand.getType());
      bool isBefore = load && loop.isDefinedOutsideOfLoop(operand) &&
                      !(isStaged(load) && isa<scf::ForOp>(load->getParentOp()));
      if (isBefore && before.insert(operand).second)
        held += tileBytes(operand.getType());
    }
    inTurn = std::max(inTurn, computed);
  });
  return held + inTurn;
}
