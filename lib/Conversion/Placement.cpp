//===- Placement.cpp - Bytes that overlap ---------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Offsets may be written by hand, or be left from before a change of the rings.
// Nothing after the lowering sees that two of them are the same bytes.
//
//===----------------------------------------------------------------------===//

#include "Placement.h"
#include "tile/GPU/RingLives.h"
#include "tile/GPU/Target.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

namespace {

/// Bytes of shared memory that an op has.
struct Bytes {
  Operation *op;
  int64_t first, end;
  /// When they are in use; null: always.
  const RingLife *life;

  bool overlaps(const Bytes &other) const {
    bool isTogether = !life || !other.life || life->livesWith(*other.life);
    return isTogether && first < other.end && other.first < end;
  }
};

} // namespace

/// All bytes whose place is given.
static SmallVector<Bytes> placedBytes(KernelOp kernel,
                                      ArrayRef<RingLife> rings) {
  SmallVector<Bytes> placed;
  for (const RingLife &ring : rings) {
    AllocOp alloc = ring.alloc;
    if (std::optional<int64_t> offset = alloc.getOffset())
      placed.push_back({alloc, *offset, *offset + ring.bytes(), &ring});
  }
  kernel.walk([&](BarriersOp barriers) {
    if (std::optional<int64_t> offset = barriers.getOffset())
      placed.push_back(
          {barriers, *offset,
           *offset + kTransactionBarrierBytes * barriers.getType().getSlots(),
           nullptr});
  });
  return placed;
}

LogicalResult tile::checkPlacement(KernelOp kernel) {
  SmallVector<RingLife> rings = ringLives(kernel);
  SmallVector<Bytes> placed = placedBytes(kernel, rings);
  auto shared = kernel->getAttrOfType<IntegerAttr>(kSharedName);
  for (auto [index, bytes] : llvm::enumerate(placed)) {
    if (shared && bytes.end > shared.getInt())
      return bytes.op->emitOpError()
             << "expected bytes below the " << shared.getInt()
             << " of shared memory that the kernel asks for, got "
             << bytes.first << " to " << bytes.end - 1;
    for (const Bytes &other : ArrayRef(placed).take_front(index)) {
      if (!bytes.overlaps(other))
        continue;
      InFlightDiagnostic error =
          bytes.op->emitOpError()
          << "expected bytes of shared memory that nothing else has at the "
             "same time, got "
          << bytes.first << " to " << bytes.end - 1;
      error.attachNote(other.op->getLoc())
          << "this has " << other.first << " to " << other.end - 1;
      return error;
    }
  }
  return success();
}
