//===- NarrowFloats.cpp - tf32 and 8-bit floats in registers --------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NarrowFloats.h"
#include "tile/GPU/Target.h"
#include "tile/IR/TileOps.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tile;

/// Bits of an f32: what tf32 lacks, infinity, a NaN.
static constexpr int64_t kLackingBits = 0x1fff;
static constexpr int64_t kInfinity = 0x7f800000;
static constexpr int64_t kNaN = 0x7fc00000;

bool tile::hasNarrowConversions(Operation *op) {
  PlanAttr plan = op->getParentOfType<KernelOp>().getPlanAttr();
  const TargetInfo *chip = findTarget(plan ? plan.getString("target") : "");
  return chip && chip->capability >= 90;
}

NarrowFloats::NarrowFloats(CodeBuilder &code, Operation *op)
    : code(code), hasInstructions(hasNarrowConversions(op)) {}

Value NarrowFloats::roundToTf32(Value value) {
  OpBuilder &builder = code.builder;
  Location loc = code.loc;
  Type f32 = builder.getF32Type();
  if (hasInstructions) {
    Value rounded = NVVM::ConvertFloatToTF32Op::create(
        builder, loc, code.i32(), value, NVVM::FPRoundingMode::RN,
        NVVM::SaturationMode::NONE, /*relu=*/false);
    return code.bitcast(rounded, f32);
  }
  Value bits = code.bitcast(value, code.i32());
  Value isOdd =
      code.bitAnd(LLVM::LShrOp::create(builder, loc, bits, code.constI32(13)),
                  code.constI32(1));
  Value up = code.add(bits, code.add(isOdd, code.constI32(kLackingBits / 2)));
  Value cut = code.bitAnd(up, code.constI32(~kLackingBits));
  // A NaN could be carried over to zero, or keep no bit of its fraction.
  Value isNaN = LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::uno,
                                     value, value);
  return code.bitcast(code.select(isNaN, code.constI32(kNaN), cut), f32);
}

NarrowFloats::Parts NarrowFloats::splitTf32(Value value) {
  OpBuilder &builder = code.builder;
  Value large = roundToTf32(value);
  Value rest =
      roundToTf32(LLVM::FSubOp::create(builder, code.loc, value, large));
  Value magnitude =
      code.bitAnd(code.bitcast(large, code.i32()), code.constI32(0x7fffffff));
  Value isFinite = code.compare(LLVM::ICmpPredicate::ult, magnitude,
                                code.constI32(kInfinity));
  Type f32 = builder.getF32Type();
  Value zero = code.constantOf(f32, builder.getZeroAttr(f32));
  return {large, code.select(isFinite, rest, zero),
          code.select(isFinite, large, zero)};
}

Value NarrowFloats::widenPair(Value word, bool high, Type from) {
  if (!hasInstructions)
    return widenPairOnBits(word, high, from);
  OpBuilder &builder = code.builder;
  Type half = builder.getIntegerType(16);
  Value halves = code.bitcast(word, VectorType::get(2, half));
  Value bytes = code.bitcast(code.extract(halves, high),
                             VectorType::get(2, builder.getI8Type()));
  return NVVM::ConvertF8x2ToF16x2Op::create(
      builder, code.loc, VectorType::get(2, builder.getF16Type()), bytes,
      /*relu=*/false, from);
}

