//===- Math.cpp - The math dialect ----------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions are computed in double and rounded once, so f32 and narrower
// results do not depend on the host's float functions.
//
//===----------------------------------------------------------------------===//

#include "Decode.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tile::interpreter {

using Function1 = double (*)(double);
using Function2 = double (*)(double, double);

template <class E, Function1 function>
static LogicalResult runUnary(Program &program, const Step &step) {
  auto *a = program.data<typename E::Storage>(step.operands[0]);
  auto *result = program.data<typename E::Storage>(step.results[0]);
  int64_t count = program.slot(step.results[0]).count;
  for (int64_t i = 0; i < count; ++i)
    result[i] = E::put(function(E::get(a[i])));
  return success();
}

template <class E, Function2 function>
static LogicalResult runBinary(Program &program, const Step &step) {
  auto *a = program.data<typename E::Storage>(step.operands[0]);
  auto *b = program.data<typename E::Storage>(step.operands[1]);
  auto *result = program.data<typename E::Storage>(step.results[0]);
  int64_t count = program.slot(step.results[0]).count;
  for (int64_t i = 0; i < count; ++i)
    result[i] = E::put(function(E::get(a[i]), E::get(b[i])));
  return success();
}

/// sin and cos.
template <class E>
static LogicalResult runSinCos(Program &program, const Step &step) {
  auto *a = program.data<typename E::Storage>(step.operands[0]);
  auto *sines = program.data<typename E::Storage>(step.results[0]);
  auto *cosines = program.data<typename E::Storage>(step.results[1]);
  int64_t count = program.slot(step.results[0]).count;
  for (int64_t i = 0; i < count; ++i) {
    double x = E::get(a[i]);
    sines[i] = E::put(std::sin(x));
    cosines[i] = E::put(std::cos(x));
  }
  return success();
}

/// A number above 0 to the power of an integer, which f64 may not hold.
static double powerOf(double base, int64_t exponent) {
  double nearest = double(exponent);
  double power = std::pow(base, nearest);
  // 2^63 is the nearest of some, and no int64_t.
  int64_t rest = nearest == 0x1p63 ? exponent - INT64_MAX - 1
                                   : exponent - int64_t(nearest);
  if (rest == 0 || power == 0.0 || !std::isfinite(power))
    return power;
  return power * std::pow(base, double(rest));
}

/// A float to the power of an integer, whose parity is that of the sign.
template <class E, class N>
static LogicalResult runIntegerPower(Program &program, const Step &step) {
  auto *a = program.data<typename E::Storage>(step.operands[0]);
  auto *n = program.data<typename N::Storage>(step.operands[1]);
  auto *result = program.data<typename E::Storage>(step.results[0]);
  int64_t count = program.slot(step.results[0]).count;
  for (int64_t i = 0; i < count; ++i) {
    double base = E::get(a[i]);
    int64_t exponent = N::getSigned(n[i]);
    double power = powerOf(std::fabs(base), exponent);
    result[i] = E::put(exponent & 1 ? std::copysign(power, base) : power);
  }
  return success();
}

template <class E, bool (*function)(double)>
static LogicalResult runClassify(Program &program, const Step &step) {
  auto *a = program.data<typename E::Storage>(step.operands[0]);
  auto *result = program.data<uint8_t>(step.results[0]);
  int64_t count = program.slot(step.results[0]).count;
  for (int64_t i = 0; i < count; ++i)
    result[i] = function(E::get(a[i]));
  return success();
}

/// numbers[0]: the exponent of the least normal number.
template <class E>
static LogicalResult runIsNormal(Program &program, const Step &step) {
  auto *a = program.data<typename E::Storage>(step.operands[0]);
  auto *result = program.data<uint8_t>(step.results[0]);
  double least = std::ldexp(1.0, step.numbers[0]);
  int64_t count = program.slot(step.results[0]).count;
  for (int64_t i = 0; i < count; ++i) {
    double x = E::get(a[i]);
    result[i] = std::isfinite(x) && std::fabs(x) >= least;
  }
  return success();
}

template <Function1 function>
static Handler unary(Kind kind) {
  return withFloat(
      kind, [](auto e) -> Handler { return runUnary<decltype(e), function>; });
}

template <Function2 function>
static Handler binary(Kind kind) {
  return withFloat(
      kind, [](auto e) -> Handler { return runBinary<decltype(e), function>; });
}

static Handler integerPower(Kind base, Kind exponent) {
  return withFloat(base, [&](auto e) {
    return withInteger(exponent, [&](auto n) -> Handler {
      return runIntegerPower<decltype(e), decltype(n)>;
    });
  });
}

