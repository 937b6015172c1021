//===- PlanWarps.cpp - How many warps run a program -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where dots are not wgmma, which has a number of its own.  A thread has 255
// registers, and ptxas puts in memory what does not fit: the sums of a loop's
// dots must leave room for operands, addresses and masks, and for what is
// loaded beside them.  Where they do not, twice as many warps share them.
//
//===----------------------------------------------------------------------===//

#include "PlanChecks.h"
#include "Planner.h"
#include "WarpGrid.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tile;

/// What a warp should at least have of a dot's tile, two fragments of the
/// tensor core side by side, and what it can have.
static constexpr int64_t kWarpBlock[] = {16, 16}, kLeastWarpBlock[] = {16, 8};

/// Sums of a thread at most: in all; where runs of k's are summed up on their
/// own, which takes registers beside them; and together with elements that are
/// loaded one by one, since ptxas loads as early as it has registers.
static constexpr int64_t kMaxSums = 128, kMaxSumsInRuns = 64, kMaxHeld = 224;

/// The warps that share what is more.
static constexpr int64_t kMoreWarps = 8;

/// Whether a dot that sums runs of k's on their own has more elements than so
/// many warps can hold.
static bool isTooWide(DotOp dot, int64_t warps) {
  auto acc = cast<RankedTensorType>(dot.getType());
  return runOfDot(dot.getPrecision(), dot.getPromoteEvery()) != 0 &&
         acc.getNumElements() > kMaxSumsInRuns * 32 * warps;
}

/// Registers of all threads for a tile.
static int64_t registersOf(RankedTensorType tile) {
  return llvm::divideCeil(tile.getNumElements() * tile.getElementTypeBitWidth(),
                          32);
}

/// Registers of all threads for what a loop leaves that is used in or behind a
/// later loop of its block.
static int64_t registersAcross(scf::ForOp earlier, scf::ForOp later) {
  if (earlier->getBlock() != later->getBlock() ||
      !earlier->isBeforeInBlock(later))
    return 0;
  int64_t registers = 0;
  for (Value result : earlier.getResults()) {
    auto tile = dyn_cast<RankedTensorType>(result.getType());
    bool isLive = llvm::any_of(result.getUsers(), [&](Operation *user) {
      Operation *place = later->getBlock()->findAncestorOpInBlock(*user);
      return !place->isBeforeInBlock(later);
    });
    if (tile && isLive)
      registers += registersOf(tile);
  }
  return registers;
}

/// The registers that the results of a kernel's dots take at the same time:
/// those of one block, but for results that another one only adds to, and those
/// of loops before it that are not used up.
static int64_t registersOfSums(KernelOp kernel) {
  llvm::MapVector<Block *, int64_t> ofBlocks;
  kernel.walk([&](DotOp dot) {
    bool isAddedTo =
        !dot->use_empty() && llvm::all_of(dot->getUses(), [&](OpOperand &use) {
          auto user = dyn_cast<DotOp>(use.getOwner());
          return user && user->getBlock() == dot->getBlock() &&
                 use.get() == user.getAcc();
        });
    if (!isAddedTo)
      ofBlocks[dot->getBlock()] +=
          registersOf(cast<RankedTensorType>(dot.getType()));
  });
  int64_t most = 0;
  for (auto [block, registers] : ofBlocks) {
    auto later = dyn_cast<scf::ForOp>(block->getParentOp());
    for (auto [other, ofOther] : ofBlocks)
      if (auto earlier = dyn_cast<scf::ForOp>(other->getParentOp());
          earlier && later)
        registers += registersAcross(earlier, later);
    most = std::max(most, registers);
  }
  return most;
}

/// The registers of the largest tile that is loaded beside the sums, not for a
/// dot, by accesses too narrow for one to fill a register.
static int64_t registersOfNarrowLoads(KernelOp kernel,
                                      const AccessAnalysis &analysis) {
  int64_t most = 0;
  kernel.walk([&](LoadOp load) {
    std::string reason;
    FailureOr<Access> access = blockOf(load, analysis, reason);
    auto tile = dyn_cast<RankedTensorType>(load.getType());
    if (failed(access) || !tile ||
        llvm::any_of(load->getUsers(), [](auto *op) { return isa<DotOp>(op); }))
      return;
    int64_t vector =
        analysis.vectorElements(*access, kVectorBytes, /*maskWhole=*/true);
    if (vector * elementBytes(access->elementType) < 4)
      most = std::max(most, tile.getNumElements());
  });
  return most;
}

void Planner::settleWarps(bool isGiven) {
  int64_t wanted = plan.getInt("warps");
  auto takeMore = [&](Operation *op, const Twine &reason) {
    log.rejected(op, Twine(wanted) + " warps: " + reason);
    wanted = kMoreWarps;
  };
  kernel.walk([&](DotOp dot) {
    if (!isGiven && wanted < kMoreWarps && isTooWide(dot, wanted))
      takeMore(dot, "a dot in runs of k's has no registers for more than " +
                        Twine(kMaxSumsInRuns) + " sums a thread");
  });
  int64_t sums = registersOfSums(kernel);
  if (!isGiven && wanted < kMoreWarps && sums > kMaxSums * 32 * wanted)
    takeMore(kernel, "a thread has no registers for " +
                         Twine(sums / (32 * wanted)) + " sums");
  int64_t loaded = registersOfNarrowLoads(kernel, analysis);
  if (!isGiven && wanted < kMoreWarps && sums > 0 &&
      sums + loaded > kMaxHeld * 32 * wanted)
    takeMore(kernel, "a thread has no registers for " +
                         Twine(sums / (32 * wanted)) + " sums and " +
                         Twine(loaded / (32 * wanted)) +
                         " elements that are loaded one by one");
  // Every dot's tile must feed the warps that all ops share.
  int64_t warps = wanted;
  kernel.walk([&](DotOp dot) {
    auto acc = cast<RankedTensorType>(dot.getType());
    int64_t idle = chooseWarpGrid(acc.getShape(), warps, kLeastWarpBlock).idle;
    if (isGiven && idle > 0)
      log.rejected(dot, "work of their own for " + Twine(idle) + " of " +
                            Twine(warps) +
                            " warps: the tile has too few blocks of 16x8");
    while (!isGiven &&
           chooseWarpGrid(acc.getShape(), warps, kWarpBlock).idle > 0)
      warps /= 2;
  });
  if (warps != wanted)
    log.rejected(kernel, Twine(wanted) + " warps: a dot's tile has too few "
                                         "blocks of 16x16 for them");
  plan =
      plan.with("warps", Builder(kernel.getContext()).getI64IntegerAttr(warps));
}
