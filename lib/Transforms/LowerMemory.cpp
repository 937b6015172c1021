//===- LowerMemory.cpp - Loads, stores and dots to tile_gpu ---------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps: staged loads outside pipelined loops get a slot, filled and waited for
// on the spot; other loads and stores become blocks, or stay where they are
// none; dots read slots, and an operand that is a value is written to one
// first, but for operand A of wgmma, which may stay in registers.
//
//===----------------------------------------------------------------------===//

#include "Blocks.h"
#include "CarriedValues.h"
#include "PlanChecks.h"
#include "Roles.h"
#include "TensorMaps.h"
#include "tile/Layout/Constructors.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#define DEBUG_TYPE "tile-lower-memory"

namespace tile {
#define GEN_PASS_DEF_TILELOWERMEMORYPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

namespace {

/// A tile in shared memory.
struct Slot {
  Value buffer, cursor;
};

/// Lowers one kernel.
class MemoryLowering {
public:
  explicit MemoryLowering(KernelOp kernel) : kernel(kernel), analysis(kernel) {}
  LogicalResult run();

private:
  LogicalResult lowerLoad(tile::LoadOp load);
  LogicalResult lowerStagedLoad(tile::LoadOp load, const Access &access);
  LogicalResult lowerStore(tile::StoreOp store);
  LogicalResult lowerTmaStore(tile::StoreOp store, const Access &access);
  LogicalResult lowerDot(DotOp dot);
  LogicalResult lowerWgmma(DotOp dot);
  std::optional<Slot> slotRead(DotOp dot, Value operand);
  FailureOr<Slot> slotOf(DotOp dot, Value operand);
  Slot createSlot(Location loc, BufferType type, OpBuilder &builder);

