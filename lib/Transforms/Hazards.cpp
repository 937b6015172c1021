//===- Hazards.cpp - Conflicts between threads ----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hazards.h"
#include "Footprints.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

namespace {

/// One access of an op.
struct Access {
  Footprint footprint;
  bool isWrite;
  bool isAsync;
};

/// An access that other threads may still be busy with.
struct Pending {
  Footprint footprint;
  Operation *op;
  bool isWrite;
  /// For an asynchronous copy, or a product by wgmma, that has not been waited
  /// for: how many groups have been committed since it was started, its own
  /// included.
  std::optional<int64_t> groupsSince;
  /// How wgmma sees what threads have written (PTX ISA, async proxy): beside
  /// the access, an entry that wgmma alone conflicts with, and that a barrier
  /// ends only behind a fence.
  enum class Proxy { None, Fenced, Unfenced };
  Proxy proxy = Proxy::None;
  /// The only barrier since, where it is asked which ones are needed: what
  /// conflicts with the access needs this one.  Null where there is none yet.
  Operation *behind = nullptr;

  bool conflictsWith(const Access &now, Operation *op) const;
  bool isProduct() const { return isa<WgmmaOp>(op); }
  bool operator==(const Pending &other) const {
    return footprint == other.footprint && op == other.op &&
           isWrite == other.isWrite && groupsSince == other.groupsSince &&
           proxy == other.proxy && behind == other.behind;
  }
};

/// How often the regions of an op are walked whose order is not known: each
/// access then meets each other one, and itself.
static constexpr unsigned kTurnsOfOthers = 3;

/// Walks a kernel and stops at the first hazard that nobody mends.
class Walker {
public:
  explicit Walker(KernelOp kernel, HazardMender *mender = nullptr);
  void walkKernel();

  std::optional<Hazard> hazard;
  /// Barriers of which it is asked whether anything needs them, and those of
  /// them that something does.
  BarrierSet candidates, needed;

private:
  /// Where the walk of the kernel's block can be taken up again.
  struct Restart {
    Operation *op;
    SmallVector<Pending> pending;
  };
  Operation *takeUp(const Restart &last, Operation *place);
  std::optional<Hazard> conflictAt(Operation *op);
  void walkBlock(Block &block);
  void walkOp(Operation *op);
  void walkFor(scf::ForOp loop);
  void walkBranch(scf::IfOp op);
  void walkOther(Operation *op);
  void access(Operation *op);
  SmallVector<Access> accessesOf(Operation *op);
  Footprint slotOf(Value buffer, Value cursor);
  std::optional<int64_t> positionOf(Value cursor);
  /// Groups of copies and those of products are counted apart.
  void commit(bool ofProducts);
  void wait(int64_t groups, bool ofProducts);
  void barrier(Operation *op);
  void fence(Operation *op);
  void keep(const Pending &entry);
  void join(const SmallVector<Pending> &other);

  KernelOp kernel;
  HazardMender *mender;
  SmallVector<Pending> pending;
  /// Whether the walk comes to each op for the first time.
  bool isFirstVisit = true;
  /// Whether anything reads slots otherwise than as threads do.
  bool hasProducts;
  /// Steps of each cursor since the start of its ring, as the walk has it.
  llvm::DenseMap<Value, std::optional<int64_t>> positions;
};

} // namespace

Walker::Walker(KernelOp kernel, HazardMender *mender)
    : kernel(kernel), mender(mender) {
  hasProducts = kernel.walk([](WgmmaOp) { return WalkResult::interrupt(); })
                    .wasInterrupted();
}

/// Goes back to where nothing behind `place` has been walked yet.  Cursors keep
/// their positions: each op that uses one comes behind the op that sets it.
Operation *Walker::takeUp(const Restart &last, Operation *place) {
  Block &block = kernel.getBody().front();
  hazard.reset();
  if (block.findAncestorOpInBlock(*place) != last.op) {
    pending.clear();
    return &block.front();
  }
  pending = last.pending;
  if (auto barrier = dyn_cast_or_null<BarrierOp>(last.op->getPrevNode()))
    this->barrier(barrier);
  return last.op;
}

