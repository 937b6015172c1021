//===- Math.cpp - Elementary functions on fragments -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that the chip lacks become the arithmetic of MathFunctions.h, in
// f32; f16 and bf16 are widened for it and rounded once.  An op with `afn`
// takes the chip's approximation where there is one.
//
//===----------------------------------------------------------------------===//

#include "KernelLowering.h"
#include "MathFunctions.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

namespace {

/// A value of one kind, so that operations can be overloaded as on numbers.
template <int kind>
struct Typed {
  Value value;
};

/// The operations of MathFunctions as ops on scalars or vectors.
class EmittedOps {
public:
  using F = Typed<0>;
  using I = Typed<1>;
  using L = Typed<2>;
  using B = Typed<3>;

  /// Operates on values of the shape of `like`.
  EmittedOps(CodeBuilder &code, Type like)
      : code(code), vector(dyn_cast<VectorType>(like)) {}

  F number(float value) {
    FloatAttr attribute = code.builder.getF32FloatAttr(value);
    return {constant(attribute)};
  }
  I integer(uint32_t value) {
    return {constant(code.builder.getI32IntegerAttr(int32_t(value)))};
  }
  L wide(uint64_t value) {
    return {constant(code.builder.getI64IntegerAttr(int64_t(value)))};
  }

  F add(F x, F y) { return {emit<LLVM::FAddOp>(x, y)}; }
  F sub(F x, F y) { return {emit<LLVM::FSubOp>(x, y)}; }
  F mul(F x, F y) { return {emit<LLVM::FMulOp>(x, y)}; }
  F fma(F x, F y, F z) { return {emit<LLVM::FMAOp>(x, y, z)}; }
  F negate(F x) { return {emit<LLVM::FNegOp>(x)}; }
  F abs(F x) { return {emit<LLVM::FAbsOp>(x)}; }
  F copySign(F x, F sign) { return {emit<LLVM::CopySignOp>(x, sign)}; }
  F minNumber(F x, F y) { return {emit<LLVM::MinNumOp>(x, y)}; }
  F maxNumber(F x, F y) { return {emit<LLVM::MaxNumOp>(x, y)}; }

  F exp2(F x) { return eachElement("llvm.nvvm.ex2.approx.ftz.f32", x); }
  // Not .ftz: the logarithm of a negative subnormal number is NaN.
  F log2(F x) { return eachElement("llvm.nvvm.lg2.approx.f", x); }
  F reciprocal(F x) { return eachElement("llvm.nvvm.rcp.approx.ftz.f", x); }
  F reciprocalSqrt(F x) { return eachElement("llvm.nvvm.rsqrt.approx.f", x); }
  F sine(F x) { return eachElement("llvm.nvvm.sin.approx.f", x); }
  F cosine(F x) { return eachElement("llvm.nvvm.cos.approx.f", x); }

  I bits(F x) { return {convert<LLVM::BitcastOp>(x, code.i32())}; }
  F fromBits(I x) { return {convert<LLVM::BitcastOp>(x, f32())}; }
  F toFloat(I x) { return {convert<LLVM::SIToFPOp>(x, f32())}; }
  F toFloat(L x) { return {convert<LLVM::SIToFPOp>(x, f32())}; }
  L extend(I x) { return {convert<LLVM::ZExtOp>(x, code.i64())}; }
  I truncate(L x) { return {convert<LLVM::TruncOp>(x, code.i32())}; }

  template <int kind>
  Typed<kind> add(Typed<kind> x, Typed<kind> y) {
    return {emit<LLVM::AddOp>(x, y)};
  }
  I sub(I x, I y) { return {emit<LLVM::SubOp>(x, y)}; }
  I band(I x, I y) { return {emit<LLVM::AndOp>(x, y)}; }
  I bor(I x, I y) { return {emit<LLVM::OrOp>(x, y)}; }
  I bxor(I x, I y) { return {emit<LLVM::XOrOp>(x, y)}; }
  B bor(B x, B y) { return {emit<LLVM::OrOp>(x, y)}; }
  I shl(I x, int count) { return {emit<LLVM::ShlOp>(x, integer(count))}; }
  I lshr(I x, int count) { return {emit<LLVM::LShrOp>(x, integer(count))}; }
  I ashr(I x, int count) { return {emit<LLVM::AShrOp>(x, integer(count))}; }
  L shl(L x, int count) { return {emit<LLVM::ShlOp>(x, wide(count))}; }
  L lshr(L x, int count) { return {emit<LLVM::LShrOp>(x, wide(count))}; }
  L mul(L x, L y) { return {emit<LLVM::MulOp>(x, y)}; }
  /// As assembly: LLVM makes a comparison and a select of what has the same
  /// meaning and a mask that is all of a sign.
  I mux(I mask, I x, I y) {
    return {eachElement(x.value.getType(), {mask.value, x.value, y.value},
                        [&](ValueRange elements) -> Value {
                          return createAsm(code.builder, code.loc, code.i32(),
                                           elements,
                                           "lop3.b32 $0, $1, $2, $3, 0xCA;",
                                           "=r,r,r,r", /*hasSideEffects=*/false)
                              .getResult(0);
                        })};
  }
  I funnel(I high, I low, I count) {
    return {emit<LLVM::FshlOp>(high, low, count)};
  }

