//===- RingLives.cpp - When rings are in use ------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops are numbered in program order, once where they begin and once where they
// end; a ring's life is the span of the ops beside it that it is used in.
//
//===----------------------------------------------------------------------===//

#include "tile/GPU/RingLives.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// Number of an op's beginning and of its end, which differ by its regions.
using Numbers = llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>>;

static Numbers numberOps(KernelOp kernel) {
  Numbers numbers;
  int64_t next = 0;
  kernel.walk([&](Operation *op, const WalkStage &stage) {
    if (stage.isBeforeAllRegions())
      numbers[op].first = next++;
    if (stage.isAfterAllRegions())
      numbers[op].second = next++;
  });
  return numbers;
}

/// Whether an op uses a ring on the spot; any other may pass it on.
static bool isAccess(Operation *op) {
  return isa<CopyAsyncOp, CopyOp, LocalStoreOp, LocalLoadOp, MmaOp, TmaLoadOp,
             TmaStoreOp, WgmmaOp>(op);
}

static RingLife measure(AllocOp alloc, KernelOp kernel, Numbers &numbers) {
  RingLife ring = {alloc, std::numeric_limits<int64_t>::max(), -1,
                   alloc->getParentOfType<RoleOp>()};
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

SmallVector<RingLife> tile::ringLives(KernelOp kernel) {
  Numbers numbers = numberOps(kernel);
  SmallVector<RingLife> rings;
  kernel.walk(
      [&](AllocOp alloc) { rings.push_back(measure(alloc, kernel, numbers)); });
  return rings;
}