void Walker::walkKernel() {
  Operation *op = &kernel.getBody().front().front();
  Restart last = {op, {}};
  while (op) {
    // Behind a wait for the copy engine's stores barriers are put in late.
    if (mender && op != last.op &&
        (op->getNumRegions() != 0 ||
         isa_and_nonnull<TmaStoreWaitOp>(op->getPrevNode())))
      last = {op, pending};
    walkOp(op);
    Operation *place = hazard && mender ? mender->mend(*hazard) : nullptr;
    if (hazard && !place)
      return;
    op = place ? takeUp(last, place) : op->getNextNode();
  }
}

std::optional<int64_t> Walker::positionOf(Value cursor) {
  auto found = positions.find(cursor);
  return found == positions.end() ? std::nullopt : found->second;
}

Footprint Walker::slotOf(Value buffer, Value cursor) {
  Footprint footprint;
  footprint.isShared = true;
  footprint.ring = buffer.getDefiningOp<AllocOp>();
  if (std::optional<int64_t> position = positionOf(cursor))
    footprint.slot = *position % cast<CursorType>(cursor.getType()).getSlots();
  return footprint;
}

SmallVector<Access> Walker::accessesOf(Operation *op) {
  auto global = [](Value base) {
    Footprint footprint;
    footprint.base = baseOf(base);
    return footprint;
  };
  return llvm::TypeSwitch<Operation *, SmallVector<Access>>(op)
      .Case<CopyAsyncOp>([&](CopyAsyncOp copy) -> SmallVector<Access> {
        return {{global(copy.getBase()), false, true},
                {slotOf(copy.getBuffer(), copy.getCursor()), true, true}};
      })
      .Case<CopyOp>([&](CopyOp copy) -> SmallVector<Access> {
        return {{global(copy.getBase()), false, false},
                {slotOf(copy.getBuffer(), copy.getCursor()), true, false}};
      })
      .Case<MmaOp>([&](MmaOp mma) -> SmallVector<Access> {
        return {{slotOf(mma.getA(), mma.getACursor()), false, false},
                {slotOf(mma.getB(), mma.getBCursor()), false, false}};
      })
      .Case<WgmmaOp>([&](WgmmaOp wgmma) {
        SmallVector<Access> reads = {
            {slotOf(wgmma.getB(), wgmma.getBCursor()), false, true}};
        if (wgmma.getACursor())
          reads.push_back(
              {slotOf(wgmma.getA(), wgmma.getACursor()), false, true});
        return reads;
      })
      .Case<LocalStoreOp>([&](LocalStoreOp store) -> SmallVector<Access> {
        return {{slotOf(store.getBuffer(), store.getCursor()), true, false}};
      })
      .Case<LocalLoadOp>([&](LocalLoadOp load) -> SmallVector<Access> {
        return {{slotOf(load.getBuffer(), load.getCursor()), false, false}};
      })
      .Default([&](Operation *other) -> SmallVector<Access> {
        Value pointer = accessedPointer(other);
        if (!pointer)
          return {};
        return {{global(pointer), /*isWrite=*/!isGlobalLoad(other), false}};
      });
}

/// Whether it makes no difference which of two atomic updates comes first: the
/// same op, of a kind that commutes, whose result nobody asks for.
static bool mayTradePlaces(Operation *first, Operation *second) {
  auto update = dyn_cast<AtomicRmwOp>(first);
  return first == second && update &&
         update.getKind() != AtomicKind::Exchange &&
         update.getResult().use_empty();
}

bool Pending::conflictsWith(const Access &now, Operation *reader) const {
  if (proxy != Proxy::None && !isa<WgmmaOp>(reader))
    return false;
  return (now.isWrite || isWrite) && footprint.overlaps(now.footprint) &&
         !mayTradePlaces(op, reader);
}

/// What is missing between an access that is pending and one that meets it.
static Missing missingAfter(const Pending &before) {
  if (before.groupsSince)
    return Missing::Wait;
  return before.proxy == Pending::Proxy::Unfenced ? Missing::Fence
                                                  : Missing::Barrier;
}

void Walker::keep(const Pending &entry) {
  if (!llvm::is_contained(pending, entry))
    pending.push_back(entry);
}

