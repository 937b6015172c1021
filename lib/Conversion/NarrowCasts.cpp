//===- NarrowCasts.cpp - Conversions from and to 8-bit floats -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM knows no 8-bit floats: they are bytes in registers, and arith.extf and
// arith.truncf on them are written out here.  Everything goes through f32 or
// f16, which hold all 8-bit floats.
//
//===----------------------------------------------------------------------===//

#include "KernelLowering.h"
#include "NarrowFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tile;

static bool isFloat8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(getElementTypeOrSelf(type));
}

bool tile::isNarrowCast(Operation *op) {
  return isa<arith::ExtFOp, arith::TruncFOp>(op) &&
         (isFloat8(op->getOperand(0).getType()) ||
          isFloat8(op->getResult(0).getType()));
}

/// The elements of a part, a vector or a scalar.
static SmallVector<Value> elementsOf(CodeBuilder &code, Value part) {
  auto vector = dyn_cast<VectorType>(part.getType());
  if (!vector)
    return {part};
  SmallVector<Value> elements;
  for (int64_t index = 0; index < vector.getNumElements(); ++index)
    elements.push_back(code.extract(part, index));
  return elements;
}

/// A float as another type that holds it, or whose value it is.
static Value castFloat(CodeBuilder &code, Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (value.getType() == type)
    return value;
  if (from < to)
    return LLVM::FPExtOp::create(code.builder, code.loc, type, value);
  if (from > to)
    return LLVM::FPTruncOp::create(code.builder, code.loc, type, value);
  // f16 and bf16 meet in f32.
  return castFloat(code, castFloat(code, value, code.builder.getF32Type()),
                   type);
}

/// A part of up to four bytes as floats of `type`.
static Value widenPart(CodeBuilder &code, NarrowFloats &narrow, Value part,
                       Type from, Type type) {
  size_t count = 1;
  if (auto vector = dyn_cast<VectorType>(part.getType()))
    count = vector.getNumElements();
  Value word = code.bitcast(part, code.builder.getIntegerType(8 * count));
  if (count < 4)
    word = LLVM::ZExtOp::create(code.builder, code.loc, code.i32(), word);
  SmallVector<Value> elements;
  for (size_t index = 0; index < count; ++index) {
    if (index % 2 == 0)
      elements.append(
          elementsOf(code, narrow.widenPair(word, index == 2, from)));
  }
  elements.truncate(count);
  for (Value &element : elements)
    element = castFloat(code, element, type);
  return packVector(code, elements);
}

LogicalResult tile::lowerNarrowCast(KernelLowering &kernel, Operation *op) {
  CodeBuilder &code = kernel.code;
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  Type to = getElementTypeOrSelf(op->getResult(0).getType());
  if (from.isF64())
    return KernelLowering::refuse(op, "f64 to an 8-bit float would be rounded "
                                      "twice; convert to f32 first");
  if (failed(kernel.partTypes(op, op->getResult(0).getType())))
    return failure();
  NarrowFloats narrow(code, op);
  SmallVector<Value> results;
  for (Value part : SmallVector<Value>(kernel.parts(op->getOperand(0)))) {
    if (isFloat8(from) && !isFloat8(to)) {
      results.push_back(widenPart(code, narrow, part, from, to));
      continue;
    }
    if (isFloat8(from))
      part = widenPart(code, narrow, part, from, code.builder.getF32Type());
    SmallVector<Value> elements = elementsOf(code, part);
    for (Value &element : elements)
      element = narrow.roundToFloat8(
          castFloat(code, element, code.builder.getF32Type()), to);
    results.push_back(packVector(code, elements));
  }
  kernel.setParts(op->getResult(0), results);
  return success();
}
