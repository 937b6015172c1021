//===- AsyncSchedule.cpp - Who uses which ring and barriers ---------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsyncSchedule.h"

#include "Footprints.h"
#include "PlanChecks.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

using Fault = std::optional<ScheduleFault>;

/// Warps of a warpgroup.
static constexpr int64_t kWarpsOfGroup = 4;

bool tile::isTransaction(Operation *op) {
  return isa<WaitFullOp, WaitFreeOp, ReleaseOp, ExpectOp, TmaLoadOp>(op);
}

/// Whether an op stands in loops and branches that a walk follows.
static bool isInWalkedBlocks(Operation *op) {
  Operation *outer = op->getParentOp();
  while (isa<scf::ForOp, scf::IfOp>(outer))
    outer = outer->getParentOp();
  return isa<RoleOp, KernelOp>(outer);
}

/// Ops that are a step of the walk, control flow aside.
bool AsyncSchedule::isStep(Operation *op) const {
  // Other rings have cursors, too, and may stand in any control flow.
  if (isa<CursorOp, AdvanceOp>(op))
    return isInWalkedBlocks(op);
  if (auto load = dyn_cast<LocalLoadOp>(op))
    return filled.contains(load.getBuffer());
  if (auto mma = dyn_cast<MmaOp>(op))
    return filled.contains(mma.getA()) || filled.contains(mma.getB());
  return isTransaction(op) ||
         isa<WgmmaOp, WgmmaWaitOp, WgmmaFinishOp, TmaStoreOp, TmaStoreWaitOp>(
             op);
}

std::string tile::counted(int64_t number, StringRef what) {
  return (Twine(number) + " " + what + (number == 1 ? "" : "s")).str();
}