template <bool (*function)(double)>
static Handler classify(Kind kind) {
  return withFloat(kind, [](auto e) -> Handler {
    return runClassify<decltype(e), function>;
  });
}

static double reciprocalSqrt(double x) { return 1.0 / std::sqrt(x); }
/// Ties to even, whatever the host's rounding mode.
static double roundEven(double x) {
  double rounded = std::round(x);
  if (std::fabs(x - std::trunc(x)) == 0.5)
    rounded = 2.0 * std::round(x / 2.0);
  return std::copysign(rounded, x);
}
static bool isFinite(double x) { return std::isfinite(x); }
static bool isInfinite(double x) { return std::isinf(x); }
static bool isNan(double x) { return std::isnan(x); }

Decoded decodeMath(Decoder &decoder, Operation *op, Step &step) {
  if (op->getNumOperands() == 0 || op->getNumResults() == 0)
    return Decoded::Unknown;
  Kind kind = decoder.code.slots[step.operands[0]].kind;
  if (!isFloat(kind))
    return Decoded::Unknown;
  step.handler =
      llvm::TypeSwitch<Operation *, Handler>(op)
          .Case([&](math::ExpOp) { return unary<std::exp>(kind); })
          .Case([&](math::Exp2Op) { return unary<std::exp2>(kind); })
          .Case([&](math::ExpM1Op) { return unary<std::expm1>(kind); })
          .Case([&](math::LogOp) { return unary<std::log>(kind); })
          .Case([&](math::Log2Op) { return unary<std::log2>(kind); })
          .Case([&](math::Log10Op) { return unary<std::log10>(kind); })
          .Case([&](math::Log1pOp) { return unary<std::log1p>(kind); })
          .Case([&](math::SqrtOp) { return unary<std::sqrt>(kind); })
          .Case([&](math::RsqrtOp) { return unary<reciprocalSqrt>(kind); })
          .Case([&](math::CbrtOp) { return unary<std::cbrt>(kind); })
          .Case([&](math::SinOp) { return unary<std::sin>(kind); })
          .Case([&](math::CosOp) { return unary<std::cos>(kind); })
          .Case([&](math::SincosOp) {
            return withFloat(
                kind, [](auto e) -> Handler { return runSinCos<decltype(e)>; });
          })
          .Case([&](math::TanOp) { return unary<std::tan>(kind); })
          .Case([&](math::AsinOp) { return unary<std::asin>(kind); })
          .Case([&](math::AcosOp) { return unary<std::acos>(kind); })
          .Case([&](math::AtanOp) { return unary<std::atan>(kind); })
          .Case([&](math::AcoshOp) { return unary<std::acosh>(kind); })
          .Case([&](math::AsinhOp) { return unary<std::asinh>(kind); })
          .Case([&](math::AtanhOp) { return unary<std::atanh>(kind); })
          .Case([&](math::SinhOp) { return unary<std::sinh>(kind); })
          .Case([&](math::CoshOp) { return unary<std::cosh>(kind); })
          .Case([&](math::TanhOp) { return unary<std::tanh>(kind); })
          .Case([&](math::ErfOp) { return unary<std::erf>(kind); })
          .Case([&](math::ErfcOp) { return unary<std::erfc>(kind); })
          .Case([&](math::FloorOp) { return unary<std::floor>(kind); })
          .Case([&](math::CeilOp) { return unary<std::ceil>(kind); })
          .Case([&](math::TruncOp) { return unary<std::trunc>(kind); })
          .Case([&](math::RoundOp) { return unary<std::round>(kind); })
          .Case([&](math::RoundEvenOp) { return unary<roundEven>(kind); })
          .Case([&](math::PowFOp) { return binary<std::pow>(kind); })
          .Case([&](math::FPowIOp) {
            return integerPower(kind,
                                decoder.code.slots[step.operands[1]].kind);
          })
          .Case([&](math::Atan2Op) { return binary<std::atan2>(kind); })
          .Case([&](math::IsFiniteOp) { return classify<isFinite>(kind); })
          .Case([&](math::IsInfOp) { return classify<isInfinite>(kind); })
          .Case([&](math::IsNaNOp) { return classify<isNan>(kind); })
          .Case([&](math::IsNormalOp isNormal) {
            auto type = cast<FloatType>(
                getElementTypeOrSelf(isNormal.getOperand().getType()));
            step.numbers.push_back(
                APFloat::semanticsMinExponent(type.getFloatSemantics()));
            return withFloat(kind, [](auto e) -> Handler {
              return runIsNormal<decltype(e)>;
            });
          })
          .Default([](Operation *) -> Handler { return nullptr; });
  return step.handler ? Decoded::Step : Decoded::Unknown;
}

} // namespace tile::interpreter
