//===- MmaShapes.cpp - Which dots the hardware has ------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/IR/MmaShapes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tile;

static constexpr MmaShape kMmaShapes[] = {
    {Instruction::Wgmma, 64, kAnyN, 16, "f16", "f32"},
    {Instruction::Wgmma, 64, kAnyN, 16, "bf16", "f32"},
    {Instruction::Wgmma, 64, kAnyN, 8, "f32", "f32", Precision::Tf32},
    {Instruction::Wgmma, 64, kAnyN, 32, "f8E4M3FN", "f32"},
    {Instruction::Wgmma, 64, kAnyN, 32, "f8E5M2", "f32"},
    {Instruction::Wgmma, 64, kAnyN, 32, "i8", "i32"},
    {Instruction::MmaSync, 16, 8, 16, "f16", "f32"},
    {Instruction::MmaSync, 16, 8, 16, "bf16", "f32"},
    {Instruction::MmaSync, 16, 8, 16, "f16", "f16"},
    {Instruction::MmaSync, 16, 8, 8, "f32", "f32", Precision::Tf32},
    {Instruction::MmaSync, 16, 8, 8, "f32", "f32", Precision::Tf32x3},
    // Converted to f16, which is exact.
    {Instruction::MmaSync, 16, 8, 16, "f8E4M3FN", "f32"},
    {Instruction::MmaSync, 16, 8, 16, "f8E5M2", "f32"},
    {Instruction::MmaSync, 16, 8, 32, "i8", "i32"},
    {Instruction::MmaSync, 16, kPairN, 16, "f8E4M3FN", "f32"},
    {Instruction::MmaSync, 16, kPairN, 16, "f8E5M2", "f32"},
    {Instruction::MmaSync, 16, kPairN, 32, "i8", "i32"},
    {Instruction::MmaSync, 8, 8, 4, "f64", "f64"},
    {Instruction::Fma, 1, 1, 1, "f32", "f32"},
    {Instruction::Fma, 1, 1, 1, "f32", "f32", Precision::Tf32},
    {Instruction::Fma, 1, 1, 1, "f32", "f32", Precision::Tf32x3},
    {Instruction::Fma, 1, 1, 1, "f64", "f64"},
    {Instruction::Fma, 1, 1, 1, "f16", "f32"},
    {Instruction::Fma, 1, 1, 1, "bf16", "f32"},
    {Instruction::Fma, 1, 1, 1, "f16", "f16"},
    {Instruction::Fma, 1, 1, 1, "f8E4M3FN", "f32"},
    {Instruction::Fma, 1, 1, 1, "f8E5M2", "f32"},
    {Instruction::Fma, 1, 1, 1, "i8", "i32"},
};

bool tile::isWgmmaWidth(int64_t n, bool isInteger) {
  int64_t step = isInteger && n > 32 ? 16 : 8;
  return n >= 8 && n <= 256 && n % step == 0;
}

llvm::StringRef tile::describeWgmmaWidths(bool isInteger) {
  return isInteger
             ? "8, 16, 24 or 32 columns or more in multiples of 16 up to 256"
             : "columns in multiples of 8 up to 256";
}

bool tile::hasSides(const MmaShape &shape, int64_t m, int64_t n, int64_t k) {
  bool isInteger = shape.accumulator == "i32";
  bool widthFits = shape.n == kAnyN ? isWgmmaWidth(n, isInteger) : shape.n == n;
  return shape.m == m && widthFits && shape.k == k;
}

llvm::ArrayRef<MmaShape> tile::mmaShapes() { return kMmaShapes; }

int64_t tile::runOfDot(Precision precision,
                       std::optional<int64_t> promoteEvery) {
  return precision == Precision::Tf32x3 ? kTf32x3Run : promoteEvery.value_or(0);
}

Precision tile::precisionOfWgmma(Type operand) {
  return operand.isF32() ? Precision::Tf32 : Precision::Ieee;
}

/// The type as the table spells it.
static std::string spell(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The first entry for these types that `suits`, or null.
static const MmaShape *
findEntry(Instruction instruction, Type operand, Type accumulator,
          Precision precision,
          llvm::function_ref<bool(const MmaShape &)> suits) {
  std::string operandName = spell(operand);
  std::string accumulatorName = spell(accumulator);
  const auto *shape = llvm::find_if(kMmaShapes, [&](const MmaShape &entry) {
    return entry.instruction == instruction && entry.operand == operandName &&
           entry.accumulator == accumulatorName &&
           entry.precision == precision && suits(entry);
  });
  return shape == std::end(kMmaShapes) ? nullptr : shape;
}

bool tile::hasMmaShape(Instruction instruction, Type operand, Type accumulator,
                       Precision precision, int64_t m, int64_t n, int64_t k) {
  return findEntry(instruction, operand, accumulator, precision,
                   [&](const MmaShape &entry) {
                     return hasSides(entry, m, n, k);
                   }) != nullptr;
}

const MmaShape *tile::findMmaShape(Instruction instruction, Type operand,
                                   Type accumulator, Precision precision) {
  return findEntry(instruction, operand, accumulator, precision,
                   [](const MmaShape &) { return true; });
}

LogicalResult tile::verifyPromotion(Operation *op, Type operand,
                                    std::optional<int64_t> promoteEvery) {
  if (!promoteEvery)
    return success();
  if (*promoteEvery < 1)
    return op->emitOpError()
           << "expected promote_every of at least 1, got " << *promoteEvery;
  if (!isa<Float8E4M3FNType, Float8E5M2Type>(operand))
    return op->emitOpError()
           << "expected promote_every on 8-bit floats, got it on " << operand;
  return success();
}