  B less(F x, F y) { return {compareFloats(LLVM::FCmpPredicate::olt, x, y)}; }
  /// Whether x is greater, or one of them NaN.
  B notAtMost(F x, F y) {
    return {compareFloats(LLVM::FCmpPredicate::ugt, x, y)};
  }
  B equal(I x, I y) { return {compare(LLVM::ICmpPredicate::eq, x, y)}; }
  B below(I x, I y) { return {compare(LLVM::ICmpPredicate::ult, x, y)}; }
  template <int kind>
  Typed<kind> select(B condition, Typed<kind> x, Typed<kind> y) {
    return {LLVM::SelectOp::create(code.builder, code.loc, condition.value,
                                   x.value, y.value)};
  }
  /// Whether it holds for any element.
  Value any(B condition) {
    if (!vector)
      return condition.value;
    Value found = code.extract(condition.value, 0);
    for (int64_t i = 1; i < vector.getNumElements(); ++i)
      found = LLVM::OrOp::create(code.builder, code.loc, found,
                                 code.extract(condition.value, i));
    return found;
  }

private:
  Type f32() { return code.builder.getF32Type(); }
  Type shaped(Type element) {
    return vector ? Type(VectorType::get(vector.getShape(), element)) : element;
  }
  Value constant(TypedAttr value) {
    Type type = shaped(value.getType());
    if (vector)
      return code.constantOf(
          type, DenseElementsAttr::get(cast<ShapedType>(type), value));
    return code.constantOf(type, value);
  }
  template <typename OpT, typename... Args>
  Value emit(Args... args) {
    return OpT::create(code.builder, code.loc, args.value...);
  }
  template <typename OpT, int kind>
  Value convert(Typed<kind> x, Type element) {
    return OpT::create(code.builder, code.loc, shaped(element), x.value);
  }
  Value compare(LLVM::ICmpPredicate predicate, I x, I y) {
    return LLVM::ICmpOp::create(code.builder, code.loc, predicate, x.value,
                                y.value);
  }
  Value compareFloats(LLVM::FCmpPredicate predicate, F x, F y) {
    return LLVM::FCmpOp::create(code.builder, code.loc, predicate, x.value,
                                y.value);
  }
  /// What exists for scalars only, on each element.
  Value eachElement(Type type, ValueRange operands,
                    llvm::function_ref<Value(ValueRange)> one) {
    if (!vector)
      return one(operands);
    Value result = code.poison(type);
    for (int64_t i = 0; i < vector.getNumElements(); ++i) {
      SmallVector<Value> elements;
      for (Value operand : operands)
        elements.push_back(code.extract(operand, i));
      result = code.insert(result, one(elements), i);
    }
    return result;
  }
  F eachElement(StringRef intrinsic, F x) {
    auto one = [&](ValueRange element) -> Value {
      auto call = LLVM::CallIntrinsicOp::create(
          code.builder, code.loc, f32(), code.builder.getStringAttr(intrinsic),
          element);
      return call.getResult(0);
    };
    return {eachElement(x.value.getType(), x.value, one)};
  }

  CodeBuilder &code;
  /// Null for scalars.
  VectorType vector;
};

using F = EmittedOps::F;
using Functions = MathFunctions<EmittedOps>;

} // namespace

/// The quadrant of x.  Where an element is far out, all elements of the
/// fragment take the dear way beside the other, in a block of its own.
static Functions::Quadrant emitQuadrant(CodeBuilder &code, EmittedOps &ops,
                                        Functions &functions, F x) {
  Functions::Quadrant near = functions.quadrantOfNear(x);
  EmittedOps::B isFar =
      ops.notAtMost(ops.abs(x), ops.number(Functions::kFarLimit));
  Value anyFar = ops.any(isFar);
  Block *farBlock = code.appendBlock(), *after = code.appendBlock();
  Functions::Quadrant result = {
      {after->addArgument(near.rest.value.getType(), code.loc)},
      {after->addArgument(near.turns.value.getType(), code.loc)}};
  LLVM::CondBrOp::create(code.builder, code.loc, anyFar, farBlock, ValueRange(),
                         after, ValueRange{near.rest.value, near.turns.value});
  code.builder.setInsertionPointToStart(farBlock);
  Functions::Quadrant far = functions.quadrantOfFar(x);
  Value rest = ops.select(isFar, far.rest, near.rest).value;
  Value turns = ops.select(isFar, far.turns, near.turns).value;
  LLVM::BrOp::create(code.builder, code.loc, ValueRange{rest, turns}, after);
  code.continueAt(after);
  return result;
}

