//===- Blocks.cpp - Accesses as operands of tile_gpu ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Blocks.h"

#include "tile/GPU/Bounds.h"
#include "tile/Layout/Constructors.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// The type in which the program computes the indices that it masks.
static Type indexTypeOf(OpBuilder &builder, const Access &access) {
  for (const AccessDim &dim : access.dims)
    if (dim.bound && dim.indexType.isInteger(64))
      return builder.getI64Type();
  return builder.getI32Type();
}

MemoryBlock tile::materializeBlock(OpBuilder &builder, Location loc,
                                   const Access &access,
                                   std::optional<Substitution> at) {
  auto make = [&](const ScalarExpr &expr, Type type) {
    ScalarExpr moved = at ? expr.substitute(at->from, at->to) : expr;
    return moved.materialize(builder, loc, type);
  };
  Type index = indexTypeOf(builder, access);
  Type i64 = builder.getI64Type();
  MemoryBlock block;
  block.base = access.base;
  if (!access.offset.isZero())
    block.base =
        OffsetOp::create(builder, loc, access.base, make(access.offset, i64));
  for (const AccessDim &dim : access.dims) {
    block.origin.push_back(make(dim.origin, index));
    block.strides.push_back(make(dim.stride, i64));
    int64_t all = gpu::noBound(index.getIntOrFloatBitWidth());
    block.bounds.push_back(
        make(dim.bound ? *dim.bound : ScalarExpr::constant(all), index));
  }
  return block;
}

llvm::Expected<BufferType> tile::ringType(tile::LoadOp load,
                                          const Access &access, int64_t slots) {
  auto tile = dyn_cast<RankedTensorType>(load.getType());
  if (!tile || tile.getRank() != 2)
    return llvm::createStringError("expected a matrix, got a tile of rank " +
                                   Twine(tile ? tile.getRank() : 0));
  // Contiguous in shared memory along the dimension that is so in global.
  bool rowMajor = access.contiguousDim().value_or(1) == 1;
  llvm::Expected<TileLayout> layout =
      sharedImage(tile.getDimSize(0), tile.getDimSize(1),
                  8 * elementBytes(tile.getElementType()), rowMajor);
  if (!layout)
    return layout.takeError();
  return BufferType::get(load.getContext(), slots, tile.getShape(),
                         tile.getElementType(),
                         LayoutAttr::get(load.getContext(), *layout));
}
