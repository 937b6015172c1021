//===- GlobalAccess.cpp - Registers to global memory and back -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddressMap.h"
#include "MemoryAccess.h"
#include "tile/Layout/Queries.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

#include <set>

using namespace mlir;
using namespace tile;

/// Accesses of a tile whose comparisons may be kept from its loads to its
/// stores.
static constexpr int64_t kMaxSharedComparisons = 16;

/// Addresses of a tile's accesses that may be held through a loop.
static constexpr int64_t kMaxSharedAddresses = 16;

/// Whether a loop stands between two ops, the first of them earlier, or around
/// one of them only.
static bool isAcrossLoop(Operation *first, Operation *second) {
  Operation *above = first, *below = nullptr;
  while (above && !(below = above->getBlock()->findAncestorOpInBlock(*second)))
    above = above->getParentOp();
  if (!above || !above->isBeforeInBlock(below))
    return false;
  auto end = std::next(below->getIterator());
  return llvm::any_of(
      llvm::make_range(above->getIterator(), end),
      [](Operation &op) { return isa<LoopLikeOpInterface>(op); });
}

/// Whether the addresses of an access in a loop are the same in all turns.
template <typename OpT>
static bool isInvariant(OpT op) {
  auto loop = op->template getParentOfType<LoopLikeOpInterface>();
  auto isOutside = [&](Value value) {
    return loop.isDefinedOutsideOfLoop(value);
  };
  return loop && isOutside(op.getBase()) &&
         llvm::all_of(op.getOrigin(), isOutside) &&
         llvm::all_of(op.getStrides(), isOutside);
}

/// Registers of a tile whose addresses differ by more than a constant.
static int64_t countAddresses(const GlobalAddresses &global,
                              const TileLayout &layout) {
  std::set<Coord> coords;
  for (int64_t reg = 0; reg < layout.numRegs(); ++reg) {
    Coord coord = layout.apply(reg, 0, 0);
    for (unsigned dim = 0; dim < layout.rank(); ++dim)
      if (global.isContiguous(dim))
        coord[dim] = 0;
    coords.insert(coord);
  }
  return coords.size();
}

/// Whether a store's memory is loaded before it in its block, after the loops
/// in that block if there are any.
static bool isLoadedBefore(Operation *op, Value base) {
  return isa<tile::gpu::StoreOp>(op) &&
         llvm::any_of(base.getUsers(), [&](Operation *other) {
           return isa<tile::gpu::LoadOp>(other) &&
                  other->getBlock() == op->getBlock() &&
                  other->isBeforeInBlock(op) && !isAcrossLoop(other, op);
         });
}

/// Keeps the many addresses of a tile from being held through a loop, two
/// registers each, beside what the loop holds: those that an access before the
/// loop has too, and those that could be computed before it.  So it does from a
/// load to a store in place, between which the whole tile is computed.
template <typename OpT>
static void keepFromLoops(KernelLowering &kernel, OpT op,
                          const TileLayout &layout, GlobalAddresses &global) {
  if (countAddresses(global, layout) <= kMaxSharedAddresses)
    return;
  if (isLoadedBefore(op, op.getBase()) && !kernel.role.isOneThread) {
    global.separateInBlock();
    return;
  }
  bool isShared = llvm::any_of(op.getBase().getUsers(), [&](Operation *other) {
    return isa<tile::gpu::LoadOp, tile::gpu::StoreOp>(other) &&
           isAcrossLoop(other, op);
  });
  if (isShared || isInvariant(op))
    global.separate();
}

/// Elements that one access moves: neighbouring registers that are neighbours
/// in memory, at most as many as the plan allows.
static int64_t accessWidth(const GlobalAddresses &global,
                           const TileLayout &layout, CopyAttr plan) {
  int64_t width = 1;
  for (unsigned dim = 0; dim < layout.rank(); ++dim)
    if (global.isContiguous(dim))
      width = std::max(width, vectorWidth(layout, dim, plan.getVector()));
  return width;
}

