//===- FloatArith.cpp - Float arithmetic ----------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Every op rounds once, to nearest even.  Narrow floats compute in double: its
// 53 bits are more than twice any narrow float's, so rounding the double's
// result gives what rounding the exact one would (Figueroa's condition).
//
//===----------------------------------------------------------------------===//

#include "Decode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>

using namespace mlir;

namespace tile::interpreter {

namespace {
struct Add {
  template <class T>
  static T apply(T a, T b) {
    return a + b;
  }
};
struct Subtract {
  template <class T>
  static T apply(T a, T b) {
    return a - b;
  }
};
struct Multiply {
  template <class T>
  static T apply(T a, T b) {
    return a * b;
  }
};
struct Divide {
  template <class T>
  static T apply(T a, T b) {
    return a / b;
  }
};
struct Remainder {
  template <class T>
  static T apply(T a, T b) {
    return std::fmod(a, b);
  }
};
/// Larger of two numbers that are not NaN; +0 is larger than -0.
template <class T>
T larger(T a, T b) {
  return a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
}
template <class T>
T smaller(T a, T b) {
  return a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
}
struct Maximum {
  template <class T>
  static T apply(T a, T b) {
    return std::isnan(a) ? a : std::isnan(b) ? b : larger(a, b);
  }
};
struct Minimum {
  template <class T>
  static T apply(T a, T b) {
    return std::isnan(a) ? a : std::isnan(b) ? b : smaller(a, b);
  }
};
struct MaxNum {
  template <class T>
  static T apply(T a, T b) {
    return std::isnan(a) ? b : std::isnan(b) ? a : larger(a, b);
  }
};
struct MinNum {
  template <class T>
  static T apply(T a, T b) {
    return std::isnan(a) ? b : std::isnan(b) ? a : smaller(a, b);
  }
};

/// A comparison, which may hold where a NaN is among the operands.
enum Relation : int64_t { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };
} // namespace

/// What narrow floats compute in: see the top of the file.
template <class E>
using Wide = std::conditional_t<E::kIsNarrow, double, typename E::Compute>;

template <class F, class E>
static LogicalResult runBinary(Program &program, const Step &step) {
  auto *a = program.data<typename E::Storage>(step.operands[0]);
  auto *b = program.data<typename E::Storage>(step.operands[1]);
  auto *result = program.data<typename E::Storage>(step.results[0]);
  int64_t count = program.slot(step.results[0]).count;
  for (int64_t i = 0; i < count; ++i)
    result[i] = E::put(F::template apply<Wide<E>>(E::get(a[i]), E::get(b[i])));
  return success();
}

template <class F>
static Handler binary(Kind kind) {
  return withFloat(kind,
                   [](auto e) -> Handler { return runBinary<F, decltype(e)>; });
}

/// -x flips the sign bit, of a NaN too; with `clear`, absf clears it.
template <bool clear>
static LogicalResult runSign(Program &program, const Step &step) {
  const Slot &slot = program.slot(step.results[0]);
  return withStorage(slot.kind, [&](auto bits) -> LogicalResult {
    using Bits = decltype(bits);
    if constexpr (std::is_integral_v<Bits>) {
      auto *a = program.data<Bits>(step.operands[0]);
      auto *result = program.data<Bits>(step.results[0]);
      constexpr Bits kSign = Bits(1) << (sizeof(Bits) * 8 - 1);
      for (int64_t i = 0; i < slot.count; ++i)
        result[i] = clear ? a[i] & Bits(~kSign) : a[i] ^ kSign;
    }
    return success();
  });
}

/// The sign of the second operand on the first.
static LogicalResult runCopySign(Program &program, const Step &step) {
  const Slot &slot = program.slot(step.results[0]);
  return withStorage(slot.kind, [&](auto bits) -> LogicalResult {
    using Bits = decltype(bits);
    if constexpr (std::is_integral_v<Bits>) {
      auto *a = program.data<Bits>(step.operands[0]);
      auto *b = program.data<Bits>(step.operands[1]);
      auto *result = program.data<Bits>(step.results[0]);
      constexpr Bits kSign = Bits(1) << (sizeof(Bits) * 8 - 1);
      for (int64_t i = 0; i < slot.count; ++i)
        result[i] = (a[i] & Bits(~kSign)) | (b[i] & kSign);
    }
    return success();
  });
}

template <class F, class E>
static LogicalResult runTernary(Program &program, const Step &step) {
  auto *a = program.data<typename E::Storage>(step.operands[0]);
  auto *b = program.data<typename E::Storage>(step.operands[1]);
  auto *c = program.data<typename E::Storage>(step.operands[2]);
  auto *result = program.data<typename E::Storage>(step.results[0]);
  int64_t count = program.slot(step.results[0]).count;
  for (int64_t i = 0; i < count; ++i)
    result[i] =
        E::put(F::template apply<E>(E::get(a[i]), E::get(b[i]), E::get(c[i])));
  return success();
}

template <class F>
static Handler ternary(Kind kind) {
  return withFloat(
      kind, [](auto e) -> Handler { return runTernary<F, decltype(e)>; });
}

namespace {
/// `clampf %x to [%low, %high]`: as its syntax says it, not as MLIR's text.
struct Clamp {
  template <class E, class T>
  static T apply(T x, T low, T high) {
    return Minimum::apply(Maximum::apply(x, low), high);
  }
};
struct Fma {
  template <class E, class T>
  static auto apply(T x, T y, T z) {
    if constexpr (E::kIsNarrow)
      return fmaRoundedToOdd(x, y, z);
    else
      return std::fma(x, y, z);
  }
};
} // namespace

/// numbers[0]: the relations under which the comparison holds.
template <class E>
static LogicalResult runCompare(Program &program, const Step &step) {
  auto *a = program.data<typename E::Storage>(step.operands[0]);
  auto *b = program.data<typename E::Storage>(step.operands[1]);
  auto *result = program.data<uint8_t>(step.results[0]);
  int64_t count = program.slot(step.results[0]).count;
  int64_t holds = step.numbers[0];
  for (int64_t i = 0; i < count; ++i) {
    auto x = E::get(a[i]), y = E::get(b[i]);
    int64_t relation = x < y    ? kLess
                       : x == y ? kEqual
                       : x > y  ? kGreater
                                : kUnordered;
    result[i] = (relation & holds) != 0;
  }
  return success();
}

static int64_t relationsOf(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::AlwaysFalse:
    return 0;
  case P::OEQ:
    return kEqual;
  case P::OGT:
    return kGreater;
  case P::OGE:
    return kGreater | kEqual;
  case P::OLT:
    return kLess;
  case P::OLE:
    return kLess | kEqual;
  case P::ONE:
    return kLess | kGreater;
  case P::ORD:
    return kLess | kEqual | kGreater;
  case P::UEQ:
    return kUnordered | kEqual;
  case P::UGT:
    return kUnordered | kGreater;
  case P::UGE:
    return kUnordered | kGreater | kEqual;
  case P::ULT:
    return kUnordered | kLess;
  case P::ULE:
    return kUnordered | kLess | kEqual;
  case P::UNE:
    return kUnordered | kLess | kGreater;
  case P::UNO:
    return kUnordered;
  case P::AlwaysTrue:
    return kUnordered | kLess | kEqual | kGreater;
  }
  return 0;
}

