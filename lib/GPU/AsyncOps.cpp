//===- AsyncOps.cpp - Roles, TMA and wgmma --------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "tile/IR/MmaShapes.h"
#include "tile/Layout/Constructors.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

LogicalResult
BarriersType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     int64_t slots) {
  // (C1)
  if (slots < 1)
    return emitError() << "expected at least one slot, got " << slots;
  return success();
}

// Written by hand: box and element type read as one dimension list.
Type TensorMapType::parse(AsmParser &parser) {
  SmallVector<int64_t> box;
  Type element;
  int64_t swizzle;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(box, /*allowDynamic=*/false) ||
      parser.parseType(element) || parser.parseComma() ||
      parser.parseKeyword("swizzle") || parser.parseEqual() ||
      parser.parseInteger(swizzle) || parser.parseGreater())
    return {};
  return parser.getChecked<TensorMapType>(
      loc, parser.getContext(), ArrayRef<int64_t>(box), element, swizzle);
}

void TensorMapType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t side : getBox())
    printer << side << 'x';
  printer << getElementType() << ", swizzle = " << getSwizzle() << '>';
}

Type TensorMapType::getMemoryType() const {
  return isa<FloatTF32Type>(getElementType()) ? Float32Type::get(getContext())
                                              : getElementType();
}

