//===- AllocateShared.cpp - Place rings in shared memory ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rings are placed largest first, each at the lowest offset where it meets no
// ring that lives at the same time (RingLives.h).
//
//===----------------------------------------------------------------------===//

#include "PlanChecks.h"
#include "tile/GPU/RingLives.h"
#include "tile/Transforms/Passes.h"

#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "tile-gpu-allocate-shared"

namespace tile {
#define GEN_PASS_DEF_TILEGPUALLOCATESHAREDPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// A 128-byte swizzle repeats after 1024 bytes, and so must a ring's start.
static constexpr int64_t kAlignment = 1024;

/// Rings of which an error lists the sizes; where there are more, their number
/// says more.
static constexpr size_t kListedRings = 8;

namespace {
/// A ring and where it is placed.
struct Ring : RingLife {
  explicit Ring(const RingLife &life) : RingLife(life) {}

  int64_t offset = 0;
};

/// Places the rings of one kernel.
class Allocator {
public:
  explicit Allocator(KernelOp kernel) : kernel(kernel) {}
  LogicalResult run();

private:
  void place();
  int64_t placeBarriers(int64_t offset);
  SmallVector<Ring *> findFullest();
  LogicalResult checkLimit(int64_t total);

  KernelOp kernel;
  SmallVector<Ring> rings;
};
} // namespace

LogicalResult Allocator::run() {
  for (const RingLife &life : ringLives(kernel))
    rings.emplace_back(life);
  place();
  int64_t total = 0;
  for (Ring &ring : rings) {
    ring.alloc.setOffset(ring.offset);
    total = std::max(total, ring.offset + ring.bytes());
  }
  total = placeBarriers(total);
  kernel->setAttr(
      kSharedName,
      IntegerAttr::get(IntegerType::get(kernel.getContext(), 64), total));
  return checkLimit(total);
}

/// The order in which rings are placed and listed; of equals the earlier first.
static bool isLarger(const Ring *a, const Ring *b) {
  return std::pair(-a->bytes(), a->first) < std::pair(-b->bytes(), b->first);
}

void Allocator::place() {
  SmallVector<Ring *> order;
  for (Ring &ring : rings)
    order.push_back(&ring);
  llvm::sort(order, isLarger);
  SmallVector<Ring *> placed;
  for (Ring *ring : order) {
    // Moving past each conflict in order of offset finds the lowest gap.
    llvm::sort(placed, [](Ring *a, Ring *b) { return a->offset < b->offset; });
    for (Ring *other : placed) {
      bool overlap = ring->offset < other->offset + other->bytes() &&
                     other->offset < ring->offset + ring->bytes();
      if (overlap && ring->livesWith(*other))
        ring->offset =
            llvm::alignTo(other->offset + other->bytes(), kAlignment);
    }
    placed.push_back(ring);
  }
}

/// Places transaction barriers behind the rings; they live all the time.
int64_t Allocator::placeBarriers(int64_t offset) {
  kernel.walk([&](BarriersOp barriers) {
    offset = llvm::alignTo(offset, kTransactionBarrierBytes);
    barriers.setOffset(offset);
    offset += kTransactionBarrierBytes * barriers.getType().getSlots();
  });
  return offset;
}

/// The rings that are in use at once where they take the most bytes, the
/// largest first.
SmallVector<Ring *> Allocator::findFullest() {
  SmallVector<Ring *> fullest;
  int64_t most = 0;
  for (const Ring &start : rings) {
    RingLife moment = start;
    moment.last = moment.first;
    SmallVector<Ring *> inUse;
    int64_t bytes = 0;
    for (Ring &ring : rings)
      if (ring.livesWith(moment)) {
        inUse.push_back(&ring);
        bytes += ring.bytes();
      }
    if (bytes <= most)
      continue;
    most = bytes;
    fullest = std::move(inUse);
  }
  llvm::sort(fullest, isLarger);
  return fullest;
}

LogicalResult Allocator::checkLimit(int64_t total) {
  const TargetInfo &target = targetOf(kernel);
  if (total <= target.sharedBytes)
    return success();
  SmallVector<Ring *> fullest = findFullest();
  bool isAhead = llvm::any_of(
      fullest, [](Ring *ring) { return ring->alloc.getType().getSlots() > 1; });
  InFlightDiagnostic error =
      kernel.emitOpError() << "expected at most " << target.sharedBytes
                           << " bytes of shared memory on " << target.name
                           << ", got " << total << "; "
                           << (isAhead ? "fewer stages (plan.stages) or " : "")
                           << "smaller tiles are needed";
  // One tile for each of many dots, all loaded before the first dot.
  if (fullest.size() > kListedRings)
    error << ", or fewer at a time: " << fullest.size()
          << " tiles are in use at once, each from its first write to its last "
             "read";
  for (Ring *ring : ArrayRef(fullest).take_front(kListedRings))
    error.attachNote(ring->alloc.getLoc())
        << ring->bytes() << " bytes: " << ring->alloc.getType().getSlots()
        << " slots of " << ring->alloc.getType().getSlotBytes();
  return error;
}

namespace {
struct AllocateShared
    : public tile::impl::TileGPUAllocateSharedPassBase<AllocateShared> {
  void runOnOperation() override {
    if (failed(Allocator(getOperation()).run()))
      signalPassFailure();
  }
};
} // namespace
