//===- TileGPUOps.cpp - Ops of the tile_gpu dialect -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/GPU/TileGPUOps.h"

#include "Verify.h"
#include "tile/IR/MmaShapes.h"
#include "tile/Layout/Constructors.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

bool tile::gpu::isInRegisters(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto layout =
      tensor ? dyn_cast_if_present<LayoutAttr>(tensor.getEncoding()) : nullptr;
  return tensor && (!layout || !layout.getLayout().isShared());
}

//===----------------------------------------------------------------------===//
// Types that follow from others
//===----------------------------------------------------------------------===//

/// Reads the type of origins and bounds; strides are i64.
static ParseResult parseIndexTypes(
    OpAsmParser &parser, ArrayRef<OpAsmParser::UnresolvedOperand> origin,
    ArrayRef<OpAsmParser::UnresolvedOperand> bounds,
    ArrayRef<OpAsmParser::UnresolvedOperand> strides,
    SmallVectorImpl<Type> &originTypes, SmallVectorImpl<Type> &boundTypes,
    SmallVectorImpl<Type> &strideTypes) {
  Type index;
  if (parser.parseType(index))
    return failure();
  originTypes.assign(origin.size(), index);
  boundTypes.assign(bounds.size(), index);
  strideTypes.assign(strides.size(), parser.getBuilder().getI64Type());
  return success();
}

static void printIndexTypes(OpAsmPrinter &printer, Operation *, ValueRange,
                            ValueRange, ValueRange, TypeRange originTypes,
                            TypeRange, TypeRange) {
  if (!originTypes.empty())
    printer << originTypes.front();
}

/// The type of `other`: what the pointer points to.  Nothing to read.
static ParseResult
parseElementOf(OpAsmParser &, Type base,
               std::optional<OpAsmParser::UnresolvedOperand> other,
               Type &otherType) {
  auto pointer = dyn_cast<PointerType>(base);
  if (other && pointer)
    otherType = pointer.getElementType();
  return success();
}
static void printElementOf(OpAsmPrinter &, Operation *, Type, Value, Type) {}

/// Reads the type of a tensor map's sides; strides are i64.
static ParseResult parseDimTypes(
    OpAsmParser &parser, ArrayRef<OpAsmParser::UnresolvedOperand> dims,
    ArrayRef<OpAsmParser::UnresolvedOperand> strides,
    SmallVectorImpl<Type> &dimTypes, SmallVectorImpl<Type> &strideTypes) {
  Type type;
  if (parser.parseType(type))
    return failure();
  dimTypes.assign(dims.size(), type);
  strideTypes.assign(strides.size(), parser.getBuilder().getI64Type());
  return success();
}

static void printDimTypes(OpAsmPrinter &printer, Operation *, ValueRange,
                          ValueRange, TypeRange dimTypes, TypeRange) {
  if (!dimTypes.empty())
    printer << dimTypes.front();
}

/// The tensor that was pending.  Nothing to read.
static ParseResult parsePendingTile(OpAsmParser &, Type pending, Type &tile) {
  if (auto type = dyn_cast<PendingType>(pending))
    tile = type.getTensor();
  return success();
}
static void printPendingTile(OpAsmPrinter &, Operation *, Type, Type) {}

/// The type of an operand that is a slot or a tensor, and of a slot's cursor.
static ParseResult parseSlotOrTile(OpAsmParser &parser, Type &type,
                                   Type &cursor) {
  if (parser.parseType(type))
    return failure();
  if (!isa<BufferType>(type))
    return success();
  return failure(parser.parseComma() || parser.parseType(cursor));
}

static void printSlotOrTile(OpAsmPrinter &printer, Operation *, Type type,
                            Type cursor) {
  printer << type;
  if (cursor)
    printer << ", " << cursor;
}

#define GET_OP_CLASSES
#include "tile/GPU/TileGPUOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

/// Far above what shared memory holds; it keeps sums of offsets clear of
/// overflow.
static constexpr int64_t kMaxOffset = int64_t(1) << 30;

