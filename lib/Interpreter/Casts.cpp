//===- Casts.cpp - Conversions between element types ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Floats round to nearest even.  A float that its integer type cannot hold is
// poison; where that is not checked, it becomes the nearest integer that the
// type holds, and NaN becomes 0.
//
//===----------------------------------------------------------------------===//

#include "Decode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tile::interpreter {

template <class From, class To, bool isSigned>
static LogicalResult runIntegerCast(Program &program, const Step &step) {
  auto *source = program.data<typename From::Storage>(step.operands[0]);
  auto *result = program.data<typename To::Storage>(step.results[0]);
  int64_t count = program.slot(step.results[0]).count;
  for (int64_t i = 0; i < count; ++i)
    result[i] = To::put(isSigned ? uint64_t(From::getSigned(source[i]))
                                 : From::get(source[i]));
  return success();
}

template <class From, class To>
static LogicalResult runFloatCast(Program &program, const Step &step) {
  auto *source = program.data<typename From::Storage>(step.operands[0]);
  auto *result = program.data<typename To::Storage>(step.results[0]);
  int64_t count = program.slot(step.results[0]).count;
  for (int64_t i = 0; i < count; ++i)
    result[i] = To::put(From::get(source[i]));
  return success();
}

/// The float that is `step` numbers farther away from zero.
template <class E>
static typename E::Storage stepped(typename E::Storage value, int step) {
  if constexpr (E::kIsNarrow)
    return value + step;
  else if constexpr (sizeof(value) == 4)
    return bitsAs<float>(bitsAs<uint32_t>(value) + step);
  else
    return bitsAs<double>(bitsAs<uint64_t>(value) + step);
}

/// How far x is, in that direction, from `near` as the mode wants it, given the
/// next number as well.
static int stepTo(arith::RoundingMode mode, double x, double near,
                  double next) {
  bool isNegative = std::signbit(near);
  switch (mode) {
  case arith::RoundingMode::to_nearest_even:
    return 0;
  case arith::RoundingMode::toward_zero:
    return std::fabs(near) > std::fabs(x) ? -1 : 0;
  case arith::RoundingMode::upward:
    return near < x ? (isNegative ? -1 : 1) : 0;
  case arith::RoundingMode::downward:
    return near > x ? (isNegative ? 1 : -1) : 0;
  case arith::RoundingMode::to_nearest_away:
    return std::fabs(near) < std::fabs(x) &&
           std::fabs(x - near) == std::fabs(next - x);
  }
  return 0;
}

/// numbers[0]: the rounding mode.
template <class From, class To>
static LogicalResult runRoundedCast(Program &program, const Step &step) {
  auto *source = program.data<typename From::Storage>(step.operands[0]);
  auto *result = program.data<typename To::Storage>(step.results[0]);
  auto mode = static_cast<arith::RoundingMode>(step.numbers[0]);
  int64_t count = program.slot(step.results[0]).count;
  for (int64_t i = 0; i < count; ++i) {
    auto near = To::put(From::get(source[i]));
    double next = To::get(stepped<To>(near, 1));
    int steps = stepTo(mode, From::get(source[i]), To::get(near), next);
    // The largest number stays where there is no infinity.
    if (steps <= 0 || !std::isnan(next))
      near = stepped<To>(near, steps);
    result[i] = near;
  }
  return success();
}

/// The nearest double such that a second rounding, to a narrow float, is as if
/// from the integer itself: inexact ones get an odd last bit.
static double toDoubleRoundedToOdd(uint64_t magnitude) {
  if (magnitude >> 53) {
    unsigned drop = 11 - llvm::countl_zero(magnitude);
    uint64_t rest = magnitude & ((1ull << drop) - 1);
    magnitude = (magnitude >> drop | (rest != 0)) << drop;
  }
  return double(magnitude);
}

template <class From, class To, bool isSigned>
static LogicalResult runIntegerToFloat(Program &program, const Step &step) {
  auto *source = program.data<typename From::Storage>(step.operands[0]);
  auto *result = program.data<typename To::Storage>(step.results[0]);
  int64_t count = program.slot(step.results[0]).count;
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (!To::kIsNarrow) {
      using Float = typename To::Storage;
      result[i] = isSigned ? Float(From::getSigned(source[i]))
                           : Float(From::get(source[i]));
      continue;
    }
    bool negative = isSigned && From::getSigned(source[i]) < 0;
    uint64_t magnitude =
        negative ? -uint64_t(From::getSigned(source[i])) : From::get(source[i]);
    double value = toDoubleRoundedToOdd(magnitude);
    result[i] = To::put(negative ? -value : value);
  }
  return success();
}

