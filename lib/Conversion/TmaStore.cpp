//===- TmaStore.cpp - Stores by the copy engine ---------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each warpgroup for itself, a box at a time: write the box to a staging slot,
// make it visible to the copy engine, meet, and let one thread store it.
//
// When may a slot be written again?  Once its last store has read it, which the
// thread that issued the store waits for, and all threads have met that thread
// since.  Of its own stores, an op waits for no more than it must: for the last
// one of the slot that it turns to, while younger ones go on reading theirs.
// Those of earlier ops, a tile ago, are waited for together, unless a
// tma_store_wait has: it may stand where it costs nothing, beside products.
//
//===----------------------------------------------------------------------===//

#include "AddressMap.h"
#include "MemoryAccess.h"
#include "WgmmaTiles.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

namespace {

/// Lowers one store.
class StoreLowering {
public:
  StoreLowering(KernelLowering &kernel, TmaStoreOp op)
      : kernel(kernel), code(kernel.code), op(op),
        staging(op.getStaging().getType()) {}

  LogicalResult run();

private:
  LogicalResult init();
  /// Whether all earlier stores have been waited for.
  bool slotsAreFree();
  /// Lets every thread write to slots, at most `pending` of whose stores are
  /// not done reading: the youngest.
  void takeSlots(int64_t pending);
  /// Writes the registers of one box, which starts at `column` of the tile.
  void writeBox(const WgmmaTiles::Tile &tile, int64_t column, int64_t slot);
  void writeMatrices(ArrayRef<int64_t> registers, Value address);
  void storeBox(const WgmmaTiles::Tile &tile, int64_t column, int64_t slot);
  bool usesStmatrix() const {
    return staging.getElementType().getIntOrFloatBitWidth() == 16;
  }

  KernelLowering &kernel;
  CodeBuilder &code;
  TmaStoreOp op;
  BufferType staging;
  WgmmaTiles tiles;
  /// Slots of one warpgroup.
  int64_t slots = 0;
  /// First byte of the warpgroup's slots: a constant and a run-time part.
  int64_t ringOffset = 0;
  Value groupOffset;
  /// Coordinates of the warpgroup's first element.
  Value row, column;
  std::unique_ptr<SharedAddresses> addresses;
};

} // namespace

/// What each lane's address is for: stmatrix takes that of a row of 8 columns,
/// rows of 16 first (PTX ISA 9.7.14.5.16); other stores that of the fragment.
static ThreadBits storeBits(bool usesStmatrix) {
  if (usesStmatrix)
    return {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {0, 8}, {16, 0}, {32, 0}};
  return {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}, {16, 0}, {32, 0}};
}

LogicalResult StoreLowering::init() {
  FailureOr<WgmmaTiles> found =
      WgmmaTiles::of(op, cast<RankedTensorType>(op.getValue().getType()));
  if (failed(found))
    return failure();
  tiles = std::move(*found);
  ArrayRef<int64_t> box = op.getMap().getType().getBox();
  int64_t minColumns = usesStmatrix() ? 16 : 8;
  if (box[0] != 64 || tiles.n % box[1] != 0 || box[1] % minColumns != 0)
    return op.emitOpError() << "expected boxes of 64 rows and a multiple of "
                            << minColumns << " columns that divides " << tiles.n
                            << ", got " << op.getMap().getType();
  int64_t groups = code.numThreads / kWarpgroupThreads;
  std::optional<int64_t> ring =
      CodeBuilder::getConstant(kernel.part(op.getStaging()));
  if (staging.getSlots() % groups != 0 || !ring)
    return op.emitOpError() << "expected as many slots for each of " << groups
                            << " warpgroups, got " << staging.getSlots();
  slots = staging.getSlots() / groups;
  ringOffset = *ring;
  groupOffset = code.mul(code.warpgroupId(),
                         code.constI32(slots * staging.getSlotBytes()));
  row = code.add(kernel.part(op.getOrigin()[0]),
                 code.warpgroupLinear(tiles.groupRows));
  column = code.add(kernel.part(op.getOrigin()[1]),
                    code.warpgroupLinear(tiles.groupColumns));
  addresses = std::make_unique<SharedAddresses>(
      kernel, staging, groupOffset, RuntimeBits(storeBits(usesStmatrix())));
  return success();
}

bool StoreLowering::slotsAreFree() {
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode()) {
    if (isa<TmaStoreWaitOp>(before))
      return true;
    auto store = dyn_cast<TmaStoreOp>(before);
    if (before->getNumRegions() != 0 ||
        (store && store.getStaging() == op.getStaging()))
      return false;
  }
  return false;
}

