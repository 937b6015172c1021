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

namespace {

/// Lowers one load.
class LoadLowering {
public:
  LoadLowering(KernelLowering &kernel, TmaLoadOp op)
      : kernel(kernel), code(kernel.code), op(op) {}

  LogicalResult run();

private:
  /// Where the CTA's part of a shared tile begins, and who gets it.
  struct Part {
    /// Bytes in the slot and coordinates, added to those of the boxes.
    Value bytes;
    SmallVector<Value> coord;
    /// One bit for each CTA of the cluster; null for this one.
    Value mask;
  };

  /// The half of this CTA where the tile is shared, else the first half.
  FailureOr<Part> findHalf(ArrayRef<BoxCopy> copies);
  void issue(ArrayRef<BoxCopy> copies, const Part &part);

  KernelLowering &kernel;
  CodeBuilder &code;
  TmaLoadOp op;
  int64_t ring = 0, barriers = 0;
};

} // namespace

FailureOr<LoadLowering::Part> LoadLowering::findHalf(ArrayRef<BoxCopy> copies) {
  size_t half = copies.size() / 2;
  auto distance = [&](size_t index) {
    const BoxCopy &from = copies[index], &to = copies[index + half];
    return SmallVector<int64_t>{to.bytes - from.bytes,
                                to.coord[0] - from.coord[0],
                                to.coord[1] - from.coord[1]};
  };
  bool halves = copies.size() % 2 == 0;
  for (size_t index = 1; halves && index < half; ++index)
    halves = distance(index) == distance(0);
  if (!halves || !kernel.isCluster) {
    op.emitOpError() << "expected an even number of boxes in a cluster of two "
                        "to share, got "
                     << copies.size()
                     << (kernel.isCluster ? "" : " without a cluster");
    return failure();
  }
  Value shared = kernel.part(op.getShared()), rank = kernel.clusterRank();
  Value index = code.select(shared, rank, code.constI32(0));
  SmallVector<int64_t> step = distance(0);
  Part part;
  part.bytes = code.mul(index, code.constI32(step[0]));
  for (int64_t elements : ArrayRef(step).drop_front())
    part.coord.push_back(elements == 0
                             ? code.constI32(0)
                             : code.mul(index, code.constI32(elements)));
  Value own =
      LLVM::ShlOp::create(code.builder, code.loc, code.constI32(1), rank);
  part.mask = code.castInt(code.select(shared, code.constI32(3), own),
                           code.builder.getIntegerType(16));
  return part;
}

void LoadLowering::issue(ArrayRef<BoxCopy> copies, const Part &part) {
  Value slot = kernel.part(op.getCursor());
  int64_t slotBytes = op.getBuffer().getType().getSlotBytes();
  Value barrier = kernel.slotAddress(barriers, slot, /*slotBytes=*/8);
  for (const BoxCopy &copy : copies) {
    // The copy engine counts the innermost dimension first.
    SmallVector<Value> coordinates;
    for (unsigned dim = copy.coord.size(); dim-- > 0;) {
      Value at = kernel.part(op.getOrigin()[dim]);
      if (!part.coord.empty())
        at = code.add(at, part.coord[dim]);
      coordinates.push_back(code.add(at, code.constI32(copy.coord[dim])));
    }
    Value target = kernel.slotAddress(ring + copy.bytes, slot, slotBytes);
    if (part.bytes)
      target = code.gep(target, code.builder.getI8Type(), part.bytes);
    target = LLVM::AddrSpaceCastOp::create(code.builder, code.loc,
                                           code.pointer(7), target);
    NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
        code.builder, code.loc, target, kernel.part(op.getMap()), coordinates,
        barrier, ValueRange(), part.mask, Value(), NVVM::TMALoadMode::TILE,
        /*isCTAOnly=*/false, NVVM::CTAGroupKindAttr(), Value());
  }
}

LogicalResult LoadLowering::run() {
  FailureOr<SmallVector<BoxCopy>> copies = boxCopies(op);
  if (failed(copies))
    return failure();
  std::optional<int64_t> slots =
      CodeBuilder::getConstant(kernel.part(op.getBuffer()));
  std::optional<int64_t> signalled =
      CodeBuilder::getConstant(kernel.part(op.getBarriers()));
  if (!slots || !signalled)
    return KernelLowering::refuse(op, "expected memory that is known here");
  ring = *slots;
  barriers = *signalled;
  if (!op.getShared()) {
    kernel.whenRoleLeader([&] { issue(*copies, Part()); });
    return success();
  }
  FailureOr<Part> part = findHalf(*copies);
  if (failed(part))
    return failure();
  ArrayRef<BoxCopy> boxes(*copies);
  size_t half = boxes.size() / 2;
  kernel.whenRoleLeader([&] { issue(boxes.take_front(half), *part); });
  Value alone = code.bitXor(kernel.part(op.getShared()), code.constI1(true));
  if (!kernel.role.isOneThread)
    alone = code.bitAnd(alone, kernel.isRoleLeader());
  code.when(alone, [&] { issue(boxes.drop_front(half), Part()); });
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, TmaLoadOp op) {
  return LoadLowering(kernel, op).run();
}

LogicalResult tile::lower(KernelLowering &kernel, TmaPrefetchOp op) {
  CodeBuilder &code = kernel.code;
  // The copy engine counts the innermost dimension first.
  SmallVector<Value> coordinates;
  for (Value origin : llvm::reverse(op.getOrigin()))
    coordinates.push_back(kernel.part(origin));
  kernel.whenRoleLeader([&] {
    NVVM::CpAsyncBulkTensorPrefetchOp::create(
        code.builder, code.loc, kernel.part(op.getMap()), coordinates,
        /*im2colOffsets=*/ValueRange(), NVVM::TMALoadMode::TILE,
        /*l2CacheHint=*/Value());
  });
  return success();
}
