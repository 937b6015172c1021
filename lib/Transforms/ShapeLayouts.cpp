//===- ShapeLayouts.cpp - Layouts that follow from others -----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeLayouts.h"

#include "tile/GPU/ThreadElements.h"
#include "tile/Layout/Constructors.h"
#include "tile/Layout/Reshape.h"

using namespace mlir;
using namespace tile;

/// Lanes of a warp.
static constexpr int64_t kLanes = 32;
/// Elements of a tile that one thread holds at most: far above the 255
/// registers that it has, and few enough to be written out.
static constexpr int64_t kMaxElementsPerThread = 8192;

RankedTensorType tile::withLayout(RankedTensorType type,
                                  const TileLayout &layout) {
  return RankedTensorType::get(type.getShape(), type.getElementType(),
                               LayoutAttr::get(type.getContext(), layout));
}

const TileLayout &tile::tileLayoutOf(Type type) {
  auto encoding = cast<RankedTensorType>(type).getEncoding();
  return cast<LayoutAttr>(encoding).getLayout();
}

bool tile::isShapeOp(Operation *op) {
  if (!isa<ExpandDimsOp, BroadcastOp, TransposeOp, ReshapeOp>(op))
    return false;
  return cast<RankedTensorType>(op->getOperand(0).getType()).getRank() > 0;
}

/// The shape of a tensor.
static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

std::optional<TileLayout> tile::sourceLayout(Operation *op,
                                             const TileLayout &result) {
  ArrayRef<int64_t> from = shapeOf(op->getOperand(0));
  ArrayRef<int64_t> to = shapeOf(op->getResult(0));
  if (auto expand = dyn_cast<ExpandDimsOp>(op))
    return result.slice(expand.getAxis());
  if (isa<ReshapeOp>(op))
    return reshapeLayout(result, to, from);
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    SmallVector<unsigned> inverse(transpose.getOrder().size());
    for (auto [dim, original] : llvm::enumerate(transpose.getOrder()))
      inverse[original] = dim;
    return result.transpose(inverse);
  }
  TileLayout source = result;
  for (unsigned dim = 0; dim < result.rank(); ++dim)
    if (from[dim] != to[dim])
      source = source.slice(dim).expandDims(dim);
  return source;
}

std::optional<TileLayout> tile::resultLayout(Operation *op,
                                             const TileLayout &source) {
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return source.slice(reduce.getAxis());
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return reshapeLayout(source, shapeOf(reshape.getSource()),
                         shapeOf(reshape.getResult()));
  return std::nullopt;
}

llvm::Expected<TileLayout> tile::vectorLayout(ArrayRef<int64_t> shape,
                                              int64_t vector,
                                              unsigned contiguous,
                                              int64_t numWarps) {
  int64_t rank = shape.size();
  SmallVector<int64_t> perThread(rank, 1), lanes(rank, 1), warps(rank, 1);
  SmallVector<unsigned> order = {contiguous};
  for (unsigned dim = rank; dim-- > 0;)
    if (dim != contiguous)
      order.push_back(dim);
  // Powers of two are spread, what is odd in a side is repeated.
  SmallVector<int64_t> powers, repetitions;
  for (int64_t side : shape) {
    powers.push_back(side & -side);
    repetitions.push_back(side / powers.back());
  }
  perThread[contiguous] = std::min(vector, powers[contiguous]);
  int64_t left = kLanes;
  for (unsigned dim : order) {
    lanes[dim] = std::min(left, powers[dim] / perThread[dim]);
    left /= lanes[dim];
  }
  for (unsigned dim : llvm::reverse(order)) {
    warps[dim] =
        std::min(numWarps, powers[dim] / (perThread[dim] * lanes[dim]));
    numWarps /= warps[dim];
  }
  // Lanes and warps that are left hold copies.
  lanes[order.back()] *= left;
  warps[order.back()] *= numWarps;
  llvm::Expected<TileLayout> layout =
      blocked(powers, perThread, lanes, warps, order);
  if (!layout)
    return layout;
  for (unsigned dim = 0; dim < rank; ++dim)
    repetitions[dim] *= layout->reps()[dim];
  layout = TileLayout::create(layout->atom(), repetitions, order);
  if (layout && layout->numRegs() > kMaxElementsPerThread)
    return llvm::createStringError(
        "expected at most " + Twine(kMaxElementsPerThread) +
        " elements a thread, got " + Twine(layout->numRegs()));
  return layout;
}

LogicalResult tile::checkThreadElements(KernelOp kernel, int64_t warps) {
  auto check = [&](Operation *op) -> WalkResult {
    for (Value result : op->getResults()) {
      auto type = dyn_cast<RankedTensorType>(result.getType());
      auto layout = type ? dyn_cast_if_present<LayoutAttr>(type.getEncoding())
                         : LayoutAttr();
      if (!layout || layout.getLayout().numRegs() <= kMaxThreadElements)
        continue;
      return op->emitOpError()
             << "expected at most " << kMaxThreadElements
             << " elements a thread, got " << layout.getLayout().numRegs()
             << " of " << type.getElementType() << " on " << warps
             << (warps == 1 ? " warp" : " warps")
             << "; a smaller tile, or more warps, leaves fewer";
    }
    return WalkResult::advance();
  };
  return failure(kernel.walk<WalkOrder::PreOrder>(check).wasInterrupted());
}