Decoded decodeFloatArith(Decoder &decoder, Operation *op, Step &step) {
  if (op->getNumOperands() == 0 || op->getNumResults() != 1)
    return Decoded::Unknown;
  Kind kind = decoder.code.slots[step.operands[0]].kind;
  if (!isFloat(kind))
    return Decoded::Unknown;
  step.handler =
      llvm::TypeSwitch<Operation *, Handler>(op)
          .Case([&](arith::AddFOp) { return binary<Add>(kind); })
          .Case([&](arith::SubFOp) { return binary<Subtract>(kind); })
          .Case([&](arith::MulFOp) { return binary<Multiply>(kind); })
          .Case([&](arith::DivFOp) { return binary<Divide>(kind); })
          .Case([&](arith::RemFOp) { return binary<Remainder>(kind); })
          .Case([&](arith::MaximumFOp) { return binary<Maximum>(kind); })
          .Case([&](arith::MinimumFOp) { return binary<Minimum>(kind); })
          .Case([&](arith::MaxNumFOp) { return binary<MaxNum>(kind); })
          .Case([&](arith::MinNumFOp) { return binary<MinNum>(kind); })
          .Case([&](arith::NegFOp) -> Handler { return runSign<false>; })
          .Case([&](math::AbsFOp) -> Handler { return runSign<true>; })
          .Case([&](math::CopySignOp) -> Handler { return runCopySign; })
          .Case([&](math::ClampFOp) { return ternary<Clamp>(kind); })
          .Case([&](math::FmaOp) { return ternary<Fma>(kind); })
          .Case([&](arith::CmpFOp cmp) {
            step.numbers.push_back(relationsOf(cmp.getPredicate()));
            return withFloat(kind, [](auto e) -> Handler {
              return runCompare<decltype(e)>;
            });
          })
          .Default([](Operation *) -> Handler { return nullptr; });
  return step.handler ? Decoded::Step : Decoded::Unknown;
}

} // namespace tile::interpreter
