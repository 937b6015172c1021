//===- ElementMoves.cpp - Ops that only move elements ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tile::interpreter {

static LogicalResult runIota(Program &program, const Step &step) {
  const Slot &slot = program.slot(step.results[0]);
  if (slot.kind == Kind::I32) {
    auto *result = program.data<uint32_t>(step.results[0]);
    for (int64_t i = 0; i < slot.count; ++i)
      result[i] = uint32_t(i);
    return success();
  }
  auto *result = program.data<uint64_t>(step.results[0]);
  for (int64_t i = 0; i < slot.count; ++i)
    result[i] = uint64_t(i);
  return success();
}

template <class Bits>
static LogicalResult runSplat(Program &program, const Step &step) {
  Bits value = *program.data<Bits>(step.operands[0]);
  Bits *result = program.data<Bits>(step.results[0]);
  std::fill_n(result, program.slot(step.results[0]).count, value);
  return success();
}

/// result[i, j, ...] = source[numbers[0] * i + numbers[1] * j + ...]: broadcast
/// and transpose are such a walk.
template <class Bits>
static LogicalResult runStrided(Program &program, const Step &step) {
  const Bits *source = program.data<Bits>(step.operands[0]);
  Bits *result = program.data<Bits>(step.results[0]);
  ArrayRef<int64_t> shape = program.slot(step.results[0]).shape;
  ArrayRef<int64_t> strides = step.numbers;
  int64_t rank = shape.size();
  int64_t inner = shape[rank - 1], innerStride = strides[rank - 1];
  int64_t rows =
      program.slot(step.results[0]).count / std::max<int64_t>(inner, 1);
  llvm::SmallVector<int64_t, 4> index(rank, 0);
  int64_t base = 0;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < inner; ++i)
      *result++ = source[base + i * innerStride];
    for (int64_t dim = rank - 2; dim >= 0; --dim) {
      base += strides[dim];
      if (++index[dim] < shape[dim])
        break;
      base -= strides[dim] * shape[dim];
      index[dim] = 0;
    }
  }
  return success();
}

template <class Bits, bool tileCondition>
static LogicalResult runSelect(Program &program, const Step &step) {
  auto *condition = program.data<uint8_t>(step.operands[0]);
  auto *yes = program.data<Bits>(step.operands[1]);
  auto *no = program.data<Bits>(step.operands[2]);
  auto *result = program.data<Bits>(step.results[0]);
  int64_t count = program.slot(step.results[0]).count;
  for (int64_t i = 0; i < count; ++i)
    result[i] = condition[tileCondition ? i : 0] ? yes[i] : no[i];
  return success();
}

/// The row-major strides of a shape.
static llvm::SmallVector<int64_t> stridesOf(ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = int64_t(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

static Handler strided(Kind kind) {
  return withStorage(
      kind, [](auto bits) -> Handler { return runStrided<decltype(bits)>; });
}

Decoded decodeShape(Decoder &decoder, Operation *op, Step &step) {
  if (op->getNumResults() != 1)
    return Decoded::Unknown;
  Kind kind = decoder.code.slots[step.results[0]].kind;
  if (isa<ReshapeOp, ExpandDimsOp>(op)) {
    // The same elements in the same order.
    if (failed(decoder.alias(op->getResult(0), op->getOperand(0))))
      return Decoded::Failed;
    return Decoded::NoStep;
  }
  if (isa<IotaOp>(op)) {
    step.handler = runIota;
  } else if (isa<SplatOp>(op)) {
    step.handler = withStorage(
        kind, [](auto bits) -> Handler { return runSplat<decltype(bits)>; });
  } else if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    ArrayRef<int64_t> shape = broadcast.getSource().getType().getShape();
    step.numbers.assign(stridesOf(shape));
    for (auto [stride, side] : llvm::zip_equal(step.numbers, shape))
      stride = side == 1 ? 0 : stride;
    step.handler = strided(kind);
  } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
    auto strides = stridesOf(transpose.getSource().getType().getShape());
    for (int64_t dim : transpose.getOrder())
      step.numbers.push_back(strides[dim]);
    step.handler = strided(kind);
  } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
    bool tile = isa<RankedTensorType>(select.getCondition().getType());
    step.handler = withStorage(kind, [&](auto bits) -> Handler {
      using Bits = decltype(bits);
      return tile ? runSelect<Bits, true> : runSelect<Bits, false>;
    });
  }
  return step.handler ? Decoded::Step : Decoded::Unknown;
}

} // namespace tile::interpreter
