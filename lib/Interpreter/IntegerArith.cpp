//===- IntegerArith.cpp - Integer arithmetic ------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Integers wrap.  Division by zero, division of the most negative value by -1
// and shifts by the width or more are errors of the program; where poison is
// checked, so are results that the flags nsw and nuw rule out.
//
//===----------------------------------------------------------------------===//

#include "Decode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/bit.h"

using namespace mlir;

namespace tile::interpreter {

namespace {
/// Defines a functor over the bits of two elements.
#define TILE_BINARY(NAME, EXPRESSION)                                          \
  struct NAME {                                                                \
    template <class E>                                                         \
    static uint64_t apply(typename E::Storage x, typename E::Storage y) {      \
      [[maybe_unused]] uint64_t a = E::get(x), b = E::get(y);                  \
      [[maybe_unused]] int64_t sa = E::getSigned(x), sb = E::getSigned(y);     \
      return EXPRESSION;                                                       \
    }                                                                          \
  }
/// The negation of an integer, wrapping.
uint64_t negate(int64_t value) { return -static_cast<uint64_t>(value); }

/// Rounds the quotient down, which exists.
uint64_t floorDivide(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
/// Rounds the quotient up, which exists.
uint64_t ceilDivide(int64_t a, int64_t b) {
  return a / b + (a % b != 0 && (a < 0) == (b < 0));
}
/// a to the power b, wrapping; a negative power is 0 but for 1 and -1.
uint64_t integerPower(int64_t a, int64_t b) {
  if (b < 0)
    return a == 1 ? 1 : a == -1 ? (b & 1 ? -1 : 1) : 0;
  uint64_t result = 1, base = a;
  for (; b; b >>= 1, base *= base)
    if (b & 1)
      result *= base;
  return result;
}

TILE_BINARY(Add, a + b);
TILE_BINARY(Subtract, a - b);
TILE_BINARY(Multiply, a *b);
TILE_BINARY(And, a &b);
TILE_BINARY(Or, a | b);
TILE_BINARY(Xor, a ^ b);
TILE_BINARY(MaxSigned, sa > sb ? a : b);
TILE_BINARY(MinSigned, sa < sb ? a : b);
TILE_BINARY(MaxUnsigned, a > b ? a : b);
TILE_BINARY(MinUnsigned, a < b ? a : b);
TILE_BINARY(DivideUnsigned, a / b);
TILE_BINARY(DivideSigned, uint64_t(sa / sb));
TILE_BINARY(RemainderUnsigned, a % b);
TILE_BINARY(RemainderSigned, uint64_t(sa % sb));
TILE_BINARY(FloorDivideSigned, floorDivide(sa, sb));
TILE_BINARY(CeilDivideSigned, ceilDivide(sa, sb));
TILE_BINARY(CeilDivideUnsigned, a / b + (a % b != 0));
TILE_BINARY(ShiftLeft, a << b);
TILE_BINARY(ShiftRightUnsigned, a >> b);
TILE_BINARY(ShiftRightSigned, uint64_t(sa >> b));
TILE_BINARY(Power, integerPower(sa, sb));
TILE_BINARY(MultiplyHighSigned,
            uint64_t((static_cast<__int128>(sa) * sb) >> E::kBits));
TILE_BINARY(MultiplyHighUnsigned,
            uint64_t((static_cast<unsigned __int128>(a) * b) >> E::kBits));
TILE_BINARY(Carry, uint64_t(E::put(a + b) < a));
TILE_BINARY(Equal, a == b);
TILE_BINARY(NotEqual, a != b);
TILE_BINARY(LessSigned, sa < sb);
TILE_BINARY(LessEqualSigned, sa <= sb);
TILE_BINARY(GreaterSigned, sa > sb);
TILE_BINARY(GreaterEqualSigned, sa >= sb);
TILE_BINARY(LessUnsigned, a < b);
TILE_BINARY(LessEqualUnsigned, a <= b);
TILE_BINARY(GreaterUnsigned, a > b);
TILE_BINARY(GreaterEqualUnsigned, a >= b);
#undef TILE_BINARY

struct Absolute {
  template <class E>
  static uint64_t apply(typename E::Storage x) {
    int64_t value = E::getSigned(x);
    return value < 0 ? negate(value) : value;
  }
};
struct CountLeadingZeros {
  template <class E>
  static uint64_t apply(typename E::Storage x) {
    return llvm::countl_zero(E::get(x)) - (64 - E::kBits);
  }
};
struct CountTrailingZeros {
  template <class E>
  static uint64_t apply(typename E::Storage x) {
    return x ? llvm::countr_zero(E::get(x)) : E::kBits;
  }
};
struct CountOnes {
  template <class E>
  static uint64_t apply(typename E::Storage x) {
    return llvm::popcount(E::get(x));
  }
};

/// What must hold of the second operand; of a signed division, together with
/// the first.
enum class Second { Any, NotZero, Divisor, BelowWidth };
} // namespace

/// Fails where the second operand of a division or a shift is not allowed.
template <class E, Second second>
static LogicalResult checkSecond(Program &program, const Step &step) {
  auto *firsts = program.data<typename E::Storage>(step.operands[0]);
  auto *values = program.data<typename E::Storage>(step.operands[1]);
  int64_t count = program.slot(step.operands[1]).count;
  constexpr bool kDivides =
      second == Second::NotZero || second == Second::Divisor;
  constexpr int64_t kMostNegative =
      std::numeric_limits<int64_t>::min() >> (64 - E::kBits);
  for (int64_t i = 0; i < count; ++i) {
    if (kDivides && values[i] == 0)
      return program.fail(step, "division by zero in " +
                                    program.describeLane(step.operands[1], i));
    if (second == Second::Divisor && E::getSigned(values[i]) == -1 &&
        E::getSigned(firsts[i]) == kMostNegative)
      return program.fail(step, "division of " + Twine(kMostNegative) +
                                    " by -1 overflows in " +
                                    program.describeLane(step.operands[1], i));
    if (second == Second::BelowWidth && E::get(values[i]) >= E::kBits)
      return program.fail(step, "expected a shift by less than " +
                                    Twine(E::kBits) + ", got " +
                                    Twine(E::get(values[i])) + " in " +
                                    program.describeLane(step.operands[1], i));
  }
  return success();
}

/// result[i] = f(a[i], b[i]); the result's elements may be others (i1).
template <class F, class E, class R, Second second>
static LogicalResult runBinary(Program &program, const Step &step) {
  if (second != Second::Any && failed(checkSecond<E, second>(program, step)))
    return failure();
  auto *a = program.data<typename E::Storage>(step.operands[0]);
  auto *b = program.data<typename E::Storage>(step.operands[1]);
  auto *result = program.data<typename R::Storage>(step.results.back());
  int64_t count = program.slot(step.operands[0]).count;
  for (int64_t i = 0; i < count; ++i)
    result[i] = R::put(F::template apply<E>(a[i], b[i]));
  return success();
}

template <class F, class E>
static LogicalResult runUnary(Program &program, const Step &step) {
  auto *a = program.data<typename E::Storage>(step.operands[0]);
  auto *result = program.data<typename E::Storage>(step.results[0]);
  int64_t count = program.slot(step.operands[0]).count;
  for (int64_t i = 0; i < count; ++i)
    result[i] = E::put(F::template apply<E>(a[i]));
  return success();
}

template <class F, Second second = Second::Any>
static Handler binary(Kind kind) {
  return withInteger(kind, [](auto e) -> Handler {
    using E = decltype(e);
    return runBinary<F, E, E, second>;
  });
}

template <class F>
static Handler compare(Kind kind) {
  return withInteger(kind, [](auto e) -> Handler {
    return runBinary<F, decltype(e), Element<Kind::I1>, Second::Any>;
  });
}

template <class F>
static Handler unary(Kind kind) {
  return withInteger(
      kind, [](auto e) -> Handler { return runUnary<F, decltype(e)>; });
}

/// Two results: the low half by `Low` into the first, the rest by `High`.
template <class Low, class High, class E, class R>
static LogicalResult runExtended(Program &program, const Step &step) {
  Step low = step;
  low.results.pop_back();
  return success(succeeded(runBinary<Low, E, E, Second::Any>(program, low)) &&
                 succeeded(runBinary<High, E, R, Second::Any>(program, step)));
}

static Handler comparison(arith::CmpIPredicate predicate, Kind kind) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return compare<Equal>(kind);
  case arith::CmpIPredicate::ne:
    return compare<NotEqual>(kind);
  case arith::CmpIPredicate::slt:
    return compare<LessSigned>(kind);
  case arith::CmpIPredicate::sle:
    return compare<LessEqualSigned>(kind);
  case arith::CmpIPredicate::sgt:
    return compare<GreaterSigned>(kind);
  case arith::CmpIPredicate::sge:
    return compare<GreaterEqualSigned>(kind);
  case arith::CmpIPredicate::ult:
    return compare<LessUnsigned>(kind);
  case arith::CmpIPredicate::ule:
    return compare<LessEqualUnsigned>(kind);
  case arith::CmpIPredicate::ugt:
    return compare<GreaterUnsigned>(kind);
  case arith::CmpIPredicate::uge:
    return compare<GreaterEqualUnsigned>(kind);
  }
  return nullptr;
}