/// f8E5M2 is the upper byte of an f16.  f8E4M3FN has an exponent of one bit
/// less and another bias: its bits, moved down by one, are an f16 of 2^-8 times
/// the value, subnormals included.  Its NaN becomes 480, which no number is: of
/// all values, a product with 36000 makes infinity of that one only.
Value NarrowFloats::widenPairOnBits(Value word, bool high, Type from) {
  OpBuilder &builder = code.builder;
  Location loc = code.loc;
  auto pair = VectorType::get(2, builder.getF16Type());
  auto mode =
      NVVM::PermuteModeAttr::get(code.getContext(), NVVM::PermuteMode::DEFAULT);
  Value upper =
      NVVM::PermuteOp::create(builder, loc, code.i32(), word, code.constI32(0),
                              code.constI32(high ? 0x3424 : 0x1404), mode);
  if (isa<Float8E5M2Type>(from))
    return code.bitcast(upper, pair);
  Value sign = code.bitAnd(upper, code.constI32(int32_t(0x80008000)));
  Value rest = LLVM::LShrOp::create(
      builder, loc, code.bitAnd(upper, code.constI32(0x7f007f00)),
      code.constI32(1));
  Value small =
      code.bitcast(LLVM::OrOp::create(builder, loc, sign, rest), pair);
  auto constant = [&](double value) {
    auto attribute = builder.getF16FloatAttr(value);
    return code.constantOf(pair, DenseElementsAttr::get(pair, attribute));
  };
  Value scaled = LLVM::FMulOp::create(builder, loc, small, constant(256));
  Value huge = LLVM::FMulOp::create(builder, loc, small, constant(36000));
  // Infinity times zero is the NaN; anything else adds a zero of its sign.
  return LLVM::FMAOp::create(builder, loc, huge, constant(0), scaled);
}

namespace {

/// What rounding an f32 to an 8-bit float takes.
struct Float8Shape {
  int64_t mantissaBits, bias;
  /// Bits of the largest result (a number or infinity) and of a NaN.
  int64_t largest, nan;

  explicit Float8Shape(Type type) {
    bool isE4M3 = isa<Float8E4M3FNType>(type);
    mantissaBits = isE4M3 ? 3 : 2;
    bias = isE4M3 ? 7 : 15;
    largest = isE4M3 ? 0x7e : 0x7c;
    nan = isE4M3 ? 0x7f : 0x7e;
  }
};

} // namespace

/// Normal results: half a unit is added to the bits, less one where the last
/// bit that stays is even, and the exponent is moved to its new bias. Subnormal
/// results: added to a number whose unit is theirs, the sum's last bits are the
/// result.
Value NarrowFloats::roundToFloat8(Value value, Type to) {
  constexpr int64_t kMantissa = 23, kBias = 127;
  OpBuilder &builder = code.builder;
  Location loc = code.loc;
  Float8Shape shape(to);
  auto shiftRight = [&](Value bits, int64_t count) -> Value {
    return LLVM::LShrOp::create(builder, loc, bits, code.constI32(count));
  };
  int64_t dropped = kMantissa - shape.mantissaBits;
  Value bits = code.bitcast(value, code.i32());
  Value magnitude = code.bitAnd(bits, code.constI32(0x7fffffff));
  Value isOdd = code.bitAnd(shiftRight(magnitude, dropped), code.constI32(1));
  Value up = code.add(
      magnitude,
      code.add(isOdd, code.constI32((int64_t(1) << (dropped - 1)) - 1)));
  Value normal =
      code.add(shiftRight(up, dropped),
               code.constI32(-((kBias - shape.bias) << shape.mantissaBits)));

  int64_t unit = kBias + kMantissa + 1 - shape.bias - shape.mantissaBits;
  Value offset = code.constI32(unit << kMantissa);
  Type f32 = builder.getF32Type();
  Value sum = LLVM::FAddOp::create(builder, loc, code.bitcast(magnitude, f32),
                                   code.bitcast(offset, f32));
  Value subnormal =
      LLVM::SubOp::create(builder, loc, code.bitcast(sum, code.i32()), offset);

  auto isBelow = [&](int64_t bound) {
    return code.compare(LLVM::ICmpPredicate::ult, magnitude,
                        code.constI32(bound));
  };
  Value result = code.select(isBelow((kBias + 1 - shape.bias) << kMantissa),
                             subnormal, normal);
  result =
      LLVM::UMinOp::create(builder, loc, result, code.constI32(shape.largest));
  result =
      code.select(isBelow(kInfinity + 1), result, code.constI32(shape.nan));
  Value sign = code.bitAnd(shiftRight(bits, 24), code.constI32(0x80));
  result = LLVM::OrOp::create(builder, loc, result, sign);
  return code.castInt(result, builder.getI8Type());
}