std::optional<ScheduleFault> AsyncSchedule::collect(KernelOp kernel,
                                                    RolesOp rolesOp) {
  Fault fault;
  kernel.walk([&](Operation *op) {
    if (auto load = dyn_cast<TmaLoadOp>(op))
      filled.insert(load.getBuffer());
    if (op != rolesOp && isa<RolesOp>(op))
      fault = {op,
               "expected one tile_gpu.roles in a kernel",
               {{rolesOp, "the other stands here"}}};
    else if (rolesOp && isTransaction(op) && !op->getParentOfType<RoleOp>())
      fault = {op, "expected to stand in a role, since the kernel has some"};
    return fault ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (fault)
    return fault;
  if (!rolesOp)
    roles.push_back(kernel);
  else
    for (RoleOp role : rolesOp.getBody().front().getOps<RoleOp>())
      roles.push_back(role);
  for (auto [number, role] : llvm::enumerate(roles)) {
    role->walk<WalkOrder::PreOrder>([&, number = number](Operation *op) {
      if (isStep(op))
        fault = collectOp(op, number);
      return fault ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (fault)
      return fault;
  }
  kernel.walk([&](Operation *op) {
    fault = checkWrites(op);
    return fault ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!fault)
    fault = checkArrivals();
  if (!fault)
    fault = checkStaging();
  return fault ? fault : checkStores();
}

int64_t AsyncSchedule::warpgroupsOf(unsigned role) const {
  auto op = dyn_cast<RoleOp>(roles[role]);
  int64_t warps =
      op ? op.getWarpsAttr().getInt() : warpsOf(cast<KernelOp>(roles[role]));
  return warps / kWarpsOfGroup;
}

ArrayRef<Operation *> AsyncSchedule::opsOf(Block *block) const {
  auto found = ops.find(block);
  return found == ops.end() ? ArrayRef<Operation *>() : found->second;
}

Fault AsyncSchedule::checkPlace(Operation *op) {
  // The op and the loops and branches around it, each once in its block.
  for (Operation *at = op; !isa<RoleOp, KernelOp>(at); at = at->getParentOp()) {
    if (at != op && !isa<scf::ForOp, scf::IfOp>(at))
      return ScheduleFault{at,
                           "expected scf.for and scf.if alone around steps of "
                           "an asynchronous schedule",
                           {{op, "this is one"}}};
    SmallVector<Operation *> &steps = ops[at->getBlock()];
    if (steps.empty() || steps.back() != at)
      steps.push_back(at);
  }
  return std::nullopt;
}

Fault AsyncSchedule::collectOp(Operation *op, unsigned role) {
  if (Fault fault = checkPlace(op))
    return fault;
  return llvm::TypeSwitch<Operation *, Fault>(op)
      .Case<WaitFullOp>([&](WaitFullOp wait) {
        Fault fault = collectBarriers(op, wait.getBarriers(), /*isFull=*/true);
        if (!fault)
          barriers[numberOf(wait.getBarriers())].waiters.insert(role);
        return fault;
      })
      .Case<WaitFreeOp>([&](WaitFreeOp wait) {
        Fault fault = collectBarriers(op, wait.getBarriers(), /*isFull=*/false);
        if (!fault)
          barriers[numberOf(wait.getBarriers())].waiters.insert(role);
        return fault;
      })
      .Case<ReleaseOp>([&](ReleaseOp release) {
        Fault fault =
            collectBarriers(op, release.getBarriers(), /*isFull=*/false);
        if (fault)
          return fault;
        BarrierUse &use = barriers[numberOf(release.getBarriers())];
        use.releasers.insert(role);
        use.isPaired |= release.getPaired() != nullptr;
        return fault;
      })
      .Case<ExpectOp>([&](ExpectOp expect) {
        return collectBarriers(op, expect.getBarriers(), /*isFull=*/true);
      })
      .Case<TmaLoadOp>([&](TmaLoadOp load) { return collectRing(load); })
      .Case<TmaStoreOp>([&](TmaStoreOp store) {
        stores.push_back({store, role});
        return Fault();
      })
      .Default([](Operation *) { return Fault(); });
}

Fault AsyncSchedule::collectBarriers(Operation *op, Value value, bool isFull) {
  auto made = value.getDefiningOp<BarriersOp>();
  if (!made)
    return ScheduleFault{op, "expected barriers that are the result of "
                             "tile_gpu.barriers"};
  auto [entry, isNew] = numbers.try_emplace(value, barriers.size());
  if (isNew) {
    barriers.push_back({made, isFull, op});
    maxSlots = std::max(maxSlots, made.getType().getSlots());
    return std::nullopt;
  }
  BarrierUse &use = barriers[entry->second];
  if (use.isFull == isFull)
    return std::nullopt;
  return ScheduleFault{
      op,
      Twine("expected barriers that say when slots are ")
          .concat(isFull ? "full, got barriers that say when they are free"
                         : "free, got barriers that say when they are full")
          .str(),
      {{use.firstUse, "they are used so here"}}};
}

Fault AsyncSchedule::collectRing(TmaLoadOp load) {
  if (Fault fault = collectBarriers(load, load.getBarriers(), /*isFull=*/true))
    return fault;
  if (!load.getBuffer().getDefiningOp<AllocOp>())
    return ScheduleFault{
        load, "expected a ring that is the result of tile_gpu.alloc"};
  unsigned full = numberOf(load.getBarriers());
  RingUse &ring =
      rings.insert({load.getBuffer(), RingUse{load, full}}).first->second;
  if (ring.full == full)
    return std::nullopt;
  return ScheduleFault{
      load,
      "expected all copies into a ring to signal the same barriers",
      {{ring.load, "this one signals others"}}};
}

Fault AsyncSchedule::checkArrivals() {
  for (BarrierUse &use : barriers) {
    int64_t groups = 0;
    for (unsigned role : use.releasers)
      groups += warpgroupsOf(role) * (use.isPaired ? 2 : 1);
    if (use.isFull || groups == use.arrivals())
      continue;
    return ScheduleFault{
        use.barriers,
        ("expected " + counted(groups, "arrival") +
         ", one for each warpgroup that releases the slots, got " +
         Twine(use.arrivals()))
            .str(),
        {{use.firstUse, "they say when slots are free: used here"}}};
  }
  return std::nullopt;
}

Fault AsyncSchedule::checkWrites(Operation *op) {
  Value target =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case<CopyAsyncOp, CopyOp, LocalStoreOp>(
              [](auto write) { return write.getBuffer(); })
          .Case<TmaStoreOp>([](TmaStoreOp store) { return store.getStaging(); })
          .Default([](Operation *) { return Value(); });
  auto ring = target ? rings.find(target) : rings.end();
  if (ring == rings.end())
    return std::nullopt;
  return ScheduleFault{op,
                       "expected slots that no tma_load fills, since nothing "
                       "else may write those",
                       {{ring->second.load, "it is filled here"}}};
}

Fault AsyncSchedule::checkStaging() {
  for (auto [store, role] : stores)
    for (auto [other, otherRole] : stores)
      if (role != otherRole && store.getStaging() == other.getStaging())
        return ScheduleFault{other,
                             "expected staging slots of the role's own",
                             {{store, "another role stages here"}}};
  return std::nullopt;
}

Fault AsyncSchedule::checkStores() {
  for (auto [store, role] : stores) {
    auto map = store.getMap().getDefiningOp<TensorMapOp>();
    if (!map)
      return ScheduleFault{
          store, "expected a map that is the result of tile_gpu.tensor_map"};
    if (Operation *watcher = findWatcher(store, map.getBase()))
      return ScheduleFault{store,
                           "expected no other access that may touch what it "
                           "stores, since the copy engine keeps no order",
                           {{watcher, "it may be touched here"}}};
  }
  return std::nullopt;
}