/// One access of a load, remembered for the order of fragments.
static Value loadAccess(KernelLowering &kernel, Value address,
                        const Condition &valid, Type element, int64_t width,
                        Value other, int64_t room) {
  LoadRegisters registers = {
      int64_t(llvm::divideCeil(width * 8 * elementBytes(element), 32)), room};
  Block *block = kernel.code.builder.getBlock();
  auto before = block->empty() ? block->end() : std::prev(block->end());
  Value loaded = loadGlobal(kernel, address, valid, element, width, other);
  auto first = before == block->end() ? block->begin() : std::next(before);
  for (Operation &op : llvm::make_range(first, block->end()))
    if (isa<LLVM::InlineAsmOp, LLVM::LoadOp>(op))
      kernel.globalLoads[&op] = registers;
  return loaded;
}

LogicalResult tile::lower(KernelLowering &kernel, gpu::LoadOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  FailureOr<SmallVector<Type>> types = kernel.partTypes(op, type);
  if (failed(types))
    return failure();
  TileLayout layout = layoutOf(type).getLayout();
  GlobalAddresses global(kernel, op, threadBits(layout));
  int64_t width = accessWidth(global, layout, op.getPlan());
  keepFromLoops(kernel, op, layout, global);
  Type inRegister = getElementTypeOrSelf(types->front());
  Type inMemory = kernel.memoryType(type.getElementType());
  Value other = op.getOther()
                    ? toMemory(kernel, kernel.part(op.getOther()), inMemory)
                    : Value();
  int64_t room = kernel.room.beside(op);
  FragmentShape shape = fragmentShape(layout);
  SmallVector<Value> registers;
  SmallVector<Value> fragments;
  for (int64_t reg = 0; reg < layout.numRegs(); reg += width) {
    Coord coord = layout.apply(reg, 0, 0);
    Value loaded = loadAccess(kernel, global.at(coord), global.condition(coord),
                              inMemory, width, other, room);
    loaded = fromMemory(kernel, loaded, inRegister);
    if (width == shape.width) {
      fragments.push_back(loaded);
      continue;
    }
    if (width == 1)
      registers.push_back(loaded);
    for (int64_t position = 0; width > 1 && position < width; ++position)
      registers.push_back(kernel.code.extract(loaded, position));
  }
  if (registers.empty())
    kernel.setParts(op, fragments);
  else
    kernel.setRegisters(op, registers);
  return success();
}

Value tile::isOwner(CodeBuilder &code, const TileLayout &layout) {
  OwnerMask owners = ownerMask(layout);
  unsigned laneBits = layout.atom().numBits(LayoutIn::Lane);
  uint64_t mask = owners.lane | owners.warp << kLaneBits;
  // Lanes and warps that the layout does not know hold copies.
  for (uint64_t lane = uint64_t(1) << laneBits; lane < 1u << kLaneBits;
       lane *= 2)
    mask |= lane;
  int64_t numWarps = code.numThreads >> kLaneBits;
  for (int64_t warp = layout.numWarps(); warp < numWarps; warp *= 2)
    mask |= uint64_t(warp) << kLaneBits;
  if (mask == 0)
    return code.constI1(true);
  Value bits = code.bitAnd(code.threadId(), code.constI32(mask));
  return code.compare(LLVM::ICmpPredicate::eq, bits, code.constI32(0));
}

LogicalResult tile::lower(KernelLowering &kernel, gpu::StoreOp op) {
  CodeBuilder &code = kernel.code;
  auto type = cast<RankedTensorType>(op.getValue().getType());
  if (failed(kernel.partTypes(op, type)))
    return failure();
  TileLayout layout = layoutOf(type).getLayout();
  GlobalAddresses global(kernel, op, threadBits(layout));
  int64_t width = accessWidth(global, layout, op.getPlan());
  keepFromLoops(kernel, op, layout, global);
  Type inMemory = kernel.memoryType(type.getElementType());
  Value owner = isOwner(code, layout);
  uint64_t redundant = ownerMask(layout).reg;
  bool ofComplements = !kernel.globalLoads.empty() &&
                       layout.numRegs() > kMaxSharedComparisons * width;
  for (int64_t reg = 0; reg < layout.numRegs(); reg += width) {
    if (reg & redundant)
      continue;
    Coord coord = layout.apply(reg, 0, 0);
    Condition valid = global.condition(coord);
    valid.ofComplements = ofComplements;
    valid.holds = valid.holds ? code.bitAnd(valid.holds, owner) : owner;
    Value value = kernel.registers(op.getValue(), reg, width);
    storeGlobal(kernel, toMemory(kernel, value, inMemory), global.at(coord),
                valid);
  }
  return success();
}
