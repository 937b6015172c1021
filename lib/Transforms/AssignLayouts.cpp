//===- AssignLayouts.cpp - Give every tensor a layout ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps: join the tensors that must share a layout into classes (operands and
// results of elementwise ops, what a loop carries); give each class a layout:
// the accumulator's if an mma is in it, else one with vectors along memory;
// write the layouts into the types; convert where an op wants another one.
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/Constructors.h"
#include "tile/Layout/Queries.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

#define DEBUG_TYPE "tile-assign-layouts"

namespace tile {
#define GEN_PASS_DEF_TILEASSIGNLAYOUTSPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// Lanes of a warp.
static constexpr int64_t kLanes = 32;

namespace {

/// Assigns the layouts of one kernel.
class Assigner {
public:
  explicit Assigner(KernelOp kernel) : kernel(kernel) {
    PlanAttr plan = kernel.getPlanAttr();
    warps = plan ? plan.getInt("warps") : 4;
    staged = !plan || plan.getString("epilogue") != "direct";
  }
  LogicalResult run();

private:
  void join(Operation *op);
  void joinAll(ValueRange values);
  LogicalResult choose();
  LogicalResult want(Operation *op, Value value, const Twine &what,
                     llvm::Expected<TileLayout> layout);
  llvm::Expected<TileLayout> vectorLayout(Type type, int64_t vector,
                                          unsigned contiguous);
  void write();
  LogicalResult convertStores();

  KernelOp kernel;
  int64_t warps;
  /// Whether results may be rearranged on their way to memory.
  bool staged;
  llvm::EquivalenceClasses<Value> classes;
  /// The layout of each class, by its leader.
  llvm::DenseMap<Value, LayoutAttr> layouts;
};

} // namespace

/// Whether a value is a tile, which needs a layout.
static bool isTile(Value value) {
  return isa<RankedTensorType>(value.getType());
}

LogicalResult Assigner::run() {
  kernel.walk([&](Operation *op) { join(op); });
  if (failed(choose()))
    return failure();
  write();
  return convertStores();
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
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [init, argument, yielded, result] :
         llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(),
                   loop.getYieldedValues(), loop.getResults()))
      joinAll({init, argument, yielded, result});
    return;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (OpResult result : branch.getResults())
      for (Region &region : branch->getRegions())
        if (!region.empty())
          joinAll({result, region.front().getTerminator()->getOperand(
                               result.getResultNumber())});
    return;
  }
  if (auto mma = dyn_cast<MmaOp>(op))
    return joinAll({mma.getAcc(), mma.getResult()});
  if (op->hasTrait<OpTrait::Elementwise>()) {
    SmallVector<Value> values(op->getOperands());
    llvm::append_range(values, op->getResults());
    return joinAll(values);
  }
  for (Value result : op->getResults())
    joinAll(result);
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

LogicalResult Assigner::choose() {
  // Most binding first: instructions, then memory, then whatever is left.
  WalkResult result = kernel.walk([&](MmaOp mma) -> WalkResult {
    return want(mma, mma.getAcc(), "accumulator",
                accumulatorLayout(mma.getPlan(), mma.getType().getShape()));
  });
  if (result.wasInterrupted())
    return failure();
  result = kernel.walk([&](Operation *op) -> WalkResult {
    if (auto load = dyn_cast<tile::gpu::LoadOp>(op))
      return want(op, load.getResult(), "result",
                  vectorLayout(load.getType(), load.getPlan().getVector(),
                               load.getType().getRank() - 1));
    if (auto store = dyn_cast<tile::gpu::StoreOp>(op))
      return want(op, store.getValue(), "value",
                  vectorLayout(store.getValue().getType(),
                               store.getPlan().getVector(),
                               store.getValue().getType().getRank() - 1));
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  for (auto &entry : classes) {
    if (!entry->isLeader())
      continue;
    Value leader = entry->getData();
    if (layouts.contains(leader))
      continue;
    Operation *place = leader.getDefiningOp();
    if (!place)
      place = leader.getParentBlock()->getParentOp();
    unsigned last = cast<RankedTensorType>(leader.getType()).getRank() - 1;
    if (failed(want(place, leader, "result",
                    vectorLayout(leader.getType(), 1, last))))
      return failure();
  }
  return success();
}

llvm::Expected<TileLayout> Assigner::vectorLayout(Type type, int64_t vector,
                                                  unsigned contiguous) {
  auto tile = cast<RankedTensorType>(type);
  int64_t rank = tile.getRank();
  SmallVector<int64_t> perThread(rank, 1), lanes(rank, 1), warpGrid(rank, 1);
  SmallVector<unsigned> order = {contiguous};
  for (unsigned dim = rank; dim-- > 0;)
    if (dim != contiguous)
      order.push_back(dim);
  perThread[contiguous] = std::min(vector, tile.getDimSize(contiguous));
  // Lanes run along memory first, then over the other dimensions; warps take
  // what is slowest.
  int64_t left = kLanes;
  for (unsigned dim : order) {
    int64_t places = std::max<int64_t>(1, tile.getDimSize(dim) / perThread[dim]);
    lanes[dim] = std::min<int64_t>(left, llvm::bit_floor(uint64_t(places)));
    left /= lanes[dim];
  }
  lanes[order.back()] *= left;
  warpGrid[order.back()] = warps;
  return blocked(tile.getShape(), perThread, lanes, warpGrid, order);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// The type with a layout.
static RankedTensorType withLayout(Type type, LayoutAttr layout) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape(), tensor.getElementType(),
                               layout);
}

void Assigner::write() {
  for (auto &entry : classes) {
    Value value = entry->getData();
    LayoutAttr layout = layouts.lookup(classes.getLeaderValue(value));
    auto type = withLayout(value.getType(), layout);
    if (auto constant = value.getDefiningOp<arith::ConstantOp>()) {
      auto elements = cast<DenseElementsAttr>(constant.getValue());
      // Parts of a class may be constants of one value: each has its own op.
      constant.setValueAttr(
          DenseElementsAttr::get(type, elements.getSplatValue<Attribute>()));
    }
    value.setType(type);
  }
}

LogicalResult Assigner::convertStores() {
  SmallVector<tile::gpu::StoreOp> stores;
  kernel.walk([&](tile::gpu::StoreOp store) { stores.push_back(store); });
  for (tile::gpu::StoreOp store : stores) {
    auto type = cast<RankedTensorType>(store.getValue().getType());
    auto layout = cast<LayoutAttr>(type.getEncoding());
    unsigned last = type.getRank() - 1;
    int64_t vector = store.getPlan().getVector();
    int64_t held = vectorWidth(layout.getLayout(), last, vector);
    llvm::Expected<TileLayout> wanted = vectorLayout(type, vector, last);
    if (!wanted)
      return store.emitOpError() << "has no layout for its value: "
                                 << llvm::toString(wanted.takeError());
    // A fragment's short runs leave as whole lines only after a rearrangement.
    if (!staged || held >= vector)
      continue;
    OpBuilder builder(store);
    auto converted = ConvertLayoutOp::create(
        builder, store.getLoc(),
        withLayout(type, LayoutAttr::get(kernel.getContext(), *wanted)),
        store.getValue());
    store.getValueMutable().assign(converted);
  }
  return success();
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
