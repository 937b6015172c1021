//===- LowerExchanges.cpp - Exchanges between warps -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reductions, scans, reshapes and the results of atomic updates are made of
// what a warp can do by itself, and of conversions and slots for the rest.
// Barriers and places in shared memory are left to the passes that follow.
//
//===----------------------------------------------------------------------===//

#include "PlanChecks.h"
#include "ShapeLayouts.h"
#include "tile/Layout/Axis.h"
#include "tile/Layout/Constructors.h"
#include "tile/Layout/Queries.h"
#include "tile/Layout/Reshape.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

#define DEBUG_TYPE "tile-gpu-lower-exchanges"

namespace tile {
#define GEN_PASS_DEF_TILEGPULOWEREXCHANGESPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// Lanes of a warp, as bits.
static constexpr unsigned kLaneBits = 5;

namespace {

/// A tile in shared memory.
struct Slot {
  Value buffer, cursor;
};

/// Lowers the exchanges of one kernel.
class ExchangeLowering {
public:
  explicit ExchangeLowering(KernelOp kernel)
      : kernel(kernel), warps(warpsOf(kernel)), builder(kernel.getContext()) {}
  LogicalResult run();

private:
  LogicalResult lower(ReduceOp reduce);
  LogicalResult lower(ScanOp scan);
  LogicalResult lower(ReshapeOp reshape);
  LogicalResult lowerAtomic(Operation *op);
  void lowerReduceAcrossWarps(ReduceOp reduce, int64_t inner);
  ReduceOp createReduce(ReduceOp like, ValueRange operands, unsigned axis);
  Value createTileOfOne(Operation *atomic);
  void shareFromOwners(Value tile);
  SmallVector<Value> convert(ValueRange values, const TileLayout &layout);
  void replace(Operation *op, ValueRange results);
  Slot createSlot(Location loc, RankedTensorType type);