std::optional<Hazard> Walker::conflictAt(Operation *op) {
  std::optional<Hazard> found;
  for (const Access &now : accessesOf(op))
    for (const Pending &before : pending) {
      if ((found && !before.behind) || !before.conflictsWith(now, op))
        continue;
      if (before.behind)
        needed.insert(before.behind);
      else
        found = Hazard{before.op, op, missingAfter(before), !before.isWrite};
    }
  return found;
}

void Walker::access(Operation *op) {
  hazard = conflictAt(op);
  if (hazard && mender && isFirstVisit && mender->mendHere(*hazard)) {
    barrier(op->getPrevNode());
    hazard = conflictAt(op);
  }
  // What follows a store by the copy engine is no hazard: such a store is the
  // last access of its memory in the program, which the planner sees to, and
  // programs that one CTA walks need no order.
  if (isa<TmaStoreOp>(op))
    return;
  for (const Access &now : accessesOf(op)) {
    Pending entry = {now.footprint, op, now.isWrite, std::nullopt};
    if (now.isAsync)
      entry.groupsSince = 0;
    keep(entry);
    if (!hasProducts || !now.isWrite || !now.footprint.isShared)
      continue;
    entry.proxy = Pending::Proxy::Unfenced;
    keep(entry);
  }
}

void Walker::commit(bool ofProducts) {
  for (Pending &entry : pending)
    if (entry.groupsSince && entry.isProduct() == ofProducts)
      ++*entry.groupsSince;
}

void Walker::wait(int64_t groups, bool ofProducts) {
  // With `groups` newer ones allowed, what belongs to an older one has ended.
  for (Pending &entry : pending)
    if (entry.groupsSince && entry.isProduct() == ofProducts &&
        *entry.groupsSince > groups)
      entry.groupsSince = std::nullopt;
}

void Walker::barrier(Operation *op) {
  bool isAsked = candidates.contains(op);
  SmallVector<Pending> before = std::exchange(pending, {});
  for (Pending &entry : before) {
    if (entry.groupsSince || entry.proxy == Pending::Proxy::Unfenced) {
      pending.push_back(entry);
    } else if (isAsked && (!entry.behind || entry.behind == op)) {
      entry.behind = op;
      keep(entry);
    }
  }
}

void Walker::fence(Operation *op) {
  // A fence is of those who execute it, and of what has landed.
  auto role = op->getParentOfType<RoleOp>();
  for (Pending &entry : pending)
    if (entry.proxy == Pending::Proxy::Unfenced && !entry.groupsSince &&
        entry.op->getParentOfType<RoleOp>() == role)
      entry.proxy = Pending::Proxy::Fenced;
}

void Walker::join(const SmallVector<Pending> &other) {
  for (const Pending &entry : other)
    keep(entry);
}

void Walker::walkBlock(Block &block) {
  for (Operation &op : block) {
    if (hazard)
      return;
    walkOp(&op);
  }
}

void Walker::walkOp(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<CursorOp>([&](CursorOp cursor) { positions[cursor] = 0; })
      .Case<AdvanceOp>([&](AdvanceOp advance) {
        std::optional<int64_t> from = positionOf(advance.getCursor());
        positions[advance] =
            from ? std::optional(*from + advance.getSteps()) : std::nullopt;
      })
      .Case<CommitOp>([&](CommitOp) { commit(/*ofProducts=*/false); })
      .Case<WaitOp>(
          [&](WaitOp op) { wait(op.getGroups(), /*ofProducts=*/false); })
      .Case<WgmmaOp>([&](WgmmaOp wgmma) {
        access(wgmma);
        commit(/*ofProducts=*/true);
      })
      .Case<WgmmaWaitOp>(
          [&](WgmmaWaitOp op) { wait(op.getGroups(), /*ofProducts=*/true); })
      .Case<WgmmaFinishOp>([&](WgmmaFinishOp) { wait(0, /*ofProducts=*/true); })
      .Case<BarrierOp>([&](BarrierOp op) { barrier(op); })
      .Case<FenceAsyncOp>([&](FenceAsyncOp op) { fence(op); })
      .Case<scf::ForOp>([&](scf::ForOp loop) { walkFor(loop); })
      .Case<scf::IfOp>([&](scf::IfOp branch) { walkBranch(branch); })
      .Default([&](Operation *other) {
        if (other->getNumRegions() == 0)
          access(other);
        else
          walkOther(other);
      });
}

