//===- Debug.cpp - assert, print and assume -------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "Facts.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tile::interpreter {

std::optional<std::string> violationOf(FactAttr fact, int64_t value,
                                       bool isAddress) {
  auto say = [&](const Twine &expected) {
    std::string got =
        isAddress ? "0x" + llvm::utohexstr(value) : std::to_string(value);
    return ("expected " + expected + ", got " + got).str();
  };
  if (auto divisibility = fact.getDivisibility())
    if (uint64_t(isAddress || value >= 0 ? value : -value) %
            uint64_t(*divisibility) !=
        0)
      return say((isAddress ? "an address divisible by " : "a multiple of ") +
                 Twine(*divisibility));
  if (fact.getMin() && value < *fact.getMin())
    return say("at least " + Twine(*fact.getMin()));
  if (fact.getMax() && value > *fact.getMax())
    return say("at most " + Twine(*fact.getMax()));
  return std::nullopt;
}

static LogicalResult runAssume(Program &program, const Step &step) {
  SlotIndex slot = step.operands[0];
  FactAttr fact = cast<AssumeOp>(step.op).getFact();
  bool isAddress = program.slot(slot).kind == Kind::Pointer;
  int64_t value =
      isAddress
          ? int64_t(program.data<PointerValue>(slot)->address)
          : withInteger(program.slot(slot).kind, [&](auto e) -> int64_t {
              using E = decltype(e);
              return E::getSigned(*program.data<typename E::Storage>(slot));
            });
  if (auto violation = violationOf(fact, value, isAddress))
    return program.fail(step, "assumption does not hold: " + *violation +
                                  " in " + program.describe());
  return success();
}

static LogicalResult runAssert(Program &program, const Step &step) {
  SlotIndex slot = step.operands[0];
  auto *condition = program.data<uint8_t>(slot);
  for (int64_t i = 0; i < program.slot(slot).count; ++i)
    if (!condition[i])
      return program.fail(
          step, "assertion failed: " + cast<AssertOp>(step.op).getMessage() +
                    " in " + program.describeLane(slot, i));
  return success();
}

/// Prints the elements from `element` on in nested brackets.
static const char *printTile(llvm::raw_ostream &stream, Kind kind,
                             ArrayRef<int64_t> shape, const char *element) {
  if (shape.empty()) {
    stream << toString(kind, element);
    return element + bytesOf(kind);
  }
  stream << "[";
  for (int64_t i = 0; i < shape[0]; ++i) {
    if (i)
      stream << ", ";
    element = printTile(stream, kind, shape.drop_front(), element);
  }
  stream << "]";
  return element;
}

static LogicalResult runPrint(Program &program, const Step &step) {
  auto print = cast<PrintOp>(step.op);
  llvm::raw_string_ostream stream(program.printed);
  stream << program.describe() << ": " << print.getLabel();
  for (SlotIndex slot : step.operands) {
    stream << " ";
    printTile(stream, program.slot(slot).kind, program.slot(slot).shape,
              program.data<char>(slot));
  }
  stream << "\n";
  return success();
}

Decoded decodeDebug(Decoder &decoder, Operation *op, Step &step) {
  step.handler = llvm::TypeSwitch<Operation *, Handler>(op)
                     .Case([](AssumeOp) { return runAssume; })
                     .Case([](AssertOp) { return runAssert; })
                     .Case([](PrintOp) { return runPrint; })
                     .Default([](Operation *) -> Handler { return nullptr; });
  return step.handler ? Decoded::Step : Decoded::Unknown;
}

} // namespace tile::interpreter
