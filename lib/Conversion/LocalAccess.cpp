//===- LocalAccess.cpp - Registers to shared memory and back --------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddressMap.h"
#include "MemoryAccess.h"
#include "tile/Layout/Constructors.h"
#include "tile/Layout/Queries.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// Bytes that one thread moves at once.
static constexpr int64_t kMaxVectorBytes = 16;

/// Elements of one access: neighbouring registers at neighbouring offsets.
static int64_t accessWidth(BufferType buffer, const TileLayout &layout) {
  int64_t widest = kMaxVectorBytes / elementBytes(buffer.getElementType());
  return sharedVectorWidth(buffer.getLayout().getLayout(), layout, widest);
}

/// Refuses what the addresses cannot express.
static LogicalResult checkExact(Operation *op, const SharedAddresses &slot) {
  if (slot.isExact())
    return success();
  return KernelLowering::refuse(
      op,
      "threads and registers share bits of a coordinate in a dimension that "
      "the buffer's layout repeats");
}

/// The type of a buffer as a tensor sees it: a row-major one may have another
/// shape.
static BufferType viewAs(BufferType buffer, ArrayRef<int64_t> shape) {
  if (buffer.getShape() == shape)
    return buffer;
  TileLayout layout = llvm::cantFail(sharedRowMajor(shape));
  return BufferType::get(buffer.getContext(), buffer.getSlots(), shape,
                         buffer.getElementType(),
                         LayoutAttr::get(buffer.getContext(), layout));
}

LogicalResult tile::lower(KernelLowering &kernel, LocalStoreOp op) {
  auto type = cast<RankedTensorType>(op.getValue().getType());
  if (failed(kernel.partTypes(op, type)))
    return failure();
  BufferType buffer = viewAs(op.getBuffer().getType(), type.getShape());
  TileLayout layout = layoutOf(type).getLayout();
  int64_t width = accessWidth(buffer, layout);
  SharedAddresses slot(kernel, buffer, op.getBuffer(), op.getCursor(),
                       threadBits(layout));
  Type inMemory = kernel.memoryType(buffer.getElementType());
  uint64_t redundant = ownerMask(layout).reg;
  kernel.code.when(isOwner(kernel.code, layout), [&] {
    for (int64_t reg = 0; reg < layout.numRegs(); reg += width) {
      if (reg & redundant)
        continue;
      Value value = kernel.registers(op.getValue(), reg, width);
      storeShared(kernel, toMemory(kernel, value, inMemory),
                  slot.at(layout.apply(reg, 0, 0)));
    }
  });
  return checkExact(op, slot);
}

LogicalResult tile::lower(KernelLowering &kernel, LocalLoadOp op) {
  FailureOr<SmallVector<Type>> types = kernel.partTypes(op, op.getType());
  if (failed(types))
    return failure();
  BufferType buffer = viewAs(op.getBuffer().getType(),
                             cast<RankedTensorType>(op.getType()).getShape());
  TileLayout layout = layoutOf(op.getType()).getLayout();
  int64_t width = accessWidth(buffer, layout);
  SharedAddresses slot(kernel, buffer, op.getBuffer(), op.getCursor(),
                       threadBits(layout));
  Type inMemory = kernel.memoryType(buffer.getElementType());
  Type inRegister = getElementTypeOrSelf(types->front());
  bool wholeFragments = width == fragmentShape(layout).width;
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < layout.numRegs(); reg += width) {
    Value loaded = fromMemory(
        kernel,
        loadShared(kernel, slot.at(layout.apply(reg, 0, 0)), inMemory, width),
        inRegister);
    if (width == 1 || wholeFragments) {
      registers.push_back(loaded);
      continue;
    }
    for (int64_t position = 0; position < width; ++position)
      registers.push_back(kernel.code.extract(loaded, position));
  }
  if (wholeFragments)
    kernel.setParts(op, registers);
  else
    kernel.setRegisters(op, registers);
  return checkExact(op, slot);
}

LogicalResult tile::lower(KernelLowering &kernel, ConvertLayoutOp op) {
  if (failed(kernel.partTypes(op, op.getSource().getType())) ||
      failed(kernel.partTypes(op, op.getType())))
    return failure();
  TileLayout from = layoutOf(op.getSource().getType()).getLayout();
  TileLayout to = layoutOf(op.getType()).getLayout();
  std::optional<SmallVector<int64_t>> sources = registerSources(from, to);
  if (!sources)
    return op.emitOpError()
           << "expected tile-gpu-lower-conversions to have run: a "
           << stringify(conversionKind(from, to))
           << " conversion crosses threads";
  SmallVector<Value> registers = kernel.unpack(op.getSource());
  SmallVector<Value> renamed;
  for (int64_t source : *sources)
    renamed.push_back(registers[source]);
  kernel.setRegisters(op, renamed);
  return success();
}