/// Whether an op may be approximated.
static bool isApproximate(Operation *op) {
  auto flags = dyn_cast<arith::ArithFastMathInterface>(op);
  return flags && bitEnumContainsAll(flags.getFastMathFlagsAttr().getValue(),
                                     arith::FastMathFlags::afn);
}

/// The chip's approximation of `op` at x in f32, or null.
static Value emitApproximation(CodeBuilder &code, EmittedOps &ops,
                               Operation *op, F x) {
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) {
        return ops.exp2(ops.mul(x, ops.number(0x1.715476p+0f))).value;
      })
      .Case([&](math::LogOp) {
        return ops.mul(ops.log2(x), ops.number(0x1.62e43p-1f)).value;
      })
      .Case([&](math::Log2Op) { return ops.log2(x).value; })
      .Case([&](math::Log10Op) {
        return ops.mul(ops.log2(x), ops.number(0x1.344136p-2f)).value;
      })
      .Case([&](math::SinOp) { return ops.sine(x).value; })
      .Case([&](math::CosOp) { return ops.cosine(x).value; })
      .Case([&](math::TanhOp) {
        return LLVM::TanhOp::create(code.builder, code.loc, x.value.getType(),
                                    x.value, LLVM::FastmathFlags::afn);
      })
      .Default([](Operation *) { return Value(); });
}

/// `op` at x in f32, or null.
static Value emitFunction(CodeBuilder &code, EmittedOps &ops, Operation *op,
                          F x) {
  Functions functions(ops);
  Type type = x.value.getType();
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) { return functions.exp(x).value; })
      .Case([&](math::Exp2Op) {
        return LLVM::Exp2Op::create(code.builder, code.loc, type, x.value);
      })
      .Case([&](math::LogOp) { return functions.log(x).value; })
      .Case([&](math::Log2Op) { return functions.log2(x).value; })
      .Case([&](math::Log10Op) { return functions.log10(x).value; })
      .Case([&](math::TanhOp) { return functions.tanh(x).value; })
      .Case([&](math::ErfOp) { return functions.erf(x).value; })
      .Case([&](math::SinOp) {
        return functions.sin(x, emitQuadrant(code, ops, functions, x)).value;
      })
      .Case([&](math::CosOp) {
        return functions.cos(emitQuadrant(code, ops, functions, x)).value;
      })
      .Case([&](math::SqrtOp) {
        return LLVM::SqrtOp::create(code.builder, code.loc, type, x.value);
      })
      .Case([&](math::RsqrtOp) { return ops.reciprocalSqrt(x).value; })
      .Default([](Operation *) { return Value(); });
}

bool tile::isExpandedFunction(Operation *op) {
  return isa<math::ExpOp, math::Exp2Op, math::LogOp, math::Log2Op,
             math::Log10Op, math::TanhOp, math::ErfOp, math::SinOp, math::CosOp,
             math::SqrtOp, math::RsqrtOp>(op);
}

static std::string spelled(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

LogicalResult tile::lowerMath(KernelLowering &kernel, Operation *op) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (!isa<Float32Type, Float16Type, BFloat16Type>(element))
    return KernelLowering::refuse(
        op, "expected elements of f32, f16 or bf16, got " + spelled(element));
  CodeBuilder &code = kernel.code;
  bool isNarrow = !element.isF32();
  SmallVector<Value> results;
  for (Value part : SmallVector<Value>(kernel.parts(op->getOperand(0)))) {
    Type type = part.getType(), wide = code.builder.getF32Type();
    if (auto vector = dyn_cast<VectorType>(type))
      wide = VectorType::get(vector.getShape(), wide);
    if (isNarrow)
      part = LLVM::FPExtOp::create(code.builder, code.loc, wide, part);
    EmittedOps ops(code, wide);
    Value result;
    if (isApproximate(op))
      result = emitApproximation(code, ops, op, {part});
    if (!result)
      result = emitFunction(code, ops, op, {part});
    if (isNarrow)
      result = LLVM::FPTruncOp::create(code.builder, code.loc, type, result);
    results.push_back(result);
  }
  kernel.setParts(op->getResult(0), results);
  return success();
}
