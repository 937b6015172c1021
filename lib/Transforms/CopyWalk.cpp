//===- CopyWalk.cpp - A walk along the copies of threads ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyWalk.h"

#include "CopyRings.h"
#include "Hazards.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// Steps of a walk, after which it gives up: loops in loops multiply theirs.
static constexpr int64_t kMaxSteps = 100'000;

/// Rings of more slots are not followed, nor cursors beyond this turn.
static constexpr int64_t kMaxSlots = 64;
static constexpr int64_t kMaxTurn = int64_t(1) << 40;

namespace {
/// The turn that a cursor is in, where it is known.
using Turn = std::optional<int64_t>;

class CopyWalk {
public:
  explicit CopyWalk(KernelOp kernel);
  bool hasRings() const { return !followed.empty(); }
  std::optional<ScheduleFault> run();

private:
  void collect(Operation *op);
  void walkBlock(Block &block);
  void walkOp(Operation *op);
  void walkFor(scf::ForOp loop);
  void walkIf(scf::IfOp branch);
  void walkOther(Operation *op);
  void access(Operation *op);
  void advance(AdvanceOp op);
  SmallVector<Turn> turnsOf(ValueRange cursors);
  void hand(ArrayRef<Turn> turns, ValueRange to);
  Turn turnOf(Value cursor) { return turns.lookup(cursor); }
  bool hasEnded() const { return rings.fault || stepsLeft <= 0; }

  KernelOp kernel;
  CopyRings rings;
  llvm::DenseMap<Value, Turn> turns;
  /// Loops around the walk, and the turn that each is in.
  SmallVector<std::pair<scf::ForOp, int64_t>> loops;
  int64_t stepsLeft = kMaxSteps;
  /// The ops of each block that matter, in order.
  llvm::DenseMap<Block *, SmallVector<Operation *>> steps;
  llvm::DenseSet<Value> followed;
};
} // namespace

//===----------------------------------------------------------------------===//
// What matters
//===----------------------------------------------------------------------===//

/// Whether all that touches the ring is a step of the walk.
static bool isFollowed(AllocOp ring) {
  return ring.getType().getSlots() <= kMaxSlots &&
         llvm::all_of(ring->getUsers(), [](Operation *user) {
           return isa<CopyAsyncOp, CopyOp, LocalStoreOp, LocalLoadOp, MmaOp,
                      WgmmaOp>(user);
         });
}

CopyWalk::CopyWalk(KernelOp kernel) : kernel(kernel) {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) { collect(op); });
}

void CopyWalk::collect(Operation *op) {
  if (auto ring = dyn_cast<AllocOp>(op); ring && isFollowed(ring))
    followed.insert(ring);
  if (!isa<AllocOp, CursorOp, AdvanceOp, CopyAsyncOp, CopyOp, LocalStoreOp,
           LocalLoadOp, MmaOp, WgmmaOp, WgmmaWaitOp, WgmmaFinishOp, CommitOp,
           WaitOp>(op))
    return;
  // The op and the regions around it, each once in its block.
  for (Operation *at = op; at != kernel; at = at->getParentOp()) {
    SmallVector<Operation *> &ops = steps[at->getBlock()];
    if (!ops.empty() && ops.back() == at)
      return;
    ops.push_back(at);
  }
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

std::optional<ScheduleFault> CopyWalk::run() {
  walkBlock(kernel.getBody().front());
  return rings.fault;
}

void CopyWalk::walkBlock(Block &block) {
  auto found = steps.find(&block);
  if (found == steps.end())
    return;
  for (Operation *op : found->second) {
    walkOp(op);
    if (rings.fault && !loops.empty()) {
      // Said once, where the turns are known.
      for (auto [loop, turn] : llvm::reverse(loops))
        rings.fault->notes.push_back(
            {loop, "in turn " + std::to_string(turn) + " of this loop"});
      loops.clear();
    }
    if (hasEnded())
      return;
  }
  for (Operation *op : found->second)
    if (auto ring = dyn_cast<AllocOp>(op))
      rings.end(ring);
}

SmallVector<Turn> CopyWalk::turnsOf(ValueRange cursors) {
  return llvm::map_to_vector(cursors,
                             [&](Value cursor) { return turnOf(cursor); });
}

void CopyWalk::hand(ArrayRef<Turn> from, ValueRange to) {
  for (auto [turn, value] : llvm::zip_equal(from, to))
    if (isa<CursorType>(value.getType()))
      turns[value] = turn;
}

void CopyWalk::walkFor(scf::ForOp loop) {
  int64_t slots = maxSlots(loop);
  std::optional<APInt> trips = loop.getStaticTripCount();
  // A number of turns that is known decides where the loop is left.
  int64_t most = std::max<int64_t>(slots, 1) + 2;
  bool isExact = trips && trips->ule(most);
  if (isExact)
    most = trips->getZExtValue();
  SmallVector<Turn> carried = turnsOf(loop.getInitArgs());
  std::optional<CopyRings> exits;
  if (!trips)
    exits = rings;
  for (int64_t turn = 0; turn < most; ++turn) {
    hand(carried, loop.getRegionIterArgs());
    CopyRings start = rings;
    loops.push_back({loop, turn});
    walkBlock(*loop.getBody());
    if (hasEnded())
      return;
    loops.pop_back();
    carried = turnsOf(loop.getYieldedValues());
    if (exits && !isExact)
      exits->joinExit(rings);
    else if (!isExact)
      exits = rings;
    // Where a turn changes nothing, no other will.
    if (slots == 0 && rings == start)
      break;
  }
  if (!isExact) {
    rings = std::move(*exits);
    carried.assign(carried.size(), std::nullopt);
  }
  hand(carried, loop.getResults());
}

void CopyWalk::walkIf(scf::IfOp branch) {
  CopyRings before = rings;
  ++rings.depth;
  std::optional<CopyRings> after;
  SmallVector<Turn> yielded;
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    if (!region->empty())
      walkBlock(region->front());
    if (hasEnded())
      return;
    SmallVector<Turn> here;
    if (!region->empty())
      here = turnsOf(region->front().getTerminator()->getOperands());
    rings.depth = before.depth;
    if (!after) {
      after = std::move(rings);
      yielded = here;
      rings = before;
      ++rings.depth;
      continue;
    }
    rings.joinSide(*after, before);
    for (auto [turn, other] : llvm::zip(yielded, here))
      if (turn != other)
        turn = std::nullopt;
  }
  if (branch.getNumResults() != 0)
    hand(yielded, branch.getResults());
}

