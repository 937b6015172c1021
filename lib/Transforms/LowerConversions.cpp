//===- LowerConversions.cpp - Conversions through shared memory -----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/Constructors.h"
#include "tile/Layout/Queries.h"
#include "tile/Transforms/Passes.h"

#define DEBUG_TYPE "tile-gpu-lower-conversions"

namespace tile {
#define GEN_PASS_DEF_TILEGPULOWERCONVERSIONSPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// The layout that a tensor type has.
static const TileLayout &layoutOf(Type type) {
  auto encoding = cast<RankedTensorType>(type).getEncoding();
  return cast<LayoutAttr>(encoding).getLayout();
}

/// How a tile waits in shared memory between two layouts: swizzled where it is
/// a matrix that can be, so that fragments and rows both meet different banks.
static TileLayout scratchLayout(RankedTensorType type) {
  if (type.getRank() == 2)
    return llvm::cantFail(sharedImage(type.getDimSize(0), type.getDimSize(1),
                                      8 * elementBytes(type.getElementType()),
                                      /*rowMajor=*/true));
  return llvm::cantFail(sharedRowMajor(type.getShape()));
}

/// Replaces a conversion that crosses threads.
static void lower(ConvertLayoutOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  MLIRContext *context = op.getContext();
  Location loc = op.getLoc();
  auto buffer =
      BufferType::get(context, 1, type.getShape(), type.getElementType(),
                      LayoutAttr::get(context, scratchLayout(type)));
  OpBuilder builder(op);
  Value scratch = AllocOp::create(builder, loc, buffer, /*offset=*/nullptr);
  Value cursor = CursorOp::create(builder, loc, CursorType::get(context, 1));
  LocalStoreOp::create(builder, loc, op.getSource(), scratch, cursor);
  Value result = LocalLoadOp::create(builder, loc, type, scratch, cursor);
  op.replaceAllUsesWith(result);
  op.erase();
}

namespace {
struct LowerConversions
    : public tile::impl::TileGPULowerConversionsPassBase<LowerConversions> {
  void runOnOperation() override {
    SmallVector<ConvertLayoutOp> conversions;
    getOperation().walk([&](ConvertLayoutOp op) {
      ConversionKind kind = conversionKind(layoutOf(op.getSource().getType()),
                                           layoutOf(op.getType()));
      if (kind == ConversionKind::Shuffle || kind == ConversionKind::Shared)
        conversions.push_back(op);
    });
    for (ConvertLayoutOp op : conversions)
      lower(op);
  }
};
} // namespace