LogicalResult AllocOp::verify() {
  // (C1)
  std::optional<int64_t> offset = getOffset();
  if (offset && (*offset < 0 || *offset > kMaxOffset || *offset % 128 != 0))
    return emitOpError() << "expected offset to be a multiple of 128 from 0 to "
                            "2^30, got "
                         << *offset;
  return success();
}

LogicalResult AdvanceOp::verify() {
  // (C1): the accessor is unsigned.
  int64_t steps = getStepsAttr().getInt();
  if (steps < 1)
    return emitOpError() << "expected at least 1 step, got " << steps;
  return success();
}

OpFoldResult AdvanceOp::fold(FoldAdaptor) {
  auto inner = getCursor().getDefiningOp<AdvanceOp>();
  std::optional<int64_t> steps;
  if (inner)
    steps = llvm::checkedAdd<int64_t>(getSteps(), inner.getSteps());
  if (!steps)
    return {};
  setSteps(*steps);
  getCursorMutable().assign(inner.getCursor());
  return getResult();
}

//===----------------------------------------------------------------------===//
// Blocks of global memory
//===----------------------------------------------------------------------===//

/// Checks (C1) and (C2) of every op that names a block.
template <typename OpT>
static LogicalResult verifyBlock(OpT op, int64_t rank, Type element) {
  size_t dims = rank;
  if (op.getOrigin().size() != dims || op.getBounds().size() != dims ||
      op.getStrides().size() != dims)
    return op.emitOpError()
           << "expected an origin, a bound and a stride for "
              "each of "
           << dims << " dimensions, got " << op.getOrigin().size() << ", "
           << op.getBounds().size() << " and " << op.getStrides().size();
  Type index = op.getOrigin().front().getType();
  for (ValueRange values :
       {ValueRange(op.getOrigin()), ValueRange(op.getBounds())})
    for (Value value : values)
      if (value.getType() != index)
        return op.emitOpError()
               << "expected origins and bounds of one type, got " << index
               << " and " << value.getType();
  if (op.getBase().getType().getElementType() != element)
    return op.emitOpError() << "expected a pointer to " << element << ", got "
                            << op.getBase().getType();
  return success();
}

LogicalResult CopyAsyncOp::verify() {
  BufferType buffer = getBuffer().getType();
  // (C1), (C2)
  if (failed(verifyBlock(*this, buffer.getShape().size(),
                         buffer.getElementType())))
    return failure();
  // (C3)
  if (failed(verifyCursor(*this, buffer.getSlots(), getCursor().getType())))
    return failure();
  // (C4)
  int64_t bytes = getPlan().getVector() * elementBytes(buffer.getElementType());
  if (getPlan().getMechanism() != CopyMechanism::CpAsync ||
      !llvm::is_contained({4, 8, 16}, bytes))
    return emitOpError()
           << "expected a cp_async plan with vectors of 4, 8 or 16 "
              "bytes, got "
           << getPlan();
  return success();
}

/// Checks that `other`, where there is one, is one element.
static LogicalResult verifyOther(Operation *op, Value other, Type element) {
  if (!other || other.getType() == element)
    return success();
  return op->emitOpError() << "expected other to be " << element << ", got "
                           << other.getType();
}

LogicalResult CopyOp::verify() {
  BufferType buffer = getBuffer().getType();
  // (C1), (C2)
  if (failed(verifyBlock(*this, buffer.getShape().size(),
                         buffer.getElementType())))
    return failure();
  // (C3)
  if (failed(verifyCursor(*this, buffer.getSlots(), getCursor().getType())))
    return failure();
  // (C4)
  if (getPlan().getMechanism() != CopyMechanism::Plain)
    return emitOpError() << "expected a plain plan, got " << getPlan();
  // (C5)
  return verifyOther(*this, getOther(), buffer.getElementType());
}

/// Checks that a plan keeps the tile in registers.
static LogicalResult verifyRegisters(Operation *op, CopyAttr plan) {
  if (plan.getMechanism() == CopyMechanism::Registers)
    return success();
  return op->emitOpError() << "expected a registers plan, got " << plan;
}