void CopyWalk::walkOther(Operation *op) {
  rings.forget();
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      walkBlock(block);
      if (hasEnded())
        return;
      rings.forget();
    }
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void CopyWalk::advance(AdvanceOp op) {
  Turn from = turnOf(op.getCursor());
  int64_t by = op.getStepsAttr().getInt();
  bool isKnown = from && by <= kMaxTurn && *from + by <= kMaxTurn;
  turns[op] = isKnown ? Turn(*from + by) : std::nullopt;
}

void CopyWalk::access(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<CopyAsyncOp, CopyOp, LocalStoreOp>([&](auto write) {
        rings.fill(op, write.getBuffer(), turnOf(write.getCursor()),
                   isa<CopyAsyncOp>(op));
      })
      .Case<LocalLoadOp>([&](LocalLoadOp load) {
        rings.read(op, load.getBuffer(), turnOf(load.getCursor()));
      })
      .Case<MmaOp>([&](MmaOp mma) {
        rings.read(op, mma.getA(), turnOf(mma.getACursor()));
        rings.read(op, mma.getB(), turnOf(mma.getBCursor()));
      })
      .Case<WgmmaOp>([&](WgmmaOp wgmma) {
        SmallVector<std::pair<Value, Turn>, 2> operands = {
            {wgmma.getB(), turnOf(wgmma.getBCursor())}};
        if (wgmma.getACursor())
          operands.push_back({wgmma.getA(), turnOf(wgmma.getACursor())});
        rings.startProduct(op, operands);
      });
}

void CopyWalk::walkOp(Operation *op) {
  --stepsLeft;
  llvm::TypeSwitch<Operation *>(op)
      .Case<AllocOp>([&](AllocOp ring) {
        if (followed.contains(ring))
          rings.begin(ring);
      })
      .Case<CursorOp>([&](CursorOp cursor) { turns[cursor] = 0; })
      .Case<AdvanceOp>([&](AdvanceOp op) { advance(op); })
      .Case<CommitOp>([&](CommitOp) { rings.commit(); })
      .Case<WaitOp>([&](WaitOp wait) { rings.wait(wait); })
      .Case<WgmmaWaitOp>(
          [&](WgmmaWaitOp wait) { rings.waitProducts(wait.getGroups()); })
      .Case<WgmmaFinishOp>([&](WgmmaFinishOp) { rings.waitProducts(0); })
      .Case<scf::ForOp>([&](scf::ForOp loop) { walkFor(loop); })
      .Case<scf::IfOp>([&](scf::IfOp branch) { walkIf(branch); })
      .Default([&](Operation *other) {
        if (other->getNumRegions() == 0)
          access(other);
        else
          walkOther(other);
      });
}

std::optional<ScheduleFault> tile::findCopyFault(KernelOp kernel) {
  CopyWalk walk(kernel);
  return walk.hasRings() ? walk.run() : std::nullopt;
}
