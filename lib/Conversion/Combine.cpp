//===- Combine.cpp - Regions that combine elements ------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Combine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// The region
//===----------------------------------------------------------------------===//

/// The only op of a region that applies it to its two arguments, or null.
static Operation *onlyOp(Block &block) {
  if (block.getNumArguments() != 2 || !llvm::hasNItems(block, 2))
    return nullptr;
  Operation *op = &block.front();
  if (op->getNumOperands() != 2 || op->getNumResults() != 1 ||
      block.getTerminator()->getOperand(0) != op->getResult(0))
    return nullptr;
  Value left = block.getArgument(0), right = block.getArgument(1);
  bool inOrder = op->getOperand(0) == left && op->getOperand(1) == right;
  bool swapped = op->getOperand(0) == right && op->getOperand(1) == left;
  return inOrder || swapped ? op : nullptr;
}

/// Parts may overflow in another order than the one of the IR.
static void dropOverflowFlags(Block &block) {
  auto none = arith::IntegerOverflowFlagsAttr::get(
      block.getParentOp()->getContext(), arith::IntegerOverflowFlags::none);
  block.walk([&](arith::ArithIntegerOverflowFlagsInterface op) {
    op->setAttr(op.getIntegerOverflowAttrName(), none);
  });
}

Combiner::Combiner(KernelLowering &kernel, Operation *op)
    : kernel(kernel), block(op->getRegion(0).front()) {
  dropOverflowFlags(block);
}

FailureOr<Group> Combiner::combine(const Group &left, const Group &right) {
  size_t count = left.size();
  for (size_t index = 0; index < count; ++index) {
    kernel.setParts(block.getArgument(index), left[index]);
    kernel.setParts(block.getArgument(count + index), right[index]);
  }
  Location before = kernel.code.loc;
  if (failed(kernel.lowerBody(block)))
    return failure();
  kernel.code.loc = before;
  Group result;
  for (Value yielded : block.getTerminator()->getOperands())
    result.push_back(kernel.part(yielded));
  return result;
}

bool Combiner::isCommutative() const {
  Operation *only = onlyOp(block);
  return only && (isOrderFree() || isa<arith::AddFOp, arith::MulFOp>(only));
}

bool Combiner::isOrderFree() const {
  // Maxima and minima: a NaN is the one NaN that the chip makes, and of two
  // zeros the chip takes the same one in either order.
  return isa_and_present<
      arith::AddIOp, arith::MulIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp,
      arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp,
      arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(
      onlyOp(block));
}

GroupMap tile::groupsOf(KernelLowering &kernel, ValueRange operands) {
  TileLayout layout = layoutOf(operands.front().getType()).getLayout();
  SmallVector<SmallVector<Value>> registers;
  for (Value operand : operands)
    registers.push_back(kernel.unpack(operand));
  GroupMap groups;
  for (int64_t reg = 0; reg < layout.numRegs(); ++reg) {
    Coord coord = layout.apply(reg, 0, 0);
    Group group;
    for (ArrayRef<Value> all : registers)
      group.push_back(all[reg]);
    groups.try_emplace({coord.begin(), coord.end()}, group);
  }
  return groups;
}

//===----------------------------------------------------------------------===//
// Between lanes
//===----------------------------------------------------------------------===//

/// shfl.sync of one 32-bit word (PTX ISA 9.7.9.6).
static Value shuffleWord(CodeBuilder &code, Value word, Value lane,
                         NVVM::ShflKind kind) {
  return NVVM::ShflOp::create(
      code.builder, code.loc, code.i32(), code.constI32(-1), word, lane,
      code.constI32((1 << kLaneBits) - 1), kind, UnitAttr());
}

/// shfl.sync of a scalar of any width.
static Value shuffleValue(CodeBuilder &code, Value value, Value lane,
                          NVVM::ShflKind kind) {
  Type type = value.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  Type bits = code.builder.getIntegerType(width);
  Value source = code.bitcast(value, bits);
  if (width == 32)
    return code.bitcast(shuffleWord(code, source, lane, kind), type);
  if (width < 32) {
    Value word =
        LLVM::ZExtOp::create(code.builder, code.loc, code.i32(), source);
    word = shuffleWord(code, word, lane, kind);
    return code.bitcast(
        LLVM::TruncOp::create(code.builder, code.loc, bits, word), type);
  }
  int64_t numWords = width / 32;
  Type vector = VectorType::get(numWords, code.i32());
  Value words = code.bitcast(source, vector);
  Value result = code.poison(vector);
  for (int64_t index = 0; index < numWords; ++index) {
    Value word = shuffleWord(code, code.extract(words, index), lane, kind);
    result = code.insert(result, word, index);
  }
  return code.bitcast(code.bitcast(result, bits), type);
}

Group tile::shuffleXor(KernelLowering &kernel, const Group &group,
                       int64_t mask) {
  Group result;
  for (Value value : group)
    result.push_back(shuffleValue(
        kernel.code, value, kernel.code.constI32(mask), NVVM::ShflKind::bfly));
  return result;
}

Group tile::shuffleFrom(KernelLowering &kernel, const Group &group,
                        Value lane) {
  Group result;
  for (Value value : group)
    result.push_back(
        shuffleValue(kernel.code, value, lane, NVVM::ShflKind::idx));
  return result;
}

Group tile::select(KernelLowering &kernel, Value condition, const Group &yes,
                   const Group &no) {
  Group result;
  for (auto [left, right] : llvm::zip_equal(yes, no))
    result.push_back(kernel.code.select(condition, left, right));
  return result;
}
