//===- NarrowCasts.cpp - Conversions from and to narrow floats ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM knows no 8-bit floats: they are bytes in registers, and arith's casts
// from and to them are written out here.  Everything goes through f32 or f16,
// which hold all 8-bit floats; what f32 does not hold is rounded to odd first,
// so that only the second rounding counts (S. Boldo and G. Melquiond, Emulation
// of FMA and correctly rounded sums, IEEE Trans. Computers 57(4), 2008).  So
// are integers on their way to bf16 where the chip lacks that conversion, which
// LLVM rounds twice.
//
//===----------------------------------------------------------------------===//

#include "KernelLowering.h"
#include "NarrowFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tile;

/// Whether f32 may not hold all values of a type.
static bool isWiderThanF32(Type type) {
  return type.isF64() ||
         (type.isInteger() && type.getIntOrFloatBitWidth() > 24);
}

bool tile::isNarrowCast(Operation *op) {
  if (!isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp,
           arith::FPToSIOp, arith::FPToUIOp>(op))
    return false;
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  Type to = getElementTypeOrSelf(op->getResult(0).getType());
  if (isFloat8(from) || isFloat8(to))
    return true;
  return from.isInteger() && isWiderThanF32(from) && to.isBF16() &&
         !hasNarrowConversions(op);
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

/// A number as an f32 between the same two numbers of any narrower type: an
/// inexact one is cut and gets an odd last bit.
static Value roundToOdd(CodeBuilder &code, Value value, bool isSigned) {
  OpBuilder &builder = code.builder;
  Type type = value.getType(), f32 = builder.getF32Type();
  unsigned width = type.getIntOrFloatBitWidth();
  std::string kind = (type.isF64() ? "f"
                      : isSigned   ? "s"
                                   : "u") +
                     std::to_string(width);
  Value cut = createAsm(builder, code.loc, f32, value,
                        "cvt.rz.f32." + kind + " $0, $1;",
                        type.isF64()  ? "=f,d"
                        : width == 64 ? "=f,l"
                                      : "=f,r",
                        /*hasSideEffects=*/false)
                  .getResult(0);
  Value back, isInexact;
  if (type.isF64()) {
    back = LLVM::FPExtOp::create(builder, code.loc, type, cut);
    isInexact = LLVM::FCmpOp::create(builder, code.loc,
                                     LLVM::FCmpPredicate::une, back, value);
  } else {
    back = isSigned
               ? Value(LLVM::FPToSIOp::create(builder, code.loc, type, cut))
               : Value(LLVM::FPToUIOp::create(builder, code.loc, type, cut));
    isInexact = code.compare(LLVM::ICmpPredicate::ne, back, value);
  }
  Value odd = LLVM::ZExtOp::create(builder, code.loc, code.i32(), isInexact);
  Value bits =
      LLVM::OrOp::create(builder, code.loc, code.bitcast(cut, code.i32()), odd);
  return code.bitcast(bits, f32);
}

/// A number as an f32 that a narrower type rounds as it does the number.
static Value toF32(CodeBuilder &code, Value value, bool isSigned) {
  Type type = value.getType(), f32 = code.builder.getF32Type();
  if (isWiderThanF32(type))
    return roundToOdd(code, value, isSigned);
  if (!type.isInteger())
    return castFloat(code, value, f32);
  if (isSigned)
    return LLVM::SIToFPOp::create(code.builder, code.loc, f32, value);
  return LLVM::UIToFPOp::create(code.builder, code.loc, f32, value);
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

/// An f32 as another type.
static Value fromF32(CodeBuilder &code, NarrowFloats &narrow, Value value,
                     Type type, bool isSigned) {
  if (isFloat8(type))
    return narrow.roundToFloat8(value, type);
  if (!type.isInteger())
    return castFloat(code, value, type);
  if (isSigned)
    return LLVM::FPToSIOp::create(code.builder, code.loc, type, value);
  return LLVM::FPToUIOp::create(code.builder, code.loc, type, value);
}

LogicalResult tile::lowerNarrowCast(KernelLowering &kernel, Operation *op) {
  CodeBuilder &code = kernel.code;
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  Type to = getElementTypeOrSelf(op->getResult(0).getType());
  bool isSigned = !isa<arith::UIToFPOp, arith::FPToUIOp>(op);
  if (failed(kernel.partTypes(op, op->getResult(0).getType())))
    return failure();
  NarrowFloats narrow(code, op);
  SmallVector<Value> results;
  for (Value part : SmallVector<Value>(kernel.parts(op->getOperand(0)))) {
    bool isWidened = isFloat8(from) && isa<FloatType>(to) && !isFloat8(to);
    if (isWidened) {
      results.push_back(widenPart(code, narrow, part, from, to));
      continue;
    }
    if (isFloat8(from))
      part = widenPart(code, narrow, part, from, code.builder.getF32Type());
    SmallVector<Value> elements = elementsOf(code, part);
    for (Value &element : elements)
      element =
          fromF32(code, narrow, toF32(code, element, isSigned), to, isSigned);
    results.push_back(packVector(code, elements));
  }
  kernel.setParts(op->getResult(0), results);
  return success();
}
