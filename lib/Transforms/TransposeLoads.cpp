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
// through registers.
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

/// Loads at transposed offsets, where the load stands.
static void rewrite(TransposeOp op) {
  auto load = op.getSource().getDefiningOp<LoadOp>();
  OpBuilder builder(load);
  auto transpose = [&](Value value) -> Value {
    if (!value || !isa<RankedTensorType>(value.getType()))
      return value;
    return TransposeOp::create(builder, op.getLoc(),
                               transposedType(value.getType(), op.getOrder()),
                               value, op.getOrder());
  };
  auto turned = cast<LoadOp>(builder.clone(*load));
  builder.setInsertionPoint(turned);
  turned.getOffsetsMutable().assign(transpose(load.getOffsets()));
  if (Value mask = load.getMask())
    turned.getMaskMutable().assign(transpose(mask));
  if (Value other = load.getOther())
    turned.getOtherMutable().assign(transpose(other));
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
