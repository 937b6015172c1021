//===- StoreLayouts.cpp - How results leave their fragments ---------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoreLayouts.h"

#include "PlanChecks.h"
#include "PlanShared.h"
#include "ShapeLayouts.h"
#include "tile/Layout/Queries.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

#define DEBUG_TYPE "tile-assign-layouts"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

unsigned tile::contiguousDim(RankedTensorType tile, OperandRange strides) {
  unsigned contiguous = tile.getRank() - 1;
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (matchPattern(stride, m_One()) && tile.getDimSize(dim) > 1)
      contiguous = dim;
  return contiguous;
}

static LoopLikeOpInterface outermostLoop(Operation *op) {
  LoopLikeOpInterface loop;
  for (auto around = op->getParentOfType<LoopLikeOpInterface>(); around;
       around = around->getParentOfType<LoopLikeOpInterface>())
    loop = around;
  return loop;
}

/// Why a stored tile may not be rearranged in shared memory; empty if it may.
/// Beside the rings of a loop around it a tile would keep other CTAs off the
/// multiprocessor; what is exchanged in the loop may live beside it.
static std::string reasonAgainstRoom(tile::gpu::StoreOp store) {
  int64_t bytes = tileBytes(store.getValue().getType());
  bool hasRings = false;
  if (LoopLikeOpInterface loop = outermostLoop(store))
    loop->walk([&](Operation *op) {
      for (Type type : op->getOperandTypes()) {
        hasRings |= isa<BufferType>(type);
        if (isa<ConvertLayoutOp, ReduceOp, ScanOp, ReshapeOp, AtomicRmwOp,
                AtomicCasOp>(op))
          bytes += tileBytes(type);
      }
    });
  if (hasRings)
    return "a loop around it keeps rings in use";
  return bytes > targetOf(store->getParentOfType<KernelOp>()).sharedBytes
             ? "there is no room to rearrange it in shared memory"
             : "";
}

LogicalResult tile::convertStores(KernelOp kernel, int64_t warps) {
  if (planOf(kernel).getString("epilogue") == "direct")
    return success();
  SmallVector<tile::gpu::StoreOp> stores;
  kernel.walk([&](tile::gpu::StoreOp store) { stores.push_back(store); });
  for (tile::gpu::StoreOp store : stores) {
    auto type = cast<RankedTensorType>(store.getValue().getType());
    int64_t vector = store.getPlan().getVector();
    unsigned contiguous = contiguousDim(type, store.getStrides());
    llvm::Expected<TileLayout> wanted =
        vectorLayout(type.getShape(), vector, contiguous, warps);
    if (!wanted)
      return store.emitOpError() << "has no layout for its value: "
                                 << llvm::toString(wanted.takeError());
    // A fragment's short runs leave as whole lines only after a rearrangement.
    const TileLayout &held = cast<LayoutAttr>(type.getEncoding()).getLayout();
    // A role that stores is on its own; its threads meet nowhere.
    if (store->getParentOfType<RoleOp>() ||
        vectorWidth(held, contiguous, vector) >=
            vectorWidth(*wanted, contiguous, vector))
      continue;
    if (std::string reason = reasonAgainstRoom(store); !reason.empty()) {
      auto options = remark::RemarkOpts::name("store").category(DEBUG_TYPE);
      remark::missed(store.getLoc(), options)
          << "the result leaves from its fragments: " + reason;
      continue;
    }
    OpBuilder builder(store);
    auto converted = ConvertLayoutOp::create(
        builder, store.getLoc(), withLayout(type, *wanted), store.getValue());
    store.getValueMutable().assign(converted);
  }
  return success();
}
