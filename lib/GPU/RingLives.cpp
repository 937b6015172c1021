//===- RingLives.cpp - When rings are in use ------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops are numbered in program order, once where they begin and once where they
// end; a ring's life is the span of the ops that use it, or of the loops in its
// block that they are in.
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

namespace {
/// Finds the life of one ring.
class Measure {
public:
  Measure(AllocOp alloc, KernelOp kernel, Numbers &numbers)
      : alloc(alloc), kernel(numbers[kernel]), numbers(numbers),
        ring{alloc, std::numeric_limits<int64_t>::max(), -1,
             alloc->getParentOfType<RoleOp>()} {}

  RingLife run();

private:
  void add(Operation *user);
  void addProduct(WgmmaOp product);
  /// Something may use the ring at any time from the first use on; in a loop,
  /// also before it.
  void passOn() {
    ring.last = kernel.second;
    if (!isa<KernelOp>(alloc->getParentOp()))
      ring.first = kernel.first;
  }

  AllocOp alloc;
  std::pair<int64_t, int64_t> kernel;
  Numbers &numbers;
  RingLife ring;
};
} // namespace

void Measure::add(Operation *user) {
  // A loop between the ring and its user keeps the ring alive from its first
  // iteration to its last; a branch does not.
  Operation *outer = user;
  for (Operation *around = user;
       around->getParentRegion() != alloc->getParentRegion();
       around = around->getParentOp())
    if (isa<LoopLikeOpInterface, RolesOp>(around->getParentOp()))
      outer = around->getParentOp();
  ring.first = std::min(ring.first, numbers[outer].first);
  ring.last = std::max(ring.last, numbers[outer].second);
}

/// The tensor cores read until a product's result is waited for.
void Measure::addProduct(WgmmaOp product) {
  for (Operation *user : product.getResult().getUsers())
    if (isa<WgmmaFinishOp>(user) && user->getBlock() == product->getBlock())
      add(user);
    else
      passOn();
}

RingLife Measure::run() {
  for (Operation *user : alloc->getUsers()) {
    add(user);
    if (!isAccess(user))
      passOn();
    if (auto product = dyn_cast<WgmmaOp>(user))
      addProduct(product);
    // The copy engine does not see what threads have done with these bytes.
    if (isa<TmaLoadOp>(user))
      ring.first = kernel.first;
  }
  return ring;
}

SmallVector<RingLife> tile::ringLives(KernelOp kernel) {
  Numbers numbers = numberOps(kernel);
  SmallVector<RingLife> rings;
  kernel.walk([&](AllocOp alloc) {
    rings.push_back(Measure(alloc, kernel, numbers).run());
  });
  return rings;
}
