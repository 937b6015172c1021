//===- Dot.cpp - Products of tiles and of slots ---------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "DotKernel.h"
#include "Rings.h"

#include "tile/IR/MmaShapes.h"

using namespace mlir;

namespace tile::interpreter {

/// The operands of one product.
struct Product {
  Kind operandKind, accumulatorKind;
  Precision precision;
  /// k's that are summed up on their own, or 0.
  int64_t run;
  DotShape shape;
  /// Elements of a and b, row by row.
  const void *a, *b;
  SlotIndex accumulator, result;
  /// Whether operands become tf32 by cutting, as the tensor cores do it that
  /// read shared memory themselves.
  bool isCut = false;
};

/// `count` elements of kind E as T.
template <class E, class T>
static void widen(const void *from, int64_t count, T *result) {
  auto *source = static_cast<const typename E::Storage *>(from);
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (E::kIsFloat)
      result[i] = E::get(source[i]);
    else
      result[i] = T(E::getSigned(source[i]));
  }
}

/// Both operands as T, in the program's scratch, with room for `extra` more.
template <class E, class T>
static std::array<T *, 3> operandsAs(Program &program, const Product &product,
                                     int64_t extra = 0) {
  auto [m, n, k] = product.shape;
  size_t needed = size_t(m * k + k * n + extra) * sizeof(T) / 8 + 1;
  if (program.scratch.size() < needed)
    program.scratch.resize(needed);
  T *a = reinterpret_cast<T *>(program.scratch.data());
  T *b = a + m * k;
  widen<E>(product.a, m * k, a);
  widen<E>(product.b, k * n, b);
  return {a, b, b + k * n};
}

template <class E>
static void multiplyToF32(Program &program, const Product &product) {
  auto [a, b, unused] = operandsAs<E, float>(program, product);
  program.copy(product.accumulator, product.result);
  auto *c = program.data<float>(product.result);
  DotShape shape = product.shape;
  if (product.precision == Precision::Tf32x3)
    return multiplyAddTf32x3(shape, product.run, a, b, c);
  if (product.precision == Precision::Tf32) {
    auto toTf32 = product.isCut ? cutToTf32 : roundToTf32;
    std::transform(a, a + shape.m * shape.k, a, toTf32);
    std::transform(b, b + shape.k * shape.n, b, toTf32);
  }
  if (product.run != 0)
    return multiplyAddInRuns(shape, product.run, a, b, c);
  multiplyAdd(shape, a, b, c);
}

static void multiplyToF16(Program &program, const Product &product) {
  using E = Element<Kind::F16>;
  int64_t count = product.shape.m * product.shape.n;
  auto [a, b, c] = operandsAs<E, float>(program, product, count);
  widen<E>(program.data<uint16_t>(product.accumulator), count, c);
  multiplyAddF16(product.shape, a, b, c);
  std::transform(c, c + count, program.data<uint16_t>(product.result), E::put);
}

static void multiplyF64(Program &program, const Product &product) {
  program.copy(product.accumulator, product.result);
  multiplyAdd(product.shape, static_cast<const double *>(product.a),
              static_cast<const double *>(product.b),
              program.data<double>(product.result));
}

static void multiplyI8(Program &program, const Product &product) {
  auto [a, b, unused] =
      operandsAs<Element<Kind::I8>, int32_t>(program, product);
  program.copy(product.accumulator, product.result);
  multiplyAdd(product.shape, a, b, program.data<uint32_t>(product.result));
}

/// Whether there is a product of these kinds.
static bool canMultiply(Kind operand, Kind accumulator) {
  if (operand == Kind::I8)
    return accumulator == Kind::I32;
  if (operand == Kind::F64 || accumulator == Kind::F64)
    return operand == accumulator;
  return isFloat(operand) &&
         (accumulator == Kind::F32 ||
          (operand == Kind::F16 && accumulator == Kind::F16));
}

static void multiply(Program &program, const Product &product) {
  if (product.operandKind == Kind::I8)
    return multiplyI8(program, product);
  if (product.operandKind == Kind::F64)
    return multiplyF64(program, product);
  if (product.accumulatorKind == Kind::F16)
    return multiplyToF16(program, product);
  withFloat(product.operandKind,
            [&](auto e) { multiplyToF32<decltype(e)>(program, product); });
}