static Handler extended(Operation *op, Kind kind) {
  return withInteger(kind, [&](auto e) -> Handler {
    using E = decltype(e);
    if (isa<arith::AddUIExtendedOp>(op))
      return runExtended<Add, Carry, E, Element<Kind::I1>>;
    if (isa<arith::MulSIExtendedOp>(op))
      return runExtended<Multiply, MultiplyHighSigned, E, E>;
    return runExtended<Multiply, MultiplyHighUnsigned, E, E>;
  });
}

Decoded decodeIntegerArith(Decoder &decoder, Operation *op, Step &step) {
  if (op->getNumOperands() == 0 || op->getNumResults() == 0)
    return Decoded::Unknown;
  Kind kind = decoder.code.slots[step.operands[0]].kind;
  if (isFloat(kind) || kind == Kind::Pointer)
    return Decoded::Unknown;
  constexpr Second kNotZero = Second::NotZero;
  constexpr Second kDivisor = Second::Divisor;
  constexpr Second kBelowWidth = Second::BelowWidth;
  step.handler =
      llvm::TypeSwitch<Operation *, Handler>(op)
          .Case([&](arith::AddIOp) { return binary<Add>(kind); })
          .Case([&](arith::SubIOp) { return binary<Subtract>(kind); })
          .Case([&](arith::MulIOp) { return binary<Multiply>(kind); })
          .Case([&](arith::AndIOp) { return binary<And>(kind); })
          .Case([&](arith::OrIOp) { return binary<Or>(kind); })
          .Case([&](arith::XOrIOp) { return binary<Xor>(kind); })
          .Case([&](arith::MaxSIOp) { return binary<MaxSigned>(kind); })
          .Case([&](arith::MinSIOp) { return binary<MinSigned>(kind); })
          .Case([&](arith::MaxUIOp) { return binary<MaxUnsigned>(kind); })
          .Case([&](arith::MinUIOp) { return binary<MinUnsigned>(kind); })
          .Case([&](arith::DivUIOp) {
            return binary<DivideUnsigned, kNotZero>(kind);
          })
          .Case([&](arith::DivSIOp) {
            return binary<DivideSigned, kDivisor>(kind);
          })
          .Case([&](arith::RemUIOp) {
            return binary<RemainderUnsigned, kNotZero>(kind);
          })
          .Case([&](arith::RemSIOp) {
            return binary<RemainderSigned, kDivisor>(kind);
          })
          .Case([&](arith::FloorDivSIOp) {
            return binary<FloorDivideSigned, kDivisor>(kind);
          })
          .Case([&](arith::CeilDivSIOp) {
            return binary<CeilDivideSigned, kDivisor>(kind);
          })
          .Case([&](arith::CeilDivUIOp) {
            return binary<CeilDivideUnsigned, kNotZero>(kind);
          })
          .Case([&](arith::ShLIOp) {
            return binary<ShiftLeft, kBelowWidth>(kind);
          })
          .Case([&](arith::ShRUIOp) {
            return binary<ShiftRightUnsigned, kBelowWidth>(kind);
          })
          .Case([&](arith::ShRSIOp) {
            return binary<ShiftRightSigned, kBelowWidth>(kind);
          })
          .Case([&](arith::CmpIOp cmp) {
            return comparison(cmp.getPredicate(), kind);
          })
          .Case<arith::AddUIExtendedOp, arith::MulSIExtendedOp,
                arith::MulUIExtendedOp>(
              [&](Operation *) { return extended(op, kind); })
          .Case([&](math::AbsIOp) { return unary<Absolute>(kind); })
          .Case([&](math::CountLeadingZerosOp) {
            return unary<CountLeadingZeros>(kind);
          })
          .Case([&](math::CountTrailingZerosOp) {
            return unary<CountTrailingZeros>(kind);
          })
          .Case([&](math::CtPopOp) { return unary<CountOnes>(kind); })
          .Case([&](math::IPowIOp) { return binary<Power>(kind); })
          .Default([](Operation *) -> Handler { return nullptr; });
  return step.handler ? Decoded::Step : Decoded::Unknown;
}

} // namespace tile::interpreter