/// `value` cut to an integer of `bits` bits.
template <bool isSigned>
static uint64_t toInteger(double value, unsigned bits) {
  if (std::isnan(value))
    return 0;
  value = std::trunc(value);
  double limit = std::ldexp(1.0, bits - (isSigned ? 1 : 0));
  uint64_t largest = ~0ull >> (64 - bits + (isSigned ? 1 : 0));
  if (value >= limit)
    return largest;
  if constexpr (isSigned)
    return value < -limit ? ~largest : uint64_t(int64_t(value));
  return value <= 0 ? 0 : uint64_t(value);
}

template <class From, class To, bool isSigned>
static LogicalResult runFloatToInteger(Program &program, const Step &step) {
  auto *source = program.data<typename From::Storage>(step.operands[0]);
  auto *result = program.data<typename To::Storage>(step.results[0]);
  int64_t count = program.slot(step.results[0]).count;
  for (int64_t i = 0; i < count; ++i)
    result[i] = To::put(toInteger<isSigned>(From::get(source[i]), To::kBits));
  return success();
}

static Handler integerCast(Kind from, Kind to, bool isSigned) {
  return withInteger(from, [&](auto f) {
    return withInteger(to, [&](auto t) -> Handler {
      if (isSigned)
        return runIntegerCast<decltype(f), decltype(t), true>;
      return runIntegerCast<decltype(f), decltype(t), false>;
    });
  });
}

static Handler floatCast(Kind from, Kind to) {
  return withFloat(from, [&](auto f) {
    return withFloat(to, [&](auto t) -> Handler {
      return runFloatCast<decltype(f), decltype(t)>;
    });
  });
}

static Handler roundedCast(Kind from, Kind to) {
  return withFloat(from, [&](auto f) {
    return withFloat(to, [&](auto t) -> Handler {
      return runRoundedCast<decltype(f), decltype(t)>;
    });
  });
}

static Handler integerToFloat(Kind from, Kind to, bool isSigned) {
  return withInteger(from, [&](auto f) {
    return withFloat(to, [&](auto t) -> Handler {
      if (isSigned)
        return runIntegerToFloat<decltype(f), decltype(t), true>;
      return runIntegerToFloat<decltype(f), decltype(t), false>;
    });
  });
}

static Handler floatToInteger(Kind from, Kind to, bool isSigned) {
  return withFloat(from, [&](auto f) {
    return withInteger(to, [&](auto t) -> Handler {
      if (isSigned)
        return runFloatToInteger<decltype(f), decltype(t), true>;
      return runFloatToInteger<decltype(f), decltype(t), false>;
    });
  });
}

Decoded decodeCast(Decoder &decoder, Operation *op, Step &step) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return Decoded::Unknown;
  Kind from = decoder.code.slots[step.operands[0]].kind;
  Kind to = decoder.code.slots[step.results[0]].kind;
  if (isa<arith::BitcastOp>(op)) {
    // Elements of one width are held in the same form.
    if (failed(decoder.alias(op->getResult(0), op->getOperand(0))))
      return Decoded::Failed;
    return Decoded::NoStep;
  }
  step.handler =
      llvm::TypeSwitch<Operation *, Handler>(op)
          .Case<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>(
              [&](Operation *) { return integerCast(from, to, true); })
          .Case<arith::ExtUIOp, arith::IndexCastUIOp>(
              [&](Operation *) { return integerCast(from, to, false); })
          .Case([&](arith::ExtFOp) { return floatCast(from, to); })
          .Case([&](arith::TruncFOp truncation) {
            std::optional<arith::RoundingMode> mode =
                truncation.getRoundingmode();
            if (mode)
              step.numbers.push_back(static_cast<int64_t>(*mode));
            return mode ? roundedCast(from, to) : floatCast(from, to);
          })
          .Case([&](arith::SIToFPOp) { return integerToFloat(from, to, true); })
          .Case(
              [&](arith::UIToFPOp) { return integerToFloat(from, to, false); })
          .Case([&](arith::FPToSIOp) { return floatToInteger(from, to, true); })
          .Case(
              [&](arith::FPToUIOp) { return floatToInteger(from, to, false); })
          .Default([](Operation *) -> Handler { return nullptr; });
  return step.handler ? Decoded::Step : Decoded::Unknown;
}

} // namespace tile::interpreter
