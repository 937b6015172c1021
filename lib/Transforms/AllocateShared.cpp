//===- AllocateShared.cpp - Place rings in shared memory ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps: number the ops in program order; find the span of each ring, a ring
// used in a loop living through the whole loop, and one that the copy engine
// fills from the kernel's start; place the rings, largest first,
// each at the lowest offset where it meets no ring that lives at the same time.
//
//===----------------------------------------------------------------------===//

#include "tile/GPU/Target.h"
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

/// Size and alignment of one transaction barrier (PTX ISA 9.7.13.15.1).
static constexpr int64_t kBarrierBytes = 8;
/// A 128-byte swizzle repeats after 1024 bytes, and so must a ring's start.
static constexpr int64_t kAlignment = 1024;

namespace {
/// A ring with the first and last op, by number, at which it is in use.
struct Ring {
  AllocOp alloc;
  int64_t first, last;
  int64_t bytes;
  int64_t offset = 0;

  bool livesWith(const Ring &other) const {
    return first <= other.last && other.first <= last;
  }
};

/// Places the rings of one kernel.
class Allocator {
public:
  explicit Allocator(KernelOp kernel) : kernel(kernel) {}
  LogicalResult run();

private:
  void numberOps();
  Ring measure(AllocOp alloc);
  void place();
  int64_t placeBarriers(int64_t offset);
  LogicalResult checkLimit(int64_t total);

  KernelOp kernel;
  /// Number of an op's beginning and of its end, which differ by its regions.
  llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> numbers;
  SmallVector<Ring> rings;
};
} // namespace

LogicalResult Allocator::run() {
  numberOps();
  kernel.walk([&](AllocOp alloc) { rings.push_back(measure(alloc)); });
  place();
  int64_t total = 0;
  for (Ring &ring : rings) {
    ring.alloc.setOffset(ring.offset);
    total = std::max(total, ring.offset + ring.bytes);
  }
  total = placeBarriers(total);
  kernel->setAttr(
      kSharedName,
      IntegerAttr::get(IntegerType::get(kernel.getContext(), 64), total));
  return checkLimit(total);
}

void Allocator::numberOps() {
  int64_t next = 0;
  kernel.walk([&](Operation *op, const WalkStage &stage) {
    if (stage.isBeforeAllRegions())
      numbers[op].first = next++;
    if (stage.isAfterAllRegions())
      numbers[op].second = next++;
  });
}

/// Whether an op uses a ring on the spot; any other may pass it on.
static bool isAccess(Operation *op) {
  return isa<CopyAsyncOp, CopyOp, LocalStoreOp, LocalLoadOp, MmaOp, TmaLoadOp,
             TmaStoreOp, WgmmaOp>(op);
}

Ring Allocator::measure(AllocOp alloc) {
  Ring ring = {alloc, std::numeric_limits<int64_t>::max(), -1,
               alloc.getType().getBytes()};
  for (Operation *user : alloc->getUsers()) {
    // The outermost op between the ring and its user: a loop there keeps the
    // ring alive from its first iteration to its last.
    Operation *outer = user;
    while (outer->getParentRegion() != alloc->getParentRegion())
      outer = outer->getParentOp();
    ring.first = std::min(ring.first, numbers[outer].first);
    ring.last = std::max(ring.last, numbers[outer].second);
    if (!isAccess(user))
      ring.last = numbers[kernel].second;
    // The copy engine does not see what threads have done with these bytes.
    if (isa<TmaLoadOp>(user))
      ring.first = numbers[kernel].first;
  }
  return ring;
}

void Allocator::place() {
  SmallVector<Ring *> order;
  for (Ring &ring : rings)
    order.push_back(&ring);
  llvm::sort(order, [](Ring *a, Ring *b) {
    return std::pair(-a->bytes, a->first) < std::pair(-b->bytes, b->first);
  });
  SmallVector<Ring *> placed;
  for (Ring *ring : order) {
    // Moving past each conflict in order of offset finds the lowest gap.
    llvm::sort(placed, [](Ring *a, Ring *b) { return a->offset < b->offset; });
    for (Ring *other : placed) {
      bool overlap = ring->offset < other->offset + other->bytes &&
                     other->offset < ring->offset + ring->bytes;
      if (overlap && ring->livesWith(*other))
        ring->offset = llvm::alignTo(other->offset + other->bytes, kAlignment);
    }
    placed.push_back(ring);
  }
}

/// Places transaction barriers behind the rings; they live all the time.
int64_t Allocator::placeBarriers(int64_t offset) {
  kernel.walk([&](BarriersOp barriers) {
    offset = llvm::alignTo(offset, kBarrierBytes);
    barriers.setOffset(offset);
    offset += kBarrierBytes * barriers.getType().getSlots();
  });
  return offset;
}

LogicalResult Allocator::checkLimit(int64_t total) {
  PlanAttr plan = kernel.getPlanAttr();
  const TargetInfo *target =
      findTarget(plan ? plan.getString("target") : StringRef("sm_80"));
  if (total <= target->sharedBytes)
    return success();
  InFlightDiagnostic error = kernel.emitOpError()
                             << "expected at most " << target->sharedBytes
                             << " bytes of shared memory on " << target->name
                             << ", got " << total;
  for (Ring &ring : rings)
    error.attachNote(ring.alloc.getLoc())
        << ring.bytes << " bytes: " << ring.alloc.getType().getSlots()
        << " slots of " << ring.alloc.getType().getSlotBytes();
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
