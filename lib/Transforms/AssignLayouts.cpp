//===- AssignLayouts.cpp - Give every tensor a layout ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps: give each use its own constant, so that one constant does not tie two
// tiles together; join the tensors that must share a layout into classes
// (operands and results of elementwise ops, what control flow passes on); give
// each class a layout: that of an instruction if one is in it, else one with
// vectors along memory, and to what is broadcast that of its result, so that
// broadcasting moves nothing; write the layouts into the types; convert where
// an op wants another one.
//
//===----------------------------------------------------------------------===//

#include "PlanChecks.h"
#include "ShapeLayouts.h"
#include "StoreLayouts.h"
#include "tile/Layout/Axis.h"
#include "tile/Layout/Queries.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/EquivalenceClasses.h"

#define DEBUG_TYPE "tile-assign-layouts"

namespace tile {
#define GEN_PASS_DEF_TILEASSIGNLAYOUTSPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

namespace {

/// Assigns the layouts of one kernel.
class Assigner {
public:
  explicit Assigner(KernelOp kernel) : kernel(kernel), warps(warpsOf(kernel)) {}
  LogicalResult run();

private:
  LogicalResult checkTiles();
  void separateConstants();
  void join(Operation *op);
  void join(RegionBranchOpInterface branch);
  void joinAll(ValueRange values);
  LogicalResult choose();
  LogicalResult chooseForMemory(int64_t rank);
  LogicalResult chooseRest(int64_t rank);
  void spread();
  bool spread(
      Value from, Value to,
      llvm::function_ref<std::optional<TileLayout>(const TileLayout &)> follow);
  llvm::Expected<TileLayout> spreadLayout(Value tile, int64_t vector,
                                          unsigned contiguous);
  LogicalResult want(Operation *op, Value value, const Twine &what,
                     llvm::Expected<TileLayout> layout);
  void write();
  void convertAround(MmaOp mma);
  void convertOperand(WgmmaOp wgmma);
  void convertSource(Operation *op);
  void convertResults(ReduceOp reduce);