LogicalResult
TensorMapType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                      ArrayRef<int64_t> box, Type elementType,
                      int64_t swizzle) {
  // (C1)
  bool sides =
      llvm::all_of(box, [](int64_t side) { return side >= 1 && side <= 256; });
  if (box.empty() || box.size() > 5 || !sides)
    return emitError() << "expected a box of one to five sides from 1 to 256";
  // (C2)
  if (!llvm::is_contained({0, 32, 64, 128}, swizzle))
    return emitError() << "expected swizzle to be 0, 32, 64 or 128, got "
                       << swizzle;
  // (C3)
  bool isTf32 = isa<FloatTF32Type>(elementType);
  if (!isTf32 && !isElementType(elementType))
    return emitError() << "expected tf32 or an element type that memory can "
                          "hold, got "
                       << elementType;
  // (C4)
  int64_t bytes = box.back() * (isTf32 ? 4 : elementBytes(elementType));
  if (bytes % 16 != 0 || (swizzle != 0 && bytes > swizzle))
    return emitError() << "expected a contiguous side of a multiple of 16 bytes"
                       << " within the swizzle, got " << bytes << " bytes";
  return success();
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

LogicalResult RolesOp::verify() {
  // (C1)
  Block &body = getBody().front();
  for (Operation &op : body)
    if (!isa<RoleOp>(op)) {
      InFlightDiagnostic error = emitOpError()
                                 << "expected tile_gpu.role ops only";
      error.attachNote(op.getLoc()) << "got " << op.getName();
      return error;
    }
  if (body.empty())
    return emitOpError() << "expected at least one role, got none";
  return success();
}

int64_t RolesOp::getNumWarps() {
  int64_t warps = 0;
  for (RoleOp role : getBody().front().getOps<RoleOp>())
    warps += role.getWarps();
  return warps;
}

LogicalResult RoleOp::verify() {
  // (C1)
  int64_t warps = getWarpsAttr().getInt();
  if (warps < 4 || warps > 28 || warps % 4 != 0)
    return emitOpError()
           << "expected warps to be a multiple of 4 up to 28, got " << warps;
  // (C2)
  IntegerAttr registers = getRegistersAttr();
  if (!registers)
    return success();
  int64_t count = registers.getInt();
  if (count < 24 || count > 256 || count % 8 != 0)
    return emitOpError()
           << "expected registers to be a multiple of 8 from 24 to 256, got "
           << count;
  return success();
}

//===----------------------------------------------------------------------===//
// Transaction barriers
//===----------------------------------------------------------------------===//

LogicalResult BarriersOp::verify() {
  // (C1)
  int64_t arrivals = getArrivalsAttr().getInt();
  if (arrivals < 1)
    return emitOpError() << "expected at least 1 arrival, got " << arrivals;
  // (C2)
  IntegerAttr offset = getOffsetAttr();
  if (offset && (offset.getInt() < 0 || offset.getInt() % 8 != 0))
    return emitOpError() << "expected offset to be a multiple of 8, got "
                         << offset.getInt();
  return success();
}

LogicalResult WaitFullOp::verify() {
  return verifyCursor(*this, getBarriers().getType().getSlots(),
                      getCursor().getType());
}

LogicalResult WaitFreeOp::verify() {
  return verifyCursor(*this, getBarriers().getType().getSlots(),
                      getCursor().getType());
}

LogicalResult ReleaseOp::verify() {
  return verifyCursor(*this, getBarriers().getType().getSlots(),
                      getCursor().getType());
}

LogicalResult ExpectOp::verify() {
  // (C1)
  if (failed(verifyCursor(*this, getBarriers().getType().getSlots(),
                          getCursor().getType())))
    return failure();
  // (C2)
  int64_t bytes = getBytesAttr().getInt();
  if (bytes < 1)
    return emitOpError() << "expected a positive number of bytes, got "
                         << bytes;
  return success();
}

//===----------------------------------------------------------------------===//
// Tensor maps and TMA
//===----------------------------------------------------------------------===//

/// Whether the launcher can compute a value: an argument of the kernel, as it is
/// or widened, or a constant.
static bool isKnownAtLaunch(Value value) {
  if (auto widened = value.getDefiningOp<arith::ExtSIOp>())
    value = widened.getIn();
  auto argument = dyn_cast<BlockArgument>(value);
  return matchPattern(value, m_Constant()) ||
         (argument && isa<KernelOp>(argument.getOwner()->getParentOp()));
}

LogicalResult TensorMapOp::verify() {
  TensorMapType map = getType();
  // (C1)
  if (!isKnownAtLaunch(getBase()))
    return emitOpError() << "expected base to be an argument of the kernel";
  // (C2)
  if (getDims().size() != map.getBox().size() ||
      getStrides().size() + 1 != map.getBox().size())
    return emitOpError() << "expected " << map.getBox().size()
                         << " dims and one stride fewer, got "
                         << getDims().size() << " and " << getStrides().size();
  // (C3)
  if (getBase().getType().getElementType() != map.getMemoryType())
    return emitOpError() << "expected a pointer to " << map.getMemoryType()
                         << ", got " << getBase().getType();
  // (C4)
  for (ValueRange values : {ValueRange(getDims()), ValueRange(getStrides())})
    for (Value value : values)
      if (!isKnownAtLaunch(value))
        return emitOpError() << "expected dims and strides to be arguments of "
                                "the kernel or constants, got "
                             << value;
  return success();
}

/// Whether a slot's image is that of boxes of this map, the map's last
/// dimension being the slot's last (row-major) or first.
static bool holdsBoxes(BufferType buffer, TensorMapType map, bool rowMajor) {
  SmallVector<int64_t> sides(buffer.getShape());
  if (!rowMajor)
    std::swap(sides[0], sides[1]);
  for (auto [side, box] : llvm::zip(sides, map.getBox()))
    if (side % box != 0)
      return false;
  unsigned bits = 8 * elementBytes(map.getMemoryType());
  if (int64_t(swizzleBytes(sides[1], bits)) != map.getSwizzle())
    return false;
  llvm::Expected<TileLayout> layout = sharedSwizzled(
      buffer.getShape()[0], buffer.getShape()[1], bits, rowMajor);
  bool same = layout && *layout == buffer.getLayout().getLayout();
  llvm::consumeError(layout.takeError());
  return same;
}

/// Checks that a slot is filled by whole boxes of the map in its swizzle.
static LogicalResult verifyBoxes(Operation *op, BufferType buffer,
                                 TensorMapType map) {
  bool matrices = buffer.getShape().size() == 2 && map.getBox().size() == 2;
  if (matrices && (holdsBoxes(buffer, map, /*rowMajor=*/true) ||
                   holdsBoxes(buffer, map, /*rowMajor=*/false)))
    return success();
  return op->emitOpError() << "expected slots that whole boxes fill, in the "
                              "map's swizzle, got "
                           << buffer << " and " << map;
}

LogicalResult TmaLoadOp::verify() {
  TensorMapType map = getMap().getType();
  BufferType buffer = getBuffer().getType();
  // (C1)
  if (getOrigin().size() != map.getBox().size())
    return emitOpError() << "expected " << map.getBox().size()
                         << " coordinates, got " << getOrigin().size();
  // (C2)
  if (failed(verifyCursor(*this, buffer.getSlots(), getCursor().getType())) ||
      failed(verifyCursor(*this, getBarriers().getType().getSlots(),
                          getCursor().getType())))
    return failure();
  // (C3)
  if (map.getMemoryType() != buffer.getElementType())
    return emitOpError() << "expected slots of " << map.getMemoryType()
                         << ", got " << buffer.getElementType();
  // (C4)
  return verifyBoxes(*this, buffer, map);
}

LogicalResult TmaPrefetchOp::verify() {
  // (C1)
  size_t dims = getMap().getType().getBox().size();
  if (getOrigin().size() != dims)
    return emitOpError() << "expected " << dims << " coordinates, got "
                         << getOrigin().size();
  return success();
}

LogicalResult TmaStoreOp::verify() {
  TensorMapType map = getMap().getType();
  BufferType staging = getStaging().getType();
  auto value = cast<RankedTensorType>(getValue().getType());
  // (C1)
  if (getOrigin().size() != map.getBox().size())
    return emitOpError() << "expected " << map.getBox().size()
                         << " coordinates, got " << getOrigin().size();
  // (C2)
  if (map.getElementType() != staging.getElementType() ||
      map.getElementType() != value.getElementType())
    return emitOpError() << "expected a value and slots of "
                         << map.getElementType() << ", got "
                         << value.getElementType() << " and "
                         << staging.getElementType();
  // (C3)
  if (staging.getShape() != map.getBox())
    return emitOpError() << "expected slots of the map's box, got " << staging
                         << " and " << map;
  if (failed(verifyBoxes(*this, staging, map)))
    return failure();
  // (C4)
  if (value.getRank() != 2 || value.getDimSize(0) % map.getBox()[0] != 0 ||
      value.getDimSize(1) % map.getBox()[1] != 0)
    return emitOpError() << "expected a matrix that whole boxes fill, got "
                         << value << " and " << map;
  return success();
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

LogicalResult WgmmaOp::verify() {
  RankedTensorType result = getType().getTensor();
  Type acc = getAcc().getType();
  if (auto pending = dyn_cast<PendingType>(acc))
    acc = pending.getTensor();
  if (acc != result)
    return emitOpError() << "expected an accumulator of " << result << ", got "
                         << acc;
  // (C2)
  auto tensor = dyn_cast<RankedTensorType>(getA().getType());
  if (!tensor != (getACursor() != nullptr))
    return emitOpError() << "expected a cursor for a slot and none for a "
                            "tensor, got "
                         << getA().getType();
  // (C3)
  if (getPlan().getInstruction() != Instruction::Wgmma)
    return emitOpError() << "expected a wgmma plan, got " << getPlan();
  if (failed(verifyMatrixProduct(
          *this, {getA(), getACursor()}, {getB(), getBCursor()}, result,
          getPlan(), precisionOfWgmma(getB().getType().getElementType()))))
    return failure();
  // (C4)
  auto encoding = tensor ? dyn_cast_if_present<LayoutAttr>(tensor.getEncoding())
                         : LayoutAttr();
  if (!encoding)
    return success();
  llvm::Expected<TileLayout> want =
      wgmmaOperandLayout(getPlan(), tensor.getShape());
  if (!want)
    return emitOpError() << "has no layout for a: "
                         << llvm::toString(want.takeError());
  if (*want != encoding.getLayout())
    return emitOpError() << "expected a in the layout of an m x k accumulator, "
                         << LayoutAttr::get(getContext(), *want) << ", got "
                         << encoding;
  return success();
}

LogicalResult WgmmaWaitOp::verify() {
  // (C1)
  int64_t groups = getGroupsAttr().getInt();
  if (groups < 0)
    return emitOpError() << "expected at least 0 groups, got " << groups;
  return success();
}

LogicalResult WgmmaFinishOp::verify() {
  // (C1)
  if (getType() != getPending().getType().getTensor())
    return emitOpError() << "expected a result of "
                         << getPending().getType().getTensor() << ", got "
                         << getType();
  return success();
}
