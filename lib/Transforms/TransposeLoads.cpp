//===- TransposeLoads.cpp - Load operands the way round that dots take ----===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `dot(q, trans(load k))` says the same as loading k at transposed offsets, and
// that is how operands reach shared memory and the tensor cores, which read
// either order from there.  A transposition that stayed would take the tile
// through registers.  For the same reason offsets and masks are computed anew,
// the other way round, and only what is no arithmetic is turned.
//
//===----------------------------------------------------------------------===//

#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

#define DEBUG_TYPE "tile-transpose-loads"

namespace tile {
#define GEN_PASS_DEF_TILETRANSPOSELOADSPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Whether a transposition does nothing but turn a load into an operand.
static bool turnsOperand(TransposeOp op) {
  auto load = op.getSource().getDefiningOp<LoadOp>();
  return load && load->hasOneUse() && !op->use_empty() &&
         llvm::all_of(op->getUsers(), llvm::IsaPred<DotOp>);
}

/// The type of a tile with its sides in another order.
static RankedTensorType transposedType(Type type, ArrayRef<int64_t> order) {
  auto tile = cast<RankedTensorType>(type);
  return RankedTensorType::get(applyPermutation(tile.getShape(), order),
                               tile.getElementType());
}

/// Ops that one tile is followed through at most, one behind the other.
static constexpr unsigned kMaxDepth = 64;

namespace {
/// Makes tiles the other way round.
class Turner {
public:
  Turner(OpBuilder &builder, TransposeOp op)
      : builder(builder), loc(op.getLoc()), order(op.getOrder()) {}

  /// `value` with its sides in the other order; what is no tile, or null, as it
  /// is.
  Value turn(Value value);

private:
  Value compute(Value value);
  Value expand(ExpandDimsOp op);

  OpBuilder &builder;
  Location loc;
  ArrayRef<int64_t> order;
  llvm::DenseMap<Value, Value> turned;
  unsigned depth = 0;
};
} // namespace

Value Turner::turn(Value value) {
  if (!value || !isa<RankedTensorType>(value.getType()))
    return value;
  if (Value known = turned.lookup(value))
    return known;
  ++depth;
  Value result = depth <= kMaxDepth ? compute(value) : Value();
  --depth;
  if (!result)
    result = TransposeOp::create(
        builder, loc, transposedType(value.getType(), order), value, order);
  turned[value] = result;
  return result;
}

/// The turned tile where its op can make it; null otherwise.
Value Turner::compute(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumResults() != 1)
    return Value();
  if (auto expanded = dyn_cast<ExpandDimsOp>(op))
    return expand(expanded);
  bool keepsSides =
      isMemoryEffectFree(op) && OpTrait::hasElementwiseMappableTraits(op);
  if (!isa<SplatOp, BroadcastOp>(op) && !keepsSides)
    return Value();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(turn(operand));
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  copy->getResult(0).setType(transposedType(value.getType(), order));
  return copy->getResult(0);
}

/// A line becomes the other side's.
Value Turner::expand(ExpandDimsOp op) {
  if (order.size() != 2)
    return Value();
  auto axis = llvm::find(order, int64_t(op.getAxis())) - order.begin();
  return ExpandDimsOp::create(builder, op.getLoc(),
                              transposedType(op.getType(), order),
                              op.getSource(), axis);
}

/// Loads at transposed offsets, where the load stands.
static void rewrite(TransposeOp op) {
  auto load = op.getSource().getDefiningOp<LoadOp>();
  OpBuilder builder(load);
  Turner turner(builder, op);
  auto turned = cast<LoadOp>(builder.clone(*load));
  builder.setInsertionPoint(turned);
  turned.getOffsetsMutable().assign(turner.turn(load.getOffsets()));
  if (Value mask = load.getMask())
    turned.getMaskMutable().assign(turner.turn(mask));
  if (Value other = load.getOther())
    turned.getOtherMutable().assign(turner.turn(other));
  turned.getResult().setType(op.getType());
  op.replaceAllUsesWith(turned.getResult());
  op.erase();
  load.erase();
}

namespace {
struct TransposeLoads
    : public tile::impl::TileTransposeLoadsPassBase<TransposeLoads> {
  void runOnOperation() override {
    SmallVector<TransposeOp> transpositions;
    getOperation().walk([&](TransposeOp op) {
      if (turnsOperand(op))
        transpositions.push_back(op);
    });
    for (TransposeOp op : transpositions)
      rewrite(op);
  }
};
} // namespace