void StoreLowering::takeSlots(int64_t pending) {
  code.when(kernel.isWarpgroupLeader(), [&] {
    NVVM::CpAsyncBulkWaitGroupOp::create(code.builder, code.loc, pending,
                                         code.builder.getUnitAttr());
  });
  kernel.warpgroupBarrier();
}

/// Four 8x8 matrices: rows 0 and 8, columns 0 and 8, rows first.
void StoreLowering::writeMatrices(ArrayRef<int64_t> registers, Value address) {
  SmallVector<Value> words;
  for (int64_t index = 0; index < 8; index += 2) {
    Value pair = packVector(
        code, {kernel.registers(op.getValue(), registers[index], 1),
               kernel.registers(op.getValue(), registers[index + 1], 1)});
    words.push_back(code.bitcast(pair, code.i32()));
  }
  NVVM::StMatrixOp::create(
      code.builder, code.loc, address, words, NVVM::MMALayout::row,
      NVVM::LdStMatrixShapeAttr::get(code.getContext(), 8, 8),
      NVVM::LdStMatrixEltType::B16);
}

void StoreLowering::writeBox(const WgmmaTiles::Tile &tile, int64_t column,
                             int64_t slot) {
  int64_t columns = staging.getShape()[1];
  int64_t slotOffset = ringOffset + slot * staging.getSlotBytes();
  ArrayRef<int64_t> registers =
      ArrayRef(tile.registers).slice(column / 2, columns / 2);
  if (usesStmatrix()) {
    for (int64_t at = 0; at < columns; at += 16)
      writeMatrices(registers.slice(at / 2, 8),
                    code.gepBytes(addresses->at({0, at}), slotOffset));
    return;
  }
  Type inMemory = kernel.memoryType(staging.getElementType());
  for (int64_t index = 0; index < columns / 2; index += 2) {
    int64_t first = registers[index], second = registers[index + 1];
    Value pair = packVector(code, {kernel.registers(op.getValue(), first, 1),
                                   kernel.registers(op.getValue(), second, 1)});
    Coord coord = {index / 2 % 2 * 8, index / 4 * 8};
    storeShared(kernel, toMemory(kernel, pair, inMemory),
                code.gepBytes(addresses->at(coord), slotOffset));
  }
}

void StoreLowering::storeBox(const WgmmaTiles::Tile &tile, int64_t column,
                             int64_t slot) {
  code.when(kernel.isWarpgroupLeader(), [&] {
    Value source =
        code.gep(kernel.sharedMemory, code.builder.getI8Type(), groupOffset);
    source = code.gepBytes(source, ringOffset + slot * staging.getSlotBytes());
    // Innermost coordinate first.
    SmallVector<Value> coordinates = {
        code.add(this->column, code.constI32(column)),
        code.add(row, code.constI32(tile.origin[0]))};
    NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
        code.builder, code.loc, kernel.part(op.getMap()), source, coordinates,
        Value(), NVVM::TMAStoreMode::TILE, Value());
    NVVM::CpAsyncBulkCommitGroupOp::create(code.builder, code.loc);
  });
}

LogicalResult StoreLowering::run() {
  if (failed(init()))
    return failure();
  if (!slotsAreFree())
    takeSlots(0);
  int64_t columns = staging.getShape()[1], index = 0;
  for (const WgmmaTiles::Tile &tile : tiles.tiles)
    for (int64_t column = 0; column < tiles.n; column += columns) {
      if (index >= slots)
        takeSlots(slots - 1);
      int64_t slot = index++ % slots;
      writeBox(tile, column, slot);
      NVVM::FenceProxyOp::create(
          code.builder, code.loc, NVVM::ProxyKind::async_shared,
          NVVM::SharedSpaceAttr::get(code.getContext(),
                                     NVVM::SharedSpace::shared_cta));
      kernel.warpgroupBarrier();
      storeBox(tile, column, slot);
    }
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, TmaStoreOp op) {
  return StoreLowering(kernel, op).run();
}

LogicalResult tile::lower(KernelLowering &kernel, TmaStoreWaitOp op) {
  CodeBuilder &code = kernel.code;
  code.when(kernel.isWarpgroupLeader(), [&] {
    NVVM::CpAsyncBulkWaitGroupOp::create(code.builder, code.loc, 0,
                                         code.builder.getUnitAttr());
  });
  // What follows may write to the slots.
  if (op->getNextNode() &&
      !op->getNextNode()->hasTrait<OpTrait::IsTerminator>())
    kernel.warpgroupBarrier();
  return success();
}
