//===- Tma.cpp - Copies by the copy engine --------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelLowering.h"
#include "tile/Layout/Constructors.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// The map is a parameter of the kernel; its value has been set at the start.
LogicalResult tile::lower(KernelLowering &, TensorMapOp) { return success(); }

LogicalResult tile::lower(KernelLowering &kernel, FenceAsyncOp op) {
  CodeBuilder &code = kernel.code;
  NVVM::FenceProxyOp::create(
      code.builder, op.getLoc(), NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(code.getContext(),
                                 NVVM::SharedSpace::shared_cta));
  return success();
}

namespace {

/// One copy: where its box begins in the tile, along the map's dimensions, and
/// in the slot.
struct BoxCopy {
  SmallVector<int64_t> coord;
  int64_t bytes;
};

} // namespace

/// The dimension of the tile along which a slot is contiguous.
static unsigned contiguousDim(const TileLayout &layout) {
  return layout.applyOffset(1)[0] == 1 ? 0 : 1;
}

/// The copies that fill a slot, in the order of the slot's bytes.
static FailureOr<SmallVector<BoxCopy>> boxCopies(TmaLoadOp op) {
  BufferType buffer = op.getBuffer().getType();
  TensorMapType map = op.getMap().getType();
  const TileLayout &layout = buffer.getLayout().getLayout();
  ArrayRef<int64_t> box = map.getBox(), shape = buffer.getShape();
  int64_t bytes = elementBytes(buffer.getElementType());
  // The map's last dimension is the contiguous one of the slot.
  unsigned inner = contiguousDim(layout), outer = 1 - inner;
  int64_t rows = shape[outer], columns = shape[inner];
  // The image of a box: all its rows, each of one swizzle's bytes.
  bool wholeBlocks = box[1] == columns || box[1] * bytes == map.getSwizzle();
  bool wholeRows = box[0] == rows || box[0] % 8 == 0;
  bool repeats = map.getSwizzle() == 0 ||
                 buffer.getSlotBytes() % (8 * map.getSwizzle()) == 0;
  if (!wholeBlocks || !wholeRows || !repeats) {
    op.emitOpError() << "expected boxes as wide as the swizzle and of a "
                        "multiple of 8 rows, got "
                     << map << " for " << buffer;
    return failure();
  }
  TileLayoutInverse inverse = *layout.rightInverse();
  SmallVector<BoxCopy> copies;
  for (int64_t column = 0; column < columns; column += box[1])
    for (int64_t row = 0; row < rows; row += box[0]) {
      SmallVector<int64_t, 2> coord(2);
      coord[outer] = row;
      coord[inner] = column;
      copies.push_back({{row, column}, inverse.offset(coord) * bytes});
    }
  return copies;
}

LogicalResult tile::lower(KernelLowering &kernel, TmaLoadOp op) {
  CodeBuilder &code = kernel.code;
  FailureOr<SmallVector<BoxCopy>> copies = boxCopies(op);
  if (failed(copies))
    return failure();
  std::optional<int64_t> ring =
      CodeBuilder::getConstant(kernel.part(op.getBuffer()));
  std::optional<int64_t> barriers =
      CodeBuilder::getConstant(kernel.part(op.getBarriers()));
  if (!ring || !barriers)
    return KernelLowering::refuse(op, "expected memory that is known here");
  Value slot = kernel.part(op.getCursor());
  int64_t slotBytes = op.getBuffer().getType().getSlotBytes();
  kernel.whenRoleLeader([&] {
    Value barrier = kernel.slotAddress(*barriers, slot, /*slotBytes=*/8);
    for (const BoxCopy &copy : *copies) {
      // The copy engine counts the innermost dimension first.
      SmallVector<Value> coordinates;
      for (unsigned dim = copy.coord.size(); dim-- > 0;)
        coordinates.push_back(code.add(kernel.part(op.getOrigin()[dim]),
                                       code.constI32(copy.coord[dim])));
      Value target = kernel.slotAddress(*ring + copy.bytes, slot, slotBytes);
      target = LLVM::AddrSpaceCastOp::create(code.builder, code.loc,
                                             code.pointer(7), target);
      NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
          code.builder, code.loc, target, kernel.part(op.getMap()), coordinates,
          barrier, ValueRange(), Value(), Value(), NVVM::TMALoadMode::TILE,
          /*isCTAOnly=*/false, NVVM::CTAGroupKindAttr(), Value());
    }
  });
  return success();
}