  KernelOp kernel;
  int64_t warps;
  OpBuilder builder;
};

} // namespace

/// Refuses an op on tiles that lie nowhere yet.
static LogicalResult checkLayouts(Operation *op) {
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (auto tile = dyn_cast<RankedTensorType>(type);
        tile && !isa_and_nonnull<LayoutAttr>(tile.getEncoding()))
      return op->emitOpError() << "expected tiles with layouts, which "
                                  "tile-assign-layouts gives them, got "
                               << type;
  return success();
}

LogicalResult ExchangeLowering::run() {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    if (isa<ReduceOp, ScanOp, ReshapeOp, AtomicRmwOp, AtomicCasOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (failed(checkLayouts(op)))
      return failure();
    builder.setInsertionPoint(op);
    LogicalResult result =
        llvm::TypeSwitch<Operation *, LogicalResult>(op)
            .Case<ReduceOp, ScanOp, ReshapeOp>(
                [&](auto typed) { return lower(typed); })
            .Default([&](Operation *atomic) { return lowerAtomic(atomic); });
    if (failed(result))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

SmallVector<Value> ExchangeLowering::convert(ValueRange values,
                                             const TileLayout &layout) {
  SmallVector<Value> converted;
  for (Value value : values) {
    auto type = cast<RankedTensorType>(value.getType());
    converted.push_back(builder.createOrFold<ConvertLayoutOp>(
        value.getLoc(), withLayout(type, layout), value));
  }
  return converted;
}

Slot ExchangeLowering::createSlot(Location loc, RankedTensorType type) {
  TileLayout layout = llvm::cantFail(sharedRowMajor(type.getShape()));
  auto buffer = BufferType::get(type.getContext(), 1, type.getShape(),
                                type.getElementType(),
                                LayoutAttr::get(type.getContext(), layout));
  return {
      AllocOp::create(builder, loc, buffer, /*offset=*/nullptr),
      CursorOp::create(builder, loc, CursorType::get(type.getContext(), 1))};
}

/// Replaces an op by results that may have other layouts.
void ExchangeLowering::replace(Operation *op, ValueRange results) {
  for (auto [from, to] : llvm::zip_equal(op->getResults(), results)) {
    Value converted = to;
    if (isa<RankedTensorType>(from.getType()))
      converted = convert(to, tileLayoutOf(from.getType())).front();
    from.replaceAllUsesWith(converted);
  }
  op->erase();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The same reduction of other operands.
ReduceOp ExchangeLowering::createReduce(ReduceOp like, ValueRange operands,
                                        unsigned axis) {
  SmallVector<Type> types;
  for (Value operand : operands) {
    auto type = cast<RankedTensorType>(operand.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + axis);
    if (shape.empty())
      types.push_back(type.getElementType());
    else
      types.push_back(
          withLayout(RankedTensorType::get(shape, type.getElementType()),
                     tileLayoutOf(type).slice(axis)));
  }
  auto reduce =
      ReduceOp::create(builder, like.getLoc(), types, operands,
                       builder.getI32IntegerAttr(axis), like.getReassocAttr());
  IRMapping mapping;
  like.getCombine().cloneInto(&reduce.getCombine(), mapping);
  return reduce;
}

/// The elements of a line that lie below the first bit that warps tell apart,
/// or the whole side if no warp does; 0 if the layout has no such order.
static int64_t sideInWarp(const TileLayout &layout, unsigned axis,
                          int64_t side) {
  std::optional<SmallVector<PlaceBit>> bits = axisBits(layout, axis);
  if (!bits)
    return 0;
  for (auto [index, holder] : llvm::enumerate(*bits))
    if (holder.group == LayoutIn::Warp || holder.group == LayoutIn::Block)
      return int64_t(1) << index;
  return side;
}

/// Refuses a region that is more than a function of its arguments: how often
/// threads run it depends on the layout.
static LogicalResult checkRegion(Operation *op) {
  WalkResult result = op->getRegion(0).walk([&](Operation *inner) {
    bool isFree = isMemoryEffectFree(inner) || inner->getNumRegions() != 0;
    return isFree ? WalkResult::advance()
                  : WalkResult(inner->emitOpError()
                               << "is not lowered in the region of '"
                               << op->getName()
                               << "': expected ops without effects on memory");
  });
  return failure(result.wasInterrupted());
}

LogicalResult ExchangeLowering::lower(ReduceOp reduce) {
  if (failed(checkRegion(reduce)))
    return failure();
  unsigned axis = reduce.getAxis();
  auto type = cast<RankedTensorType>(reduce.getOperands().front().getType());
  const TileLayout &layout = tileLayoutOf(type);
  int64_t side = type.getDimSize(axis);
  int64_t inner = sideInWarp(layout, axis, side);
  if (inner == side)
    return success();
  if (inner != 0) {
    lowerReduceAcrossWarps(reduce, inner);
    return success();
  }
  llvm::Expected<TileLayout> lines =
      lineLayout(type.getShape(), axis, layout.numWarps());
  if (!lines)
    return reduce.emitOpError() << "has no layout for its operand: "
                                << llvm::toString(lines.takeError());
  SmallVector<Value> operands = convert(reduce.getOperands(), *lines);
  replace(reduce, createReduce(reduce, operands, axis).getResults());
  return success();
}

/// Reduces `inner` neighbours in each warp and the rest where every warp has
/// all partial results.
void ExchangeLowering::lowerReduceAcrossWarps(ReduceOp reduce, int64_t inner) {
  unsigned axis = reduce.getAxis();
  SmallVector<Value> partial(reduce.getOperands());
  if (inner > 1) {
    SmallVector<Value> split;
    for (Value operand : partial) {
      auto type = cast<RankedTensorType>(operand.getType());
      SmallVector<int64_t> shape(type.getShape());
      shape[axis] /= inner;
      shape.insert(shape.begin() + axis + 1, inner);
      TileLayout layout =
          *reshapeLayout(tileLayoutOf(type), type.getShape(), shape);
      split.push_back(ReshapeOp::create(
          builder, reduce.getLoc(),
          withLayout(RankedTensorType::get(shape, type.getElementType()),
                     layout),
          operand));
    }
    partial = createReduce(reduce, split, axis + 1).getResults();
  }
  TileLayout gathered =
      gatherAxis(tileLayoutOf(partial.front().getType()), axis);
  replace(reduce,
          createReduce(reduce, convert(partial, gathered), axis).getResults());
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

/// Whether a thread's elements of a line follow each other, and then those of
/// the lanes of its warp.
static bool isInOrder(const TileLayout &layout, unsigned axis) {
  std::optional<SmallVector<PlaceBit>> bits = axisBits(layout, axis);
  if (!bits)
    return false;
  bool lanesBegan = false;
  for (PlaceBit holder : *bits) {
    bool isLane = holder.group == LayoutIn::Lane;
    if (!isLane && (lanesBegan || holder.group != LayoutIn::Reg))
      return false;
    lanesBegan |= isLane;
  }
  return true;
}

LogicalResult ExchangeLowering::lower(ScanOp scan) {
  if (failed(checkRegion(scan)))
    return failure();
  unsigned axis = scan.getAxis();
  auto type = cast<RankedTensorType>(scan.getOperands().front().getType());
  const TileLayout &layout = tileLayoutOf(type);
  if (isInOrder(layout, axis))
    return success();
  llvm::Expected<TileLayout> lines =
      lineLayout(type.getShape(), axis, layout.numWarps());
  if (!lines)
    return scan.emitOpError() << "has no layout for its operand: "
                              << llvm::toString(lines.takeError());
  SmallVector<Value> operands = convert(scan.getOperands(), *lines);
  auto inOrder =
      ScanOp::create(builder, scan.getLoc(), ValueRange(operands).getTypes(),
                     operands, scan.getAxisAttr(), scan.getReverseAttr());
  IRMapping mapping;
  scan.getCombine().cloneInto(&inOrder.getCombine(), mapping);
  replace(scan, inOrder.getResults());
  return success();
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

LogicalResult ExchangeLowering::lower(ReshapeOp reshape) {
  auto from = cast<RankedTensorType>(reshape.getSource().getType());
  auto to = cast<RankedTensorType>(reshape.getType());
  std::optional<TileLayout> renamed =
      reshapeLayout(tileLayoutOf(from), from.getShape(), to.getShape());
  if (renamed && registerSources(*renamed, tileLayoutOf(to)))
    return success();
  Location loc = reshape.getLoc();
  Slot slot = createSlot(loc, from);
  LocalStoreOp::create(builder, loc, reshape.getSource(), slot.buffer,
                       slot.cursor);
  Value read = LocalLoadOp::create(builder, loc, to, slot.buffer, slot.cursor);
  reshape.replaceAllUsesWith(read);
  reshape.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Atomic updates
//===----------------------------------------------------------------------===//

/// Whether some thread has a place for an element that it does not own.
static bool hasCopies(const TileLayout &layout, int64_t numWarps) {
  OwnerMask owners = ownerMask(layout);
  return owners.lane != 0 || owners.warp != 0 ||
         layout.atom().numBits(LayoutIn::Lane) < kLaneBits ||
         layout.numWarps() < numWarps;
}

/// Gives every thread that has a place for an element of an atomic update's
/// result what the owner, which made the update, has there.
void ExchangeLowering::shareFromOwners(Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  Location loc = tile.getLoc();
  Slot slot = createSlot(loc, type);
  auto store =
      LocalStoreOp::create(builder, loc, tile, slot.buffer, slot.cursor);
  Value read =
      LocalLoadOp::create(builder, loc, type, slot.buffer, slot.cursor);
  tile.replaceAllUsesExcept(read, store);
}

/// The same update as one of a tile of one element.
Value ExchangeLowering::createTileOfOne(Operation *atomic) {
  TileLayout layout = llvm::cantFail(lineLayout({1}, 0, warps));
  Operation *wide = atomic->clone();
  for (OpOperand &operand : wide->getOpOperands()) {
    Type type = operand.get().getType();
    if (!isa<PointerType>(type))
      operand.set(SplatOp::create(
          builder, atomic->getLoc(),
          withLayout(RankedTensorType::get({1}, type), layout), operand.get()));
  }
  Value result = wide->getResult(0);
  result.setType(
      withLayout(RankedTensorType::get({1}, result.getType()), layout));
  builder.insert(wide);
  return result;
}

/// Shares what an update returns among the threads that need it.
LogicalResult ExchangeLowering::lowerAtomic(Operation *op) {
  Value result = op->getResult(0);
  if (result.use_empty())
    return success();
  if (auto type = dyn_cast<RankedTensorType>(result.getType())) {
    builder.setInsertionPointAfter(op);
    if (hasCopies(tileLayoutOf(type), warps))
      shareFromOwners(result);
    return success();
  }
  Type element = result.getType();
  Location loc = op->getLoc();
  Value tile = createTileOfOne(op);
  // A reduction along a side of 1 makes a scalar of it.
  auto reduce = ReduceOp::create(builder, loc, element, tile,
                                 builder.getI32IntegerAttr(0), UnitAttr());
  Block &block = reduce.getCombine().emplaceBlock();
  block.addArguments({element, element}, {loc, loc});
  OpBuilder region = OpBuilder::atBlockEnd(&block);
  YieldOp::create(region, loc, block.getArgument(0));
  builder.setInsertionPoint(reduce);
  shareFromOwners(tile);
  result.replaceAllUsesWith(reduce.getResult(0));
  op->erase();
  return success();
}

namespace {
struct LowerExchanges
    : public tile::impl::TileGPULowerExchangesPassBase<LowerExchanges> {
  void runOnOperation() override {
    if (failed(ExchangeLowering(getOperation()).run()))
      signalPassFailure();
  }
};
} // namespace
