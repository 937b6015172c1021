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
#include "RegisterEstimate.h"
#include "WarpGrid.h"
#include "tile/GPU/ThreadRegisters.h"

using namespace mlir;
using namespace tile;

/// What a warp should at least have of a dot's tile, two fragments of the
/// tensor core side by side, and what it can have.
static constexpr int64_t kWarpBlock[] = {16, 16}, kLeastWarpBlock[] = {16, 8};

/// Sums of a thread at most: in all, and where runs of k's are summed up on
/// their own, which takes registers beside them.
static constexpr int64_t kMaxSums = 128, kMaxSumsInRuns = 64;

/// The warps that share what is more.  Of twice as many each thread would have
/// half the registers, and as many addresses and masks as before.
static constexpr int64_t kMoreWarps = 8;

/// Whether a dot that sums runs of k's on their own has more elements than so
/// many warps can hold.
static bool isTooWide(DotOp dot, int64_t warps) {
  auto acc = cast<RankedTensorType>(dot.getType());
  return runOfDot(dot.getPrecision(), dot.getPromoteEvery()) != 0 &&
         acc.getNumElements() > kMaxSumsInRuns * 32 * warps;
}

/// Whether a kernel is the last of its variants, the one that assumes nothing,
/// or has none.
static bool isLastVariant(KernelOp kernel) {
  return !kernel.getVariant() || *kernel.getVariant() == "general";
}

/// Why the threads of so many warps cannot hold what a thread holds at once;
/// empty if they can.
static std::string reasonForMoreWarps(const RegisterEstimate &estimate,
                                      int64_t warps) {
  int64_t sums = estimate.sums(warps), room = threadRegistersForElements(warps);
  std::string beside;
  auto exceeds = [&](int64_t registers, StringRef what) {
    if (sums + registers > room)
      beside = " and " + std::to_string(registers) + what.str();
    return !beside.empty();
  };
  bool isTooMuch =
      sums > kMaxSums ||
      (sums > 0 && exceeds(estimate.loaded(warps),
                           " elements that are loaded one by one")) ||
      exceeds(estimate.gathered(warps),
              " of single elements and their offsets") ||
      exceeds(estimate.operands(warps), " of operands");
  if (!isTooMuch)
    return "";
  return "a thread has no registers for " + std::to_string(sums) + " sums" +
         beside;
}

void Planner::settleWarps(bool isGiven) {
  int64_t wanted = plan.getInt("warps");
  auto takeMore = [&](Operation *op, const Twine &reason) {
    log.rejected(op, Twine(wanted) + " warps: " + reason);
    wanted = kMoreWarps;
  };
  auto mayTakeMore = [&] { return !isGiven && wanted < kMoreWarps; };
  kernel.walk([&](DotOp dot) {
    if (mayTakeMore() && isTooWide(dot, wanted))
      takeMore(dot, "a dot in runs of k's has no registers for more than " +
                        Twine(kMaxSumsInRuns) + " sums a thread");
  });
  RegisterEstimate estimate(kernel, analysis,
                            plan.getString("instruction") == "fma");
  if (mayTakeMore()) {
    std::string reason = reasonForMoreWarps(estimate, wanted);
    if (!reason.empty())
      takeMore(kernel, reason);
  }
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
  noteSpills(estimate, warps, isGiven);
}

/// Says where not even sums and operands fit registers.
void Planner::noteSpills(const RegisterEstimate &estimate, int64_t warps,
                         bool isGiven) {
  // What an epilogue loads comes in rounds (FragmentOrder.cpp).
  int64_t all = threadRegisters(warps);
  int64_t held = estimate.sums(warps) + estimate.operands(warps);
  if (held <= all)
    return;
  SmallVector<int64_t> sides =
      estimate.sidesThatFit(warps, threadRegistersForElements(warps));
  std::string text =
      ("a thread of " + Twine(warps) + " warps holds " + Twine(held) + ", " +
       Twine(estimate.sums(warps)) + " of them sums, and has " + Twine(all) +
       "; tiles of " + Twine(sides[0]) + "x" + Twine(sides[1]) + " fit")
          .str();
  DotOp dot = estimate.largestDot();
  log.rejected(dot, "registers for all elements: " + text);
  // Once for all variants; who gives the warps has been asked for them.
  if (!isGiven && isLastVariant(kernel))
    dot->emitWarning() << "may keep elements in memory that is local to a "
                          "thread: "
                       << text;
}
