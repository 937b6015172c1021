//===- TileGPUDialect.cpp - The tile_gpu dialect and its types ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/GPU/Target.h"
#include "tile/GPU/TileGPUOps.h"
#include "tile/IR/MmaShapes.h"
#include "tile/Layout/Constructors.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

#include "tile/GPU/TileGPUDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tile/GPU/TileGPUTypes.cpp.inc"

void TileGPUDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tile/GPU/TileGPUTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tile/GPU/TileGPUOps.cpp.inc"
      >();
}

LogicalResult
TileGPUDialect::verifyOperationAttribute(Operation *op,
                                         NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name != kSharedName)
    return op->emitOpError()
           << "unknown attribute '" << name << "' of dialect 'tile_gpu'";
  auto bytes = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!bytes || !bytes.getType().isSignlessInteger(64) || bytes.getInt() < 0)
    return op->emitOpError()
           << "expected '" << name << "' to be an i64 of at least 0, got "
           << attribute.getValue();
  if (!isa<KernelOp>(op))
    return op->emitOpError() << "expected '" << name << "' on a tile.kernel";
  return success();
}

/// The most slots of a ring: far above what shared memory holds; it keeps sizes
/// in bytes clear of overflow.
static constexpr int64_t kMaxSlots = 1024;

//===----------------------------------------------------------------------===//
// buffer
//===----------------------------------------------------------------------===//

// Written by hand: slots, shape and element type read as one dimension list.
Type BufferType::parse(AsmParser &parser) {
  SmallVector<int64_t> dims;
  Type element;
  LayoutAttr layout;
  if (parser.parseLess() || parser.parseDimensionList(dims, false) ||
      parser.parseType(element) || parser.parseComma() ||
      parser.parseAttribute(layout) || parser.parseGreater())
    return {};
  SMLoc loc = parser.getNameLoc();
  if (dims.size() < 2) {
    parser.emitError(loc) << "expected slots and at least one dimension, got "
                          << dims.size() << " numbers";
    return {};
  }
  return parser.getChecked<BufferType>(loc, parser.getContext(), dims.front(),
                                       ArrayRef(dims).drop_front(), element,
                                       layout);
}

void BufferType::print(AsmPrinter &printer) const {
  printer << '<' << getSlots();
  for (int64_t side : getShape())
    printer << 'x' << side;
  printer << 'x' << getElementType() << ", " << getLayout() << '>';
}

LogicalResult
BufferType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   int64_t slots, ArrayRef<int64_t> shape, Type elementType,
                   LayoutAttr layout) {
  // (C1)
  if (slots < 1 || slots > kMaxSlots)
    return emitError() << "expected 1 to " << kMaxSlots << " slots, got "
                       << slots;
  if (!isTileShape(shape)) {
    InFlightDiagnostic error =
        emitError() << "expected a tile of at most 2^24 elements, got ";
    llvm::interleave(shape, error, "x");
    return error;
  }
  // (C2)
  const TileLayout &places = layout.getLayout();
  if (!places.isShared())
    return emitError() << "expected a layout of shared-memory offsets, got "
                       << layout;
  Coord layoutShape = places.shape();
  if (ArrayRef<int64_t>(layoutShape) != shape)
    return emitError() << "expected a layout of the buffer's shape, got "
                       << layout;
  if (!places.isSurjective() || !places.isInjective())
    return emitError() << "expected a layout that holds each element once, got "
                       << layout;
  // (C3)
  if (!isElementType(elementType))
    return emitError() << "expected an element type that memory can hold, got "
                       << elementType;
  return success();
}

int64_t BufferType::getSlotBytes() const {
  return getLayout().getLayout().numOffsets() * elementBytes(getElementType());
}

RankedTensorType BufferType::getTileType() const {
  return RankedTensorType::get(getShape(), getElementType());
}

LogicalResult
CursorType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   int64_t slots) {
  // (C1)
  if (slots < 1 || slots > kMaxSlots)
    return emitError() << "expected 1 to " << kMaxSlots << " slots, got "
                       << slots;
  return success();
}

//===----------------------------------------------------------------------===//
// Layout of accumulators
//===----------------------------------------------------------------------===//

llvm::Expected<TileLayout>
tile::gpu::accumulatorLayout(MmaAttr plan, ArrayRef<int64_t> shape) {
  if (plan.getInstruction() == Instruction::MmaSync)
    return mmaAccumulator(shape, plan.getWarps(),
                          plan.getN() == kPairN ? kPairN : 8);
  if (plan.getInstruction() == Instruction::Wgmma)
    return wgmmaAccumulator(shape, plan.getWarps());
  if (plan.getInstruction() == Instruction::Fma) {
    // 4 x 8 lanes: a row of B is read by eight lanes in vectors of 16 bytes, an
    // element of A by eight lanes at once.
    SmallVector<int64_t> lanes = {4, 8};
    SmallVector<int64_t> perThread;
    for (unsigned dim : {0u, 1u})
      perThread.push_back(std::max<int64_t>(
          1, (shape[dim] & -shape[dim]) / (lanes[dim] * plan.getWarps()[dim])));
    return fmaAccumulator(shape, perThread, lanes, plan.getWarps());
  }
  return llvm::createStringError("expected mma_sync or fma, got " +
                                 stringifyInstruction(plan.getInstruction()));
}

llvm::Expected<TileLayout>
tile::gpu::wgmmaOperandLayout(MmaAttr plan, ArrayRef<int64_t> shape) {
  if (plan.getWarps()[1] != 1)
    return llvm::createStringError(
        "expected warpgroups that do not share rows, got " +
        llvm::Twine(plan.getWarps()[1]) + " along n");
  return wgmmaAccumulator(shape, plan.getWarps());
}