int64_t tile::maxSlots(scf::ForOp loop) {
  int64_t slots = 0;
  for (Value argument : loop.getRegionIterArgs())
    if (auto cursor = dyn_cast<CursorType>(argument.getType()))
      slots = std::max(slots, cursor.getSlots());
  return slots;
}

void Walker::walkFor(scf::ForOp loop) {
  for (auto [argument, init] :
       llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
    positions[argument] = positionOf(init);
  // The loop may be left after any number of turns, none included.
  SmallVector<Pending> exits = pending;
  int64_t slots = maxSlots(loop);
  llvm::SaveAndRestore visit(isFirstVisit);
  for (int64_t turn = 0; turn < std::max<int64_t>(slots, 1) + 2; ++turn) {
    isFirstVisit &= turn == 0;
    SmallVector<Pending> start = pending;
    walkBlock(*loop.getBody());
    if (hazard)
      return;
    SmallVector<Pending> here = pending;
    pending = std::move(exits);
    join(here);
    exits = std::exchange(pending, std::move(here));
    SmallVector<std::optional<int64_t>> yielded;
    for (Value value : loop.getYieldedValues())
      yielded.push_back(positionOf(value));
    for (auto [argument, position] :
         llvm::zip(loop.getRegionIterArgs(), yielded))
      positions[argument] = position;
    // Where a turn changes nothing, no other will.  Loops in loops would
    // otherwise be walked as often as the product of all turns.
    if (slots == 0 && pending == start)
      break;
  }
  // How often the loop runs is not known, and so neither is where its cursors
  // are after it.
  for (Value result : loop.getResults())
    positions[result] = std::nullopt;
  pending = std::move(exits);
}

void Walker::walkBranch(scf::IfOp op) {
  SmallVector<Pending> before = pending, after;
  for (Region &region : op->getRegions()) {
    pending = before;
    for (Block &block : region)
      walkBlock(block);
    if (hazard)
      return;
    join(after);
    after = pending;
  }
}

void Walker::walkOther(Operation *op) {
  // Any region may run after any other, or none: what is pending is the union
  // over all orders.
  llvm::SaveAndRestore visit(isFirstVisit);
  for (unsigned turn = 0; turn < kTurnsOfOthers; ++turn) {
    isFirstVisit &= turn == 0;
    SmallVector<Pending> before = pending;
    size_t numBefore = pending.size();
    for (Region &region : op->getRegions()) {
      for (Block &block : region)
        walkBlock(block);
      if (hazard)
        return;
      join(before);
      before = pending;
    }
    // All that was pending still is: where nothing is added, nothing will be.
    if (pending.size() == numBefore)
      break;
  }
}

std::optional<Hazard> tile::findHazard(KernelOp kernel) {
  Walker walker(kernel);
  walker.walkKernel();
  return walker.hazard;
}

std::optional<Hazard> tile::mendHazards(KernelOp kernel, HazardMender &mender) {
  Walker walker(kernel, &mender);
  walker.walkKernel();
  return walker.hazard;
}

BarrierSet tile::neededBarriers(KernelOp kernel, const BarrierSet &candidates) {
  Walker walker(kernel);
  walker.candidates = candidates;
  walker.walkKernel();
  return walker.needed;
}

InFlightDiagnostic tile::refuse(const Hazard &hazard) {
  InFlightDiagnostic error = hazard.second->emitOpError();
  if (hazard.missing == Missing::Barrier) {
    error << "expected a tile_gpu.barrier between another thread's access and "
             "this one, got none";
    error.attachNote(hazard.first->getLoc())
        << "the other thread may still be here";
    return error;
  }
  if (hazard.missing == Missing::Fence) {
    error << "expected a tile_gpu.fence_async between what threads write to a "
             "slot that this reads and the barrier after it, got none";
    error.attachNote(hazard.first->getLoc())
        << "threads write it here; the fence goes behind this, or behind the "
           "wait for it";
    return error;
  }
  bool isProduct = isa<WgmmaOp>(hazard.first);
  error << "expected the " << (isProduct ? "product" : "asynchronous copy")
        << ", which " << (hazard.isRead ? "reads" : "writes")
        << " what this touches, to have been waited for";
  error.attachNote(hazard.first->getLoc())
      << "the " << (isProduct ? "product" : "copy") << " starts here";
  return error;
}
