//===- ElementAccess.cpp - Elements that are no block ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads, stores and atomic updates of scalars and of elements at any offsets.
// All threads load a scalar; one thread stores it, and one thread makes each
// update.
//
//===----------------------------------------------------------------------===//

#include "MemoryAccess.h"
#include "tile/Layout/Queries.h"

using namespace mlir;
using namespace tile;

namespace {

/// The elements of one access that a thread has.
class Elements {
public:
  /// `value` is what is loaded or stored.
  Elements(KernelLowering &kernel, Value base, Value offsets, Value mask,
           Value value);

  /// Registers of `value`.
  int64_t size() const { return offsets.size(); }
  Value address(int64_t reg);
  /// When the mask allows the access.
  Condition condition(int64_t reg) const;
  /// The same for the one thread that acts.
  Condition ownerCondition(int64_t reg);
  /// The register that stands for this one: itself, unless it holds a copy.
  int64_t original(int64_t reg) const;

  Type inMemory;

private:
  KernelLowering &kernel;
  Value base, owner;
  SmallVector<Value> offsets, masks;
  /// The layout, of a tile.
  std::optional<TileLayout> layout;
};

} // namespace

Elements::Elements(KernelLowering &kernel, Value base, Value offsets,
                   Value mask, Value value)
    : inMemory(kernel.memoryType(
          cast<PointerType>(base.getType()).getElementType())),
      kernel(kernel), base(kernel.part(base)), offsets(kernel.unpack(offsets)) {
  if (mask)
    masks = kernel.unpack(mask);
  if (LayoutAttr attr = layoutOf(value.getType()))
    layout = attr.getLayout();
}

Value Elements::address(int64_t reg) {
  return kernel.code.gep(base, inMemory, offsets[reg]);
}

Condition Elements::condition(int64_t reg) const {
  Condition result;
  if (!masks.empty())
    result.holds = masks[reg];
  return result;
}

Condition Elements::ownerCondition(int64_t reg) {
  CodeBuilder &code = kernel.code;
  if (!owner)
    owner = layout                    ? isOwner(code, *layout)
            : kernel.role.isOneThread ? code.constI1(true)
                                      : kernel.isRoleLeader();
  Condition result = condition(reg);
  result.holds = result.holds ? code.bitAnd(result.holds, owner) : owner;
  return result;
}

int64_t Elements::original(int64_t reg) const {
  if (!layout || (reg & ownerMask(*layout).reg) == 0)
    return reg;
  Coord coord = layout->apply(reg, 0, 0);
  for (int64_t other = 0; other < reg; ++other)
    if (layout->apply(other, 0, 0) == coord)
      return other;
  return reg;
}

/// Checks that all tiles of an op are spread in the same way; gives the types
/// of the parts of `value`.
static FailureOr<SmallVector<Type>> checkTiles(KernelLowering &kernel,
                                               Operation *op, Value value) {
  for (Value operand : op->getOperands()) {
    bool isTile = isa<RankedTensorType>(operand.getType());
    if (isTile && layoutOf(operand.getType()) != layoutOf(value.getType()))
      return KernelLowering::refuse(op,
                                    "expected all tiles to have one layout");
  }
  return kernel.partTypes(op, value.getType());
}

/// Sets a value from its registers, a scalar from one.
static void setResult(KernelLowering &kernel, Value result,
                      ArrayRef<Value> registers) {
  if (isa<RankedTensorType>(result.getType()))
    kernel.setRegisters(result, registers);
  else
    kernel.setParts(result, registers);
}

LogicalResult tile::lower(KernelLowering &kernel, LoadOp op) {
  FailureOr<SmallVector<Type>> types = checkTiles(kernel, op, op.getResult());
  if (failed(types))
    return failure();
  Elements elements(kernel, op.getBase(), op.getOffsets(), op.getMask(),
                    op.getResult());
  Type inRegister = getElementTypeOrSelf(types->front());
  SmallVector<Value> others, registers;
  if (op.getOther())
    others = kernel.unpack(op.getOther());
  for (int64_t reg = 0; reg < elements.size(); ++reg) {
    Value other;
    if (!others.empty())
      other = toMemory(kernel, others[others.size() == 1 ? 0 : reg],
                       elements.inMemory);
    Value loaded = loadGlobal(kernel, elements.address(reg),
                              elements.condition(reg), elements.inMemory,
                              /*count=*/1, other);
    registers.push_back(fromMemory(kernel, loaded, inRegister));
  }
  setResult(kernel, op.getResult(), registers);
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, StoreOp op) {
  if (failed(checkTiles(kernel, op, op.getValue())))
    return failure();
  Elements elements(kernel, op.getBase(), op.getOffsets(), op.getMask(),
                    op.getValue());
  SmallVector<Value> values = kernel.unpack(op.getValue());
  for (int64_t reg = 0; reg < elements.size(); ++reg)
    if (elements.original(reg) == reg)
      storeGlobal(kernel, toMemory(kernel, values[reg], elements.inMemory),
                  elements.address(reg), elements.ownerCondition(reg));
  return success();
}