/// numbers: [precision, run].
static LogicalResult runDot(Program &program, const Step &step) {
  const Slot &a = program.slot(step.operands[0]);
  const Slot &b = program.slot(step.operands[1]);
  Product product{a.kind,
                  program.slot(step.results[0]).kind,
                  Precision(step.numbers[0]),
                  step.numbers[1],
                  {a.shape[0], b.shape[1], a.shape[1]},
                  program.data<char>(step.operands[0]),
                  program.data<char>(step.operands[1]),
                  step.operands[2],
                  step.results[0]};
  multiply(program, product);
  return success();
}

/// numbers: [kind of the operands, precision, run, m, n, k, whether a is a
/// tensor];
/// operands: a, its cursor unless it is a tensor, b, its cursor, the
/// accumulator.
template <Reader reader>
static LogicalResult runMma(Program &program, const Step &step) {
  bool isTensor = step.numbers[6];
  ArrayRef<SlotIndex> rest =
      ArrayRef(step.operands).drop_front(isTensor ? 1 : 2);
  const void *a = isTensor ? program.data<char>(step.operands[0])
                           : readSlot(program, step, step.operands[0],
                                      step.operands[1], reader);
  const void *b =
      a ? readSlot(program, step, rest[0], rest[1], reader) : nullptr;
  if (!b)
    return failure();
  Product product{Kind(step.numbers[0]),
                  program.slot(step.results[0]).kind,
                  Precision(step.numbers[1]),
                  step.numbers[2],
                  {step.numbers[3], step.numbers[4], step.numbers[5]},
                  a,
                  b,
                  rest[2],
                  step.results[0],
                  reader == Reader::TensorCores};
  multiply(program, product);
  if (reader == Reader::TensorCores)
    program.shared.closeTensorGroup();
  return success();
}

static LogicalResult runWgmmaWait(Program &program, const Step &step) {
  program.shared.waitForTensorCores(step.numbers[0]);
  return success();
}

static LogicalResult runWgmmaFinish(Program &program, const Step &step) {
  program.shared.waitForTensorCores(0);
  program.copy(step.operands[0], step.results[0]);
  return success();
}

/// Sets the numbers of a product with a slot and returns the operands' kind.
template <class Mma>
static Kind setMmaNumbers(Mma mma, RankedTensorType acc, Precision precision,
                          int64_t run, Step &step) {
  gpu::BufferType b = mma.getB().getType();
  Kind kind = *kindOf(b.getElementType());
  step.numbers = {int64_t(kind),
                  int64_t(precision),
                  run,
                  acc.getDimSize(0),
                  acc.getDimSize(1),
                  b.getShape()[0],
                  isa<RankedTensorType>(mma.getA().getType())};
  return kind;
}

Decoded decodeDot(Decoder &decoder, Operation *op, Step &step) {
  std::optional<Kind> operand;
  if (auto dot = dyn_cast<DotOp>(op)) {
    operand = decoder.code.slots[step.operands[0]].kind;
    step.numbers = {int64_t(dot.getPrecision()),
                    runOfDot(dot.getPrecision(), dot.getPromoteEvery())};
    step.handler = runDot;
  } else if (auto mma = dyn_cast<gpu::MmaOp>(op)) {
    operand = setMmaNumbers(
        mma, cast<RankedTensorType>(mma.getType()), mma.getPrecision(),
        runOfDot(mma.getPrecision(), mma.getPromoteEvery()), step);
    step.handler = runMma<Reader::Threads>;
  } else if (auto wgmma = dyn_cast<gpu::WgmmaOp>(op)) {
    Type element = wgmma.getB().getType().getElementType();
    operand = setMmaNumbers(wgmma, wgmma.getType().getTensor(),
                            precisionOfWgmma(element), /*run=*/0, step);
    step.handler = runMma<Reader::TensorCores>;
  } else if (auto wait = dyn_cast<gpu::WgmmaWaitOp>(op)) {
    step.numbers.push_back(wait.getGroups());
    step.handler = runWgmmaWait;
    return Decoded::Step;
  } else if (isa<gpu::WgmmaFinishOp>(op)) {
    step.handler = runWgmmaFinish;
    return Decoded::Step;
  }
  if (!operand ||
      !canMultiply(*operand, decoder.code.slots[step.results[0]].kind))
    return Decoded::Unknown;
  return Decoded::Step;
}

} // namespace tile::interpreter
