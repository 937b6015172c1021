//===- Footprints.cpp - What an access touches ----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Footprints.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

Value tile::baseOf(Value pointer) {
  while (auto offset = pointer.getDefiningOp<OffsetOp>())
    pointer = offset.getPointer();
  auto argument = dyn_cast<BlockArgument>(pointer);
  bool isKernelArg =
      argument && isa<KernelOp>(argument.getOwner()->getParentOp());
  return isKernelArg ? pointer : Value();
}

/// Whether nothing else reaches the memory behind this kernel argument.
static bool isNoalias(Value base) {
  auto argument = cast<BlockArgument>(base);
  auto kernel = cast<KernelOp>(argument.getOwner()->getParentOp());
  auto fact =
      kernel.getArgAttrOfType<FactAttr>(argument.getArgNumber(), kFactName);
  return fact && fact.getNoalias();
}

/// Whether two bases, null where they are not known, may reach the same memory.
static bool mayMeet(Value base, Value other) {
  if (!base || !other || base == other)
    return true;
  return !isNoalias(base) && !isNoalias(other);
}

Value tile::accessedPointer(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<tile::gpu::LoadOp, tile::LoadOp, tile::gpu::StoreOp, tile::StoreOp,
            AtomicRmwOp, AtomicCasOp>(
          [](auto access) { return access.getBase(); })
      .Case<TmaStoreOp>([](TmaStoreOp store) {
        auto map = store.getMap().getDefiningOp<TensorMapOp>();
        return map ? map.getBase() : Value();
      })
      .Default([](Operation *) { return Value(); });
}

bool tile::isGlobalLoad(Operation *op) {
  return isa<tile::gpu::LoadOp, tile::LoadOp>(op);
}

Operation *tile::findWatcher(Operation *store, Value pointer) {
  Operation *watcher = nullptr;
  Block *block = store->getBlock();
  block->walk([&](Operation *op) {
    Value other = accessedPointer(op);
    Operation *place = block->findAncestorOpInBlock(*op);
    bool isBefore = place->isBeforeInBlock(store);
    if (!other || op == store || (isGlobalLoad(op) && isBefore) ||
        !mayMeet(baseOf(pointer), baseOf(other)))
      return WalkResult::advance();
    watcher = op;
    return WalkResult::interrupt();
  });
  return watcher;
}

bool Footprint::overlaps(const Footprint &other) const {
  if (isShared != other.isShared)
    return false;
  if (!isShared)
    return mayMeet(base, other.base);
  if (!ring || !other.ring)
    return true;
  if (ring == other.ring)
    return !slot || !other.slot || *slot == *other.slot;
  // Different rings meet where the allocator has put them on the same bytes.
  AllocOp a = ring, b = other.ring;
  if (!a.getOffset() || !b.getOffset())
    return false;
  return *a.getOffset() < *b.getOffset() + b.getType().getBytes() &&
         *b.getOffset() < *a.getOffset() + a.getType().getBytes();
}