//===----------------------------------------------------------------------===//
// Atomic updates
//===----------------------------------------------------------------------===//

/// Emits `body` where a condition holds; its value, and zero elsewhere.
static Value whenHolds(CodeBuilder &code, const Condition &condition, Type type,
                       function_ref<Value()> body) {
  Block *then = code.appendBlock(), *after = code.appendBlock();
  Value result = after->addArgument(type, code.loc);
  Value zero = code.constantOf(type, code.builder.getZeroAttr(type));
  LLVM::CondBrOp::create(code.builder, code.loc, condition.holds, then,
                         ValueRange(), after, ValueRange(zero));
  code.builder.setInsertionPointToStart(then);
  Value value = body();
  LLVM::BrOp::create(code.builder, code.loc, ValueRange(value), after);
  code.continueAt(after);
  return result;
}

/// Emits an update for each element that a thread owns.
static LogicalResult
updateElements(KernelLowering &kernel, Operation *op, Elements &elements,
               function_ref<Value(int64_t, Value)> update) {
  Value result = op->getResult(0);
  FailureOr<SmallVector<Type>> types = checkTiles(kernel, op, result);
  if (failed(types))
    return failure();
  bool isTile = isa<RankedTensorType>(result.getType());
  if (!isTile && !result.use_empty())
    return op->emitOpError() << "expected tile-gpu-lower-exchanges to have "
                                "run: its result is a scalar";
  Type element = getElementTypeOrSelf(types->front());
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < elements.size(); ++reg) {
    int64_t original = elements.original(reg);
    registers.push_back(
        original != reg
            ? registers[original]
            : whenHolds(kernel.code, elements.ownerCondition(reg), element,
                        [&] { return update(reg, elements.address(reg)); }));
  }
  setResult(kernel, result, registers);
  return success();
}

static LLVM::AtomicBinOp binaryOp(AtomicKind kind) {
  switch (kind) {
  case AtomicKind::AddI:
    return LLVM::AtomicBinOp::add;
  case AtomicKind::AddF:
    return LLVM::AtomicBinOp::fadd;
  case AtomicKind::MaxS:
    return LLVM::AtomicBinOp::max;
  case AtomicKind::MinS:
    return LLVM::AtomicBinOp::min;
  case AtomicKind::MaxU:
    return LLVM::AtomicBinOp::umax;
  case AtomicKind::MinU:
    return LLVM::AtomicBinOp::umin;
  case AtomicKind::And:
    return LLVM::AtomicBinOp::_and;
  case AtomicKind::Or:
    return LLVM::AtomicBinOp::_or;
  case AtomicKind::Xor:
    return LLVM::AtomicBinOp::_xor;
  case AtomicKind::Exchange:
    return LLVM::AtomicBinOp::xchg;
  }
  llvm_unreachable("all kinds are covered");
}

/// A value's bits as an integer.
static Value toBits(CodeBuilder &code, Value value) {
  unsigned width = value.getType().getIntOrFloatBitWidth();
  return code.bitcast(value, code.builder.getIntegerType(width));
}

/// All threads of the GPU; nothing is said about other memory.
static constexpr StringLiteral kScope = "device";

LogicalResult tile::lower(KernelLowering &kernel, AtomicRmwOp op) {
  CodeBuilder &code = kernel.code;
  Type element = op.getBase().getType().getElementType();
  if (op.getKind() == AtomicKind::AddF && element.getIntOrFloatBitWidth() == 8)
    return KernelLowering::refuse(
        op, "it computes with 8-bit floats: keep them as f32 in memory");
  Elements elements(kernel, op.getBase(), op.getOffsets(), op.getMask(),
                    op.getValue());
  SmallVector<Value> values = kernel.unpack(op.getValue());
  return updateElements(kernel, op, elements, [&](int64_t reg, Value address) {
    Value value = values[reg];
    Type type = value.getType();
    if (op.getKind() == AtomicKind::Exchange)
      value = toBits(code, value);
    Value old = LLVM::AtomicRMWOp::create(
        code.builder, code.loc, binaryOp(op.getKind()), address, value,
        LLVM::AtomicOrdering::monotonic, kScope);
    return code.bitcast(old, type);
  });
}

LogicalResult tile::lower(KernelLowering &kernel, AtomicCasOp op) {
  CodeBuilder &code = kernel.code;
  Elements elements(kernel, op.getBase(), op.getOffsets(), /*mask=*/{},
                    op.getValue());
  SmallVector<Value> expected = kernel.unpack(op.getExpected());
  SmallVector<Value> values = kernel.unpack(op.getValue());
  return updateElements(kernel, op, elements, [&](int64_t reg, Value address) {
    Value swapped = LLVM::AtomicCmpXchgOp::create(
        code.builder, code.loc, address, toBits(code, expected[reg]),
        toBits(code, values[reg]), LLVM::AtomicOrdering::monotonic,
        LLVM::AtomicOrdering::monotonic, kScope);
    return code.bitcast(code.extractValue(swapped, 0), values[reg].getType());
  });
}