  KernelOp kernel;
  AccessAnalysis analysis;
};

} // namespace

LogicalResult MemoryLowering::run() {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    if (isa<tile::LoadOp, tile::StoreOp, DotOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    LogicalResult result = success();
    if (auto load = dyn_cast<tile::LoadOp>(op))
      result = lowerLoad(load);
    else if (auto store = dyn_cast<tile::StoreOp>(op))
      result = lowerStore(store);
    else
      result = lowerDot(cast<DotOp>(op));
    if (failed(result))
      return failure();
  }
  // Reads that became operands of a product have no user left.
  kernel.walk([](LocalLoadOp load) {
    if (load->use_empty())
      load.erase();
  });
  // So have offsets that loops carried from one access to the next.
  dropUnusedCarriedValues(kernel);
  return success();
}

Slot MemoryLowering::createSlot(Location loc, BufferType type,
                                OpBuilder &builder) {
  Value buffer = AllocOp::create(builder, loc, type, /*offset=*/nullptr);
  Value cursor =
      CursorOp::create(builder, loc, CursorType::get(kernel.getContext(), 1));
  return {buffer, cursor};
}

LogicalResult MemoryLowering::lowerLoad(tile::LoadOp load) {
  std::string reason;
  FailureOr<Access> access = blockOf(load, analysis, reason);
  if (failed(access))
    return checkElementPlan(load, load.getPlan(), reason);
  if (failed(checkPlan(load, *access, analysis)))
    return failure();
  if (load.getPlan()->getMechanism() == CopyMechanism::Tma)
    return load.emitOpError() << "cannot go through the copy engine, which its "
                                 "plan asks for: it is not in a loop of stages";
  if (load.getPlan()->getMechanism() != CopyMechanism::Registers)
    return lowerStagedLoad(load, *access);
  OpBuilder builder(load);
  MemoryBlock block = materializeBlock(builder, load.getLoc(), *access);
  auto lowered = tile::gpu::LoadOp::create(
      builder, load.getLoc(), load.getType(), block.base, block.origin,
      block.bounds, block.strides, load.getOther(), *load.getPlan());
  load.replaceAllUsesWith(lowered.getResult());
  load.erase();
  return success();
}

LogicalResult MemoryLowering::lowerStagedLoad(tile::LoadOp load,
                                              const Access &access) {
  OpBuilder builder(load);
  Location loc = load.getLoc();
  llvm::Expected<BufferType> type = ringType(load, access, 1);
  if (!type)
    return load.emitOpError() << "into shared memory is not lowered yet: "
                              << llvm::toString(type.takeError());
  Slot slot = createSlot(loc, *type, builder);
  MemoryBlock block = materializeBlock(builder, loc, access);
  CopyAttr plan = *load.getPlan();
  if (plan.getMechanism() == CopyMechanism::CpAsync) {
    CopyAsyncOp::create(builder, loc, block.base, block.origin, block.bounds,
                        block.strides, slot.buffer, slot.cursor,
                        /*live=*/nullptr, plan);
    CommitOp::create(builder, loc);
    WaitOp::create(builder, loc, 0);
  } else {
    CopyOp::create(builder, loc, block.base, block.origin, block.bounds,
                   block.strides, slot.buffer, slot.cursor, /*live=*/nullptr,
                   load.getOther(), plan);
  }
  if (feedsWgmma(load))
    FenceAsyncOp::create(builder, loc);
  auto read = LocalLoadOp::create(builder, loc, load.getType(), slot.buffer,
                                  slot.cursor);
  load.replaceAllUsesWith(read.getResult());
  load.erase();
  return success();
}

LogicalResult MemoryLowering::lowerStore(tile::StoreOp store) {
  std::string reason;
  FailureOr<Access> access = blockOf(store, analysis, reason);
  if (failed(access))
    return checkElementPlan(store, store.getPlan(), reason);
  if (failed(checkPlan(store, *access, analysis)))
    return failure();
  if (store.getPlan()->getMechanism() == CopyMechanism::Tma)
    return lowerTmaStore(store, *access);
  OpBuilder builder(store);
  MemoryBlock block = materializeBlock(builder, store.getLoc(), *access);
  tile::gpu::StoreOp::create(builder, store.getLoc(), store.getValue(),
                             block.base, block.origin, block.bounds,
                             block.strides, *store.getPlan());
  store.erase();
  return success();
}

LogicalResult MemoryLowering::lowerTmaStore(tile::StoreOp store,
                                            const Access &access) {
  auto role = store->getParentOfType<RoleOp>();
  std::string reason = role ? reasonAgainstTmaStore(store, access, analysis)
                            : "it is not in a role";
  if (!reason.empty())
    return store.emitOpError()
           << "cannot go through the copy engine, which its "
              "plan asks for: "
           << reason;
  Location loc = store.getLoc();
  MLIRContext *context = store.getContext();
  Type element = access.elementType;
  int64_t swizzle = store.getPlan()->getSwizzle();
  int64_t width = swizzle / elementBytes(element);
  // Maps and slots are made before the roles part.
  OpBuilder outside(role->getParentOp());
  Value map = materializeTensorMap(outside, loc, access, kStagingRows, swizzle,
                                   swizzle);
  TileLayout layout = llvm::cantFail(sharedSwizzled(
      kStagingRows, width, 8 * elementBytes(element), /*rowMajor=*/true));
  auto type = BufferType::get(context, role.getWarps() / 4 * kStagingSlots,
                              {kStagingRows, width}, element,
                              LayoutAttr::get(context, layout));
  Value staging = AllocOp::create(outside, loc, type, /*offset=*/nullptr);
  OpBuilder builder(store);
  SmallVector<Value> origin;
  for (unsigned dim : mapOrder(access))
    origin.push_back(access.dims[dim].origin.materialize(builder, loc,
                                                         builder.getI32Type()));
  TmaStoreOp::create(builder, loc, store.getValue(), map, origin, staging);
  store.erase();
  return success();
}

/// Whether an op, or one inside it, writes into a ring.  The copy engine fills
/// slots that have been released.
static bool writesRing(Operation *op, Value ring) {
  WalkResult result = op->walk([&](Operation *inner) {
    bool writes = isa<CopyAsyncOp, CopyOp, LocalStoreOp>(inner) &&
                  llvm::is_contained(inner->getOperands(), ring);
    return writes ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Whether a slot still holds at `user` what was read from it.
static bool isIntactAt(Operation *user, LocalLoadOp read) {
  if (!read.getBuffer().getDefiningOp<AllocOp>())
    return false;
  Operation *last = read->getBlock()->findAncestorOpInBlock(*user);
  for (Operation *op = read->getNextNode(); op != last; op = op->getNextNode())
    if (writesRing(op, read.getBuffer()))
      return false;
  // What holds the user may loop.
  return last == user || !writesRing(last, read.getBuffer());
}

/// The slot that an operand has been read from and that still holds it.
std::optional<Slot> MemoryLowering::slotRead(DotOp dot, Value operand) {
  auto read = operand.getDefiningOp<LocalLoadOp>();
  if (!read || !isIntactAt(dot, read))
    return std::nullopt;
  return Slot{read.getBuffer(), read.getCursor()};
}

FailureOr<Slot> MemoryLowering::slotOf(DotOp dot, Value operand) {
  if (std::optional<Slot> slot = slotRead(dot, operand))
    return *slot;
  auto tile = cast<RankedTensorType>(operand.getType());
  llvm::Expected<TileLayout> layout =
      sharedImage(tile.getDimSize(0), tile.getDimSize(1),
                  8 * elementBytes(tile.getElementType()), /*rowMajor=*/true);
  if (!layout)
    return dot.emitOpError()
           << "is not lowered yet: " << llvm::toString(layout.takeError());
  auto type = BufferType::get(dot.getContext(), 1, tile.getShape(),
                              tile.getElementType(),
                              LayoutAttr::get(dot.getContext(), *layout));
  OpBuilder builder(dot);
  Slot slot = createSlot(dot.getLoc(), type, builder);
  LocalStoreOp::create(builder, dot.getLoc(), operand, slot.buffer,
                       slot.cursor);
  if (dot.getPlan()->getInstruction() == Instruction::Wgmma)
    FenceAsyncOp::create(builder, dot.getLoc());
  return slot;
}

/// Whether an op is a part of starting copies by the copy engine.
static bool startsCopies(Operation *op) {
  return isa<WaitFreeOp, ExpectOp, TmaLoadOp, AdvanceOp, scf::YieldOp>(op) ||
         isMemoryEffectFree(op);
}

/// Whether a ring may be written while `product` runs: it is one of those that
/// the product reads, or in a loop, where not sharing bytes with them is worth
/// the room.
static bool isApart(Value ring, WgmmaOp product) {
  return ring == product.getA() || ring == product.getB() ||
         product->getParentOfType<LoopLikeOpInterface>();
}

/// Whether a copy writes another slot than those that `product` reads.
template <typename CopyT>
static bool writesOtherSlot(CopyT copy, WgmmaOp product) {
  if (!isApart(copy.getBuffer(), product))
    return false;
  auto isOther = [&](Value buffer, Value cursor) {
    if (copy.getBuffer() != buffer)
      return true;
    auto advance = copy.getCursor().template getDefiningOp<AdvanceOp>();
    return advance && advance.getCursor() == cursor &&
           int64_t(advance.getSteps()) %
                   copy.getBuffer().getType().getSlots() !=
               0;
  };
  return isOther(product.getA(), product.getACursor()) &&
         isOther(product.getB(), product.getBCursor());
}

/// Whether a product may still run when `op` does: it touches no memory that
/// the product does, nor ends the use of its slots.
static bool mayRunBeside(Operation *op, WgmmaOp product) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return false;
  if (isa<scf::IfOp>(op))
    return !op->walk([&](Operation *inner) {
                return WalkResult(success(inner == op || startsCopies(inner)));
              }).wasInterrupted();
  if (auto copy = dyn_cast<CopyOp>(op))
    return writesOtherSlot(copy, product);
  if (auto copy = dyn_cast<CopyAsyncOp>(op))
    return writesOtherSlot(copy, product);
  return isa<LocalLoadOp, CommitOp>(op) ||
         (op->getNumRegions() == 0 && isMemoryEffectFree(op));
}

/// The place at which the result of a product in `dot`'s place is waited for:
/// where it is used first, as far as nothing else has to come after it.
static Operation *placeOfWait(DotOp dot, WgmmaOp product) {
  Block *block = dot->getBlock();
  llvm::SmallPtrSet<Operation *, 4> users;
  for (Operation *user : dot->getUsers())
    users.insert(block->findAncestorOpInBlock(*user));
  Operation *place = dot->getNextNode();
  while (!users.contains(place) && mayRunBeside(place, product))
    place = place->getNextNode();
  return place;
}

/// Operand A is read from its slot, or from the registers that it is in; where
/// warpgroups share rows, each has only a part of them.
LogicalResult MemoryLowering::lowerWgmma(DotOp dot) {
  FailureOr<Slot> b = slotOf(dot, dot.getB()), a = Slot{dot.getA(), nullptr};
  if (std::optional<Slot> slot = slotRead(dot, dot.getA()))
    a = *slot;
  else if (dot.getPlan()->getWarps()[1] != 1)
    a = slotOf(dot, dot.getA());
  if (failed(a) || failed(b))
    return failure();
  if (dot.getPrecision() == Precision::Tf32)
    return dot.emitOpError()
           << "cannot use wgmma, which its plan asks for: only a producer's "
              "copies round operands to tf32, and the kernel is not split into "
              "roles";
  OpBuilder builder(dot);
  Location loc = dot.getLoc();
  auto tile = cast<RankedTensorType>(dot.getType());
  bool addsSums = dot.getPromoteEvery().has_value();
  Value acc = dot.getAcc();
  if (addsSums)
    acc = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(tile));
  auto wgmma = WgmmaOp::create(
      builder, loc, PendingType::get(dot.getContext(), tile), a->buffer,
      a->cursor, b->buffer, b->cursor, acc, *dot.getPlan());
  builder.setInsertionPoint(placeOfWait(dot, wgmma));
  Value sum = WgmmaFinishOp::create(builder, loc, tile, wgmma);
  if (addsSums)
    sum = arith::AddFOp::create(builder, loc, dot.getAcc(), sum);
  dot.replaceAllUsesWith(sum);
  dot.erase();
  return success();
}

LogicalResult MemoryLowering::lowerDot(DotOp dot) {
  if (failed(checkPlan(dot, warpsOf(kernel))))
    return failure();
  if (dot.getPlan()->getInstruction() == Instruction::Wgmma)
    return lowerWgmma(dot);
  FailureOr<Slot> a = slotOf(dot, dot.getA());
  FailureOr<Slot> b = slotOf(dot, dot.getB());
  if (failed(a) || failed(b))
    return failure();
  OpBuilder builder(dot);
  auto mma =
      MmaOp::create(builder, dot.getLoc(), dot.getType(), a->buffer, a->cursor,
                    b->buffer, b->cursor, dot.getAcc(), *dot.getPlan(),
                    dot.getPrecision(), dot.getPromoteEveryAttr());
  dot.replaceAllUsesWith(mma.getResult());
  dot.erase();
  return success();
}

namespace {
struct LowerMemory : public tile::impl::TileLowerMemoryPassBase<LowerMemory> {
  void runOnOperation() override {
    if (failed(MemoryLowering(getOperation()).run()))
      signalPassFailure();
  }
};
} // namespace