  KernelOp kernel;
  int64_t warps;
  llvm::EquivalenceClasses<Value> classes;
  /// The layout of each class, by its leader.
  llvm::DenseMap<Value, LayoutAttr> layouts;
  /// Ops that repeat or relabel a tile's elements.
  SmallVector<Operation *> shapeOps;
  /// Ops whose result may be laid out as their operand is.
  SmallVector<Operation *> narrowingOps;
};

} // namespace

/// The tensor that a type is, or is pending.
static Type tensorOf(Type type) {
  if (auto pending = dyn_cast<PendingType>(type))
    return pending.getTensor();
  return type;
}

/// Whether a value is a tensor, pending or not, which needs a layout.
static bool isTile(Value value) {
  return isa<TensorType>(tensorOf(value.getType()));
}

/// The rank of a tile.
static int64_t rankOf(Value value) {
  return cast<RankedTensorType>(tensorOf(value.getType())).getRank();
}

LogicalResult Assigner::run() {
  if (failed(checkTiles()))
    return failure();
  separateConstants();
  kernel.walk([&](Operation *op) { join(op); });
  if (failed(choose()))
    return failure();
  write();
  kernel.walk([&](MmaOp mma) { convertAround(mma); });
  kernel.walk([&](WgmmaOp wgmma) { convertOperand(wgmma); });
  for (Operation *op : shapeOps)
    convertSource(op);
  kernel.walk([&](ReduceOp reduce) { convertResults(reduce); });
  if (failed(convertStores(kernel, warps)))
    return failure();
  return checkThreadElements(kernel, warps);
}

//===----------------------------------------------------------------------===//
// What has no layout
//===----------------------------------------------------------------------===//

LogicalResult Assigner::checkTiles() {
  WalkResult result = kernel.walk([](Operation *op) -> WalkResult {
    if (isa<DotOp>(op))
      return op->emitOpError() << "is not lowered yet";
    for (Value value : op->getResults())
      if (auto tensor = dyn_cast<RankedTensorType>(tensorOf(value.getType()));
          isTile(value) && (!tensor || !isTileShape(tensor.getShape())))
        return op->emitOpError() << "has no layout for its result: expected a "
                                    "tile of at most 2^24 elements, got "
                                 << value.getType();
    DenseElementsAttr elements;
    if (isa<arith::ConstantOp>(op) && isTile(op->getResult(0)) &&
        !matchPattern(op, m_Constant(&elements)))
      return op->emitOpError()
             << "is not lowered yet: expected elements that are dense, got "
             << cast<arith::ConstantOp>(op).getValue();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

void Assigner::separateConstants() {
  SmallVector<Operation *> constants;
  kernel.walk([&](Operation *op) {
    if (isa<arith::ConstantOp, SplatOp, IotaOp>(op) && isTile(op->getResult(0)))
      constants.push_back(op);
  });
  for (Operation *op : constants) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op->getUses())
      uses.push_back(&use);
    OpBuilder builder(op);
    for (OpOperand *use : llvm::drop_begin(uses, uses.empty() ? 0 : 1))
      use->set(builder.clone(*op)->getResult(0));
  }
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

void Assigner::joinAll(ValueRange values) {
  Value first;
  for (Value value : values) {
    if (!isTile(value))
      continue;
    classes.insert(value);
    if (first)
      classes.unionSets(first, value);
    else
      first = value;
  }
}

void Assigner::join(Operation *op) {
  for (Value result : op->getResults())
    joinAll(result);
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
    return join(branch);
  if (auto mma = dyn_cast<MmaOp>(op))
    return joinAll({mma.getAcc(), mma.getResult()});
  if (auto wgmma = dyn_cast<WgmmaOp>(op))
    return joinAll({wgmma.getAcc(), wgmma.getResult()});
  if (auto finish = dyn_cast<WgmmaFinishOp>(op))
    return joinAll({finish.getPending(), finish.getResult()});
  if (isShapeOp(op))
    shapeOps.push_back(op);
  if (isa<ReduceOp, ReshapeOp>(op))
    narrowingOps.push_back(op);
  if (isa<ReduceOp>(op)) {
    joinAll(op->getOperands());
    return joinAll(op->getResults());
  }
  if (op->hasTrait<OpTrait::Elementwise>() ||
      isa<tile::LoadOp, tile::StoreOp, AtomicRmwOp, AtomicCasOp, ScanOp>(op)) {
    SmallVector<Value> values(op->getOperands());
    llvm::append_range(values, op->getResults());
    joinAll(values);
  }
}

/// Joins what control flow passes on with what it becomes.
void Assigner::join(RegionBranchOpInterface branch) {
  for (RegionBranchPoint point : branch.getAllRegionBranchPoints()) {
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(point, successors);
    for (RegionSuccessor successor : successors)
      for (auto [from, to] :
           llvm::zip(branch.getSuccessorOperands(point, successor),
                     successor.getSuccessorInputs()))
        joinAll({from, to});
  }
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

LogicalResult Assigner::want(Operation *op, Value value, const Twine &what,
                             llvm::Expected<TileLayout> layout) {
  if (!layout)
    return op->emitOpError() << "has no layout for its " << what << ": "
                             << llvm::toString(layout.takeError());
  LayoutAttr &slot = layouts[classes.getLeaderValue(value)];
  if (!slot)
    slot = LayoutAttr::get(kernel.getContext(), *layout);
  return success();
}

/// A layout for what memory or nothing asks for: vectors along a dimension, and
/// lines that are reduced in one piece for each warp.
llvm::Expected<TileLayout> Assigner::spreadLayout(Value tile, int64_t vector,
                                                  unsigned contiguous) {
  auto type = cast<RankedTensorType>(tensorOf(tile.getType()));
  llvm::Expected<TileLayout> layout =
      vectorLayout(type.getShape(), vector, contiguous, warps);
  if (!layout)
    return layout;
  for (Operation *op : narrowingOps)
    if (auto reduce = dyn_cast<ReduceOp>(op);
        reduce && classes.isEquivalent(reduce.getOperands().front(), tile))
      layout = raiseWarps(*layout, reduce.getAxis());
  return layout;
}

LogicalResult Assigner::choose() {
  // What is there, then the most binding first: instructions, memory, whatever
  // is left.
  for (const auto *entry : classes)
    if (auto layout = dyn_cast_if_present<LayoutAttr>(
            cast<RankedTensorType>(tensorOf(entry->getData().getType()))
                .getEncoding()))
      layouts.try_emplace(classes.getLeaderValue(entry->getData()), layout);
  WalkResult result = kernel.walk([&](MmaOp mma) -> WalkResult {
    return want(mma, mma.getAcc(), "accumulator",
                accumulatorLayout(mma.getPlan(), mma.getType().getShape()));
  });
  if (result.wasInterrupted())
    return failure();
  result = kernel.walk([&](WgmmaOp wgmma) -> WalkResult {
    return want(wgmma, wgmma.getAcc(), "accumulator",
                accumulatorLayout(wgmma.getPlan(),
                                  wgmma.getType().getTensor().getShape()));
  });
  if (result.wasInterrupted())
    return failure();
  // A product may be the next one's operand as it stands, and so comes first.
  result = kernel.walk([&](WgmmaOp wgmma) -> WalkResult {
    auto operand = dyn_cast<RankedTensorType>(wgmma.getA().getType());
    if (!operand)
      return WalkResult::advance();
    return want(wgmma, wgmma.getA(), "operand",
                wgmmaOperandLayout(wgmma.getPlan(), operand.getShape()));
  });
  if (result.wasInterrupted())
    return failure();
  spread();
  // What has the most dimensions decides for what is broadcast to it.
  int64_t maxRank = 0;
  for (const auto *entry : classes)
    maxRank = std::max(maxRank, rankOf(entry->getData()));
  for (int64_t rank = maxRank; rank >= 0; --rank)
    if (failed(chooseForMemory(rank)) || failed(chooseRest(rank)))
      return failure();
  return success();
}

LogicalResult Assigner::chooseForMemory(int64_t rank) {
  auto chooseFor = [&](auto op, Value tile, const Twine &what) -> WalkResult {
    if (rankOf(tile) != rank)
      return WalkResult::advance();
    auto type = cast<RankedTensorType>(tile.getType());
    LogicalResult result =
        want(op, tile, what,
             spreadLayout(tile, op.getPlan().getVector(),
                          contiguousDim(type, op.getStrides())));
    spread();
    return result;
  };
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    if (auto load = dyn_cast<tile::gpu::LoadOp>(op))
      return chooseFor(load, load.getResult(), "result");
    if (auto store = dyn_cast<tile::gpu::StoreOp>(op))
      return chooseFor(store, store.getValue(), "value");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult Assigner::chooseRest(int64_t rank) {
  for (const auto *entry : classes) {
    Value value = entry->getData();
    if (rankOf(value) != rank ||
        layouts.contains(classes.getLeaderValue(value)))
      continue;
    Operation *place = value.getDefiningOp();
    if (!place)
      place = value.getParentBlock()->getParentOp();
    auto type = cast<RankedTensorType>(tensorOf(value.getType()));
    if (failed(want(place, value, "result",
                    spreadLayout(value, 1, type.getRank() - 1))))
      return failure();
    spread();
  }
  return success();
}

/// Gives what is broadcast the layout that its result asks for, and what comes
/// out of a reduction the one that it comes in, where they have none.
void Assigner::spread() {
  for (bool changed = true; changed;) {
    changed = false;
    for (Operation *op : llvm::reverse(shapeOps))
      changed |= spread(
          op->getResult(0), op->getOperand(0),
          [&](const TileLayout &result) { return sourceLayout(op, result); });
    for (Operation *op : narrowingOps)
      changed |= spread(
          op->getOperand(0), op->getResult(0),
          [&](const TileLayout &source) { return resultLayout(op, source); });
  }
}

/// Gives `to` the layout that follows from that of `from`; whether it did.
bool Assigner::spread(
    Value from, Value to,
    llvm::function_ref<std::optional<TileLayout>(const TileLayout &)> follow) {
  if (!isTile(to))
    return false;
  LayoutAttr known = layouts.lookup(classes.getLeaderValue(from));
  Value leader = classes.getLeaderValue(to);
  if (!known || layouts.contains(leader))
    return false;
  std::optional<TileLayout> layout = follow(known.getLayout());
  if (layout)
    layouts[leader] = LayoutAttr::get(kernel.getContext(), *layout);
  return layout.has_value();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void Assigner::write() {
  for (const auto *entry : classes) {
    Value value = entry->getData();
    LayoutAttr layout = layouts.lookup(classes.getLeaderValue(value));
    RankedTensorType type = withLayout(
        cast<RankedTensorType>(tensorOf(value.getType())), layout.getLayout());
    if (auto constant = value.getDefiningOp<arith::ConstantOp>())
      constant.setValueAttr(
          cast<DenseElementsAttr>(constant.getValue()).reshape(type));
    if (isa<PendingType>(value.getType()))
      value.setType(PendingType::get(kernel.getContext(), type));
    else
      value.setType(type);
  }
}

/// Converts the source of a shape op whose class has another layout.
void Assigner::convertSource(Operation *op) {
  std::optional<TileLayout> layout =
      sourceLayout(op, tileLayoutOf(op->getResult(0).getType()));
  if (!layout)
    return;
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  RankedTensorType wanted = withLayout(type, *layout);
  if (type == wanted)
    return;
  OpBuilder builder(op);
  op->setOperand(0, ConvertLayoutOp::create(builder, op->getLoc(), wanted,
                                            op->getOperand(0)));
}

/// Converts the results of a reduction whose class has another layout than the
/// one in which they come out.
void Assigner::convertResults(ReduceOp reduce) {
  OpBuilder builder(reduce->getContext());
  builder.setInsertionPointAfter(reduce);
  TileLayout layout = tileLayoutOf(reduce.getOperands().front().getType());
  for (Value result : reduce.getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type)
      continue;
    result.setType(withLayout(type, layout.slice(reduce.getAxis())));
    if (result.getType() == type)
      continue;
    auto converted =
        ConvertLayoutOp::create(builder, reduce.getLoc(), type, result);
    result.replaceAllUsesExcept(converted, converted);
  }
}

/// Converts the accumulator of an mma whose class has another layout.
void Assigner::convertAround(MmaOp mma) {
  auto type = cast<RankedTensorType>(mma.getType());
  RankedTensorType wanted = withLayout(
      type, llvm::cantFail(accumulatorLayout(mma.getPlan(), type.getShape())));
  if (type == wanted)
    return;
  OpBuilder builder(mma);
  Value acc =
      ConvertLayoutOp::create(builder, mma.getLoc(), wanted, mma.getAcc());
  mma.getAccMutable().assign(acc);
  mma.getResult().setType(wanted);
  builder.setInsertionPointAfter(mma);
  auto result =
      ConvertLayoutOp::create(builder, mma.getLoc(), type, mma.getResult());
  mma.getResult().replaceAllUsesExcept(result, result);
}

/// Converts operand A of a wgmma whose class has another layout.
void Assigner::convertOperand(WgmmaOp wgmma) {
  auto type = dyn_cast<RankedTensorType>(wgmma.getA().getType());
  if (!type)
    return;
  RankedTensorType wanted = withLayout(
      type,
      llvm::cantFail(wgmmaOperandLayout(wgmma.getPlan(), type.getShape())));
  if (type == wanted)
    return;
  OpBuilder builder(wgmma);
  wgmma.getAMutable().assign(
      ConvertLayoutOp::create(builder, wgmma.getLoc(), wanted, wgmma.getA()));
}

namespace {
struct AssignLayouts
    : public tile::impl::TileAssignLayoutsPassBase<AssignLayouts> {
  void runOnOperation() override {
    if (failed(Assigner(getOperation()).run()))
      signalPassFailure();
  }
};
} // namespace
