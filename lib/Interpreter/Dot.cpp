//===- Dot.cpp - dot -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "DotKernel.h"

using namespace mlir;

namespace tile::interpreter {

/// Space for `count` elements of T in the program's scratch.
template <class T>
static T *reserve(Program &program, size_t &used, int64_t count) {
  size_t words = (size_t(count) * sizeof(T) + 7) / 8;
  T *result = reinterpret_cast<T *>(program.scratch.data() + used);
  used += words;
  return result;
}

/// An operand's elements as T.
template <class E, class T>
static void widen(Program &program, SlotIndex slot, T *result) {
  auto *source = program.data<typename E::Storage>(slot);
  int64_t count = program.slot(slot).count;
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (E::kIsFloat)
      result[i] = E::get(source[i]);
    else
      result[i] = T(E::getSigned(source[i]));
  }
}

static DotShape shapeOf(Program &program, const Step &step) {
  ArrayRef<int64_t> a = program.slot(step.operands[0]).shape;
  ArrayRef<int64_t> b = program.slot(step.operands[1]).shape;
  return {a[0], b[1], a[1]};
}

/// Both operands as T, in the program's scratch, with room for `extra` more.
template <class E, class T>
static std::array<T *, 3> operandsAs(Program &program, const Step &step,
                                     int64_t extra = 0) {
  int64_t sizes[] = {program.slot(step.operands[0]).count,
                     program.slot(step.operands[1]).count, extra};
  size_t needed = (sizes[0] + sizes[1] + extra) * sizeof(T) / 8 + 3;
  if (program.scratch.size() < needed)
    program.scratch.resize(needed);
  size_t used = 0;
  std::array<T *, 3> result;
  for (auto [pointer, size] : llvm::zip_equal(result, sizes))
    pointer = reserve<T>(program, used, size);
  widen<E>(program, step.operands[0], result[0]);
  widen<E>(program, step.operands[1], result[1]);
  return result;
}

/// numbers[0]: the precision.
template <class E>
static LogicalResult runToF32(Program &program, const Step &step) {
  auto [a, b, unused] = operandsAs<E, float>(program, step);
  program.copy(step.operands[2], step.results[0]);
  auto *c = program.data<float>(step.results[0]);
  DotShape shape = shapeOf(program, step);
  auto precision = Precision(step.numbers[0]);
  if (precision == Precision::Tf32x3) {
    multiplyAddTf32x3(shape, a, b, c);
    return success();
  }
  if (precision == Precision::Tf32) {
    std::transform(a, a + shape.m * shape.k, a, roundToTf32);
    std::transform(b, b + shape.k * shape.n, b, roundToTf32);
  }
  multiplyAdd(shape, a, b, c);
  return success();
}

static LogicalResult runToF16(Program &program, const Step &step) {
  using E = Element<Kind::F16>;
  int64_t count = program.slot(step.results[0]).count;
  auto [a, b, c] = operandsAs<E, float>(program, step, count);
  widen<E>(program, step.operands[2], c);
  multiplyAddF16(shapeOf(program, step), a, b, c);
  std::transform(c, c + count, program.data<uint16_t>(step.results[0]), E::put);
  return success();
}

static LogicalResult runF64(Program &program, const Step &step) {
  program.copy(step.operands[2], step.results[0]);
  multiplyAdd(shapeOf(program, step), program.data<double>(step.operands[0]),
              program.data<double>(step.operands[1]),
              program.data<double>(step.results[0]));
  return success();
}

static LogicalResult runI8(Program &program, const Step &step) {
  auto [a, b, unused] = operandsAs<Element<Kind::I8>, int32_t>(program, step);
  program.copy(step.operands[2], step.results[0]);
  multiplyAdd(shapeOf(program, step), a, b,
              program.data<uint32_t>(step.results[0]));
  return success();
}

Decoded decodeDot(Decoder &decoder, Operation *op, Step &step) {
  auto dot = dyn_cast<DotOp>(op);
  if (!dot)
    return Decoded::Unknown;
  Kind operand = decoder.code.slots[step.operands[0]].kind;
  Kind accumulator = decoder.code.slots[step.results[0]].kind;
  step.numbers.push_back(int64_t(dot.getPrecision()));
  if (operand == Kind::I8 && accumulator == Kind::I32)
    step.handler = runI8;
  else if (operand == Kind::F64 && accumulator == Kind::F64)
    step.handler = runF64;
  else if (operand == Kind::F16 && accumulator == Kind::F16)
    step.handler = runToF16;
  else if (isFloat(operand) && accumulator == Kind::F32)
    step.handler = withFloat(
        operand, [](auto e) -> Handler { return runToF32<decltype(e)>; });
  return step.handler ? Decoded::Step : Decoded::Unknown;
}

} // namespace tile::interpreter
