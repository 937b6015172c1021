//===- MmaProducts.cpp - Products of fragments ----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MmaProducts.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// Words of a fragment of A and of B.
static constexpr size_t kWordsOfA = 4, kWordsOfB = 2;

MmaProducts::MmaProducts(KernelLowering &kernel, MmaOp op)
    : code(kernel.code), narrow(code, op),
      element(op.getA().getType().getElementType()),
      sum(getElementTypeOrSelf(op.getType())), precision(op.getPrecision()),
      promotes(precision == Precision::Tf32x3 ||
               op.getPromoteEvery().has_value()) {}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool MmaProducts::wordsGrow() const {
  return precision == Precision::Tf32x3 || isFloat8(element);
}

SmallVector<Value> MmaProducts::prepare(ArrayRef<Value> words) {
  if (precision == Precision::Tf32x3)
    return prepareTf32x3(words);
  if (isFloat8(element))
    return prepareF8(words);
  SmallVector<Value> operands;
  for (Value word : words) {
    if (element.isF16())
      word = code.bitcast(word, VectorType::get(2, element));
    else if (element.isF64())
      word = code.bitcast(word, element);
    else if (element.isF32())
      word = code.bitcast(narrow.roundToTf32(code.bitcast(word, element)),
                          code.i32());
    operands.push_back(word);
  }
  return operands;
}

/// The large parts, the small ones, and the large ones beside small ones.
SmallVector<Value> MmaProducts::prepareTf32x3(ArrayRef<Value> words) {
  SmallVector<NarrowFloats::Parts> parts;
  for (Value word : words)
    parts.push_back(narrow.splitTf32(code.bitcast(word, element)));
  SmallVector<Value> operands;
  for (Value NarrowFloats::Parts::*part :
       {&NarrowFloats::Parts::large, &NarrowFloats::Parts::small,
        &NarrowFloats::Parts::largeBesideSmall})
    for (const NarrowFloats::Parts &word : parts)
      operands.push_back(code.bitcast(word.*part, code.i32()));
  return operands;
}

/// The operands of two instructions.  A lane's word has four neighbours in k;
/// the instruction wants two, and two that are 8 further on.
SmallVector<Value> MmaProducts::prepareF8(ArrayRef<Value> words) {
  SmallVector<Value> operands;
  for (ArrayRef<Value> half :
       {words.take_front(words.size() / 2), words.drop_front(words.size() / 2)})
    for (bool high : {false, true})
      for (Value word : half)
        operands.push_back(narrow.widenPair(word, high, element));
  return operands;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

SmallVector<Value> MmaProducts::multiply(ArrayRef<Value> a, ArrayRef<Value> b,
                                         ArrayRef<Value> acc) {
  if (!promotes)
    return multiplyAll(a, b, Registers(acc));
  Value zero = code.constantOf(sum, code.builder.getZeroAttr(sum));
  Registers product = multiplyAll(a, b, Registers(acc.size(), zero));
  for (auto [part, old] : llvm::zip_equal(product, acc))
    part = LLVM::FAddOp::create(code.builder, code.loc, old, part);
  return product;
}

MmaProducts::Registers
MmaProducts::multiplyAll(ArrayRef<Value> a, ArrayRef<Value> b, Registers acc) {
  if (element.isF64())
    return multiplyF64(a, b, acc);
  if (isFloat8(element))
    acc = issue(a.drop_front(kWordsOfA), b.drop_front(kWordsOfB), acc);
  if (precision == Precision::Tf32x3) {
    // The smallest first.
    ArrayRef<Value> smallA = a.slice(kWordsOfA, kWordsOfA);
    ArrayRef<Value> smallB = b.slice(kWordsOfB, kWordsOfB);
    acc = issue(smallA, b.take_back(kWordsOfB), acc);
    acc = issue(a.take_back(kWordsOfA), smallB, acc);
  }
  return issue(a.take_front(kWordsOfA), b.take_front(kWordsOfB), acc);
}

/// Two halves of rows, and for each two steps of k.
MmaProducts::Registers
MmaProducts::multiplyF64(ArrayRef<Value> a, ArrayRef<Value> b, Registers acc) {
  Registers result;
  for (unsigned rows : {0, 1}) {
    Registers half(ArrayRef(acc).slice(2 * rows, 2));
    for (unsigned k : {0, 1})
      half = issue(a[rows + 2 * k], b[k], half);
    llvm::append_range(result, half);
  }
  return result;
}

/// What NVVM calls the operands, where their registers do not say it.
static std::optional<std::array<NVVM::MMATypes, 2>> operandTypes(Type element) {
  auto both = [](NVVM::MMATypes type) { return std::array{type, type}; };
  if (element.isF64())
    return both(NVVM::MMATypes::f64);
  if (element.isInteger(8))
    return both(NVVM::MMATypes::s8);
  if (element.isF32())
    return both(NVVM::MMATypes::tf32);
  if (element.isBF16())
    return both(NVVM::MMATypes::bf16);
  return both(NVVM::MMATypes::f16);
}

/// Sides of the instruction.
static std::array<int64_t, 3> sidesOf(Type element) {
  if (element.isF64())
    return {8, 8, 4};
  if (element.isInteger(8))
    return {16, 8, 32};
  return {16, 8, element.isF32() ? 8 : 16};
}

MmaProducts::Registers MmaProducts::issue(ValueRange a, ValueRange b,
                                          ArrayRef<Value> acc) {
  // Accumulators of f16 travel in pairs.
  Registers packed(acc);
  if (sum.isF16())
    packed = {packVector(code, acc.take_front(2)),
              packVector(code, acc.drop_front(2))};
  SmallVector<Type> types(ValueRange(packed).getTypes());
  std::optional<NVVM::MMAIntOverflow> overflow;
  if (element.isInteger(8))
    overflow = NVVM::MMAIntOverflow::wrapped;
  Value product = NVVM::MmaOp::create(
      code.builder, code.loc,
      LLVM::LLVMStructType::getLiteral(code.getContext(), types), a, b, packed,
      sidesOf(element), std::nullopt, overflow, operandTypes(element),
      std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  Registers registers;
  for (size_t index = 0; index < packed.size(); ++index) {
    Value part = code.extractValue(product, index);
    if (!sum.isF16()) {
      registers.push_back(part);
      continue;
    }
    registers.push_back(code.extract(part, 0));
    registers.push_back(code.extract(part, 1));
  }
  return registers;
}
