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
    {Instruction::MmaSync, 16, 8, 16, "f16", "f32"},
    {Instruction::MmaSync, 16, 8, 16, "bf16", "f32"},
    {Instruction::Fma, 1, 1, 1, "f32", "f32"},
};

bool tile::hasSides(const MmaShape &shape, int64_t m, int64_t n, int64_t k) {
  bool widthFits =
      shape.n == kAnyN ? n >= 8 && n <= 256 && n % 8 == 0 : shape.n == n;
  return shape.m == m && widthFits && shape.k == k;
}

llvm::ArrayRef<MmaShape> tile::mmaShapes() { return kMmaShapes; }

/// The type as the table spells it.
static std::string spell(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

const MmaShape *tile::findMmaShape(Instruction instruction, Type operand,
                                   Type accumulator) {
  std::string operandName = spell(operand);
  std::string accumulatorName = spell(accumulator);
  const auto *shape = llvm::find_if(kMmaShapes, [&](const MmaShape &entry) {
    return entry.instruction == instruction && entry.operand == operandName &&
           entry.accumulator == accumulatorName;
  });
  return shape == std::end(kMmaShapes) ? nullptr : shape;
}
