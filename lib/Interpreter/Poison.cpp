//===- Poison.cpp - Results that an op has no value for -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps that run before an op and fail where its result is poison: a sum,
// difference, product, shift or truncation that its flags rule out, and a float
// whose integer part the integer type cannot hold.  The op's own step needs no
// check then, and does what the hardware does where there is none.
//
//===----------------------------------------------------------------------===//

#include "Decode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tile::interpreter {

namespace {
/// Of an element's bits: a signed or an unsigned number, and whether `E` holds
/// one.
template <class E>
int64_t valueOf(typename E::Storage element, int64_t) {
  return E::getSigned(element);
}
template <class E>
uint64_t valueOf(typename E::Storage element, uint64_t) {
  return E::get(element);
}
template <class E, class Value>
bool holds(Value value) {
  return valueOf<E>(E::put(uint64_t(value)), Value()) == value;
}

/// Functors: whether a op b is no number of `E`.
struct Plus {
  static constexpr const char *kSymbol = " + ";
  template <class E, class Value>
  static bool overflows(Value a, Value b) {
    Value result;
    return __builtin_add_overflow(a, b, &result) || !holds<E>(result);
  }
};
struct Minus {
  static constexpr const char *kSymbol = " - ";
  template <class E, class Value>
  static bool overflows(Value a, Value b) {
    Value result;
    return __builtin_sub_overflow(a, b, &result) || !holds<E>(result);
  }
};
struct Times {
  static constexpr const char *kSymbol = " * ";
  template <class E, class Value>
  static bool overflows(Value a, Value b) {
    Value result;
    return __builtin_mul_overflow(a, b, &result) || !holds<E>(result);
  }
};
struct Shift {
  static constexpr const char *kSymbol = " << ";
  template <class E, class Value>
  static bool overflows(Value a, Value b) {
    // A count that is too large is the op's own error.
    uint64_t count = uint64_t(b) & (~0ull >> (64 - E::kBits));
    if (count >= E::kBits)
      return false;
    auto result = Value(uint64_t(a) << count);
    return !holds<E>(result) || result >> count != a;
  }
};
} // namespace

/// The element type of the op's result, for people.
static std::string typeText(const Step &step) {
  std::string text;
  llvm::raw_string_ostream(text)
      << getElementTypeOrSelf(step.op->getResult(0).getType());
  return text;
}

template <class F, class E, class Value>
static LogicalResult checkBinary(Program &program, const Step &step) {
  auto *lhs = program.data<typename E::Storage>(step.operands[0]);
  auto *rhs = program.data<typename E::Storage>(step.operands[1]);
  int64_t count = program.slot(step.operands[0]).count;
  for (int64_t i = 0; i < count; ++i) {
    Value a = valueOf<E>(lhs[i], Value()), b = valueOf<E>(rhs[i], Value());
    if (F::template overflows<E>(a, b))
      return program.fail(
          step,
          Twine(a) + F::kSymbol + Twine(b) + " overflows " + typeText(step) +
              ", which its flag '" + (std::is_signed_v<Value> ? "nsw" : "nuw") +
              "' rules out, in " + program.describeLane(step.operands[0], i));
  }
  return success();
}

template <class From, class To, class Value>
static LogicalResult checkTruncation(Program &program, const Step &step) {
  auto *source = program.data<typename From::Storage>(step.operands[0]);
  int64_t count = program.slot(step.operands[0]).count;
  for (int64_t i = 0; i < count; ++i) {
    Value value = valueOf<From>(source[i], Value());
    if (!holds<To>(value))
      return program.fail(
          step,
          "the truncation of " + Twine(value) + " overflows " + typeText(step) +
              ", which its flag '" + (std::is_signed_v<Value> ? "nsw" : "nuw") +
              "' rules out, in " + program.describeLane(step.operands[0], i));
  }
  return success();
}

template <class From, class To, bool isSigned>
static LogicalResult checkFloat(Program &program, const Step &step) {
  auto *source = program.data<typename From::Storage>(step.operands[0]);
  int64_t count = program.slot(step.operands[0]).count;
  // Powers of two, which f64 holds.
  double above = std::ldexp(1.0, To::kBits - (isSigned ? 1 : 0));
  double least = isSigned ? -above : 0;
  for (int64_t i = 0; i < count; ++i) {
    double value = std::trunc(double(From::get(source[i])));
    if (!(value >= least && value < above))
      return program.fail(
          step, "expected a number whose integer part " + typeText(step) +
                    " holds, got " +
                    toString(program.slot(step.operands[0]).kind, &source[i]) +
                    " in " + program.describeLane(step.operands[0], i));
  }
  return success();
}

template <class F>
static void addBinary(Kind kind, bool isSigned, bool isUnsigned,
                      SmallVectorImpl<Handler> &checks) {
  withInteger(kind, [&](auto e) {
    using E = decltype(e);
    if (isSigned)
      checks.push_back(checkBinary<F, E, int64_t>);
    if (isUnsigned)
      checks.push_back(checkBinary<F, E, uint64_t>);
  });
}

static void addTruncation(Kind from, Kind to, bool isSigned, bool isUnsigned,
                          SmallVectorImpl<Handler> &checks) {
  withInteger(from, [&](auto f) {
    withInteger(to, [&](auto t) {
      using From = decltype(f);
      using To = decltype(t);
      if (isSigned)
        checks.push_back(checkTruncation<From, To, int64_t>);
      if (isUnsigned)
        checks.push_back(checkTruncation<From, To, uint64_t>);
    });
  });
}

template <bool isSigned>
static void addFloat(Kind from, Kind to, SmallVectorImpl<Handler> &checks) {
  withFloat(from, [&](auto f) {
    withInteger(to, [&](auto t) {
      checks.push_back(checkFloat<decltype(f), decltype(t), isSigned>);
    });
  });
}

void addPoisonChecks(const Decoder &decoder, Operation *op, const Step &step,
                     std::vector<Step> &steps) {
  if (op->getNumOperands() == 0 || op->getNumResults() != 1)
    return;
  Kind from = decoder.code.slots[step.operands[0]].kind;
  Kind to = decoder.code.slots[step.results[0]].kind;
  SmallVector<Handler, 2> checks;
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op)) {
    bool isSigned = flags.hasNoSignedWrap();
    bool isUnsigned = flags.hasNoUnsignedWrap();
    if (isa<arith::AddIOp>(op))
      addBinary<Plus>(from, isSigned, isUnsigned, checks);
    else if (isa<arith::SubIOp>(op))
      addBinary<Minus>(from, isSigned, isUnsigned, checks);
    else if (isa<arith::MulIOp>(op))
      addBinary<Times>(from, isSigned, isUnsigned, checks);
    else if (isa<arith::ShLIOp>(op))
      addBinary<Shift>(from, isSigned, isUnsigned, checks);
    else if (isa<arith::TruncIOp>(op))
      addTruncation(from, to, isSigned, isUnsigned, checks);
  } else if (isa<arith::FPToSIOp>(op)) {
    addFloat<true>(from, to, checks);
  } else if (isa<arith::FPToUIOp>(op)) {
    addFloat<false>(from, to, checks);
  }
  for (Handler check : checks)
    steps.emplace_back(step).handler = check;
}

} // namespace tile::interpreter