LogicalResult tile::gpu::LoadOp::verify() {
  auto result = cast<RankedTensorType>(getType());
  // (C1), (C2)
  if (failed(verifyBlock(*this, result.getRank(), result.getElementType())))
    return failure();
  // (C3)
  if (failed(verifyOther(*this, getOther(), result.getElementType())))
    return failure();
  // (C4)
  return verifyRegisters(*this, getPlan());
}

LogicalResult tile::gpu::StoreOp::verify() {
  auto value = cast<RankedTensorType>(getValue().getType());
  // (C1), (C2)
  if (failed(verifyBlock(*this, value.getRank(), value.getElementType())))
    return failure();
  // (C3)
  return verifyRegisters(*this, getPlan());
}

LogicalResult WaitOp::verify() {
  // (C1): the accessor is unsigned.
  int64_t groups = getGroupsAttr().getInt();
  if (groups < 0)
    return emitOpError() << "expected at least 0 groups, got " << groups;
  return success();
}

//===----------------------------------------------------------------------===//
// Compute
//===----------------------------------------------------------------------===//

LogicalResult MmaOp::verify() {
  // (C3)
  if (getPlan().getInstruction() == Instruction::Wgmma)
    return emitOpError() << "expected a plan of mma_sync or fma, got "
                         << getPlan();
  // (C1) to (C4)
  if (failed(verifyMatrixProduct(*this, {getA(), getACursor()},
                                 {getB(), getBCursor()},
                                 cast<RankedTensorType>(getAcc().getType()),
                                 getPlan(), getPrecision())))
    return failure();
  // (C5)
  return verifyPromotion(*this, getA().getType().getElementType(),
                         getPromoteEvery());
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// The layout of a tensor type, or null.
static LayoutAttr layoutOf(Type type) {
  return dyn_cast_if_present<LayoutAttr>(
      cast<RankedTensorType>(type).getEncoding());
}

LogicalResult ConvertLayoutOp::verify() {
  // (C1)
  for (Type type : {getSource().getType(), getType()})
    if (!layoutOf(type))
      return emitOpError() << "expected a layout on both types, got " << type;
  return success();
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  auto inner = getSource().getDefiningOp<ConvertLayoutOp>();
  if (!inner)
    return {};
  if (inner.getSource().getType() == getType())
    return inner.getSource();
  getSourceMutable().assign(inner.getSource());
  return getResult();
}

/// Whether a buffer is row-major and has as many elements as another shape.
static bool isReshaped(ArrayRef<int64_t> shape, BufferType buffer) {
  if (!isTileShape(shape) || ShapedType::getNumElements(shape) !=
                                 ShapedType::getNumElements(buffer.getShape()))
    return false;
  llvm::Expected<TileLayout> rowMajor = sharedRowMajor(buffer.getShape());
  if (!rowMajor) {
    llvm::consumeError(rowMajor.takeError());
    return false;
  }
  return buffer.getLayout().getLayout() == *rowMajor;
}

/// Checks (C1) and (C2) of local_store and local_load.
static LogicalResult verifyLocal(Operation *op, Type tensorType,
                                 BufferType buffer, CursorType cursor) {
  auto tensor = cast<RankedTensorType>(tensorType);
  if (tensor.getElementType() != buffer.getElementType() ||
      (tensor.getShape() != buffer.getShape() &&
       !isReshaped(tensor.getShape(), buffer)))
    return op->emitOpError() << "expected a tensor of the buffer's "
                             << buffer.getTileType() << ", got " << tensor;
  return verifyCursor(op, buffer.getSlots(), cursor);
}

LogicalResult LocalStoreOp::verify() {
  return verifyLocal(*this, getValue().getType(), getBuffer().getType(),
                     getCursor().getType());
}

LogicalResult LocalLoadOp::verify() {
  return verifyLocal(*this, getType(), getBuffer().getType(),
                     getCursor().getType());
}
