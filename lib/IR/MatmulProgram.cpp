//===- MatmulProgram.cpp - The reference matmul ---------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulBuilder.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tile;

Type tile::matmulAccumulatorType(Type elementType) {
  Builder builder(elementType.getContext());
  if (isa<Float16Type, BFloat16Type, Float32Type, Float8E4M3FNType,
          Float8E5M2Type>(elementType))
    return builder.getF32Type();
  if (elementType.isF64())
    return elementType;
  if (elementType.isSignlessInteger(8))
    return builder.getI32Type();
  return {};
}

/// Whether the sum can be stored as `output`: the same type or a narrower one
/// of the same kind.
static bool canNarrow(Type accumulator, Type output) {
  if (accumulator == output)
    return true;
  if (!isElementType(output) ||
      isa<FloatType>(accumulator) != isa<FloatType>(output))
    return false;
  return output.getIntOrFloatBitWidth() < accumulator.getIntOrFloatBitWidth();
}

KernelOp tile::buildMatmul(OpBuilder &builder, Location loc,
                           const MatmulProgram &program) {
  constexpr int64_t kMaxSide = int64_t(1) << 16;
  for (auto [name, value] :
       {std::pair("m", program.m), std::pair("n", program.n),
        std::pair("k", program.k), std::pair("group", program.group)})
    if (value < 1 || value > kMaxSide) {
      emitError(loc) << "matmul: expected " << name << " from 1 to " << kMaxSide
                     << ", got " << value;
      return {};
    }
  Type accumulator =
      program.elementType ? matmulAccumulatorType(program.elementType) : Type();
  if (!accumulator) {
    emitError(loc) << "matmul: expected elements of f64, f32, f16, bf16, "
                      "f8E4M3FN, f8E5M2 or i8, got "
                   << program.elementType;
    return {};
  }
  if (program.precision != Precision::Ieee && !program.elementType.isF32()) {
    emitError(loc) << "matmul: expected precision ieee for "
                   << program.elementType << ", got "
                   << stringifyPrecision(program.precision);
    return {};
  }
  if (program.promoteEvery < 0 ||
      (program.promoteEvery != 0 &&
       !isa<Float8E4M3FNType, Float8E5M2Type>(program.elementType))) {
    emitError(loc) << "matmul: expected a positive promotion interval on 8-bit "
                      "floats, got "
                   << program.promoteEvery << " on " << program.elementType;
    return {};
  }
  Type output = program.outputType;
  if (!output)
    output = isa<FloatType>(accumulator) ? program.elementType : accumulator;
  if (!canNarrow(accumulator, output)) {
    emitError(loc) << "matmul: expected an output of " << accumulator
                   << " or a narrower type of its kind, got " << output;
    return {};
  }
  if (!program.epilogue.isEmpty() && !isa<FloatType>(accumulator)) {
    emitError(loc) << "matmul: expected no epilogue on " << accumulator
                   << " accumulators, got one";
    return {};
  }
  if (program.epilogue.gelu && accumulator.isF64()) {
    emitError(loc) << "matmul: expected gelu on sums of f32, got "
                   << accumulator;
    return {};
  }
  if (program.partialSum < 0 || program.partialSum % program.k != 0) {
    emitError(loc) << "matmul: expected partial sums of a multiple of k, "
                   << program.k << ", got " << program.partialSum;
    return {};
  }
  if (program.partialSum != 0 &&
      (output != accumulator || !program.epilogue.isEmpty())) {
    emitError(loc) << "matmul: expected partial sums to be stored in C as they "
                      "are, without an epilogue and in "
                   << accumulator << ", got "
                   << (output != accumulator ? "an output of "
                                             : "an epilogue on ")
                   << output;
    return {};
  }
  return MatmulBuilder(builder, loc, program, output).build();
}
